"""Shows a customer in Slack what the bot and agents say to them, in order and once, and what becomes of it later."""

from dataclasses import dataclass
from typing import Protocol

import structlog

from bot.channels.slack.keys_of_posts import customer_key
from bot.channels.slack.mending import Mending
from bot.channels.slack.messages import Audience, to_customer
from bot.channels.slack.outcomes import Ending, Unsaid
from bot.channels.slack.rendering import Rendered
from bot.channels.slack.room_entries import numbered
from bot.channels.slack.seen import Seen
from bot.channels.slack.speaking import Speaking
from bot.core.conversation import ConversationId, Kind, Message, Role
from bot.core.replies import Replies
from bot.core.slack_rows import SlackPost, SlackThread
from bot.slack_ports import SlackStore

log = structlog.get_logger()


class Streams(Protocol):
    """Knows which answers were streamed block by block."""

    async def finish(
        self, conversation: ConversationId, message: Message, rendered: tuple[Rendered, ...]
    ) -> str | None:
        """End the stream that showed *message* and return its `ts`; None when there was none, so that it is posted."""
        ...


class NoStreams:
    """Stands where nothing is streamed."""

    async def finish(
        self, conversation: ConversationId, message: Message, rendered: tuple[Rendered, ...]
    ) -> str | None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerShowing:
    """The customer's side. *site* is where our own pages of articles are read; empty when nobody outside can."""

    speaking: Speaking
    store: SlackStore
    replies: Replies
    streams: Streams
    site: str = ""

    async def show(self, thread: SlackThread, seen: Seen) -> None:
        """Bring the customer's thread up to date; NotDelivered, StoreUnavailable."""
        await self._mend(thread, seen)
        owed = [m for m in seen.messages if m.seq > thread.shown_seq and is_for_customer(m)]
        try:
            for message in owed:
                await self._say(thread, message, self._rendered(message, seen))
                await self.store.shown(thread, seq=message.seq)
        except Unsaid as unsaid:
            if unsaid.failure.ending is not Ending.GONE:
                raise
            # Nobody reads where the customer deleted the thread.
            log.warning("slack_customers_thread_gone", conversation=thread.conversation)
        await self.store.shown(thread, seq=seen.last_seq)

    async def _say(self, thread: SlackThread, message: Message, parts: tuple[Rendered, ...]) -> None:
        key, conversation = customer_key(thread.conversation, message.seq), thread.conversation
        streamed = await self.speaking.adopt(
            key,
            conversation,
            thread.place,
            parts[0],
            lambda: self.streams.finish(conversation, message, parts),
        )
        if streamed:
            return
        for part_key, part in numbered(key, parts):
            await self.speaking.say(part_key, conversation, thread.place, part)

    async def _mend(self, thread: SlackThread, seen: Seen) -> None:
        """Follow what was edited and deleted; and of what was said last, take away what there is to press once something follows it."""
        shown = [m for m in seen.messages if m.seq <= thread.shown_seq and is_for_customer(m)]
        again = {
            message.seq: message for message in shown if message.seq in seen.outdated or message is shown[-1]
        }
        if not again and not seen.outdated:
            return
        posts = await self.store.posts_of(thread.conversation)
        mending = Mending(speaking=self.speaking)
        for seq, message in again.items():
            key = customer_key(thread.conversation, seq)
            await mending.changed(key, self._rendered(message, seen), posts)
        for seq in sorted(seen.outdated - again.keys()):
            await self._take_back(seq, seen, posts)

    async def _take_back(self, seq: int, seen: Seen, posts: tuple[SlackPost, ...]) -> None:
        gone = Message(seq=seq, role=Role.BOT, text="", kind=Kind.TOMBSTONE)
        key = customer_key(seen.conversation.id, seq)
        instead = self._rendered(gone, seen)[0]
        await Mending(speaking=self.speaking).removed(key, posts, instead=instead)

    def _rendered(self, message: Message, seen: Seen) -> tuple[Rendered, ...]:
        state = seen.conversation
        to = Audience(conversation=state.id, replies=self.replies, locale=state.locale, site=self.site)
        following = [later for later in seen.messages if later.seq > message.seq]
        return to_customer(
            message,
            to,
            agent=seen.name_of(message),
            last=not following,
            chosen=_chosen(message, following[0], to) if following else None,
        )


def is_for_customer(message: Message) -> bool:
    """Return whether a message is said to the customer, who wrote the others."""
    return message.role is not Role.CUSTOMER


def _chosen(message: Message, following: Message, to: Audience) -> str | None:
    """Return which of the buttons under *message* the customer pressed, as far as what followed tells."""
    if following.verdict is not None and message.sources:
        return to.text("helped_yes" if following.verdict else "helped_no")
    is_option = following.role is Role.CUSTOMER and following.text in message.options
    return following.text if is_option else None
