"""The agents' console in a real browser."""
