"""What a site's robots.txt lets us read, and how fast. Pure."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from protego import Protego
from yarl import URL

from bot.errors import SourceRejected
from kb_sync.sources.fetching import AGENT, Fetched


@dataclass(frozen=True, slots=True, kw_only=True)
class Robots:
    """The rules for us; without a file everything may be read (RFC 9309)."""

    rules: Protego
    delay_s: float
    sitemaps: tuple[str, ...]

    def permits(self, address: URL) -> bool:
        return self.rules.can_fetch(str(address), AGENT)


def robots_of(fetched: Fetched) -> Robots:
    """Return the rules that were fetched; SourceRejected when they lead to another site."""
    if fetched.elsewhere:
        raise SourceRejected(f"{fetched.address}: leads to {fetched.elsewhere}; name that site")
    is_there = fetched.status < 300
    rules = Protego.parse(fetched.body.decode("utf-8-sig", "replace") if is_there else "")
    return Robots(rules=rules, delay_s=max(_delays(rules)), sitemaps=tuple(rules.sitemaps))


def _delays(rules: Protego) -> Iterator[float]:
    yield 0.0
    delay_s = rules.crawl_delay(AGENT)
    if delay_s is not None and math.isfinite(delay_s):
        yield delay_s
    rate = rules.request_rate(AGENT)
    if rate is not None and rate.requests > 0:
        yield rate.seconds / rate.requests
