"""How many sockets of a channel are open, in all, by who holds them and by address, and how many may be (FAULTS W6)."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from bot.channels.problems import ProblemJson
from bot.channels.proxies import is_loopback
from bot.channels.throttling import throttled

RETRY_S = 30  # a socket ends when its page does, which nobody can foresee
LOCAL_FACTOR = 100  # behind a proxy on this machine that is not trusted, everybody has this machine's address


class SocketObserver(Protocol):
    """Counts what operators watch; never raises and never waits."""

    def sockets_seen(self, *, channel: str, count: int) -> None:
        """Show how many sockets are open."""
        ...


class Unwatched:
    """Stands for a service whose sockets nobody counts."""

    def sockets_seen(self, *, channel: str, count: int) -> None:
        return


@dataclass(slots=True, kw_only=True)
class OpenSockets:
    """The places for sockets of one channel in this process; None for as many as come."""

    channel: str = "none"
    per_address: int | None = None
    per_holder: int | None = None
    observer: SocketObserver = field(default_factory=Unwatched)
    _addresses: Counter[str] = field(default_factory=Counter[str])
    _holders: Counter[str] = field(default_factory=Counter[str])

    @contextmanager
    def at(self, address: str) -> Iterator[None]:
        """Take a place for as long as the block lasts; ProblemJson 429 when the address has none left."""
        limit = self._limit_at(address)
        if limit is not None and self._addresses[address] >= limit:
            raise _full()
        try:
            with _counted(self._addresses, address):
                self._show()
                yield
        finally:
            self._show()

    @contextmanager
    def held_by(self, holder: str) -> Iterator[bool]:
        """Take a place for as long as the block lasts; yields whether there was one."""
        if self.per_holder is not None and self._holders[holder] >= self.per_holder:
            yield False
            return
        with _counted(self._holders, holder):
            yield True

    def _limit_at(self, address: str) -> int | None:
        if self.per_address is None or not is_loopback(address):
            return self.per_address
        return self.per_address * LOCAL_FACTOR

    def _show(self) -> None:
        self.observer.sockets_seen(channel=self.channel, count=self._addresses.total())


@contextmanager
def _counted(counter: Counter[str], key: str) -> Iterator[None]:
    counter[key] += 1
    try:
        yield
    finally:
        counter[key] -= 1
        if not counter[key]:
            del counter[key]


def _full() -> ProblemJson:
    return throttled(RETRY_S, "Too many connections are open from your network.", then="try again")
