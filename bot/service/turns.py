"""Runs turns: reads the state, settles, and commits behind the fence. One turn at a time per conversation."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import structlog
from structlog.contextvars import bound_contextvars

from bot.core.caps import DAY_MS
from bot.core.conversation import Conversation, ConversationId, Kind, Message, Role, TurnId
from bot.core.outcome import Answer, Ask, Courtesy, CourtesyKind, Handoff, Outcome, ReasonCode, outcome_name
from bot.core.replies import Replies
from bot.core.routing import RETRIEVAL_OFF
from bot.core.truth import is_truthful
from bot.core.turn import Turn, TurnStart
from bot.errors import ConversationChanged, ConversationUnknown
from bot.ports import Clock, ConversationStore, TurnObserver
from bot.service.answering import Answering
from bot.service.live import Changed, DraftShown, LiveHub
from bot.service.metering import Metering

log = structlog.get_logger()

HISTORY = (
    40  # messages read for a turn: the window's four and the answer's ten, with room for what both leave out
)


def unheard(_conversation: ConversationId) -> None:
    """Tell nobody that a conversation was handed over."""


async def never() -> bool:
    """Say of articles that they are not old."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnService:
    """One turn from the store to the store.

    `handed_over` is told of each handoff once it is committed; it never waits. `articles_are_old` is asked with each answer; it never raises.
    """

    store: ConversationStore
    answering: Answering
    replies: Replies
    metering: Metering
    clock: Clock
    live: LiveHub
    observer: TurnObserver
    static_context: str = ""
    handed_over: Callable[[ConversationId], None] = unheard
    articles_are_old: Callable[[], Awaitable[bool]] = never

    async def run(self, conversation: ConversationId) -> Turn | None:
        """Settle and commit what the bot owes; None when it owes nothing, or when the conversation moved on meanwhile.

        Raises StoreUnavailable; the sweep finds the conversation later.
        """
        turn = TurnId(self.clock.new_id())
        with bound_contextvars(conversation=conversation, turn=turn):
            start = await self._begin(conversation)
            if start is None:
                return None
            try:
                return await self._settle_and_commit(start, turn)
            except (ConversationChanged, ConversationUnknown):
                log.info("turn_dropped")
                return None

    async def lose(self, conversation: ConversationId) -> Turn | None:
        """Hand over a turn that ended without an outcome; None when somebody was faster, or it was erased."""
        start = await self._begin(conversation)
        if start is None:
            return None
        turn = _lost(start, TurnId(self.clock.new_id()), now_ms=self.clock.now_ms())
        try:
            await self._commit(start, turn)
        except (ConversationChanged, ConversationUnknown):
            return None
        return turn

    async def _begin(self, conversation: ConversationId) -> TurnStart | None:
        since_ms = self.clock.now_ms() - DAY_MS
        try:
            return await self.store.begin_turn(conversation, history=HISTORY, turns_since_ms=since_ms)
        except ConversationUnknown:
            return None  # it was erased meanwhile

    async def _settle_and_commit(self, start: TurnStart, turn: TurnId) -> Turn:
        shown = 0

        async def show(texts: Sequence[str]) -> None:
            nonlocal shown
            await self.store.show_blocks(start.fence, turn=turn, texts=texts)
            for text in texts:
                self.live.publish(start.conversation.id, DraftShown(turn=turn, position=shown, text=text))
                shown += 1

        capped = await self.metering.capped(start)
        settled = await self.answering.settle(start, turn, capped=capped, show=show)
        await self._commit(start, settled)
        return settled

    async def _commit(self, start: TurnStart, turn: Turn) -> None:
        messages = await self._messages(start, turn)
        await self.store.commit_turn(turn, messages, _moved(start, turn.outcome, now_ms=turn.settled_ms))
        self.live.publish(start.conversation.id, Changed())
        if isinstance(turn.outcome, Handoff):
            self.handed_over(start.conversation.id)
        self._report(turn)

    async def _messages(self, start: TurnStart, turn: Turn) -> tuple[Message, ...]:
        """Return what the customer is told. The store assigns each seq."""
        locale = start.conversation.locale
        said = to_message(turn.outcome, self.replies, locale)
        said = replace(said, at_ms=turn.settled_ms, turn=turn.id)
        notice = self._general(turn.outcome, locale) or await self._age_notice(start, turn)
        if notice is None:
            return (said,)
        return (_notice(notice, said), said)

    def _general(self, outcome: Outcome, locale: str) -> str | None:
        if not (self.static_context and _not_searched(outcome)):
            return None
        return self.replies.text("general_information", locale) + "\n\n" + self.static_context

    async def _age_notice(self, start: TurnStart, turn: Turn) -> str | None:
        """Say that articles may be out of date, where an answer rests on some; a customer is told once a day."""
        if not _rests_on_articles(turn.outcome) or not await self.articles_are_old():
            return None
        text = self.replies.text("old_articles", start.conversation.locale)
        since_ms = turn.settled_ms - DAY_MS
        was_said = any(m.text == text and m.at_ms > since_ms for m in start.history)
        return None if was_said else text

    def _report(self, turn: Turn) -> None:
        truthful = is_truthful(turn)
        self.observer.turn_settled(turn, truthful=truthful)
        reason = turn.outcome.reason if isinstance(turn.outcome, Handoff) else None
        log.info(
            "turn_settled",
            outcome=outcome_name(turn.outcome),
            reason=reason,
            passages=len(turn.ranked),
            best_cosine=turn.best_cosine,
            ms={s.name: s.ms for s in turn.stages},
            tokens=turn.usage and turn.usage.input_tokens + turn.usage.output_tokens,
            cost_usd=turn.usage and turn.usage.cost_usd,
        )
        if not truthful:
            log.error(
                "untruthful_handoff",
                reason=reason,
                stages=[(s.name, s.status, s.finding) for s in turn.stages],
            )


