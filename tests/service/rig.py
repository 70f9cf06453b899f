"""The whole service on its in-memory twins, with a bot that does what a test tells it: fail, wait, or draft by script."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.adapters.memory.clock import ManualClock
from bot.adapters.prompt_files import load_replies, load_rules
from bot.core.audit import Change
from bot.core.caps import Caps
from bot.core.conversation import AgentId, Conversation, ConversationId, Kind, Message, Role
from bot.core.knowledge import Article
from bot.core.outcome import Handoff, ReasonCode
from bot.core.policy import TurnPolicy
from bot.core.rules import Rules
from bot.core.turn import Turn
from bot.model_ports import Reranker
from bot.ports import Ledger, Received
from bot.service.answering import Answering
from bot.service.customer import CustomerService
from bot.service.drafting import Drafting
from bot.service.gap_builds import Unpublished
from bot.service.live import Progressed
from bot.service.metering import Metering
from bot.service.retrieving import Retrieving
from bot.service.running import TurnRunner
from bot.service.sweep import Sweep
from bot.service.triage import Triaging
from bot.service.turns import TurnService
from tests.builders import a_conversation, a_customer_message
from tests.service.shelf import ARTICLES, Shelf
from tests.service.stand_ins import (
    RecordingCircuits,
    RecordingHub,
    RecordingObserver,
    RecordingStore,
    ScriptedAnswerer,
    ScriptedEmbedder,
    ScriptedIndex,
    ScriptedLedger,
)

PROMPTS = Path(__file__).parents[2] / "prompts"
RULES = load_rules(PROMPTS)
REPLIES = load_replies(PROMPTS)

DEFAULT_CAPS = Caps()

QUESTION = "How do I reschedule a class?"  # the shelf answers it
UNCOVERED = "Which wine goes with trout?"  # no article on the shelf is near
COMPUTED = "How many lessons do I have left?"


# Without repr: asyncio writes a task's result into its repr, and the phrase tables in here take half a second.
@dataclass(slots=True, kw_only=True, repr=False)
class Rig:
    """One conversation, the parts behind it, and the services. `log` is what was stored and shown, in order."""

    store: RecordingStore
    ledger: ScriptedLedger
    shelf: Shelf
    index: ScriptedIndex
    embedder: ScriptedEmbedder
    answerer: ScriptedAnswerer
    clock: ManualClock
    live: RecordingHub
    observer: RecordingObserver
    turns: TurnService
    runner: TurnRunner
    customers: CustomerService
    sweep: Sweep
    log: list[tuple[str, str]]
    conversation: ConversationId
    said: int = 0

    async def say(self, text: str = QUESTION, *, kind: Kind = Kind.TEXT, id: str | None = None) -> Received:
        """Hand in a customer's message as a channel does; the turn runs in the background."""
        self.said += 1
        message_id = f"m{self.said}" if id is None else id
        message = a_customer_message(
            text, conversation=self.conversation, kind=kind, channel_message_id=message_id
        )
        return await self.customers.receive(message)

    async def idle(self) -> None:
        """Wait until no turn runs."""
        while self.runner._running:
            await asyncio.wait(tuple(self.runner._running.values()))

    async def ask(self, text: str = QUESTION, *, kind: Kind = Kind.TEXT) -> Turn:
        """Say *text*, wait for the turn and return its record."""
        await self.say(text, kind=kind)
        await self.idle()
        return (await self.store.turns(self.conversation))[-1]

    async def run(self) -> Turn:
        """Run a turn that is owed, as a restarted process does."""
        turn = await self.turns.run(self.conversation)
        assert turn is not None
        return turn

    async def state(self) -> Conversation:
        return await self.store.conversation(self.conversation)

    async def messages(self) -> tuple[Message, ...]:
        return (await self.store.snapshot(self.conversation, after=0)).messages

    async def told(self) -> tuple[Message, ...]:
        """Return what the bot said since the customer's newest message."""
        last = (await self.state()).last_customer_seq
        return tuple(m for m in await self.messages() if m.role is Role.BOT and m.seq > last)

    async def turn_records(self) -> tuple[Turn, ...]:
        return await self.store.turns(self.conversation)

    async def reasons(self) -> list[str]:
        """Return the reason of each handoff, oldest first."""
        return [row.reason for row in await self.store.handoffs(self.conversation)]

    async def take_over(self, agent: str = "ana") -> None:
        """An agent takes the conversation from the bot."""
        await self._move((await self.state()).taken_over_by(AgentId(agent), now_ms=self.clock.now_ms()))

    async def return_to_bot(self, agent: str = "ana") -> None:
        """An agent claims the queued conversation and gives it back."""
        claimed = (await self.state()).claimed_by(AgentId(agent), now_ms=self.clock.now_ms())
        await self._move(claimed)
        held = await self.state()
        await self._move(held.returned_to_bot(AgentId(agent), now_ms=self.clock.now_ms()))

    async def _move(self, moved: Conversation) -> None:
        change = Change(who="ana", what="moved", at_ms=self.clock.now_ms())
        await self.store.change(await self.state(), moved, change)


