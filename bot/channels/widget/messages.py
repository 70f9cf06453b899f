"""What a customer says over HTTP, and what they have not seen yet: check, translate, delegate, answer."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from aiohttp import web

from bot.channels.bodies import LARGEST_SEQ, json_answer, json_body, parse_cursor
from bot.channels.problems import ProblemJson
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
from bot.channels.widget.standing import Standings
from bot.channels.widget.throttle import Throttle
from bot.core.conversation import Role
from bot.core.inbound import CustomerMessage
from bot.errors import ConversationUnknown
from bot.service.customer import CustomerService

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Messages:
    """The routes of a conversation's messages."""

    customers: CustomerService
    access: Access
    throttle: Throttle
    standings: Standings

    async def send(self, request: web.Request) -> web.Response:
        conversation = await self.access.conversation_of(request)
        message = to_text_message(await json_body(request, MessageBody), conversation)
        return await self._receive(message)

    async def ask_for_a_person(self, request: web.Request) -> web.Response:
        body = await json_body(request, HandoffBody)
        conversation = await self.access.conversation_of(request)
        state = await _existing(self.customers.snapshot(conversation, after=LARGEST_SEQ))
        return await self._receive(to_person_request(body, state.conversation))

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
        conversation = await self.access.conversation_of(request)
        after = parse_cursor(request.query.get("after"))
        shown = await _existing(resumed(self.customers, self.standings, conversation, after=after))
        return json_answer(to_snapshot(shown))

    async def _receive(self, message: CustomerMessage) -> web.Response:
        wait_s = self.throttle.admit_message(message.conversation, message.channel_message_id)
        if wait_s is not None:
            raise throttled(wait_s, "You are writing faster than we can read.")
        received = await _existing(self.customers.receive(message))
        return json_answer(to_receipt(received), status=200 if received.duplicate else 202)


async def _existing(reading: Awaitable[Found]) -> Found:
    """A valid token of a conversation that is no more is as good as no token."""
    try:
        return await reading
    except ConversationUnknown as exc:
        raise token_refused() from exc
