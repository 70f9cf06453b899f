"""R-W9: whatever comes over a socket, the server closes with a code that it documents, logs no defect, and serves the next."""

import asyncio
import json
import random
import zlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

import pytest

from bot.channels.openapi.wording import CLOSINGS
from bot.channels.websockets import MAX_FRAME_BYTES
from tests.channels.openapi.server import everything
from tests.channels.raw_socket import (
    BINARY,
    CLOSE,
    CONTINUATION,
    FIN,
    MASKED,
    PING,
    PONG,
    RSV1,
    TEXT,
    RawSocket,
    frame,
    raw_socket,
)

SEED = 20261130
LINES, FRAMES_EACH = 60, 8
CODES = {closing.code for closing, _ in CLOSINGS}
BOMB = zlib.compress(bytes(50_000_000), 9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """One kind of socket: where it is, what the handshake needs, and how a client begins and shows life."""

    address: str
    headers: dict[str, str]
    greeting: bytes
    alive: bytes

    def open(self) -> AbstractAsyncContextManager[RawSocket]:
        return raw_socket(self.address, self.headers)

    async def serves(self) -> bool:
        """Whether a well-behaved client is still answered."""
        async with self.open() as line:
            await line.send(frame(self.greeting) + frame(self.alive))
            for _ in range(5):
                answer = await line.next(TEXT)
                if json.loads(answer.payload)["type"] in {"pong", "alive"}:
                    return True
        return False


@pytest.fixture(params=["widget", "console"])
async def door(request) -> AsyncIterator[Door]:
    async with everything() as server:
        if request.param == "widget":
            yield Door(
                address=f"{server.url}/widget/v1/socket",
                headers={"Origin": server.url},
                greeting=json.dumps({"type": "auth", "token": server.token}).encode(),
                alive=b'{"type":"ping"}',
            )
        else:
            yield Door(
                address=f"{server.url}/console/v1/socket",
                headers=server.admin.headers,
                greeting=b'{"type":"hello"}',
                alive=b'{"type":"alive"}',
            )


RULES_BROKEN = {
    "binary": (frame(b"{}", BINARY), 1003),
    "invalid UTF-8": (frame(b'{"type":"\xff"}'), 1007),
    "lone surrogate": (frame(b'{"type":"\xed\xa0\x80"}'), 1007),
    "one byte too many": (frame(b" " * (MAX_FRAME_BYTES + 1)), 1009),
    "too much in pieces": (
        frame(b"{" * 9_000, flags=0) + frame(b"{" * 9_000, CONTINUATION, flags=FIN),
        1009,
    ),
    "a length that nobody can hold": (bytes([FIN | TEXT, MASKED | 127]) + b"\x7f" + b"\xff" * 7, 1009),
    "deflate bomb": (frame(BOMB[:MAX_FRAME_BYTES], flags=FIN | RSV1), 1002),
    "reserved kind": (frame(b"", 0x3), 1002),
    "ping in pieces": (frame(b"", PING, flags=0), 1002),
    "ping too long": (frame(b"p" * 126, PING), 1002),
    "continuation of nothing": (frame(b"{}", CONTINUATION), 1002),
    "text within a text": (frame(b"{", flags=0) + frame(b"}"), 1002),
    "close without a reason's code": (frame(b"\x03", CLOSE), 1002),
    "close with a code that there is not": (frame(b"\x00\x05", CLOSE), 1002),
    "close with a reason that is no text": (frame(b"\x03\xe8\xff", CLOSE), 1007),
    "deep JSON": (frame(b"[" * 16_000), 4400),
    "NUL": (frame(b'{"type":"ping\x00"}'), 4400),
    "a number": (frame(b"1e999"), 4400),
    "nothing": (frame(b""), 4400),
    "a frame of another time": (frame(b'{"type":"resume"}'), 4400),
}


@pytest.mark.parametrize("greeted", [False, True], ids=["at first", "later"])
@pytest.mark.parametrize(("sent", "code"), RULES_BROKEN.values(), ids=RULES_BROKEN.keys())
async def test_what_breaks_a_rule_closes_with_its_code(door, sent, code, greeted):
    async with door.open() as line:
        await line.send((frame(door.greeting) if greeted else b"") + sent)

        assert await line.close_code() == code


async def test_compression_is_not_agreed_to(door):
    async with door.open() as line:
        assert "Sec-WebSocket-Extensions" not in line.head
        assert line.head.startswith("HTTP/1.1 101 ")


async def test_a_frame_in_pieces_with_a_ping_between_is_one_frame(door):
    async with door.open() as line:
        begun = frame(door.greeting[:5], flags=0) + frame(b"?", PING)
        await line.send(begun + frame(door.greeting[5:], CONTINUATION))

        assert (await line.next(PONG)).payload == b"?"
        assert json.loads((await line.next(TEXT)).payload)["type"] in {"snapshot", "queue"}


def _made_up(chance: random.Random) -> bytes:
    """Return a frame of a random kind, or random bytes."""
    size = chance.choice([0, 1, 125, 126, 1_000, MAX_FRAME_BYTES, MAX_FRAME_BYTES + 1])
    payload = chance.choice([chance.randbytes(size), b'{"type":"typing","seq":%d}' % size])
    if chance.random() < 0.2:
        return chance.randbytes(chance.randrange(1, 40))
    return frame(
        payload,
        chance.randrange(16),
        flags=chance.choice([0, FIN, FIN, FIN, FIN | RSV1, chance.randrange(16) << 4]),
        masked=chance.random() < 0.9,
    )


async def _abused(door: Door, chance: random.Random) -> int | None:
    """Send made-up frames over one line, then go, and return how the server closed it."""
    async with door.open() as line:
        if chance.random() < 0.7:
            await line.send(frame(door.greeting))
        for _ in range(chance.randrange(1, FRAMES_EACH)):
            await line.send(_made_up(chance))
        if chance.random() < 0.3:
            line.writer.write_eof()
        else:
            await line.send(frame(b"\x03\xe8", CLOSE))
        return await line.close_code()


@pytest.mark.timeout(120)
async def test_no_frames_at_all_end_a_line_otherwise_than_documented(door, caplog, capsys):
    chance = random.Random(SEED)  # noqa: S311 - a history to repeat, nothing to guess

    codes = [await _abused(door, chance) for _ in range(LINES)]

    assert {code for code in codes if code is not None} <= CODES
    assert await door.serves()
    assert (caplog.text, "failed" in capsys.readouterr().out) == ("", False)


async def test_lines_that_are_torn_leave_nothing_behind(door, caplog, capsys):
    half = frame(door.greeting)[:7]
    for sent in (b"", half, frame(door.greeting), frame(door.greeting) + half):
        async with door.open() as line:
            await line.send(sent)
    async with door.open() as line, asyncio.timeout(10):
        await line.send(frame(door.greeting))
        line.writer.write_eof()
        await line.close_code()

    assert await door.serves()
    assert (caplog.text, "failed" in capsys.readouterr().out) == ("", False)
