"""Servers on this machine that speak a vendor's wire format, and misbehave as they are told."""
