"""Summaries of handoffs: one each, beside the handoff and never before it, for agents' eyes alone."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest

from bot.core.conversation import Status
from bot.core.notes import Note, summary_key
from bot.core.outcome import ReasonCode
from bot.core.policy import TurnPolicy
from bot.core.summary import Summary, SummaryRequest
from bot.errors import ModelUnavailable, StoreUnavailable
from bot.service.live import Changed, CutOff
from bot.service.summarising import LEFT_AFTER_MS, Summarising
from tests.service.rig import QUESTION, REPLIES, RULES, UNCOVERED, Rig, a_rig
from tests.service.stand_ins import Point
from tests.waiting import wait_until

CANARY = "canary-7f3a"
BY_MODEL = Summary(asked="Wants a wine with trout.", said="Nothing.", open="A person must choose.")


class ScriptedSummarizer:
    """A model whose summary a test chooses, and which fails or waits where a test says."""

    def __init__(self, summary: Summary = BY_MODEL) -> None:
        self.summary = summary
        self.at_summarise = Point()
        self.requests: list[SummaryRequest] = []

    async def summarise(self, request: SummaryRequest) -> Summary:
        self.requests.append(request)
        await self.at_summarise.passed()
        return self.summary


def summarising(rig: Rig, summarizer: ScriptedSummarizer | None = None, **fields) -> Summarising:
    return Summarising(
        store=rig.store,
        replies=REPLIES,
        rules=RULES,
        clock=rig.clock,
        locale="en",
        summarizer=summarizer,
        **fields,
    )


def told(rig: Rig, summaries: Summarising) -> Rig:
    """Let the rig's turns start *summaries* at each handoff, as the wiring does."""
    rig.runner.turns = replace(rig.turns, handed_over=summaries.start)
    return rig


async def finished(summaries: Summarising) -> None:
    await summaries.drain(grace_s=5)


async def notes(rig: Rig) -> tuple[Note, ...]:
    return await rig.store.notes(rig.conversation)


async def test_a_handoff_is_followed_by_its_summary(rig: Rig):
    summaries = summarising(rig)

    await told(rig, summaries).ask(UNCOVERED)
    await finished(summaries)

    (note,) = await notes(rig)
    assert (note.author, note.key) == ("bot", summary_key(1))
    assert note.text.startswith(
        f"Asked: “{UNCOVERED}”\nSaid so far: no answer yet\nOpen: no article was found"
    )


async def test_a_console_that_is_open_already_is_told_of_the_summary(rig: Rig):
    summaries = summarising(rig, live=rig.live)
    await rig.ask(UNCOVERED)
    with rig.live.watch(rig.conversation) as watcher:
        await summaries.summarise(rig.conversation)
        rig.live.close()

        assert [event async for event in watcher.events()] == [Changed(), CutOff(overloaded=False)]


async def test_an_answer_is_not_summed_up(rig: Rig):
    summaries = summarising(rig)

    await told(rig, summaries).ask(QUESTION)

    assert summaries.background.is_idle
    assert await summaries.summarise(rig.conversation) is None


async def test_the_model_writes_the_summary_where_there_is_one(rig: Rig):
    summarizer = ScriptedSummarizer()
    await rig.ask(UNCOVERED)

    note = await summarising(rig, summarizer).summarise(rig.conversation)

    assert note is not None
    assert note.text.split("\n")[0] == "Asked: Wants a wine with trout."
    assert [request.reason for request in summarizer.requests] == ["no_evidence"]


@pytest.mark.parametrize("failure", [ModelUnavailable("down"), ValueError("a defect")], ids=repr)
async def test_a_model_that_fails_is_replaced_by_the_customers_own_words(rig: Rig, failure):
    summarizer = ScriptedSummarizer()
    summarizer.at_summarise.fails = failure
    await rig.ask(UNCOVERED)

    note = await summarising(rig, summarizer).summarise(rig.conversation)

    assert note is not None
    assert UNCOVERED in note.text


async def test_a_model_that_hangs_is_given_up_at_the_deadline_and_the_handoff_has_long_happened(rig: Rig):
    summarizer = ScriptedSummarizer()
    summarizer.at_summarise.waits = True
    summaries = summarising(rig, summarizer, deadline_s=0.01)

    await told(rig, summaries).ask(UNCOVERED)
    assert (await rig.state()).status is Status.QUEUED
    await finished(summaries)

    assert [UNCOVERED in note.text for note in await notes(rig)] == [True]


