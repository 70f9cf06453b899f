"""Slack's Socket Mode: hello, envelopes and their acknowledgements, and the ways in which a connection goes deaf.

`disconnect` plays Slack's own messages; `frozen` makes every connection silent, `lose` only those that are open, as a half-open one is.
"""

import asyncio
import json
from dataclasses import dataclass, field

from aiohttp import WSCloseCode, WSMsgType, web

from tests.vendors.local_server import Body, drop

ACK_S = 3.0  # Slack waits no longer


@dataclass(slots=True, kw_only=True, eq=False)
class Connection:
    """One socket of the app."""

    socket: web.WebSocketResponse
    request: web.Request
    lost: bool = False


@dataclass(slots=True, kw_only=True)
class Sockets:
    """The app's sockets. Read `accepted`: how many there ever were."""

    open: list[Connection] = field(default_factory=list)
    accepted: int = 0
    most: int = 10
    frozen: bool = False
    ack_s: float = ACK_S
    acks: dict[str, "asyncio.Future[Body]"] = field(default_factory=dict)
    tickets: set[str] = field(default_factory=set)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Play one connection until it ends."""
        if request.query.get("ticket") not in self.tickets:
            return web.Response(status=403)
        self.tickets.discard(request.query["ticket"])
        socket = web.WebSocketResponse(autoping=False)
        await socket.prepare(request)
        connection = Connection(socket=socket, request=request)
        self.open.append(connection)
        self.accepted += 1
        try:
            await self._greet(connection)
            await self._listen(connection)
        finally:
            self.open.remove(connection)
        return socket

    async def tell(
        self, kind: str, payload: Body, *, envelope_id: str, retry: int = 0, reason: str = ""
    ) -> Body | None:
        """Send an envelope over one of the sockets; return what the app answered, or None when it did not in time."""
        connection = self.open.pop(0)
        self.open.append(connection)
        future = self.acks[envelope_id] = asyncio.get_running_loop().create_future()
        said = {
            "envelope_id": envelope_id, "type": kind, "payload": payload,
            "accepts_response_payload": kind != "events_api",
            **({"retry_attempt": retry, "retry_reason": reason if retry else ""} if kind == "events_api" else {}),
        }  # fmt: skip
        try:
            await self._say(connection, said)
            return await asyncio.wait_for(future, self.ack_s)
        except (TimeoutError, ConnectionError):
            return None
        finally:
            del self.acks[envelope_id]

    async def disconnect(self, reason: str = "refresh_requested") -> None:
        """Tell every socket why it ends (`warning`, `refresh_requested`, `link_disabled`, `too_many_websockets`)."""
        for connection in list(self.open):
            await self._say(connection, {"type": "disconnect", "reason": reason, "debug_info": {}})

    async def close(self) -> None:
        """Close every socket in order."""
        for connection in list(self.open):
            await connection.socket.close(code=WSCloseCode.GOING_AWAY)

    def cut(self) -> None:
        """Drop every connection without a word."""
        for connection in list(self.open):
            drop(connection.request)

    def lose(self) -> None:
        """Make the sockets that are open deaf and dumb; the app is not told, and new ones work."""
        for connection in self.open:
            connection.lost = True

    async def _greet(self, connection: Connection) -> None:
        hello = {
            "type": "hello", "num_connections": len(self.open), "connection_info": {"app_id": "A0CANDOR"},
            "debug_info": {"host": "local", "approximate_connection_time": 18_060},
        }  # fmt: skip
        await self._say(connection, hello)
        if len(self.open) > self.most:
            await self._say(connection, {"type": "disconnect", "reason": "too_many_websockets"})

    async def _listen(self, connection: Connection) -> None:
        async for message in connection.socket:
            if self._is_silent(connection):
                continue
            if message.type == WSMsgType.PING:
                await connection.socket.pong(message.data)
            elif message.type == WSMsgType.TEXT:
                self._acknowledged(message.data)

    def _acknowledged(self, text: str) -> None:
        said = json.loads(text)
        future = self.acks.get(said.get("envelope_id", ""))
        if future is not None and not future.done():
            future.set_result(said.get("payload") or {})

    async def _say(self, connection: Connection, said: Body) -> None:
        if not self._is_silent(connection):
            await connection.socket.send_json(said)

    def _is_silent(self, connection: Connection) -> bool:
        return self.frozen or connection.lost
