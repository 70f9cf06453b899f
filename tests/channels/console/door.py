"""The console's door on a real socket: signing in and out, invitations, and one guarded route behind it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import aiohttp
from aiohttp import web

from bot.adapters.memory.accounts import MemoryAccountStore
from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.passwords import MemoryPasswords
from bot.channels.console.guard import ANSWERS_CUSTOMERS, COOKIE, Guard
from bot.channels.console.pages import Pages
from bot.channels.console.sessions import Sessions
from bot.channels.console.throttle import Throttle
from bot.channels.proxies import Proxies
from bot.channels.web import answer_in_json, serving
from bot.core.accounts import AgentRole
from bot.service.accounts import Accounts
from bot.service.inviting import Inviting

EMAIL, PASSWORD = "maria@shop.example", "correct horse battery staple"
SESSION = "/console/v1/session"
GENEROUS = Throttle(sign_ins="100000/1 second", invitations="100000/1 second")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the server answered."""

    status: int
    body: Mapping[str, object]
    headers: Mapping[str, str]

    @property
    def code(self) -> object:
        error = self.body.get("error")
        return error["code"] if isinstance(error, dict) else None


@dataclass(slots=True, kw_only=True)
class Door:
    """A running server, and one browser before it: its cookie, its session's token and its page's origin."""

    url: str
    http: aiohttp.ClientSession
    store: MemoryAccountStore
    passwords: MemoryPasswords
    clock: ManualClock
    accounts: Accounts
    inviting: Inviting
    origin: str
    cookie: str | None = None
    csrf: str | None = None

    async def ask(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Ask as the console's page does; a header given as an empty text is left out."""
        given = {"Origin": self.origin, "X-Candor-CSRF": self.csrf or "", "Cookie": self._cookies()} | headers
        sent = {name: value for name, value in given.items() if value}
        data = None if body is None else {"json": body}
        async with self.http.request(method, self.url + path, headers=sent, **(data or {})) as response:
            found = await response.json() if response.content_type == "application/json" else {}
            self._keep(response)
            return Answer(status=response.status, body=found, headers=dict(response.headers))

    async def invite(self, email: str = EMAIL, *, role: AgentRole = AgentRole.AGENT) -> str:
        return (await self.inviting.add(email, name="Maria Lopez", role=role)).secret

    async def join(self, email: str = EMAIL, *, role: AgentRole = AgentRole.AGENT) -> Answer:
        token = await self.invite(email, role=role)
        return self._noted(
            await self.ask("POST", "/console/v1/invitation", {"token": token, "password": PASSWORD})
        )

    async def sign_in(self, email: str = EMAIL, password: str = PASSWORD, **headers: str) -> Answer:
        body = {"email": email, "password": password}
        return self._noted(await self.ask("POST", SESSION, body, **headers))

    async def read(self) -> Answer:
        return await self.ask("GET", SESSION)

    def another_browser(self) -> "Door":
        return replace(self, cookie=None, csrf=None)

    def _noted(self, answer: Answer) -> Answer:
        csrf = answer.body.get("csrf")
        self.csrf = csrf if isinstance(csrf, str) else self.csrf
        return answer

    def _cookies(self) -> str:
        return f"{COOKIE}={self.cookie}" if self.cookie else ""

    def _keep(self, response: aiohttp.ClientResponse) -> None:
        if COOKIE in response.cookies:
            self.cookie = response.cookies[COOKIE].value or None


@asynccontextmanager
async def opened_door(
    *, throttle: Throttle = GENEROUS, proxies: Proxies | None = None
) -> AsyncIterator[Door]:
    """Start the server and stand before it."""
    store, passwords, clock = MemoryAccountStore(), MemoryPasswords(), ManualClock()
    guard = Guard(
        accounts=Accounts(store=store, passwords=passwords, clock=clock), proxies=proxies or Proxies()
    )
    app = web.Application(middlewares=[answer_in_json])
    app.add_routes(
        [*Sessions(guard=guard, throttle=throttle).routes(), *Pages(proxies=guard.proxies).routes()]
    )
    app.add_routes(_behind(guard))
    # The test keeps the cookie itself: the client's own jar would not send a Secure one over plain HTTP.
    async with (
        serving(app, host="127.0.0.1", port=0) as url,
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http,
    ):
        yield Door(
            url=url,
            http=http,
            store=store,
            passwords=passwords,
            clock=clock,
            accounts=guard.accounts,
            inviting=Inviting(store=store, clock=clock),
            origin=url,
        )


def _behind(guard: Guard) -> list[web.RouteDef]:
    async def room(request: web.Request) -> web.Response:
        signed_in = await guard.agent(request, roles=ANSWERS_CUSTOMERS)
        return web.json_response({"agent": signed_in.agent.name})

    async def socket(request: web.Request) -> web.Response:
        await guard.watcher(request)
        return web.json_response({})

    return [
        *(web.route(method, "/room", room) for method in ("GET", "POST", "PUT", "DELETE")),
        web.get("/watch", socket),
    ]
