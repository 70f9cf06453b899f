"""Requests that cannot be read leave nothing of themselves in the log, whatever the server library says of them (FAULTS L11)."""

import asyncio
import io
import logging
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import structlog

from bot.logs import LIBRARIES, OURS, configure_logs

COOKIE = "__Host-candor=quixzylophon0123456789ABCDEFGHIJKLMNOPQRSTUV"
LONG = "x" * 9_000


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Everything that any library says, from debug on."""
    stream, root = io.StringIO(), logging.getLogger()
    configure_logs("debug", stream=stream)
    (handler,) = (one for one in root.handlers if one.name == OURS)
    handler.setLevel(logging.DEBUG)
    logging.getLogger("aiohttp").setLevel(logging.DEBUG)
    yield stream
    logging.getLogger("aiohttp").setLevel(LIBRARIES)
    root.removeHandler(handler)
    structlog.reset_defaults()


async def answer_to(url: str, request: str) -> bytes:
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    writer.write(request.encode("latin-1"))
    answer = await reader.read(1_024)
    writer.close()
    await writer.wait_closed()
    return answer


@pytest.mark.parametrize(
    "request_text",
    [
        pytest.param(f"GET / HTTP/1.1\r\nHost: a\r\nCookie: {COOKIE}; y={LONG}\r\n\r\n", id="a long cookie"),
        pytest.param(f"GET /quixzylophon{LONG} HTTP/1.1\r\nHost: a\r\n\r\n", id="a long address"),
        pytest.param(f"GET / HTTP/1.1\r\nHost: a\r\nCookie {COOKIE}\r\n\r\n", id="a header without a colon"),
        pytest.param(f"GET / HTTP/1.1\r\nHost: a\r\n\x00Cookie: {COOKIE}\r\n\r\n", id="a header with a zero"),
        pytest.param("quixzylophon\r\n\r\n", id="no request at all"),
    ],
)
async def test_what_cannot_be_read_is_not_in_the_log(rig, stream, request_text):
    answer = await answer_to(rig.url, request_text)

    assert answer.split()[1] == b"400"
    assert "quixzylophon" not in stream.getvalue()
