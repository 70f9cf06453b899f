"""The assistant's view: what to ask there, what the bot is doing, what a thread is called. Nothing in it is a record.

New apps have the agent's view in its place, which lies in the bot's direct messages and has no threads but those that people begin
(https://docs.slack.dev/ai/migrating-to-agent-messaging). A thread is followed from a message until its outcome, in the process that
runs the turn.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.bodies import LARGEST_SEQ
from bot.channels.slack.attempting import Attempting
from bot.channels.slack.places import CustomerPlaces
from bot.channels.slack.splitting import shortened
from bot.channels.slack.streams import AnswerStreams
from bot.core.categories import Categories
from bot.core.conversation import ConversationId
from bot.core.replies import Replies
from bot.core.slack_rows import Place, SlackThread
from bot.errors import ConversationUnknown
from bot.service.background import Background
from bot.service.live import Changed, CutOff, DraftShown, LiveEvent, Progressed, ReadUpTo, Step, Typed

log = structlog.get_logger()

MOST_PROMPTS = 4  # that Slack shows
LONGEST_TITLE = 80
FOLLOWED_S = 180.0  # more than a turn and its triage may take
WORDS: Mapping[Step, str] = {Step.SEARCHING: "is_searching", Step.WRITING: "is_writing"}


@dataclass(slots=True, kw_only=True)
class AssistantView:
    """The assistant's threads."""

    client: AsyncWebClient
    attempting: Attempting
    places: CustomerPlaces
    streams: AnswerStreams
    replies: Replies
    categories: Categories
    followed_s: float = FOLLOWED_S
    _asked: dict[ConversationId, int] = field(default_factory=dict)
    _background: Background = field(default_factory=Background)

    async def started(self, body: Mapping[str, object]) -> None:
        """Offer something to ask where somebody just came to ask; merely looking opens no conversation."""
        opened = to_opened(body)
        if opened is None:
            return
        place, user = opened
        locale = await self.places.language(place, user)
        labels = self.categories.in_language(locale)[:MOST_PROMPTS]
        if not labels:
            return
        await self.attempting.make(
            "assistant.threads.setSuggestedPrompts",
            lambda: self.client.assistant_threads_setSuggestedPrompts(
                channel_id=place.channel,
                thread_ts=place.thread_ts or None,
                title=self.replies.text("topics", locale),
                prompts=[{"title": label, "message": label} for label in labels],
            ),
        )

    async def entitle(self, thread: SlackThread, text: str) -> None:
        """Call a thread by what was asked first."""
        place, title = thread.place, shortened(" ".join(text.split()), LONGEST_TITLE)
        if is_assistants(place) and title:
            await self.attempting.make(
                "assistant.threads.setTitle",
                lambda: self.client.assistant_threads_setTitle(
                    channel_id=place.channel, thread_ts=place.thread_ts, title=title
                ),
            )

    def follow(self, thread: SlackThread) -> None:
        """Show what the bot does until nothing is owed any more; called before the message is handed in, and returns at once."""
        if not is_assistants(thread.place):
            return
        conversation = thread.conversation
        is_followed = conversation in self._asked
        self._asked[conversation] = self._asked.get(conversation, 0) + 1
        if not is_followed:
            self._background.start(self._follow(thread), name=f"slack-assistant:{conversation}")

    @property
    def is_idle(self) -> bool:
        """Whether no thread is followed."""
        return self._background.is_idle

    async def drain(self, *, grace_s: float) -> None:
        """Let what is shown come to its end for *grace_s* seconds."""
        await self._background.drain(grace_s=grace_s)

    async def _follow(self, thread: SlackThread) -> None:
        following = _Following(view=self, thread=thread)
        try:
            async with asyncio.timeout(self.followed_s):
                await following.run()
        except (TimeoutError, ConversationUnknown):
            log.info("slack_assistant_not_followed", conversation=thread.conversation)
        except Exception:  # nobody depends on what is shown early
            log.exception("slack_assistant_broke", conversation=thread.conversation)
        finally:
            self._asked.pop(thread.conversation, None)
            self.streams.forget(thread.conversation)
        await following.say("")

    def asked(self, conversation: ConversationId) -> int:
        """Return how many messages of a followed conversation came so far."""
        return self._asked.get(conversation, 0)


@dataclass(slots=True, kw_only=True)
class _Following:
    """One thread, from the first message that is owed an answer to the last outcome."""

    view: AssistantView
    thread: SlackThread
    said: str = ""

    async def run(self) -> None:
        conversation = self.thread.conversation
        with self.view.places.customers.live.watch(conversation) as watcher:
            async for event in watcher.events():
                if await self._is_over(event):
                    return

    async def _is_over(self, event: LiveEvent) -> bool:
        match event:
            case Progressed(step=step):
                await self._progressed(step)
            case DraftShown():
                await self.view.streams.show(self.thread, event)
            case Changed():
                return await self._is_settled()
            case CutOff():
                return True
            case Typed() | ReadUpTo():
                pass
        return False

    async def _is_settled(self) -> bool:
        """Whether nothing is owed, and no message came while that was read."""
        conversation = self.thread.conversation
        asked = self.view.asked(conversation)
        state = await self.view.places.customers.snapshot(conversation, after=LARGEST_SEQ)
        return not state.conversation.owes_a_turn and asked == self.view.asked(conversation)

    async def _progressed(self, step: Step) -> None:
        conversation = self.thread.conversation
        state = await self.view.places.customers.snapshot(conversation, after=LARGEST_SEQ)
        if state.conversation.owes_a_turn:
            await self.say(self.view.replies.text(WORDS[step], state.conversation.locale))

    async def say(self, status: str) -> None:
        """Set the thread's status; an empty one takes it away."""
        if status == self.said:
            return
        self.said = status
        place, client = self.thread.place, self.view.client
        await self.view.attempting.make(
            "assistant.threads.setStatus",
            lambda: client.assistant_threads_setStatus(
                channel_id=place.channel, thread_ts=place.thread_ts, status=status
            ),
        )


def is_assistants(place: Place) -> bool:
    """Whether a place is a thread of the bot's direct messages, as the assistant's view has them."""
    return place.channel.startswith("D") and bool(place.thread_ts)


def to_opened(body: Mapping[str, object]) -> tuple[Place, str] | None:
    """Return where somebody came to ask, and who: the bot's messages, or a new thread of the assistant's; None for what is neither."""
    match body:
        case {
            "team_id": str(team),
            "event": {"tab": "messages", "channel": str(channel), "user": str(user)},
        }:
            return Place(team=team, channel=channel), user
        case {
            "team_id": str(team),
            "event": {
                "assistant_thread": {
                    "channel_id": str(channel),
                    "thread_ts": str(thread_ts),
                    "user_id": str(user),
                }
            },
        }:
            return Place(team=team, channel=channel, thread_ts=thread_ts), user
        case _:
            return None
