"""Signing in and out of the console, and the use of an invitation. No secret is ever in a URL or in a log."""

from dataclasses import dataclass, field
from typing import Annotated

from aiohttp import web
from pydantic import Field

from bot.channels.bodies import Strict, json_answer, json_body
from bot.channels.console.guard import COOKIE, Guard
from bot.channels.console.throttle import Throttle
from bot.channels.problems import ProblemJson
from bot.channels.proxies import is_local_origin
from bot.channels.throttling import throttled
from bot.core.accounts import SESSION_MS
from bot.core.credentials import LONGEST_EMAIL, LONGEST_PASSWORD
from bot.errors import AccessRefused
from bot.service.accounts import LONGEST_SECRET, NewSession, SignedIn

Secret = Annotated[str, Field(min_length=1, max_length=LONGEST_SECRET)]

NEEDS_HTTPS = (
    "Passwords are taken over HTTPS only. Open this page with https://; if you did, the proxy before Candor has to send "
    "X-Forwarded-Proto and to be named in TRUSTED_PROXIES."
)


class SignInBody(Strict):
    email: Annotated[str, Field(max_length=LONGEST_EMAIL)]
    password: Annotated[str, Field(max_length=LONGEST_PASSWORD)]


class InvitationBody(Strict):
    token: Secret


class AcceptBody(Strict):
    token: Secret
    password: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """The routes that let agents in."""

    guard: Guard
    throttle: Throttle = field(default_factory=Throttle)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/console/v1/session", self.sign_in),
            web.get("/console/v1/session", self.read, allow_head=False),
            web.delete("/console/v1/session", self.sign_out),
            web.post("/console/v1/invitation/look", self.look),
            web.post("/console/v1/invitation", self.accept),
        ]

    async def sign_in(self, request: web.Request) -> web.Response:
        self._require_safe_page(request)
        body = await json_body(request, SignInBody)
        wait_s = self.throttle.admit_sign_in(self._address(request), body.email)
        if wait_s is not None:
            raise throttled(wait_s, "That were many tries to sign in.", then="try again")
        old = request.cookies.get(COOKIE)
        try:
            begun = await self.guard.accounts.sign_in(body.email, body.password, old=old)
        except AccessRefused as exc:
            raise ProblemJson(401, "sign_in_refused", str(exc)) from exc
        return _begun(begun)

    async def read(self, request: web.Request) -> web.Response:
        """Say who is signed in, for a page that was loaded anew."""
        return json_answer(to_session(await self.guard.agent(request)))

    async def sign_out(self, request: web.Request) -> web.Response:
        await self.guard.agent(request)
        await self.guard.accounts.sign_out(request.cookies[COOKIE])
        response = web.Response(status=204)
        response.del_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="Strict")
        return response

    async def look(self, request: web.Request) -> web.Response:
        """Say whom an invitation is for; posted, because the page has its secret from the fragment of its address."""
        self._require_safe_page(request)
        self._admit_invitation(request)
        body = await json_body(request, InvitationBody)
        try:
            agent = await self.guard.accounts.look(body.token)
        except AccessRefused as exc:
            raise _not_invited(exc) from exc
        return json_answer({"email": agent.email, "name": agent.name, "role": agent.role})

    async def accept(self, request: web.Request) -> web.Response:
        self._require_safe_page(request)
        self._admit_invitation(request)
        body = await json_body(request, AcceptBody)
        old = request.cookies.get(COOKIE)
        try:
            begun = await self.guard.accounts.accept(body.token, body.password, old=old)
        except AccessRefused as exc:
            raise _not_invited(exc) from exc
        return _begun(begun)

    def _require_safe_page(self, request: web.Request) -> None:
        """Ask for HTTPS first: behind a proxy that is not trusted our own origin is not the browser's either."""
        origin = self.guard.proxies.own_origin(request)
        if not origin.startswith("https://") and not is_local_origin(origin):
            raise ProblemJson(403, "https_needed", NEEDS_HTTPS)
        self.guard.require_own_origin(request)

    def _admit_invitation(self, request: web.Request) -> None:
        wait_s = self.throttle.admit_invitation(self._address(request))
        if wait_s is not None:
            raise throttled(wait_s, "That were many tries with an invitation.", then="try again")

    def _address(self, request: web.Request) -> str:
        return self.guard.proxies.client_address(request)


def to_session(signed_in: SignedIn) -> dict[str, object]:
    """Say who is signed in, and what the page's writes must repeat."""
    agent, session = signed_in.agent, signed_in.session
    return {
        "agent": {"id": agent.id, "name": agent.name, "role": agent.role},
        "csrf": session.csrf,
        "expires_at": session.expires_ms,
    }


def _begun(begun: NewSession) -> web.Response:
    response = json_answer(to_session(begun.signed_in), status=201)
    response.set_cookie(
        COOKIE,
        begun.secret,
        max_age=SESSION_MS // 1000,
        path="/",
        secure=True,
        httponly=True,
        samesite="Strict",
    )
    return response


def _not_invited(refused: AccessRefused) -> ProblemJson:
    return ProblemJson(410, "invitation_refused", str(refused))
