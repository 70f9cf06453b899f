"""A local server that speaks Voyage's API: it plays a list of replies, the last one again and again, and keeps every request.

Its vectors are bags of words: what shares words is near. Replies are made by the functions below: `embeds(…)` answers,
`refuses(…)` fails with a status, and so on.
"""

import asyncio
import base64
import json
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.adapters.memory.embedder import HashEmbedder

Body = dict[str, Any]
Reply = Callable[[web.Request, Body], Awaitable[web.StreamResponse]]
Vectors = list[list[float]]

DIMENSION = 1024
RELEASED: web.AppKey[asyncio.Event] = web.AppKey("released", asyncio.Event)


@dataclass(slots=True, kw_only=True)
class VoyageServer:
    """The running server. Set `replies`; read `requests` (path and body) and `headers`."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)
    requests: list[tuple[str, Body]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    connections: set[object] = field(default_factory=set)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def bodies(self) -> list[Body]:
        return [body for _, body in self.requests]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body: Body = await request.json()
        self.requests.append((request.path, body))
        self.headers.append(request.headers.copy())
        self.connections.add(request.transport)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return await reply(request, body)


@asynccontextmanager
async def voyage_server(*replies: Reply) -> AsyncIterator[VoyageServer]:
    """Serve *replies* on a free port of this machine."""
    server = VoyageServer(replies=list(replies) or [embeds()])
    app = web.Application(client_max_size=10_000_000)
    app[RELEASED] = server.released
    app.router.add_post("/v1/embeddings", server.answer)
    app.router.add_post("/v1/rerank", server.answer)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    server.url = f"http://{host}:{port}"
    try:
        yield server
    finally:
        server.released.set()
        await runner.cleanup()


def embeds(
    change: Callable[[Vectors], Vectors] = lambda vectors: vectors,
    *,
    model: str | None = None,
    as_lists: bool = False,
    backwards: bool = False,
    indexes: Sequence[int] | None = None,
) -> Reply:
    """Answer with a vector for each text, or with what *change* makes of them; as base64 unless told otherwise."""

    async def reply(_request: web.Request, body: Body) -> web.StreamResponse:
        dimension = body.get("output_dimension") or DIMENSION
        whole = HashEmbedder(dimension=dimension)._embed(body["input"])
        vectors = change([list(vector) for vector in whole])
        data = [
            {"object": "embedding", "index": index, "embedding": vector if as_lists else _base64(vector)}
            for index, vector in zip(indexes or range(len(vectors)), vectors, strict=False)
        ]
        return _answered(data[::-1] if backwards else data, model or body["model"])

    return reply


def scores(*relevance: object, model: str | None = None, indexes: Sequence[int] | None = None) -> Reply:
    """Answer with these scores of the texts, best first as the service does."""

    async def reply(_request: web.Request, body: Body) -> web.StreamResponse:
        data = [
            {"index": index, "relevance_score": score}
            for index, score in zip(indexes or range(len(relevance)), relevance, strict=False)
        ]
        ordered = sorted(data, key=lambda one: -float(one["relevance_score"]))
        return _answered(ordered, model or body["model"])

    return reply


def refuses(status: int, detail: str = "refused", *, retry_after: str | None = None) -> Reply:
    """Fail with *status*."""

    async def reply(_request: web.Request, _body: Body) -> web.StreamResponse:
        headers = {} if retry_after is None else {"retry-after": retry_after}
        return web.json_response({"detail": detail}, status=status, headers=headers)

    return reply


def rejects_key() -> Reply:
    """Refuse the key."""
    return refuses(401, "Provided API key is invalid.")


def sends(body: str, content_type: str = "text/html", *, status: int = 200) -> Reply:
    """Answer with something that is no answer."""

    async def reply(_request: web.Request, _body: Body) -> web.StreamResponse:
        return web.Response(text=body, content_type=content_type, status=status)

    return reply


def hangs() -> Reply:
    """Accept the request and say nothing."""

    async def reply(request: web.Request, _body: Body) -> web.StreamResponse:
        await request.app[RELEASED].wait()
        return web.Response(status=503)

    return reply


def resets() -> Reply:
    """Drop the connection without an answer."""

    async def reply(request: web.Request, _body: Body) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    return reply


def breaks_off() -> Reply:
    """Send the beginning of an answer and drop the connection."""

    async def reply(request: web.Request, _body: Body) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "application/json", "content-length": "9999"})
        await response.prepare(request)
        await response.write(b'{"object": "list", "data": [')
        assert request.transport is not None
        request.transport.close()
        return response

    return reply


def _answered(data: Sequence[object], model: str) -> web.StreamResponse:
    answer = {"object": "list", "data": data, "model": model, "usage": {"total_tokens": 10}}
    return web.Response(text=json.dumps(answer), content_type="application/json")  # NaN is written as it is


def _base64(vector: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
