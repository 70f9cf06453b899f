"""The listeners of customers: direct messages, mentions, replies in threads that began with one, edits, deletions, buttons.

They hand in what was said and answer nothing themselves, but for a word to somebody whose message cannot be handed in. Each may be
called again for the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext

from bot.channels.slack.answers import PRESSED, Answers
from bot.channels.slack.assistant import AssistantView
from bot.channels.slack.earlier import EarlierReplies
from bot.channels.slack.handing_in import (
    Content,
    edit_before,
    is_empty,
    to_content,
    to_files,
    to_message,
    with_category,
)
from bot.channels.slack.messages import fixed
from bot.channels.slack.payloads import Heard, Ignored, Naming, Said, to_event
from bot.channels.slack.places import CustomerPlaces
from bot.channels.slack.speaking import Speaking
from bot.channels.slack.writers import is_at
from bot.core.categories import Categories
from bot.core.conversation import Status
from bot.core.inbound import MAX_TEXT_CHARACTERS, CustomerMessage
from bot.core.replies import Replies
from bot.core.slack_rows import SlackThread
from bot.errors import ConversationChanged, ConversationUnknown, InputRejected, MessageConflict

log = structlog.get_logger()

Body = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackCustomers:
    """The customers' side of Slack."""

    places: CustomerPlaces
    view: AssistantView
    answers: Answers
    earlier: EarlierReplies
    speaking: Speaking
    replies: Replies
    categories: Categories

    async def hear(self, body: Body, *, bot_user: str) -> None:
        """Hand in what a person says; and what was said below it, when a conversation in a channel begins with it."""
        heard = to_event(body, bot_user=bot_user)
        if isinstance(heard, Ignored):
            return
        await self._hear(heard)
        if isinstance(heard, Said) and heard.at.is_root and heard.at.naming is Naming.BOT:
            for reply in await self.earlier.bodies(heard.at.place):
                said = to_event(reply, bot_user=bot_user)
                if isinstance(said, Said):
                    await self._hear(said)

    async def _hear(self, heard: Heard) -> None:
        known = await self.places.home(heard.at)
        if not await self._is_for_the_bot(heard, known):
            return
        try:
            content = to_content(heard)
        except InputRejected:
            if known is None and heard.at.is_root and is_empty(heard):
                await self.places.opened(heard.at.place, heard.at.user)  # so that what follows needs no name
            await self._explain(heard)
            return
        if heard.at.is_direct:
            content = with_category(content, self.categories)
        if (earlier := edit_before(heard)) is not None and known is not None:
            await self._hand_in(*earlier, known)
        await self._hand_in(heard, content, known)

    async def _is_for_the_bot(self, heard: Heard, known: SlackThread | None) -> bool:
        """In a channel the bot is meant where it is named, and in a thread that began by naming it, unless others are named.

        Whom the customer names while people have the conversation is one of them, as far as anybody knows.
        """
        at = heard.at
        if at.is_direct or at.naming is Naming.BOT:
            return True
        if known is None:
            return False
        read = await self.places.customers.snapshot(known.conversation, after=0)
        if any(is_at(message, at.place, at.ts) for message in read.messages):  # what was taken before
            return True
        with_people = read.conversation.status in (Status.QUEUED, Status.CLAIMED)
        if at.naming is Naming.OTHERS and not (with_people and at.user == known.user):
            return False
        return not read.messages or any(is_at(m, at.place, at.place.thread_ts) for m in read.messages)

    async def _hand_in(self, heard: Heard, content: Content, known: SlackThread | None) -> None:
        thread = known or await self.places.opened(heard.at.place, heard.at.user)
        self.view.follow(thread)  # before the turn begins, so that it is seen from its first step on
        await self._receive(to_message(heard, content, thread.conversation))
        if (files := to_files(heard, thread.conversation)) is not None:
            await self._receive(files)
        if known is None:
            await self.view.entitle(thread, content.text)

    async def _receive(self, message: CustomerMessage) -> None:
        try:
            await self.places.customers.receive(message)
        except MessageConflict:
            log.info("slack_message_was_newer", conversation=message.conversation)
        except ConversationUnknown as exc:
            raise ConversationChanged("erased just now: taken anew, it opens another") from exc

    async def _explain(self, heard: Heard) -> None:
        at = heard.at
        locale = await self.places.language(at.place, at.user)
        if is_empty(heard):
            text = self.replies.text("nothing_said", locale)
        else:
            text = self.replies.text("too_long", locale, limit=f"{MAX_TEXT_CHARACTERS:,}")
        await self.speaking.whisper(at.looked_at, at.user, fixed(text))


def register(app: AsyncApp, customers: SlackCustomers) -> None:
    """Let the customers' side listen; the desk registers first, so that what is said in its threads never comes here."""

    async def heard(body: Body, context: AsyncBoltContext) -> None:
        await customers.hear(body, bot_user=context.bot_user_id or "")

    async def opened(body: Body) -> None:
        await customers.view.started(body)

    async def looked_elsewhere() -> None:
        return

    for kind in ("message", "app_mention"):
        app.event(kind)(heard)
    for kind in ("assistant_thread_started", "app_home_opened"):
        app.event(kind)(opened)
    app.event("assistant_thread_context_changed")(looked_elsewhere)
    app.action(PRESSED)(customers.answers.pressed)
