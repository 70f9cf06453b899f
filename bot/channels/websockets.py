"""What all our WebSockets have in common: their limits, why they are closed, and how one is held open.

A channel gives the frames to send and answers those that arrive; whichever side ends first ends both.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import structlog
from aiohttp import WSMessage, WSMsgType, web

from bot.channels.bodies import Body, parse
from bot.channels.events import Event
from bot.errors import InputRejected, OutsideFailure

MAX_FRAME_BYTES = 16 * 1024
EARLIEST_BEAT = (
    0.6  # of the time: the library pings in whole seconds, and all who came at once would be pinged at once
)
HEARTBEAT_S = (
    25.0  # routers cut a silent line at 30 s or 55 s; a peer that owes its pong for half of it is dropped
)
SEND_S = 20.0  # one frame; a reader that takes longer is cut off like one whose queue is full
CLOSE_S = 2.0

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """Why a socket is closed, in the protocol's numbers; 44xx are ours and follow HTTP's."""

    code: int
    message: str


BINARY = Closing(code=1003, message="text frames only")
MALFORMED = Closing(code=4400, message="frame not understood")
NOT_AUTHENTICATED = Closing(code=4401, message="not signed in")
TOO_MANY = Closing(code=4429, message="too many sockets")
TOO_LATE = Closing(code=4408, message="not authenticated in time")
FAILED = Closing(code=1011, message="unavailable")
STOPPING = Closing(code=1012, message="restarting")
OVERLOADED = Closing(code=1013, message="too slow")
GONE = Closing(code=1000, message="")

Converse = Callable[[web.WebSocketResponse], Awaitable[Closing]]
Answer = Callable[[str], Awaitable[Closing | None]]


async def serve_socket(
    request: web.Request, converse: Converse, *, heartbeat_s: float = HEARTBEAT_S
) -> web.WebSocketResponse:
    """Upgrade, converse until either side ends it, and close with the reason."""
    ws = web.WebSocketResponse(
        heartbeat=heartbeat_s * random.uniform(EARLIEST_BEAT, 1),  # noqa: S311 - spreads a load, hides nothing
        max_msg_size=MAX_FRAME_BYTES,
        compress=False,
        timeout=CLOSE_S,
    )
    await ws.prepare(request)
    closing = await _closing_of(converse(ws))
    try:
        async with asyncio.timeout(2 * CLOSE_S):
            await ws.close(code=closing.code, message=closing.message.encode())
    except TimeoutError:
        log.info("socket_aborted", code=closing.code)  # it never read what was sent
    return ws


async def first_frame(ws: web.WebSocketResponse, model: type[Body], *, within_s: float) -> Body | Closing:
    """Return the frame with which a peer begins, or why there is none."""
    try:
        first = await ws.receive(timeout=within_s)
    except TimeoutError:
        return TOO_LATE
    if first.type is not WSMsgType.TEXT:
        return BINARY if first.type is WSMsgType.BINARY else GONE
    try:
        return parse(model, first.data)
    except InputRejected:
        return MALFORMED


async def hold(ws: web.WebSocketResponse, frames: AsyncIterator[Event | Closing], answer: Answer) -> Closing:
    """Send *frames*, of which a Closing is the last, and *answer* the texts that arrive."""
    sending = asyncio.create_task(_send(ws, frames))
    receiving = asyncio.create_task(_receive(ws, answer))
    tasks = (sending, receiving)
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return (sending if sending in done else receiving).result()


async def send(ws: web.WebSocketResponse, frame: Event) -> None:
    """Send one frame; TimeoutError when the peer does not take it."""
    async with asyncio.timeout(SEND_S):
        await ws.send_json(frame)


async def _closing_of(conversing: Awaitable[Closing]) -> Closing:
    try:
        return await conversing
    except OutsideFailure:
        return FAILED
    except ConnectionError:
        return GONE
    except Exception:
        log.exception("socket_failed")
        return FAILED


async def _send(ws: web.WebSocketResponse, frames: AsyncIterator[Event | Closing]) -> Closing:
    async for frame in frames:
        if isinstance(frame, Closing):
            return frame
        try:
            await send(ws, frame)
        except TimeoutError:
            return OVERLOADED
    return STOPPING


async def _receive(ws: web.WebSocketResponse, answer: Answer) -> Closing:
    """Answer until the peer leaves or breaks a rule."""
    async for message in ws:
        closing = await _answered(message, answer)
        if closing is not None:
            return closing
    return GONE


async def _answered(message: WSMessage, answer: Answer) -> Closing | None:
    if message.type is WSMsgType.BINARY:
        return BINARY
    if message.type is not WSMsgType.TEXT:
        return GONE
    try:
        return await answer(message.data)
    except InputRejected:
        return MALFORMED
    except TimeoutError:
        return OVERLOADED
