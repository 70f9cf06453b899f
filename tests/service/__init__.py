"""The service on its in-memory twins."""