async def test_a_model_that_invents_a_link_is_not_believed(rig: Rig):
    summarizer = ScriptedSummarizer(replace(BY_MODEL, open="Pay at https://evil.example"))
    await rig.ask(UNCOVERED)

    note = await summarising(rig, summarizer).summarise(rig.conversation)

    assert note is not None
    assert "evil" not in note.text


async def test_a_paused_bot_does_not_pay_for_a_summary():
    rig = await a_rig(policy=TurnPolicy(bot_enabled=False))
    summarizer = ScriptedSummarizer()
    await rig.ask(QUESTION)

    note = await summarising(rig, summarizer).summarise(rig.conversation)

    assert note is not None
    assert await rig.reasons() == [ReasonCode.BOT_PAUSED]
    assert summarizer.requests == []


async def test_many_processes_that_sum_up_one_handoff_leave_one_note(rig: Rig):
    await rig.ask(UNCOVERED)

    written = await asyncio.gather(*(summarising(rig).summarise(rig.conversation) for _ in range(5)))

    assert len(set(written)) == 1
    assert await notes(rig) == (written[0],)


async def test_a_summary_that_is_there_costs_no_second_call(rig: Rig):
    summarizer = ScriptedSummarizer()
    summaries = summarising(rig, summarizer)
    await rig.ask(UNCOVERED)

    assert await summaries.summarise(rig.conversation) == await summaries.summarise(rig.conversation)
    assert len(summarizer.requests) == 1


async def test_what_a_process_left_is_written_by_another_half_a_minute_later(rig: Rig):
    await rig.ask(UNCOVERED)
    early = await summarising(rig).write_left()
    rig.clock.advance(LEFT_AFTER_MS + 1)

    assert (early, await summarising(rig).write_left()) == (0, 1)
    assert len(await notes(rig)) == 1
    assert await summarising(rig).write_left() == 0


async def test_a_store_that_is_away_costs_the_summary_and_nothing_else(rig: Rig):
    class Away(type(rig.store)):  # type: ignore[misc]  # the class is known at run time only
        async def add_note(self, conversation, note):
            raise StoreUnavailable("away")

    rig.store.__class__ = Away
    summaries = summarising(rig)

    await told(rig, summaries).ask(UNCOVERED)
    await finished(summaries)

    assert await rig.reasons() == ["no_evidence"]
    assert await notes(rig) == ()


async def test_the_rounds_outlive_a_store_that_is_away(rig: Rig):
    await rig.ask(UNCOVERED)
    rig.clock.advance(LEFT_AFTER_MS + 1)
    unsummarised, away = rig.store.unsummarised, Point(fails_once=StoreUnavailable("away"))

    async def flaky(**asked):
        await away.passed()
        return await unsummarised(**asked)

    rig.store.unsummarised = flaky  # type: ignore[method-assign]  # fails at its first call
    rounds = asyncio.create_task(summarising(rig, every_s=0.001).run_forever())
    await wait_until(partial(notes, rig))

    rounds.cancel()
    assert away.calls >= 2


async def test_a_process_that_stops_gives_up_a_summary_that_hangs_and_starts_none(rig: Rig):
    summarizer = ScriptedSummarizer()
    summarizer.at_summarise.waits = True
    summaries = summarising(rig, summarizer)
    await told(rig, summaries).ask(UNCOVERED)
    await summarizer.at_summarise.reached.wait()

    await summaries.drain(grace_s=0)
    summaries.start(rig.conversation)

    assert summaries.background.is_idle
    assert await notes(rig) == ()


async def test_after_a_return_to_the_bot_the_next_handoff_has_a_summary_of_its_own(rig: Rig):
    summaries = summarising(rig)
    await rig.ask(UNCOVERED)
    first = await summaries.summarise(rig.conversation)
    await rig.return_to_bot()
    await rig.ask(UNCOVERED)

    second = await summaries.summarise(rig.conversation)

    assert first is not None
    assert second is not None
    assert second.key != first.key


async def test_no_notes_text_reaches_the_customer_the_search_the_answer_or_the_next_summary(rig: Rig):
    summarizer = ScriptedSummarizer()
    note = Note(seq=0, author="ana", text=f"{CANARY}: lessons to reschedule", at_ms=0)
    await rig.store.add_note(rig.conversation, note)

    await rig.ask(QUESTION)
    await rig.ask(UNCOVERED)
    await summarising(rig, summarizer).summarise(rig.conversation)

    snapshot = await rig.store.snapshot(rig.conversation, after=0)
    turns = await rig.turn_records()
    seen = (
        snapshot,
        turns,
        rig.answerer.requests,
        rig.embedder.embedded,
        rig.index.searches,
        summarizer.requests,
    )
    assert rig.answerer.requests
    assert CANARY not in repr(seen)
