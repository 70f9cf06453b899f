"""The protocol by which bot, customer, agents and a crash share one conversation (FAULTS §4)."""
