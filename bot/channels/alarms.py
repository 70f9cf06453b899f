"""Says when this process has no file descriptor left to accept a connection with (FAULTS R-W19).

The connection waits meanwhile, open ones live on, and the event loop tries again each second by itself.
"""

import asyncio
import errno
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import structlog

EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
EVERY_S = 60.0  # one alarm in so much time: the loop tries again and again

Context = Mapping[str, object]

log = structlog.get_logger()


@contextmanager
def accept_alarm(accept_failed: Callable[[], None]) -> Iterator[None]:
    """Raise the alarm for as long as the block lasts; *accept_failed* is told each time."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    said_s = loop.time() - EVERY_S

    def heard(loop: asyncio.AbstractEventLoop, context: Context) -> None:
        nonlocal said_s
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in EXHAUSTED:
            loop.default_exception_handler(dict(context))
            return
        accept_failed()
        if loop.time() - said_s >= EVERY_S:
            said_s = loop.time()
            log.error("connections_cannot_be_accepted", problem=os.strerror(error.errno))

    loop.set_exception_handler(heard)
    try:
        yield
    finally:
        loop.set_exception_handler(before)
