"""In-memory twins of the ports, for tests and for trying things: same promises, nothing kept."""
