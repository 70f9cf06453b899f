"""Pure decisions: no waiting, no logging, no clock, no files."""
