"""How Slack is spoken with, against a server that plays it."""
