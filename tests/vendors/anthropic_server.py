"""A local server that speaks the Messages API: it plays a list of replies, the last one again and again, and keeps every request.

Replies are made by the functions below: `answers(…)` streams content, `refuses(…)` fails with a status, and so on.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import Protocol

from aiohttp import web

from tests.vendors.local_server import RELEASED, Body, LocalServer, Reply, drop, refusal, serving

Event = tuple[str, Mapping[str, object]]

MODEL = "claude-haiku-5-5"
CREATED = "2026-01-01T00:00:00Z"
USAGE = {"input_tokens": 1_000, "output_tokens": 50}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """What a text block cites: blocks `start` to `end` (exclusive) of the search result `result`; words and label can be wrong."""

    result: int = 0
    start: int = 0
    end: int = 1
    text: str | None = None
    source: str | None = None

    def resolved(self, body: Body) -> dict[str, object]:
        found = [block for block in _blocks(body) if block["type"] == "search_result"]
        unknown: Body = {"source": "", "title": "", "content": []}
        known = found[self.result] if self.result < len(found) else unknown
        said = "".join(block["text"] for block in known["content"][self.start : self.end])
        return {
            "type": "search_result_location",
            "cited_text": said if self.text is None else self.text,
            "source": known["source"] if self.source is None else self.source,
            "title": known["title"],
            "search_result_index": self.result,
            "start_block_index": self.start,
            "end_block_index": self.end,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text block of a message."""

    text: str
    cites: Sequence[Cited] = ()

    def whole(self, body: Body) -> Body:
        return {"type": "text", "text": self.text, "citations": [c.resolved(body) for c in self.cites]}

    def events(self, index: int, body: Body) -> list[Event]:
        half = len(self.text) // 2
        deltas: list[Mapping[str, object]] = [
            {"type": "text_delta", "text": part} for part in (self.text[:half], self.text[half:]) if part
        ]
        deltas += [{"type": "citations_delta", "citation": cited.resolved(body)} for cited in self.cites]
        return _block_events(index, {"type": "text", "text": ""}, deltas)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call of a message; `json_text` is sent instead of the input when it is given."""

    name: str
    input: Mapping[str, object] = field(default_factory=dict)
    json_text: str | None = None

    def whole(self, body: Body) -> Body:
        return {"type": "tool_use", "id": "toolu_1", "name": self.name, "input": dict(self.input)}

    def events(self, index: int, body: Body) -> list[Event]:
        whole = json.dumps(self.input) if self.json_text is None else self.json_text
        start = {"type": "tool_use", "id": f"toolu_{index}", "name": self.name, "input": {}}
        return _block_events(index, start, [{"type": "input_json_delta", "partial_json": whole}])


class Content(Protocol):
    """A block of a message."""

    def events(self, index: int, body: Body) -> list[Event]: ...

    def whole(self, body: Body) -> Body: ...


def says(text: str, *cites: Cited) -> Text:
    """Return a text block that cites the first part of the first search result, unless told what it cites."""
    return Text(text=text, cites=cites or (Cited(),))


def uncited(text: str) -> Text:
    """Return a text block without a citation."""
    return Text(text=text)


@dataclass(slots=True, kw_only=True)
class AnthropicServer(LocalServer):
    """The running server. Set `replies`, and `lookup` for questions about models; read `requests` (bodies) and `headers`."""

    requests: list[Body] = field(default_factory=list)
    lookup: Reply | None = None
    looked_up: list[str] = field(default_factory=list)

    async def model(self, request: web.Request) -> web.StreamResponse:
        """Answer a question for a model, which is free: with `lookup`, or that it is there."""
        name = request.match_info["name"]
        self.looked_up.append(name)
        if self.lookup is not None:
            return await self.lookup(request, {})
        return web.json_response({"type": "model", "id": name, "display_name": name, "created_at": CREATED})

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body: Body = await request.json()
        self.requests.append(body)
        return await self.replied(request, body)


@asynccontextmanager
async def anthropic_server(*replies: Reply) -> AsyncIterator[AnthropicServer]:
    """Serve *replies* on a free port of this machine."""
    server = AnthropicServer(replies=list(replies))
    routes = [web.post("/v1/messages", server.answer), web.get("/v1/models/{name}", server.model)]
    async with serving(server, routes):
        yield server


def answers(*content: Content, stop: object = "end_turn", usage: Mapping[str, object] = USAGE) -> Reply:
    """Stream *content* to its end, or send it whole when no stream was asked for.

    Another *stop* is sent as it is; "" leaves the reason out.
    """
    streamed = _streamed(lambda body: chain(_opening(usage), _content(content, body), _closing(stop, usage)))

    async def reply(request: web.Request, body: Body) -> web.StreamResponse:
        if body.get("stream"):
            return await streamed(request, body)
        whole = {**_message(usage), "stop_reason": stop, "content": [c.whole(body) for c in content]}
        return web.json_response(whole)

    return reply


def hands_over(why: str = "The articles are about something else.") -> Reply:
    """Call the tool that declares that the evidence is not enough."""
    return answers(Call(name="hand_over", input={"why": why}), stop="tool_use")


def asks(question: str, *options: str) -> Reply:
    """Call the tool that asks the customer."""
    asked = {"question": question, "options": list(options)}
    return answers(Call(name="ask_customer", input=asked), stop="tool_use")


def refuses(
    status: int,
    type_: str = "api_error",
    message: str = "refused",
    *,
    code: str | None = None,
    retry_after: str | None = None,
) -> Reply:
    """Fail with *status* before anything is streamed."""
    return refusal(status, _error(type_, message, code), retry_after)


def rejects_key() -> Reply:
    """Refuse the key."""
    return refuses(401, "authentication_error", "invalid x-api-key")


def overloaded() -> Reply:
    """Be overloaded."""
    return refuses(529, "overloaded_error", "Overloaded")


def limit_of_operator() -> Reply:
    """Refuse because the operator's own spending limit is reached: a 400 that only its words tell from a bad request."""
    words = (
        "You have reached your specified API usage limits. You will regain access on 2030-01-01 at 00:00 UTC."
    )
    return refuses(400, "invalid_request_error", words)


