"""Platforms on which customers and agents meet Candor."""
