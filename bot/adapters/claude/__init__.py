"""Answers written by Claude: the request, the stream that comes back, and what its failures mean."""
