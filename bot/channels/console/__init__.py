"""The agents' console: sign-in, queue, conversation, numbers."""
