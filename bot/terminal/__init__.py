"""What the commands of `python -m bot` do and print; one module a command, and the arguments of those that measure."""
