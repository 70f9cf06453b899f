"""The numbers that operators watch, in Prometheus's text format."""
