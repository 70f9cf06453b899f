"""Candor: a support bot that answers from a knowledge base, hands over to people, and never lies about why."""
