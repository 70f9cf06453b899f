"""The test suite: one folder per part of the architecture."""
