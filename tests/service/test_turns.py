"""Turns from a message to what the store keeps."""
