"""What agents do at the desk: claim, reply, give back and finish; each move is decided in `core.desk_moves`.

A refusal reaches the caller, and nothing that an agent typed is lost to it.
"""

from dataclasses import dataclass
from functools import partial
from typing import Protocol

import structlog

from bot.core.accounts import Agent
from bot.core.conversation import CLAIM_LEASE_MS, AgentId, Conversation, ConversationId, Message
from bot.core.desk import Resolution
from bot.core.desk_input import require_receiver, require_same_text, required_text
from bot.core.desk_moves import (
    agent_message,
    agents_key,
    claiming,
    expiring,
    releasing,
    renewing,
    replying,
    resolving,
    returning,
    revising,
    transferring,
)
from bot.core.replies import Replies
from bot.core.revisions import agents_revision, changes, newest_revisions, with_id
from bot.errors import ConversationChanged, MoveRefused, Refused, StoreUnavailable
from bot.service.customer import TurnStarter
from bot.service.desk_keeping import DeskKeeping
from bot.service.moving import Decide, Moving

log = structlog.get_logger()


class Colleagues(Protocol):
    """Knows every agent."""

    async def agent(self, agent: AgentId) -> Agent | None:
        """Return an agent; None when there is none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskService(DeskKeeping):
    """The agents' side of every conversation. Methods may raise StoreUnavailable, and ConversationUnknown where they name one.

    Where the conversation kept moving while one of them was decided, ConversationChanged says so, and nothing was written.
    """

    colleagues: Colleagues
    turns: TurnStarter
    replies: Replies

    async def claim(
        self, conversation: ConversationId, agent: AgentId, *, lease_ms: int = CLAIM_LEASE_MS
    ) -> Conversation:
        """Give the conversation to *agent*, who may have it already; ClaimRefused names who was first, MoveRefused when it is resolved."""
        step = partial(claiming, agent=agent, lease_ms=lease_ms)
        moved = await self._move(conversation, step)
        return moved if moved.agent == agent else await self._move(conversation, step)

    async def renew(self, agent: AgentId) -> None:
        """Let every claim of *agent* live on, because its console gave a sign of life; one that has run out is not revived."""
        for conversation in await self.desk.claims_of(agent):
            await self._renew(conversation, agent)

    async def keep(
        self, conversation: ConversationId, agent: AgentId, *, lease_ms: int = CLAIM_LEASE_MS
    ) -> bool:
        """Let one claim live on, and nobody is told; return whether *agent* has the conversation."""
        try:
            await self._moving.write(conversation, partial(renewing, agent=agent, lease_ms=lease_ms))
        except MoveRefused:
            return False
        return True

    async def release(self, conversation: ConversationId, agent: AgentId) -> Conversation:
        """Put the conversation back into the queue; ClaimLost."""
        return await self._move(conversation, partial(releasing, agent=agent))

    async def transfer(self, conversation: ConversationId, agent: AgentId, *, to: AgentId) -> Conversation:
        """Give the conversation to another agent; ClaimLost, InputRejected when that one answers no customers."""
        require_receiver(await self.colleagues.agent(to))
        return await self._move(conversation, partial(transferring, agent=agent, to=to))

    async def return_to_bot(self, conversation: ConversationId, agent: AgentId) -> Conversation:
        """Let the bot speak again, which answers what was written since the agent's last word; ClaimLost."""
        moved = await self._move(conversation, partial(returning, agent=agent, replies=self.replies))
        if moved.owes_a_turn:
            self.turns.start(conversation)
        return moved

    async def resolve(
        self, conversation: ConversationId, agent: AgentId, code: Resolution, *, seen: int
    ) -> Conversation:
        """Finish the conversation; ClaimLost, CustomerWrote when there is a customer's message after *seen*."""
        decide = partial(resolving, agent=agent, code=code, seen=seen, replies=self.replies)
        return await self._move(conversation, decide)

    async def reply(
        self,
        conversation: ConversationId,
        agent: AgentId,
        *,
        text: str,
        message_id: str,
        seen: int,
        lease_ms: int = CLAIM_LEASE_MS,
    ) -> Message:
        """Say something to the customer, once per *message_id*; the stored message when it is a repeat.

        ClaimLost, and the text is kept as the agent's draft; MessageConflict when the id came before with another text.
        """
        said = agent_message(agent, required_text(text), message_id=message_id)
        decide = partial(replying, agent=agent, said=said, seen=seen, lease_ms=lease_ms)
        try:
            stored = (await self._moving.make(conversation, decide)).messages[-1]
        except (MoveRefused, ConversationChanged):
            earlier = await self._sent_before(conversation, said)
            if earlier is None:
                await self.keep_draft(conversation, agent, said.text)
                raise
            stored = earlier
        require_same_text(stored.text, said.text, message_id=message_id)
        await self.keep_draft(conversation, agent, "")
        return stored

    async def revise(
        self,
        conversation: ConversationId,
        agent: AgentId,
        *,
        message_id: str,
        text: str | None,
        revision: str,
    ) -> Message | None:
        """Edit what *agent* sent under *message_id*, or without a text delete it, in whatever state the conversation is.

        Of several edits the one with the greatest *revision* stands. Return what stands now; None when that was never sent.
        """
        stored = (await self.store.snapshot(conversation, after=0)).messages
        sent = with_id(stored, agents_key(agent, message_id))
        if sent is None:
            return None
        revised = agents_revision(sent, None if text is None else required_text(text), revision=revision)
        stands = newest_revisions(stored).get(sent.seq, sent)
        if not changes(stands, revised):
            return stands
        decide = partial(revising, agent=agent, revision=revised)
        stored_revision = (await self._moving.make(conversation, decide)).messages[-1]
        await self.read(
            conversation, agent, sent.seq
        )  # as who said it has; only so do browsers look for edits
        return stored_revision

    async def expire_leases(self) -> int:
        """Queue every conversation whose agent went silent; return how many."""
        over = await self.desk.leases_over(now_ms=self.clock.now_ms())
        return sum([await self._expire(conversation) for conversation in over])

    @property
    def _moving(self) -> Moving:
        return Moving(store=self.store, clock=self.clock, live=self.live)

    async def _move(self, conversation: ConversationId, decide: Decide) -> Conversation:
        return (await self._moving.make(conversation, decide)).conversation

    async def _renew(self, conversation: ConversationId, agent: AgentId) -> None:
        """Nobody is told, because what watchers see stays as it was; one that cannot be written must not cost the others."""
        try:
            await self._moving.write(conversation, partial(renewing, agent=agent))
        except (Refused, StoreUnavailable) as failure:  # it moved on, or the next sign of life tries again
            log.info(
                "claim_not_renewed", conversation=conversation, agent=agent, error=type(failure).__name__
            )

    async def _expire(self, conversation: ConversationId) -> bool:
        """One conversation that cannot be queued must not keep the others waiting."""
        try:
            await self._move(conversation, expiring)
        except Refused:  # the agent gave a sign of life, or somebody was faster
            return False
        except Exception:
            log.exception("expiring_failed", conversation=conversation)
            return False
        log.warning("lease_expired", conversation=conversation)
        return True

    async def _sent_before(self, conversation: ConversationId, said: Message) -> Message | None:
        messages = (await self.store.snapshot(conversation, after=0)).messages
        return next((m for m in messages if m.channel_message_id == said.channel_message_id), None)
