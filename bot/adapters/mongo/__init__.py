"""MongoDB: the stores of many processes."""
