"""A sync gives way: on a machine that it shares with the service, customers wait for replies and nobody for the sync."""

import os

_NICENESS = 19  # of 19: what the service does not use is left for the sync


def give_way() -> None:
    """Let every other process go first, where the system knows priorities; threads that begin later follow."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, max(_NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))
