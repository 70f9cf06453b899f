"""One outside system per module, behind the ports."""
