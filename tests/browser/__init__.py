"""The widget as a customer meets it: a real browser on a running service."""
