"""A local server that speaks Voyage's API: it plays a list of replies, the last one again and again, and keeps every request.

Its vectors are bags of words: what shares words is near. Replies are made by the functions below: `embeds(…)` answers,
`refuses(…)` fails with a status, and so on.
"""

import base64
import json
import struct
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from bot.adapters.memory.embedder import HashEmbedder
from tests.vendors.local_server import Body, LocalServer, Reply, refusal, serving

Vectors = list[list[float]]

DIMENSION = 1024


@dataclass(slots=True, kw_only=True)
class VoyageServer(LocalServer):
    """The running server. Set `replies`; read `requests` (path and body) and `headers`."""

    requests: list[tuple[str, Body]] = field(default_factory=list)
    connections: set[object] = field(default_factory=set)

    @property
    def bodies(self) -> list[Body]:
        return [body for _, body in self.requests]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body: Body = await request.json()
        self.requests.append((request.path, body))
        self.connections.add(request.transport)
        return await self.replied(request, body)


@asynccontextmanager
async def voyage_server(*replies: Reply) -> AsyncIterator[VoyageServer]:
    """Serve *replies* on a free port of this machine."""
    server = VoyageServer(replies=list(replies) or [embeds()])
    routes = [web.post("/v1/embeddings", server.answer), web.post("/v1/rerank", server.answer)]
    async with serving(server, routes):
        yield server


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
    return refusal(status, {"detail": detail}, retry_after)


def rejects_key() -> Reply:
    """Refuse the key."""
    return refuses(401, "Provided API key is invalid.")


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
