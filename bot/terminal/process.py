"""What `serve` asks of its own process: descriptors for many sockets, and a memory that is quick to look through."""

import gc
import resource
from contextlib import suppress

DESCRIPTORS = 65_536  # one for each open socket; systems often begin with 1,024


def allow_many_sockets() -> None:
    """Take as many file descriptors as the system lets us have without asking."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft not in (resource.RLIM_INFINITY, wanted) and soft < wanted:
        with suppress(OSError, ValueError):  # some systems name a limit that they do not allow
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def settle_memory() -> None:
    """Take what lives as long as the service out of the collector's rounds, which stop the loop for as long as they look at it."""
    gc.collect()
    gc.freeze()
