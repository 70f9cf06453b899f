"""Customer, bot, two agents, sweep, relay and crashes in any order, over the real services and a store that two processes share."""

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Coroutine
from typing import Generic, TypeVar
from typing import Protocol as Shape

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from structlog.testing import capture_logs

from bot.adapters.memory.clock import ManualClock
from bot.core.conversation import AgentId
from bot.errors import Refused
from tests.builders import a_conversation
from tests.protocol.life import ACTS, ORDERS, Life
from tests.protocol.promises import Record, assert_at_rest, assert_kept
from tests.protocol.world import ANNA, BEN, Post, World

Agent = AgentId | None
Other = str | tuple[Agent, str]
HOLDER = None  # whoever has the conversation
AGENTS = st.sampled_from([ANNA, BEN, HOLDER, HOLDER])
DOES = st.sampled_from([*ACTS, "claims", "replies", "replies"])
OTHERS = st.sampled_from(
    [
        "writes",
        "edits",
        "deletes",
        *ORDERS,
        "lease passes",
        *((agent, does) for agent in (ANNA, BEN, HOLDER) for does in ACTS),
    ]
)


class Process(Shape):
    """One process, and its own view of what is stored."""

    @property
    def world(self) -> World: ...


ProcessT = TypeVar("ProcessT", bound=Process)


class Protocol(RuleBasedStateMachine, Generic[ProcessT]):
    """Every rule is always allowed, and changes nothing where it does not fit."""

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.new_event_loop()
        self._clock, self._post = ManualClock(), Post()
        self._processes = [self._started(), self._started()]
        self._life = Life(self._processes[0].world)
        self._run(self._life.world.store.open_conversation(a_conversation()))

    @rule()
    def requests_reach_the_other_process(self) -> None:
        self._processes.reverse()
        self._life.world = self._processes[0].world

    @rule(messages=st.integers(1, 3))
    def customer_writes(self, messages: int) -> None:
        for _ in range(messages):
            self._run(self._life.customer_writes())

    @rule(bot=st.sampled_from([*ORDERS, "hands over"]))
    def customer_asks(self, bot: str) -> None:
        self._run(self._life.customer_asks(bot))

    @rule()
    def customer_repeats(self) -> None:
        self._run(self._life.customer_repeats())

    @rule(deletes=st.booleans())
    def customer_revises(self, deletes: bool) -> None:
        self._run(self._life.customer_revises(deletes=deletes))

    @rule(does=st.sampled_from([*ORDERS, "hands over"]))
    def bot_goes_on(self, does: str) -> None:
        self._run(self._life.bot(does))

    @rule(agent=AGENTS, does=st.lists(DOES, min_size=1, max_size=3))
    def agent_acts(self, agent: Agent, does: list[str]) -> None:
        for one in does:
            self._run(self._life.agent(agent, one))

    @rule(agent=AGENTS, does=st.lists(DOES, min_size=1, max_size=3))
    def agent_claims_and_acts(self, agent: Agent, does: list[str]) -> None:
        self.agent_acts(agent, ["claims", *does])

    @rule(agent=AGENTS, does=DOES, others=st.lists(OTHERS, min_size=1, max_size=2), elsewhere=st.booleans())
    def agent_acts_on_what_is_old(
        self, agent: Agent, does: str, others: list[Other], elsewhere: bool
    ) -> None:
        act = self._life.act(agent, does)
        self._run(self._overtaken(act, others, self._processes[elsewhere].world))

    @rule(does=st.sampled_from(["answers", "hands over"]), others=st.lists(OTHERS, min_size=1, max_size=3))
    def bot_settles_what_is_old(self, does: str, others: list[Other]) -> None:
        """What happens meanwhile happens in the other process: in its own a new message ends the turn at once."""
        act = self._life.customer_asks(does)
        self._run(self._overtaken(act, others, self._processes[1].world))

    @rule(ms=st.sampled_from([1_000, 45_000, 130_000]))
    def time_passes(self, ms: int) -> None:
        self._clock.advance(ms)

    @rule(lapses=st.sampled_from([False, False, True]))
    def sweep_looks(self, lapses: bool) -> None:
        self._run(self._life.lease_passes() if lapses else self._life.sweep())

    @rule(fails=st.booleans())
    def relay_delivers(self, fails: bool) -> None:
        self._run(self._life.relay(fails=fails))

    @rule(relays=st.booleans(), agent=AGENTS, does=st.sampled_from([None, *ACTS]))
    def process_dies(self, relays: bool, agent: Agent, does: str | None) -> None:
        """With a post that is not marked yet, and with a move that is decided but not written."""
        self._run(self._died(relays, agent, does))
        self._ended(self._processes[0])
        self._processes[0] = self._started()
        self._life.world = self._processes[0].world
        self._run(self._resumed())

    @rule()
    def all_comes_to_rest(self) -> None:
        self._run(self._life.come_to_rest())
        assert_at_rest(self._record(), self._post.told)

    @invariant()
    def every_promise_is_kept(self) -> None:
        assert_kept(self._record(), self._life.diary)

    def teardown(self) -> None:
        try:
            self.all_comes_to_rest()
            self.every_promise_is_kept()
        finally:
            for process in self._processes:
                self._run(process.world.die())
                self._ended(process)
            self._cleared()
            self._loop.close()

    @abstractmethod
    def _started(self) -> ProcessT:
        """Start a process on the store."""

    @abstractmethod
    def _ended(self, process: ProcessT) -> None:
        """Close what a process that is over had open."""

    @abstractmethod
    def _cleared(self) -> None:
        """Remove the store."""

    @abstractmethod
    def _record(self) -> Record:
        """Read all that is stored, through the first process."""

    async def _resumed(self) -> None:
        await self._life.world.sweep.resume()
        await self._life.world.quiet()

    async def _overtaken(
        self, act: Coroutine[None, None, None], others: list[Other], elsewhere: World
    ) -> None:
        here = self._life.world
        try:
            async with here.held(act):
                self._life.world = elsewhere
                for other in others:
                    await self._other(other)
        except Refused:
            return
        finally:
            self._life.world = here
            await here.quiet()

    def _other(self, what: Other) -> Awaitable[None]:
        if what == "writes":
            return self._life.customer_writes()
        if what in ("edits", "deletes"):
            return self._life.customer_revises(deletes=what == "deletes")
        if what == "lease passes":
            return self._life.lease_passes()
        return self._life.bot(what) if what in ORDERS else self._life.agent(*what)

    async def _died(self, relays: bool, agent: Agent, does: str | None) -> None:
        world = self._life.world
        if relays:
            await world.relay_dies_after_its_post()
        if does is None:
            await world.die()
        else:
            await world.dies_during(self._life.act(agent, does))

    def _run(self, doing):
        return self._loop.run_until_complete(doing)


def run_machine(machine: type[RuleBasedStateMachine], *, examples: int, steps: int = 20) -> None:
    """Try so many histories of so many steps."""
    unhurried = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    with capture_logs():
        run_state_machine_as_test(machine, settings=unhurried)
