"""The repository's own conventions, as tests."""
