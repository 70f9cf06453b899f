"""Whole channels over real sockets."""
