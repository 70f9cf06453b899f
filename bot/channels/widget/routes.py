"""The widget's HTTP side: check, translate, delegate, answer."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from aiohttp import web

from bot.channels.bodies import LARGEST_SEQ, json_answer, json_body, parse_cursor
from bot.channels.problems import ProblemJson
from bot.channels.proxies import Proxies
from bot.channels.throttling import throttled
from bot.channels.widget.access import Access, token_refused
from bot.channels.widget.feed import resumed
from bot.channels.widget.frames import (
    FeedbackBody,
    HandoffBody,
    MessageBody,
    to_feedback,
    to_person_request,
    to_receipt,
    to_snapshot,
    to_text_message,
)
from bot.channels.widget.identities import IdentityTokens
from bot.channels.widget.origins import is_allowed
from bot.channels.widget.pages import Pages
from bot.channels.widget.sessions import Sessions
from bot.channels.widget.sockets import Sockets
from bot.channels.widget.standing import Shown, Standings
from bot.channels.widget.throttle import Throttle
from bot.core.conversation import Conversation, ConversationId, Role
from bot.core.inbound import CustomerMessage
from bot.errors import ConversationUnknown
from bot.service.customer import CustomerService

Found = TypeVar("Found")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Widget:
    """The widget's channel. `origins` may embed it and call it, beside its own pages."""

    customers: CustomerService
    access: Access
    identities: IdentityTokens
    throttle: Throttle
    origins: frozenset[str] = frozenset()
    proxies: Proxies = field(default_factory=Proxies)
    standings: Standings = field(default_factory=Standings)

    def routes(self) -> list[web.RouteDef]:
        sockets = Sockets(
            customers=self.customers,
            access=self.access,
            standings=self.standings,
            places=self.throttle.places,
            proxies=self.proxies,
        )
        sessions = Sessions(
            access=self.access,
            identities=self.identities,
            throttle=self.throttle,
            proxies=self.proxies,
            standings=self.standings,
        )
        return [
            *Pages(origins=self.origins, proxies=self.proxies).routes(),
            web.post("/widget/v1/sessions", self._own(sessions.open)),
            web.post("/widget/v1/identify", self._own(sessions.identify)),
            web.post("/widget/v1/logout", self._own(sessions.sign_out)),
            web.post("/widget/v1/messages", self._own(self.send_message)),
            web.post("/widget/v1/handoff", self._own(self.ask_for_a_person)),
            web.post("/widget/v1/feedback", self._own(self.give_feedback)),
            web.get("/widget/v1/events", self.read_events, allow_head=False),
            web.get("/widget/v1/socket", self._own(sockets.serve), allow_head=False),
        ]

    async def send_message(self, request: web.Request) -> web.Response:
        conversation = await self.access.conversation_of(request)
        message = to_text_message(await json_body(request, MessageBody), conversation)
        return await self._receive(message)

    async def ask_for_a_person(self, request: web.Request) -> web.Response:
        body = await json_body(request, HandoffBody)
        conversation = await self._state(await self.access.conversation_of(request))
        return await self._receive(to_person_request(body, conversation))

    async def give_feedback(self, request: web.Request) -> web.Response:
        """Only a message that the bot wrote in this very conversation can have helped."""
        conversation = await self.access.conversation_of(request)
        body = await json_body(request, FeedbackBody)
        judged = await _existing(self.customers.snapshot(conversation, after=body.message_seq - 1))
        if not any(m.seq == body.message_seq and m.role is Role.BOT for m in judged.messages):
            raise ProblemJson(404, "message_unknown", "There is no such answer in this conversation.")
        return await self._receive(to_feedback(body, conversation))

    async def read_events(self, request: web.Request) -> web.Response:
        """The same list that the socket sends, for clients that have no socket."""
        self._require_origin(request, may_be_missing=True)  # browsers leave it out of a page's own GET
        conversation = await self.access.conversation_of(request)
        after = parse_cursor(request.query.get("after"))
        return json_answer(to_snapshot(await self._shown(conversation, after=after)))

    async def _receive(self, message: CustomerMessage) -> web.Response:
        wait_s = self.throttle.admit_message(message.conversation, message.channel_message_id)
        if wait_s is not None:
            raise throttled(wait_s, "You are writing faster than we can read.")
        received = await _existing(self.customers.receive(message))
        return json_answer(to_receipt(received), status=200 if received.duplicate else 202)

    async def _shown(self, conversation: ConversationId, *, after: int) -> Shown:
        return await _existing(resumed(self.customers, self.standings, conversation, after=after))

    async def _state(self, conversation: ConversationId) -> Conversation:
        snapshot = await _existing(self.customers.snapshot(conversation, after=LARGEST_SEQ))
        return snapshot.conversation

    def _own(self, handler: Handler) -> Handler:
        """Serve *handler* to allowed origins only."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            self._require_origin(request)
            return await handler(request)

        return guarded

    def _require_origin(self, request: web.Request, *, may_be_missing: bool = False) -> None:
        origin = request.headers.get("Origin")
        if may_be_missing and origin is None:
            return
        if not is_allowed(origin, own=self.proxies.own_origin(request), listed=self.origins):
            raise ProblemJson(403, "origin_refused", "This site may not use the widget.")


async def _existing(reading: Awaitable[Found]) -> Found:
    """A valid token of a conversation that is no more is as good as no token."""
    try:
        return await reading
    except ConversationUnknown as exc:
        raise token_refused() from exc
