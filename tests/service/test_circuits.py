"""An answerer and an embedder that fail are left alone: calls are refused at once, and one alarm is raised per opening."""

import asyncio
from contextlib import aclosing, suppress

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.embedder import HashEmbedder
from bot.core.prompt import AnswerRequest, Evidence
from bot.errors import (
    CandorError,
    KeyRejected,
    ModelUnavailable,
    ProviderLimitReached,
    RetrievalUnavailable,
)
from bot.service.circuits import Breaker, GuardedAnswerer, GuardedEmbedder, GuardedReranker
from tests.builders import a_ranked_passage
from tests.service.stand_ins import (
    Point,
    RecordingCircuits,
    ScriptedAnswerer,
    ScriptedEmbedder,
    ScriptedReranker,
)

OVERLOADED = ModelUnavailable("overloaded")
DEADLINE_S = 25.0


class Guarded:
    """A scripted answerer and embedder behind their circuits."""

    def __init__(self) -> None:
        self.clock, self.alarms = ManualClock(), RecordingCircuits()
        self.answerer, self.embedder = ScriptedAnswerer(), ScriptedEmbedder(HashEmbedder())
        self.answers = GuardedAnswerer(
            answerer=self.answerer, breaker=self._breaker("answerer", ModelUnavailable)
        )
        self.embeds = GuardedEmbedder(
            embedder=self.embedder, breaker=self._breaker("embedder", RetrievalUnavailable), limit_s=10.0
        )

    def _breaker(self, dependency, unavailable):
        return Breaker(dependency=dependency, unavailable=unavailable, clock=self.clock, observer=self.alarms)

    async def draft(self):
        """Read a whole draft."""
        request = AnswerRequest(
            question="How?",
            evidence=Evidence(passages=(a_ranked_passage(),)),
            history=(),
            deadline_s=self.clock.monotonic_s() + DEADLINE_S,
        )
        async with aclosing(self.answers.draft(request)) as pieces:
            return [piece async for piece in pieces]

    async def fail(self, *failures: Exception) -> None:
        for failure in failures:
            self.answerer.script = (failure,)
            with suppress(CandorError):
                await self.draft()
        self.answerer.script = None

    async def give_up(self, *, after_s: float, drafts: int = 1) -> None:
        """Cancel drafts that hang."""
        hangs = [Point(waits=True) for _ in range(drafts)]
        reading = []
        for point in hangs:
            self.answerer.script = (point,)
            reading.append(asyncio.create_task(self.draft()))
            await point.reached.wait()
        self.clock.advance(int(after_s * 1000))
        for task in reading:
            task.cancel()
        await asyncio.wait(reading)
        self.answerer.script = None


@pytest.fixture
def guarded() -> Guarded:
    return Guarded()


async def test_while_it_works_a_draft_passes_as_it_is(guarded):
    pieces = await guarded.draft()

    assert len(pieces) == 2
    assert (guarded.answers.name, guarded.answers.streams, guarded.answers.can_abstain) == (
        "scripted",
        True,
        False,
    )


async def test_after_five_failures_it_is_not_asked_any_more_and_one_alarm_is_raised(guarded, logged):
    await guarded.fail(*[OVERLOADED] * 5)
    asked = len(guarded.answerer.requests)

    for _ in range(20):
        with pytest.raises(ModelUnavailable, match="not asked: it failed 5 times within 30 s"):
            await guarded.draft()

    assert len(guarded.answerer.requests) == asked == 5
    assert guarded.alarms.seen == [("opened", "answerer", "failures")]
    assert [(line["event"], line["log_level"]) for line in logged] == [("circuit_opened", "error")]


@pytest.mark.parametrize(
    ("failure", "cause", "said"),
    [
        (ProviderLimitReached("spent"), "limit_reached", "spending limit is reached"),
        (KeyRejected("401"), "key_rejected", "rejects the key"),
    ],
)
async def test_a_spent_limit_or_a_rejected_key_is_one_alarm_not_one_per_turn(guarded, failure, cause, said):
    await guarded.fail(*[failure] * 10)

    assert len(guarded.answerer.requests) == 1
    assert guarded.alarms.seen == [("opened", "answerer", cause)]
    assert said in guarded.answers.breaker.trouble


