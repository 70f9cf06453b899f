"""What an agent looks up about one conversation: why the bot did what it did, which articles could answer, and images that came."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from aiohttp import web

from bot.channels.bodies import json_answer, parse_cursor
from bot.channels.console.conversations import PATH
from bot.channels.console.evidence import to_evidence, to_suggestions
from bot.channels.console.guard import Guard
from bot.channels.console.showing import Showing
from bot.channels.evidence_wording import unsearched_in_words
from bot.channels.problems import RETRY_AFTER_S, ProblemJson
from bot.core.conversation import ConversationId, Kind, Message, Role, TurnId
from bot.core.revisions import revised, without_old_texts
from bot.service.desk import DeskService
from bot.service.suggesting import Suggesting


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookups:
    """Routes that read, for every role."""

    desk: DeskService
    guard: Guard
    showing: Showing
    suggesting: Suggesting

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get(f"{PATH}/turns/{{turn}}", self.evidence, allow_head=False),
            web.get(f"{PATH}/suggestions", self.suggestions, allow_head=False),
            web.get(f"{PATH}/attachments/{{seq}}", self.attachment, allow_head=False),
        ]

    async def evidence(self, request: web.Request) -> web.Response:
        """The record of one turn, an answer's as a handoff's."""
        await self.guard.agent(request)
        conversation = ConversationId(request.match_info["id"])
        turn = await self.desk.turn(conversation, TurnId(request.match_info["turn"]))
        if turn is None:
            raise ProblemJson(404, "turn_unknown", "There is no such turn in this conversation.")
        snapshot = await self.desk.store.snapshot(conversation, after=0)
        shown = self.showing
        messages = without_old_texts(snapshot.messages)
        return json_answer(to_evidence(turn, messages, shown.replies, shown.locale))

    async def suggestions(self, request: web.Request) -> web.Response:
        """Articles for a text, or for what the customer asked last; an outage with nothing to show is an error."""
        await self.guard.agent(request)
        conversation = ConversationId(request.match_info["id"])
        snapshot = await self.desk.store.snapshot(conversation, after=0)
        asked = request.query.get("q", "").strip()
        turns = () if asked else await self.desk.store.turns(conversation)
        found = await self.suggesting.articles(
            turns, asked or _last_words(snapshot.messages), locale=snapshot.conversation.locale
        )
        if found.problem is not None and not found.passages:
            headers = {"Retry-After": str(RETRY_AFTER_S)}
            raise ProblemJson(503, found.problem, unsearched_in_words(found.problem), headers=headers)
        return json_answer(to_suggestions(found))

    async def attachment(self, request: web.Request) -> web.Response:
        """An image that a customer sent: shown as an image, and never opened as a page of ours."""
        await self.guard.agent(request)
        conversation = ConversationId(request.match_info["id"])
        found = await self.desk.attachment(conversation, parse_cursor(request.match_info["seq"], name="seq"))
        if found is None:
            raise ProblemJson(404, "attachment_unknown", "There is no image with this message.")
        message, image = found
        return web.Response(
            body=image.content,
            content_type=image.media_type,
            headers={
                "Content-Disposition": f"attachment; filename*=UTF-8''{quote(message.text, safe='')}",
                "Content-Security-Policy": "default-src 'none'; sandbox",
                "X-Content-Type-Options": "nosniff",
            },
        )


def _last_words(messages: Sequence[Message]) -> str:
    """Return what the customer wrote last; empty when there is nothing yet."""
    written = (m.text for m in reversed(revised(messages)) if m.role is Role.CUSTOMER and m.kind is Kind.TEXT)
    return next(written, "")