def a_metering(ledger: Ledger, clock: ManualClock, **fields) -> Metering:
    """Return the caps over *ledger*, the default ones, at no cost and unheard of unless it is said otherwise."""
    unless_given = {"caps": DEFAULT_CAPS, "tariff": None, "observer": RecordingCircuits()}
    return Metering(ledger=ledger, clock=clock, **(unless_given | fields))


async def a_rig(
    *,
    policy: TurnPolicy | None = None,
    rules: Rules = RULES,
    articles: Sequence[Article] = ARTICLES,
    static_context: str = "",
    locale: str = "en",
    caps: Caps = DEFAULT_CAPS,
    reranker: Reranker | None = None,
) -> Rig:
    """Open one conversation over a shelf of synced and calibrated articles."""
    policy = policy or TurnPolicy()
    clock, shelf = ManualClock(), Shelf.holding(articles)
    log: list[tuple[str, str]] = []
    store, live, observer = RecordingStore(log), RecordingHub(log), RecordingObserver()
    index, embedder = ScriptedIndex(shelf.index), ScriptedEmbedder(shelf.embedder)
    answerer, ledger = ScriptedAnswerer(), ScriptedLedger()
    retrieving = Retrieving(
        index=index, embedder=embedder, rules=rules, policy=policy, clock=clock, reranker=reranker
    )
    metering = a_metering(ledger, clock, caps=caps)
    answering = _answering(retrieving, answerer, live, metering)
    unpublished = Unpublished(writer=shelf.writer)
    answering = replace(answering, triaging=replace(answering.triaging, unpublished=unpublished))
    turns = TurnService(
        store=store, answering=answering, replies=REPLIES, metering=metering,
        clock=clock, live=live, observer=observer, static_context=static_context,
    )  # fmt: skip
    runner = TurnRunner(turns=turns)
    opened = await store.open_conversation(a_conversation(locale=locale))
    return Rig(
        store=store, ledger=ledger, shelf=shelf, index=index, embedder=embedder, answerer=answerer, clock=clock,
        live=live, observer=observer, turns=turns, runner=runner, log=log, conversation=opened.id,
        customers=CustomerService(store=store, turns=runner, clock=clock, live=live),
        sweep=Sweep(store=store, turns=turns, runner=runner, clock=clock, deadlines=policy.deadlines),
    )  # fmt: skip


def _answering(
    retrieving: Retrieving, answerer: ScriptedAnswerer, live: RecordingHub, metering: Metering
) -> Answering:
    return Answering(
        retrieving=retrieving,
        drafting=Drafting(answerer=answerer, policy=retrieving.policy, metering=metering),
        triaging=Triaging(index=retrieving.index, policy=retrieving.policy.retrieval),
        rules=retrieving.rules,
        policy=retrieving.policy,
        clock=retrieving.clock,
        tell=lambda conversation, step: live.publish(conversation, Progressed(step=step)),
    )


def another_process(rig: Rig) -> Rig:
    """Return the same store served by a process that has just started: nothing runs in it."""
    runner = TurnRunner(turns=rig.turns)
    return replace(
        rig,
        runner=runner,
        said=rig.said + 100,  # so that message ids differ
        customers=replace(rig.customers, turns=runner),
        sweep=replace(rig.sweep, runner=runner),
    )


def reason_of(turn: Turn) -> ReasonCode | None:
    """Return the turn's reason code; None when it did not hand over."""
    return turn.outcome.reason if isinstance(turn.outcome, Handoff) else None
