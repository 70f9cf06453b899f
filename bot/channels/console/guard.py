"""Who may do what in the console: the cookie says who, its session's token and our own Origin that the page itself asks.

Every handler of the console asks the guard first. A method that can change something is checked for both, so that no route
can forget to.
"""

import hmac
from collections.abc import Collection
from dataclasses import dataclass, field

from aiohttp import web
from aiohttp.hdrs import METH_GET, METH_HEAD

from bot.channels.problems import ProblemJson
from bot.channels.proxies import Proxies
from bot.core.accounts import AgentRole
from bot.service.accounts import Accounts, SignedIn

# Browsers take a __Host- cookie from this very host alone, over HTTPS or from this machine, and send it to no other.
COOKIE = "__Host-candor"
CSRF_HEADER = "X-Candor-CSRF"
READING = {METH_GET, METH_HEAD}

ANYONE = frozenset(AgentRole)
ANSWERS_CUSTOMERS = frozenset({AgentRole.AGENT, AgentRole.ADMIN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """Lets agents in. Its methods may raise StoreUnavailable."""

    accounts: Accounts
    proxies: Proxies = field(default_factory=Proxies)

    async def agent(self, request: web.Request, *, roles: Collection[AgentRole] = ANYONE) -> SignedIn:
        """Return who asks; ProblemJson 401 `signed_out`, 403 `origin_refused`, `csrf_refused` or `not_allowed`."""
        signed_in = await self._signed_in(request)
        if request.method not in READING:
            self.require_own_origin(request)
            _require_token(request, signed_in)
        if signed_in.agent.role not in roles:
            raise ProblemJson(403, "not_allowed", "Your role does not allow this.")
        return signed_in

    async def watcher(self, request: web.Request) -> SignedIn:
        """Return who opens a socket, from a page of ours; asked again later, it says whether the session goes on."""
        self.require_own_origin(request)
        return await self._signed_in(request)

    def require_own_origin(self, request: web.Request) -> None:
        """ProblemJson unless a page of our own asks; browsers name its origin in each write and each socket."""
        if request.headers.get("Origin") != self.proxies.own_origin(request):
            raise ProblemJson(403, "origin_refused", "This site may not use the console.")

    async def _signed_in(self, request: web.Request) -> SignedIn:
        cookie = request.cookies.get(COOKIE)
        signed_in = await self.accounts.session(cookie) if cookie else None
        if signed_in is None:
            raise ProblemJson(401, "signed_out", "You are signed out. Please sign in.")
        return signed_in


def _require_token(request: web.Request, signed_in: SignedIn) -> None:
    given = request.headers.get(CSRF_HEADER, "").encode("utf-8", "surrogateescape")
    if not hmac.compare_digest(given, signed_in.session.csrf.encode()):
        raise ProblemJson(403, "csrf_refused", "This page is out of date. Please load it again.")
