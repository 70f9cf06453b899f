"""A WebSocket client that keeps to no rule: it sends any bytes after the handshake, and reads what comes back frame by frame."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

FIN, RSV1 = 0x80, 0x40
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
MASKED = 0x80
ANSWERS_WITHIN_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What the server sent."""

    opcode: int
    payload: bytes

    @property
    def close_code(self) -> int:
        return int.from_bytes(self.payload[:2], "big")


def frame(payload: bytes, opcode: int = TEXT, *, flags: int = FIN, masked: bool = True) -> bytes:
    """Return one frame as a client sends it."""
    mask, bit = (os.urandom(4), MASKED) if masked else (bytes(4), 0)
    length = len(payload)
    if length < 126:
        head = bytes([flags | opcode, bit | length])
    elif length < 65_536:
        head = bytes([flags | opcode, bit | 126]) + length.to_bytes(2, "big")
    else:
        head = bytes([flags | opcode, bit | 127]) + length.to_bytes(8, "big")
    sent = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
    return head + (mask if masked else b"") + sent


@dataclass(slots=True, kw_only=True)
class RawSocket:
    """The line after the handshake; `head` is what the server answered to it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    head: str

    async def send(self, data: bytes) -> None:
        """Send bytes; the server may be gone already."""
        with suppress(ConnectionError):
            self.writer.write(data)
            await self.writer.drain()

    async def receive(self) -> Frame | None:
        """Return the next frame; None when the line has ended."""
        try:
            async with asyncio.timeout(ANSWERS_WITHIN_S):
                first, second = await self.reader.readexactly(2)
                length = second & 0x7F
                if length >= 126:
                    length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8), "big")
                return Frame(opcode=first & 0x0F, payload=await self.reader.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    async def next(self, opcode: int) -> Frame:
        """Return the next frame of a kind; others are passed over."""
        while (found := await self.receive()) is not None:
            if found.opcode == opcode:
                return found
        raise AssertionError(f"the line ended before a frame of kind {opcode}")

    async def close_code(self) -> int | None:
        """Read to the end, and return the code with which the server closed; None when it just hung up."""
        while (found := await self.receive()) is not None:
            if found.opcode == CLOSE:
                return found.close_code
        return None


@asynccontextmanager
async def raw_socket(address: str, headers: Mapping[str, str]) -> AsyncIterator[RawSocket]:
    """Open a line and upgrade it."""
    url = urlsplit(address)
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    given = {
        "Host": url.netloc,
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Extensions": "permessage-deflate",
        **headers,
    }
    lines = [f"GET {url.path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items()), "", ""]
    try:
        writer.write("\r\n".join(lines).encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        yield RawSocket(reader=reader, writer=writer, head=head)
    finally:
        writer.transport.abort()
        with suppress(ConnectionError):
            await writer.wait_closed()
