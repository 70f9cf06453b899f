"""Answers that appear block by block in an assistant's thread, and become one whole message in the end.

The store is the record: a stream is only a way to show early what was verified. Whoever finishes it lets the message say exactly what
is stored, or takes it away so that the answer is posted like any other. It may be another process than the one that began it.
"""

import asyncio
import re
from dataclasses import dataclass, field

from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.slack.attempting import Attempting
from bot.channels.slack.finding import PAGE, SKEW_MS, metadata_of
from bot.channels.slack.keys_of_posts import customer_key
from bot.channels.slack.mrkdwn import escaped
from bot.channels.slack.outcomes import Ending, Failure, Unsaid
from bot.channels.slack.rendering import Rendered
from bot.channels.slack.speaking import IN_FLIGHT_MS
from bot.channels.slack.strays import is_overtaken, stray_in
from bot.core.conversation import ConversationId, Kind, Message, TurnId
from bot.core.slack_rows import Place, SlackPost, SlackThread
from bot.errors import NotDelivered
from bot.ports import Clock, ConversationStore
from bot.service.live import DraftShown
from bot.slack_ports import SlackStore

BEGUN, SHOWN, ENDED = "begun", "shown", "ended"
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
_AGAIN = frozenset({Ending.TOO_MUCH, Ending.UNREACHED, Ending.UNKNOWN})  # waiting may help


@dataclass(slots=True, kw_only=True)
class _Open:
    """A turn's stream in this process; one that is over shows nothing more."""

    turn: TurnId
    ts: str = ""
    is_over: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True, kw_only=True)