def to_message(outcome: Outcome, replies: Replies, locale: str) -> Message:
    """Return the bot's message for *outcome*, seq and time not yet assigned."""
    match outcome:
        case Ask(offer=True):
            text, button = replies.text("offer", locale), replies.text("offer_person", locale)
            return Message(seq=0, role=Role.BOT, text=text, refusal=True, options=(button,))
        case (
            Answer(text=text, sources=sources, options=options)
            | Ask(text=text, sources=sources, options=options)
        ):
            return Message(seq=0, role=Role.BOT, text=text, sources=sources, options=options)
        case Courtesy(kind=kind):
            return _courtesy(kind, replies, locale)
        case Handoff(reason=reason):
            text = replies.handoff(reason, locale)
            return Message(seq=0, role=Role.BOT, text=text, refusal=True, reason=reason)


def _courtesy(kind: CourtesyKind, replies: Replies, locale: str) -> Message:
    """What asks something is a prompt of its own kind, which no retrieval query takes for something that was said."""
    said = Message(seq=0, role=Role.BOT, text=replies.text(kind, locale), kind=Kind.NOTICE)
    match kind:
        case CourtesyKind.GREETING | CourtesyKind.THANKS | CourtesyKind.SIGN_IN:
            return said
        case CourtesyKind.CATEGORY:
            return replace(said, kind=Kind.CATEGORY)
        case CourtesyKind.WHAT_WAS_MISSING:
            return replace(said, kind=Kind.FEEDBACK, options=(replies.text("offer_person", locale),))


def _notice(text: str, said: Message) -> Message:
    """Return *text* as a message of its own before what is said: no gate judges it, and no retrieval query takes it for an answer."""
    return replace(said, kind=Kind.NOTICE, text=text, refusal=False, reason=None, sources=(), options=())


def _rests_on_articles(outcome: Outcome) -> bool:
    return isinstance(outcome, Answer | Ask) and bool(outcome.sources)


def _moved(start: TurnStart, outcome: Outcome, *, now_ms: int) -> Conversation:
    read = start.conversation
    if isinstance(outcome, Handoff):
        return read.queued(since_ms=start.unanswered[0].at_ms, now_ms=now_ms)
    return replace(read, answered_seq=read.last_customer_seq)


def _not_searched(outcome: Outcome) -> bool:
    failed = (ReasonCode.RETRIEVAL_UNAVAILABLE, ReasonCode.INDEX_NOT_READY)
    return isinstance(outcome, Handoff) and (outcome.reason in failed or outcome.detail == RETRIEVAL_OFF)


def _lost(start: TurnStart, turn: TurnId, *, now_ms: int) -> Turn:
    return Turn(
        id=turn,
        fence=start.fence,
        outcome=Handoff(reason=ReasonCode.TURN_LOST),
        covers=tuple(m.seq for m in start.unanswered),
        started_ms=now_ms,
        settled_ms=now_ms,
    )
