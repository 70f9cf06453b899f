"""How Slack's Web API misbehaves: each is given to `SlackServer.fails(method, …)` and plays one call.

A fault decides whether the call has its effect before the app hears of it, or fails to.
"""

import asyncio
from collections.abc import Awaitable, Callable

from aiohttp import web

from tests.vendors.local_server import RELEASED, Body, drop

Effect = Callable[[], Body]
Fault = Callable[[web.Request, Effect], Awaitable[web.StreamResponse]]


def refuses(code: str, **more: object) -> Fault:
    """Answer `ok: false` with *code*, without the effect."""

    async def fault(_request: web.Request, _effect: Effect) -> web.StreamResponse:
        return web.json_response({"ok": False, "error": code, **more})

    return fault


def limits(retry_after: str | None = "1") -> Fault:
    """Answer that there were too many calls; *retry_after* is sent as it is, None leaves the header out."""

    async def fault(_request: web.Request, _effect: Effect) -> web.StreamResponse:
        headers = {} if retry_after is None else {"Retry-After": retry_after}
        return web.json_response({"ok": False, "error": "ratelimited"}, status=429, headers=headers)

    return fault


def breaks(status: int = 500, body: str = "upstream error", content_type: str = "text/html") -> Fault:
    """Answer with a failure of the server."""

    async def fault(_request: web.Request, _effect: Effect) -> web.StreamResponse:
        return web.Response(status=status, text=body, content_type=content_type)

    return fault


def garbles(*, after: bool = False) -> Fault:
    """Answer with what is no JSON; with *after*, although it was done."""

    async def fault(_request: web.Request, effect: Effect) -> web.StreamResponse:
        _play(effect, after=after)
        return web.Response(text="<html>ok", content_type="application/json")

    return fault


def drops(*, after: bool = False) -> Fault:
    """Drop the connection; with *after*, when it was done."""

    async def fault(request: web.Request, effect: Effect) -> web.StreamResponse:
        _play(effect, after=after)
        drop(request)
        return web.Response()

    return fault


def hangs(*, after: bool = False) -> Fault:
    """Say nothing until the server ends; with *after*, although it was done."""

    async def fault(request: web.Request, effect: Effect) -> web.StreamResponse:
        _play(effect, after=after)
        await request.app[RELEASED].wait()
        return web.Response(status=503)

    return fault


def waits_for(moment: asyncio.Event) -> Fault:
    """Be slow: do it and answer when *moment* is set."""

    async def fault(_request: web.Request, effect: Effect) -> web.StreamResponse:
        await moment.wait()
        return web.json_response(effect())

    return fault


def works() -> Fault:
    """Do what was asked, to stand between faults."""

    async def fault(_request: web.Request, effect: Effect) -> web.StreamResponse:
        return web.json_response(effect())

    return fault


def _play(effect: Effect, *, after: bool) -> None:
    if after:
        effect()
