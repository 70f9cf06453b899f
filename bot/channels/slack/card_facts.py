"""Reads what the card of a spell says: why the customer is with people, how it stands, and who the customer is. Agents read English."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.channels.evidence_wording import STAGES, TRIAGES, error_in_words, finding_in_words
from bot.channels.slack.cards import MOST_MESSAGES, CardFacts
from bot.channels.slack.seen import Seen
from bot.channels.wording import agent_name, customer_name, detail_in_words, reason_in_words
from bot.core.conversation import CLAIM_LEASE_MS, Conversation, ConversationId, Message, Role, Status
from bot.core.handoffs import HandoffRow
from bot.core.notes import summary_key
from bot.core.outcome import Handoff, ReasonCode
from bot.core.replies import DEFAULT_LANGUAGE, Replies
from bot.core.spells import Spell
from bot.core.turn import StageStatus, Turn, failing_stage
from bot.desk_ports import DeskStore
from bot.ports import Clock, ConversationStore


@dataclass(frozen=True, slots=True, kw_only=True)
class CardReading:
    """Reads from the stores. *public_url* is where agents open the console; None when that is not known."""

    store: ConversationStore
    desk: DeskStore
    replies: Replies
    clock: Clock
    public_url: str | None = None

    async def handoff(self, conversation: ConversationId, spell: Spell) -> HandoffRow | None:
        """Return the handoff that a spell began with; None where an agent had taken the conversation over."""
        rows = await self.store.handoffs(conversation)
        return next((row for row in rows if row.epoch == spell.epoch), None)

    async def facts(self, seen: Seen, spell: Spell, handoff: HandoffRow | None) -> CardFacts:
        """Return what the card says now; StoreUnavailable."""
        state, last = seen.conversation, spell.changes[-1]
        lasts = spell.ended_ms is None
        profile = await self.desk.profile(state.id)
        return CardFacts(
            conversation=state.id,
            spell=spell.epoch,
            status=Status(last.after),
            customer=customer_name(state.id, profile.customer),
            verified=profile.customer.verified,
            reason_text=reason_in_words(handoff.reason if handoff else None, self.replies, DEFAULT_LANGUAGE),
            evidence=await self._evidence(handoff),
            channel=state.channel,
            summary=summary_of(seen, spell),
            last=newest_of(seen, spell),
            guests=seen.guests,
            holder=agent_name(last.agent, seen.names) if last.agent else None,
            console_url=self._console_url(state.id),
            waiting_since_ms=state.waiting_since_ms if lasts else None,
            lease_until_ms=self._lease(state) if lasts else None,
            resolution=detail_in_words(last, seen.names) if last.after == Status.RESOLVED else "",
        )

    async def _evidence(self, handoff: HandoffRow | None) -> str:
        if handoff is None:
            return ""
        turns = await self.store.turns(handoff.conversation)
        turn = next((one for one in turns if one.id == handoff.turn), None)
        return "" if turn is None else evidence_line(turn, self.replies)

    def _console_url(self, conversation: ConversationId) -> str | None:
        return f"{self.public_url}/console#/conversation/{conversation}" if self.public_url else None

    def _lease(self, state: Conversation) -> int | None:
        """An open console renews its short lease all the time, so that its end says nothing."""
        until = state.lease_until_ms
        return until if until is not None and until - self.clock.now_ms() > CLAIM_LEASE_MS else None


def evidence_line(turn: Turn, replies: Replies) -> str:
    """Return one line on what a handoff rests on: what failed or was found wrong, and how near the best article came."""
    return "; ".join(_evidence(turn, replies))


def summary_of(seen: Seen, spell: Spell) -> str | None:
    """Return the summary of the handoff that a spell began with; None while there is none."""
    key = summary_key(spell.epoch)
    return next((note.text for note in seen.notes if note.key == key), None)


def newest_of(seen: Seen, spell: Spell) -> tuple[Message, ...]:
    """Return the messages that lead to the customer's newest; what agents reply to it stands in the room."""
    until = spell.ended_ms
    within = [m for m in seen.messages if until is None or m.at_ms <= until]
    asked = [at for at, message in enumerate(within) if message.role is Role.CUSTOMER]
    return tuple(within[: asked[-1] + 1][-MOST_MESSAGES:]) if asked else ()


def _evidence(turn: Turn, replies: Replies) -> Iterator[str]:
    failing = failing_stage(turn.stages)
    if failing is not None:
        yield f"{STAGES[failing.name]}: {error_in_words(failing) or 'failed'}"
    elif turn.stages and turn.stages[-1].status is StageStatus.STOPPED:
        found = turn.stages[-1].finding
        words = None if found in set(ReasonCode) else finding_in_words(found, replies, DEFAULT_LANGUAGE)
        yield from filter(None, (words,))
    if isinstance(turn.outcome, Handoff):
        yield from filter(None, (turn.outcome.rule and f"rule “{turn.outcome.rule}”",))
        yield from filter(None, (turn.outcome.triage and TRIAGES[turn.outcome.triage],))
    if turn.ranked:
        yield _nearest(turn)


def _nearest(turn: Turn) -> str:
    title = f"nearest article “{turn.ranked[0].found.title}”"
    if turn.best_cosine is None or turn.threshold is None:
        return title
    return f"{title}, {turn.best_cosine:.2f} of the {turn.threshold:.2f} that it takes"
