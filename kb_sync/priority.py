"""A sync's embedding gives way: on a machine that it shares with the service, customers wait for replies and nobody for the sync.

Only the threads that embed do. One that waits while it holds the database would let the service wait with it.
"""

import os
import sys

_NICENESS = 19  # of 19


def give_way() -> None:
    """Let this thread run only when no other wants to, where the system knows such threads."""
    if sys.platform == "linux":
        os.sched_setscheduler(
            0, os.SCHED_IDLE, os.sched_param(0)
        )  # nice alone lets others wait for milliseconds
        os.setpriority(os.PRIO_PROCESS, 0, _NICENESS)  # of this thread, on Linux
