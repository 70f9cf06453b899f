"""Ten thousand requests that are not Slack's: no failure of ours, and no listener is called (FAULTS SL1)."""

import asyncio
from collections import Counter
from contextlib import suppress
from urllib.parse import urlsplit

from tests.channels.slack.door import SECRET, Door, a_door
from tests.channels.slack.strange_requests import Strange

SEED = 20261130
REQUESTS = 10_000
LINES = 8


async def test_ten_thousand_strange_requests_are_all_refused_and_nothing_is_done():
    async with a_door() as door:
        strange = Strange(seed=SEED, secret=SECRET, now_s=door.clock.now_ms() // 1000)
        sent = [[strange.request() for _ in range(REQUESTS // LINES)] for _ in range(LINES)]

        counts = sum(await asyncio.gather(*(_statuses(door, requests) for requests in sent)), Counter())

        assert set(counts) <= {400, 401}
        assert counts.total() == REQUESTS
        assert min(counts[400], counts[401]) > REQUESTS / 10
        assert door.listener.heard == []
        assert await door.store.inbox_due(now_ms=2**53, limit=1) == ()


async def _statuses(door: Door, requests: list[bytes]) -> Counter[int]:
    counts = Counter[int]()
    left = list(reversed(requests))
    while left:
        answered = await _over_one_line(door, left)
        assert answered, "a line ended before its first answer"
        counts.update(answered)
    return counts


async def _over_one_line(door: Door, left: list[bytes]) -> list[int]:
    """Send one after another until the server ends the line, as it does after what is no HTTP; return the statuses."""
    url = urlsplit(door.url)
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    statuses = []
    try:
        while left:
            writer.write(left[-1])
            statuses.append(await _answer(reader))
            left.pop()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.transport.abort()
        with suppress(ConnectionError):
            await writer.wait_closed()
    return statuses


async def _answer(reader: asyncio.StreamReader) -> int:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    (length,) = [line for line in head.split(b"\r\n") if line.startswith(b"content-length:")]
    await reader.readexactly(int(length.partition(b":")[2]))
    return int(head.split(b" ")[1])
