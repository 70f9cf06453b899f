"""The commands of `python -m bot`, run in process with an environment of their own."""