def limit_of_provider() -> Reply:
    """Refuse because the provider's monthly limit is reached: a 429 without a time to wait."""
    return refuses(429, "rate_limit_error", "monthly limit", code="enforced_spend_limit_reached")


def stalls_after(*content: Content) -> Reply:
    """Stream *content* and then nothing more, with the connection open."""
    return _streamed(lambda body: chain(_opening(USAGE), _content(content, body)), end=_wait)


def cut_after(*content: Content) -> Reply:
    """Stream *content* and drop the connection."""
    return _streamed(lambda body: chain(_opening(USAGE), _content(content, body)), end=_cut)


def ends_after(*content: Content) -> Reply:
    """Stream *content* and end in order, without saying that the message is complete."""
    return _streamed(lambda body: chain(_opening(USAGE), _content(content, body)))


def fails_after(*content: Content, type_: str = "overloaded_error") -> Reply:
    """Stream *content* and then an error event."""
    return _streamed(
        lambda body: chain(
            _opening(USAGE), _content(content, body), [("error", _error(type_, "failed", None))]
        )
    )


def sends_events(*events: Event) -> Reply:
    """Stream *events* as they are."""
    return _streamed(lambda _body: list(events))


Ending = Callable[[web.Request, web.StreamResponse], Awaitable[None]]


async def _in_order(_request: web.Request, response: web.StreamResponse) -> None:
    await response.write_eof()


async def _wait(request: web.Request, _response: web.StreamResponse) -> None:
    await request.app[RELEASED].wait()


async def _cut(request: web.Request, _response: web.StreamResponse) -> None:
    drop(request)


def _streamed(events: Callable[[Body], Iterable[Event]], *, end: Ending = _in_order) -> Reply:
    async def reply(request: web.Request, body: Body) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/event-stream; charset=utf-8"})
        await response.prepare(request)
        for name, data in events(body):
            await response.write(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode())
        await end(request, response)
        return response

    return reply


def _blocks(body: Body) -> list[Body]:
    return [block for m in body["messages"] if isinstance(m["content"], list) for block in m["content"]]


def _error(type_: str, message: str, code: str | None) -> dict[str, object]:
    error: dict[str, object] = {"type": type_, "message": message}
    if code is not None:
        error["details"] = {"error_code": code}
    return {"type": "error", "error": error, "request_id": "req_1"}


def _message(usage: Mapping[str, object]) -> Body:
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": dict(usage),
    }  # fmt: skip


def _opening(usage: Mapping[str, object]) -> list[Event]:
    message = _message({**usage, "output_tokens": 1})
    return [("message_start", {"type": "message_start", "message": message}), ("ping", {"type": "ping"})]


def _content(content: Sequence[Content], body: Body) -> Iterator[Event]:
    """Yield the events of each block; a block is asked for its own when those before it have been sent."""
    for index, block in enumerate(content):
        yield from block.events(index, body)


def _block_events(
    index: int, start: Mapping[str, object], deltas: Sequence[Mapping[str, object]]
) -> list[Event]:
    named: list[tuple[str, Mapping[str, object]]] = [
        ("content_block_start", {"content_block": start}),
        *(("content_block_delta", {"delta": delta}) for delta in deltas),
        ("content_block_stop", {}),
    ]
    return [(name, {"type": name, "index": index, **data}) for name, data in named]


def _closing(stop: object, usage: Mapping[str, object]) -> list[Event]:
    reason = {} if stop == "" else {"stop_reason": stop, "stop_sequence": None}
    delta = {"type": "message_delta", "delta": reason, "usage": {"output_tokens": usage["output_tokens"]}}
    return [("message_delta", delta), ("message_stop", {"type": "message_stop"})]