class AnswerStreams:
    """The streams of assistants' threads; each is kept as a post under a key of its turn, whose digest says how far it is."""

    client: AsyncWebClient
    attempting: Attempting
    store: SlackStore
    conversations: ConversationStore
    clock: Clock
    _open: dict[ConversationId, _Open] = field(default_factory=dict)

    async def show(self, thread: SlackThread, shown: DraftShown) -> None:
        """Show a verified block; whatever fails, the whole answer comes all the same. StoreUnavailable."""
        stream = self._open.get(thread.conversation)
        if stream is None or stream.turn != shown.turn:
            # What began before anybody here looked is not joined in the middle.
            stream = _Open(turn=shown.turn, is_over=shown.position > 0)
            self._open[thread.conversation] = stream
        async with stream.lock:
            if stream.is_over:
                return
            if stream.ts:
                stream.is_over = not await self._appended(thread.place, stream.ts, shown.text)
            else:
                stream.ts = await self._begun(thread, shown)
                stream.is_over = not stream.ts

    def is_idle(self) -> bool:
        """Whether nothing is on its way to Slack."""
        return not any(stream.lock.locked() for stream in self._open.values())

    def forget(self, conversation: ConversationId) -> None:
        """Show nothing more of the conversation's running turn."""
        self._open.pop(conversation, None)

    async def finish(
        self, conversation: ConversationId, message: Message, rendered: tuple[Rendered, ...]
    ) -> str | None:
        """Let the stream of the message's turn say exactly this, and return its `ts`; None when the message is to be posted.

        A repeat does the same. NotDelivered when it has to be tried again.
        """
        if message.turn is None or message.kind is Kind.NOTICE:
            return None
        await self._stop_showing(conversation, message.turn)
        post = await self.store.post(stream_key(conversation, message.turn))
        if post is None:
            return None
        if post.digest.startswith(ENDED):
            return post.ts if post.digest == ended_with(message) else None
        ts = post.ts or await self._found(post)
        if ts is None:
            await self.store.drop_post(post.key)
            return None
        posts = await self.store.posts_of(conversation)
        if len(rendered) != 1 or is_overtaken(post, ts, posts):
            await self._taken_back(post, ts)
            return None
        return await self._made_whole(post, ts, message, rendered[0])

    async def _begun(self, thread: SlackThread, shown: DraftShown) -> str:
        """Begin a stream and return its `ts`; empty when there is none, or nobody knows."""
        place = thread.place
        key = stream_key(thread.conversation, shown.turn)
        now_ms = self.clock.now_ms()
        post = SlackPost(
            key=key, conversation=thread.conversation, place=place, begun_ms=now_ms, digest=BEGUN
        )
        await self.store.begin_post(post)
        # Read after that note was made: whoever finishes the turn sees the note, or else what the turn came to is seen here.
        said = await self.conversations.snapshot(thread.conversation, after=0)
        if any(message.turn == shown.turn for message in said.messages):
            await self.store.drop_post(key)
            return ""
        answer = await self.attempting.tried(
            "chat.startStream",
            lambda: self.client.chat_startStream(
                channel=place.channel,
                thread_ts=place.thread_ts,
                recipient_team_id=place.team,
                recipient_user_id=thread.user,
                markdown_text=streamed(shown.text),
            ),
        )
        return await self._kept(post, answer)

    async def _kept(self, post: SlackPost, answer: object) -> str:
        if isinstance(answer, Failure):
            if answer.ending is not Ending.UNKNOWN:
                await self.store.drop_post(post.key)
            return ""
        ts = answer.get("ts") if isinstance(answer, dict) else None
        if not isinstance(ts, str):
            return ""
        await self.store.posted(post.key, ts=ts, digest=SHOWN)
        return ts

    async def _appended(self, place: Place, ts: str, text: str) -> bool:
        answer = await self.attempting.make(
            "chat.appendStream",
            lambda: self.client.chat_appendStream(
                channel=place.channel, ts=ts, markdown_text=f"\n\n{streamed(text)}"
            ),
        )
        return answer is not None

    async def _stop_showing(self, conversation: ConversationId, turn: TurnId) -> None:
        """Wait for what is on its way in this process; nothing follows it."""
        stream = self._open.get(conversation)
        if stream is not None and stream.turn == turn:
            async with stream.lock:
                stream.is_over = True

    async def _found(self, post: SlackPost) -> str | None:
        """Look for a stream of which nobody knows whether it began; NotDelivered while it may still appear."""
        waits_ms = post.begun_ms + IN_FLIGHT_MS - self.clock.now_ms()
        if waits_ms > 0:
            raise NotDelivered("what became of a stream is not known yet", wait_s=waits_ms / 1000)
        place = post.place
        page = await self.attempting.tried(
            "conversations.replies",
            lambda: self.client.conversations_replies(
                channel=place.channel,
                ts=place.thread_ts,
                include_all_metadata=True,
                oldest=f"{(post.begun_ms - SKEW_MS) // 1000}.000000",
                limit=PAGE,
            ),
        )
        if isinstance(page, Failure):
            raise Unsaid(page)
        return stray_in(page, post)

    async def _made_whole(self, post: SlackPost, ts: str, message: Message, whole: Rendered) -> str | None:
        channel = post.place.channel
        # Fails when Slack has ended it by itself, which is as good.
        await self.attempting.make(
            "chat.stopStream", lambda: self.client.chat_stopStream(channel=channel, ts=ts)
        )
        key = customer_key(post.conversation, message.seq)
        answer = await self.attempting.tried(
            "chat.update",
            lambda: self.client.chat_update(
                channel=channel,
                ts=ts,
                text=whole.text,
                blocks=list(whole.blocks),
                metadata=metadata_of(key, post.conversation),
            ),
        )
        if isinstance(answer, Failure):
            if answer.ending in _AGAIN:
                raise Unsaid(answer)
            await self._taken_back(post, ts)
            return None
        await self.store.posted(post.key, ts=ts, digest=ended_with(message))
        return ts

    async def _taken_back(self, post: SlackPost, ts: str) -> None:
        channel = post.place.channel
        answer = await self.attempting.tried(
            "chat.delete", lambda: self.client.chat_delete(channel=channel, ts=ts)
        )
        if isinstance(answer, Failure) and answer.ending is not Ending.GONE:
            raise Unsaid(answer)
        await self.store.drop_post(post.key)


def stream_key(conversation: ConversationId, turn: TurnId) -> str:
    """Return the key under which a turn's stream is kept."""
    return f"s:{conversation}:{turn}"


def ended_with(message: Message) -> str:
    """Return how a stream is marked that became this message."""
    return f"{ENDED}:{message.seq}"


def streamed(markdown: str) -> str:
    """Return a block as a stream shows it: links, which would be unfurled there, are their labels until the answer is whole."""
    return escaped(_LINK.sub(r"\1", markdown))
