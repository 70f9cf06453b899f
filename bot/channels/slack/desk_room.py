"""What everything at the desk in Slack shares: who acts, whether a card is still current, and how a refusal reaches who caused it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

import structlog

from bot.channels.slack.desk_wording import A_COLLEAGUE, refusal_in_words
from bot.channels.slack.mrkdwn import literal
from bot.channels.slack.people import People
from bot.channels.slack.rendering import Rendered
from bot.core.accounts import Agent
from bot.core.conversation import SLACK_LEASE_MS, AgentId, ConversationId
from bot.core.slack_rows import Place, Side, SlackThread
from bot.core.spells import spell_of
from bot.errors import AccessRefused, ClaimLost, ClaimRefused, Refused
from bot.service.desk import DeskService
from bot.slack_ports import SlackPlaces

log = structlog.get_logger()


class Whispers(Protocol):
    """Says something to one person alone."""

    async def whisper(self, place: Place, user: str, rendered: Rendered) -> None:
        """Say it now or never; never raises."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """An agent who did something, and where they are told what came of it."""

    agent: Agent
    user: str
    place: Place

    @property
    def id(self) -> AgentId:
        return self.agent.id


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskRoom:
    """The desk in Slack. Methods may raise StoreUnavailable, and NotDelivered where Slack has to be asked first."""

    agents: DeskService
    places: SlackPlaces
    people: People
    whispers: Whispers

    async def actor(self, place: Place, user: str, *, speaks: bool = True) -> Actor | None:
        """Return who acts, where *speaks* says that a customer hears of it; None, and they are told why, when they may not."""
        try:
            agent = await self.people.agent(team=place.team, user=user, speaks=speaks)
        except AccessRefused as refused:
            await self.whispers.whisper(place, user, Rendered(text=literal(str(refused))))
            return None
        return Actor(agent=agent, user=user, place=place)

    async def tell(self, actor: Actor, sentence: str) -> None:
        """Say something to the actor alone."""
        await self.show(actor, Rendered(text=literal(sentence)))

    async def show(self, actor: Actor, rendered: Rendered) -> None:
        """Show something to the actor alone."""
        await self.whispers.whisper(actor.place, actor.user, rendered)

    @asynccontextmanager
    async def answering(self, actor: Actor) -> AsyncIterator[None]:
        """Tell the actor of a refusal, which is then over."""
        try:
            yield
        except Refused as refused:
            log.info("slack_desk_refused", agent=actor.id, refusal=type(refused).__name__)
            await self.tell(actor, await self.in_words(refused, actor))

    async def in_words(self, refused: Refused, actor: Actor) -> str:
        """Return why something was refused, with the name of who has the conversation."""
        holder = refused.holder if isinstance(refused, ClaimRefused | ClaimLost) else None
        is_own, name = holder == actor.id, await self.holder(holder, actor)
        return refusal_in_words(refused, holder=name, is_own=is_own)

    async def holder(self, holder: str | None, actor: Actor) -> str | None:
        """Return the name of the other agent who has a conversation; None when no other has it."""
        if holder is None or holder == actor.id:
            return None
        return await self.people.name(AgentId(holder)) or A_COLLEAGUE

    async def is_current(self, conversation: ConversationId, spell: int) -> bool:
        """Whether a card of that spell is the conversation's present one."""
        return spell_of(await self.agents.history(conversation)) == spell

    async def lost(self, conversation: ConversationId) -> ClaimLost:
        """Return the refusal for an agent who does not have the conversation; ConversationUnknown."""
        state = await self.agents.store.conversation(conversation)
        return ClaimLost("only who has claimed it may do this", holder=state.agent)

    async def send(self, actor: Actor, conversation: ConversationId, *, text: str, message_id: str) -> None:
        """Say something to the customer as the actor, who has seen what the thread shows; raises what `DeskService.reply` raises."""
        thread = await self.thread_of(conversation)
        await self.agents.reply(
            conversation,
            actor.id,
            text=text,
            message_id=message_id,
            seen=thread.shown_seq if thread else 0,
            lease_ms=SLACK_LEASE_MS,
        )

    async def thread_of(self, conversation: ConversationId) -> SlackThread | None:
        """Return the thread of the conversation's newest card; None while there is none."""
        threads = await self.places.threads_of(conversation)
        desk = [thread for thread in threads if thread.side is Side.DESK]
        return max(desk, key=lambda thread: thread.spell, default=None)
