"""Each adapter against what it adapts."""
