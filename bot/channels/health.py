"""Whether the process is alive, whether it is ready, and its numbers. Knows nothing about what it asks."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import structlog
from aiohttp import web

from bot.errors import CandorError

CHECK_BUDGET_S = 2.0
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Detail = Mapping[str, str | int | float | bool | None]
Check = Callable[[], Awaitable[Detail]]

log = structlog.get_logger()


async def nothing_to_refresh() -> None:
    """Stand for numbers that are always up to date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Named checks that raise when their dependency is not usable, and a writer of Prometheus text.

    `refresh` brings up to date what nobody tells of when it happens, such as an age; it never raises.
    """

    checks: Mapping[str, Check]
    metrics: Callable[[], bytes]
    refresh: Callable[[], Awaitable[None]] = nothing_to_refresh

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/healthz", self.alive),
            web.get("/readyz", self.ready),
            web.get("/metrics", self.numbers),
        ]

    async def alive(self, _request: web.Request) -> web.Response:
        return web.json_response({"alive": True})

    async def ready(self, _request: web.Request) -> web.Response:
        """Run all checks at once, each within its budget."""
        findings = await asyncio.gather(*(_look(name, check) for name, check in self.checks.items()))
        found = dict(zip(self.checks, findings, strict=True))
        ready = all(finding["ok"] for finding in findings)
        return web.json_response({"ready": ready, "checks": found}, status=200 if ready else 503)

    async def numbers(self, _request: web.Request) -> web.Response:
        await self.refresh()
        return web.Response(body=self.metrics(), headers={"Content-Type": METRICS_TYPE})


async def _look(name: str, check: Check, *, budget_s: float = CHECK_BUDGET_S) -> dict[str, object]:
    try:
        async with asyncio.timeout(budget_s):
            return {"ok": True, **await check()}
    except TimeoutError:
        return {"ok": False, "error": f"no answer within {budget_s:g} s"}
    except CandorError as error:
        return {"ok": False, "error": str(error) or type(error).__name__}
    except Exception:  # a defect in a check must not hide what the other checks found
        log.exception("readiness_check_failed", check=name)
        return {"ok": False, "error": "the check itself failed; see the log"}
