"""The web application: every channel's routes, errors as JSON, security headers, and an orderly stop."""

import errno
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.channels.articles.routes import Articles
from bot.channels.console.routes import Console
from bot.channels.health import Health
from bot.channels.malformed import server_logger
from bot.channels.openapi.routes import OpenApi
from bot.channels.problems import ProblemJson, from_http, internal_problem, to_problem
from bot.channels.slack.routes import SlackDoor
from bot.channels.websockets import MAX_FRAME_BYTES
from bot.channels.widget.routes import Widget
from bot.errors import CandorError, Misconfigured, OutsideFailure

KEEP_ALIVE_S = 95.0  # longer than the 90 s for which routers keep a connection
BACKLOG = (
    4_096  # connections that wait to be accepted: after a restart all customers come back within seconds
)
STOP_S = 10.0  # what requests and sockets get to end; the platform kills after 30 s

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

log = structlog.get_logger()


def web_application(
    *,
    widget: Widget,
    articles: Articles,
    health: Health,
    console: Console | None = None,
    slack: SlackDoor | None = None,
) -> web.Application:
    """Put the channels together; stopping the application first tells every open socket to come back later."""
    app = web.Application(middlewares=[answer_in_json], client_max_size=MAX_FRAME_BYTES)
    app.add_routes([*widget.routes(), *articles.routes(), *health.routes(), *OpenApi().routes()])
    for channel in (console, slack):
        if channel is not None:
            app.add_routes(channel.routes())
    app.on_response_prepare.append(_add_headers)

    async def cut_sockets(_app: web.Application) -> None:
        widget.customers.live.close()

    app.on_shutdown.append(cut_sockets)
    return app


@asynccontextmanager
async def serving(app: web.Application, *, host: str, port: int) -> AsyncIterator[str]:
    """Serve until the block is left, and yield the address; Misconfigured when it cannot be had.

    There is no access log: the store and the turn's own log line say more, and a URL may hold what is private.
    """
    runner = web.AppRunner(
        app,
        access_log=None,
        logger=server_logger(),
        handle_signals=False,
        handler_cancellation=False,
        keepalive_timeout=KEEP_ALIVE_S,
        shutdown_timeout=STOP_S,
    )
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port, backlog=BACKLOG)
        try:
            await site.start()
        except OSError as exc:
            raise Misconfigured(_unusable(host, port, exc)) from exc
        yield f"http://{host}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@web.middleware
async def answer_in_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn every failure into a problem in JSON; nothing else about it leaves the server."""
    try:
        return await handler(request)
    except ProblemJson:
        raise
    except web.HTTPException as exc:
        raise from_http(exc) from exc
    except web.RequestPayloadError as exc:  # cut off, or not compressed as it says
        raise from_http(web.HTTPBadRequest()) from exc
    except OutsideFailure as exc:
        log.warning("request_unavailable", path=request.path, error=type(exc).__name__)
        raise to_problem(exc) from exc
    except CandorError as exc:
        raise to_problem(exc) from exc
    except Exception as exc:
        log.exception("request_failed", path=request.path)
        raise internal_problem() from exc


async def _add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers.popall("Server", None)


def _unusable(host: str, port: int, error: OSError) -> str:
    """Say what is wrong without asyncio's sentence, which names the address again; codes below 0 are no errno."""
    code = error.errno or 0
    problem = os.strerror(code) if code > 0 else error.strerror or str(error)
    remedy = "stop what uses it, or set PORT" if code == errno.EADDRINUSE else "set another HOST or PORT"
    return f"HOST, PORT: {host}:{port} cannot be used ({problem}); {remedy}"