async def test_a_trial_that_works_opens_the_way_for_everybody(guarded):
    await guarded.fail(KeyRejected("401"))
    guarded.clock.advance(30_000)

    await guarded.draft()
    await guarded.draft()

    assert guarded.alarms.seen[1:] == [("closed", "answerer")]
    assert guarded.answers.breaker.trouble is None


async def test_of_many_that_ask_at_once_one_makes_the_trial(guarded):
    await guarded.fail(KeyRejected("401"))
    guarded.clock.advance(30_000)
    gate = Point(waits=True)
    guarded.answerer.script = (gate, OVERLOADED)

    asking = [asyncio.create_task(guarded.draft()) for _ in range(10)]
    await gate.reached.wait()
    gate.opened.set()
    ended = await asyncio.gather(*asking, return_exceptions=True)

    assert all(isinstance(end, ModelUnavailable) for end in ended)
    assert (len(guarded.answerer.requests), len(guarded.alarms.seen)) == (2, 1)


async def test_drafts_that_hang_until_their_deadline_are_failures(guarded):
    await guarded.give_up(after_s=DEADLINE_S, drafts=5)

    assert guarded.alarms.seen == [("opened", "answerer", "failures")]


async def test_a_draft_that_the_customer_overtook_is_nobodys_failure(guarded):
    await guarded.give_up(after_s=1, drafts=9)

    assert guarded.alarms.seen == []


async def test_a_trial_that_the_customer_overtook_leaves_the_next_one_to_try(guarded):
    await guarded.fail(KeyRejected("401"))
    guarded.clock.advance(30_000)
    await guarded.give_up(after_s=1)

    await guarded.draft()

    assert guarded.answers.breaker.trouble is None


async def test_a_draft_that_is_not_read_to_its_end_has_worked(guarded):
    await guarded.fail(KeyRejected("401"))
    guarded.clock.advance(30_000)
    request = AnswerRequest(question="?", evidence=Evidence(passages=(a_ranked_passage(),)), history=())

    async with aclosing(guarded.answers.draft(request)) as pieces:
        await anext(pieces)

    assert guarded.answers.breaker.trouble is None
    assert guarded.answerer.closed == 2


async def test_a_defect_of_ours_opens_no_circuit(guarded):
    for _ in range(9):
        guarded.answerer.script = (KeyError("content"),)
        with pytest.raises(KeyError):
            await guarded.draft()

    assert guarded.alarms.seen == []


async def test_an_embedder_that_fails_is_left_alone_for_queries_and_not_for_passages(guarded):
    guarded.embedder.at_embed.fails = RetrievalUnavailable("503")
    for _ in range(7):
        with pytest.raises(RetrievalUnavailable):
            await guarded.embeds.embed_queries(["how?"])

    assert guarded.embedder.at_embed.calls == 5
    assert guarded.alarms.seen == [("opened", "embedder", "failures")]
    assert len(await guarded.embeds.embed_passages(["so"])) == 1


async def test_an_embedder_behind_a_circuit_is_the_same_embedder(guarded):
    inner = guarded.embedder

    assert await guarded.embeds.embed_queries(["how?"]) == await inner.embed_queries(["how?"])
    assert (guarded.embeds.fingerprint, guarded.embeds.token_limit, guarded.embeds.count_tokens("a b")) == (
        inner.fingerprint,
        inner.token_limit,
        inner.count_tokens("a b"),
    )


async def test_a_reranker_that_fails_costs_no_turn_its_time_after_five():
    scripted, alarms = ScriptedReranker(0.5), RecordingCircuits()
    scripted.at_rerank.fails = RetrievalUnavailable("503")
    clock = ManualClock()
    breaker = Breaker(dependency="reranker", unavailable=RetrievalUnavailable, clock=clock, observer=alarms)
    guarded = GuardedReranker(reranker=scripted, breaker=breaker, limit_s=3.0)

    for _ in range(7):
        with pytest.raises(RetrievalUnavailable):
            await guarded.rerank("which?", ["one", "two"])

    assert len(scripted.asked) == 5
    assert breaker.trouble is not None
