"""How a browser begins, says who its customer is, and signs out."""

from dataclasses import dataclass

import structlog
from aiohttp import web

from bot.channels.bodies import json_answer, json_body
from bot.channels.proxies import Proxies
from bot.channels.throttling import throttled
from bot.channels.widget.access import Access, identity_refused, to_problem, token_refused
from bot.channels.widget.feed import resumed
from bot.channels.widget.frames import IdentifyBody, LogoutBody, SessionBody, to_page, to_session
from bot.channels.widget.identities import IdentityTokens
from bot.channels.widget.offers import Offers
from bot.channels.widget.standing import Standings
from bot.channels.widget.throttle import Throttle
from bot.errors import AccessRefused, ConversationUnknown
from bot.service.arrivals import Arrived, Coming

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """Routes that answer with a token."""

    access: Access
    identities: IdentityTokens
    throttle: Throttle
    proxies: Proxies
    standings: Standings
    offers: Offers

    async def open(self, request: web.Request) -> web.Response:
        """Resume the conversation of a valid token or of whom the site vouches for, or open a new one."""
        body = await json_body(request, SessionBody)
        coming = Coming(
            locale=body.language,
            page=to_page(body.page),
            ticket=self.access.ticket_of(request),
            restart=body.restart,
        )
        if body.identity is not None:
            return await self._answer(await self._identified(request, coming, body.identity))
        if coming.ticket is None and "Authorization" in request.headers:
            raise token_refused()
        return await self._answer(await self._arrived(request, coming))

    async def identify(self, request: web.Request) -> web.Response:
        """Go on with a conversation of whom the site vouches for; that of the token stays as it was, unless it is theirs."""
        body = await json_body(request, IdentifyBody)
        coming = Coming(locale=body.language, page=to_page(body.page), ticket=self.access.ticket_of(request))
        return await self._answer(await self._identified(request, coming, body.identity))

    async def sign_out(self, request: web.Request) -> web.Response:
        """Void this token, every other of the customer's, and what the site has signed for them until now."""
        await json_body(request, LogoutBody)
        conversation = await self.access.conversation_of(request)
        await self.access.arrivals.sign_out(conversation)
        return json_answer({})

    async def _arrived(self, request: web.Request, coming: Coming) -> Arrived:
        try:
            return await self.access.arrivals.arrive(
                coming, before_opening=lambda: self._admit_session(request)
            )
        except (AccessRefused, ConversationUnknown) as exc:
            raise to_problem(exc) from exc

    async def _identified(self, request: web.Request, coming: Coming, token: str) -> Arrived:
        try:
            identity = self.identities.identity_of(token)
            return await self.access.arrivals.identify(
                coming, identity, before_opening=lambda: self._admit_session(request)
            )
        except AccessRefused as exc:
            log.info("identity_refused", why=str(exc))
            raise identity_refused() from exc
        except ConversationUnknown as exc:  # it was erased a moment ago
            raise to_problem(exc) from exc

    def _admit_session(self, request: web.Request) -> None:
        wait_s = self.throttle.admit_session(self.proxies.client_address(request))
        if wait_s is not None:
            raise throttled(wait_s, "Too many new conversations were opened from your network.")

    async def _answer(self, arrived: Arrived) -> web.Response:
        customers, ticket = self.access.arrivals.customers, arrived.ticket
        try:
            shown = await resumed(customers, self.standings, ticket.conversation, after=0)
        except ConversationUnknown as exc:
            raise to_problem(exc) from exc
        token = self.access.tokens.issue(ticket.conversation, epoch=ticket.epoch)
        offered = await self.offers.to_event(shown.standing.conversation.locale)
        answer = {**to_session(shown, token, arrived.customer), **offered}
        return json_answer(answer, status=201 if arrived.is_new else 200)
