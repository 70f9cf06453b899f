"""Slack's inbox, on every store: kept once, worked on until it is done or given up, and known for long enough."""

import asyncio

from bot.adapters.memory.clock import ManualClock
from bot.core.slack_rows import KEPT_MS
from bot.slack_ports import SlackStore
from tests.builders import NOON_MS
from tests.slack_rows import an_inbox_row

LATER_MS = NOON_MS + 1_000_000
KEY = "T1:Ev1"
EFFECT = "T1:C1:2.000100"


async def due(slack: SlackStore, *, now_ms: int = LATER_MS, limit: int = 99) -> list[str]:
    return [row.key for row in await slack.inbox_due(now_ms=now_ms, limit=limit)]


async def test_what_is_kept_is_read_back_as_it_was(slack):
    row = an_inbox_row(effect=EFFECT, payload='{"text": "grüße 🙂"}')

    assert await slack.keep(row) is True

    assert await slack.inbox_due(now_ms=NOON_MS, limit=9) == (row,)


async def test_a_key_is_kept_once(slack):
    await slack.keep(an_inbox_row(payload="first"))

    assert await slack.keep(an_inbox_row(payload="second")) is False

    assert [row.payload for row in await slack.inbox_due(now_ms=NOON_MS, limit=9)] == ["first"]


async def test_two_ids_with_one_effect_are_one(slack):
    """A mention arrives as a message and as a mention."""
    await slack.keep(an_inbox_row("T1:Ev1", effect=EFFECT))

    assert await slack.keep(an_inbox_row("T1:Ev2", effect=EFFECT)) is False
    assert await slack.keep(an_inbox_row("T1:Ev3", effect=None)) is True
    assert await slack.keep(an_inbox_row("T1:Ev4", effect=None)) is True

    assert await due(slack) == ["T1:Ev1", "T1:Ev3", "T1:Ev4"]


async def test_an_effect_is_no_key(slack):
    await slack.keep(an_inbox_row("a"))

    assert await slack.keep(an_inbox_row("b", effect="a")) is True
    assert await slack.keep(an_inbox_row("c", effect="b")) is True


async def test_of_twenty_that_keep_one_key_at_once_one_does(slack):
    kept = await asyncio.gather(*(slack.keep(an_inbox_row(payload=f"{n}")) for n in range(20)))

    assert sorted(kept) == [False] * 19 + [True]
    (row,) = await slack.inbox_due(now_ms=NOON_MS, limit=9)
    assert row.payload == str(kept.index(True))


async def test_of_twenty_that_keep_one_effect_at_once_one_does(slack):
    kept = await asyncio.gather(*(slack.keep(an_inbox_row(f"T1:Ev{n}", effect=EFFECT)) for n in range(20)))

    assert sorted(kept) == [False] * 19 + [True]
    assert await due(slack) == [f"T1:Ev{kept.index(True)}"]


async def test_what_is_due_comes_oldest_first_and_no_more_than_asked(slack):
    for key, received_ms, due_ms in (("c", 3, 9), ("b", 2, 9), ("a", 2, 9), ("late", 1, 10)):
        await slack.keep(an_inbox_row(key, received_ms=received_ms, due_ms=due_ms))

    assert await due(slack, now_ms=9) == ["a", "b", "c"]
    assert await due(slack, now_ms=10, limit=2) == ["late", "a"]
    assert await due(slack, now_ms=8) == []


async def test_what_is_done_is_not_due_and_still_known(slack):
    await slack.keep(an_inbox_row(effect=EFFECT))

    await slack.done(KEY, at_ms=NOON_MS)

    assert await due(slack) == []
    assert await slack.keep(an_inbox_row()) is False
    assert await slack.keep(an_inbox_row("T1:Ev2", effect=EFFECT)) is False


async def test_what_is_postponed_counts_its_attempts_and_waits(slack):
    await slack.keep(an_inbox_row())
    await slack.postponed(KEY, until_ms=NOON_MS + 1, error="StoreUnavailable")
    await slack.postponed(KEY, until_ms=NOON_MS + 5, error="TimeoutError")

    assert await due(slack, now_ms=NOON_MS + 4) == []

    (row,) = await slack.inbox_due(now_ms=NOON_MS + 5, limit=9)
    assert (row.attempts, row.error, row.due_ms) == (2, "TimeoutError", NOON_MS + 5)


async def test_what_was_given_up_is_a_dead_letter_until_it_is_revived(slack):
    await slack.keep(an_inbox_row())
    await slack.postponed(KEY, until_ms=NOON_MS, error="TimeoutError")
    await slack.died(KEY, at_ms=NOON_MS, error="KeyError")

    (letter,) = await slack.dead_letters()
    assert (letter.attempts, letter.error, letter.payload) == (2, "KeyError", an_inbox_row().payload)
    assert await due(slack) == []

    assert await slack.revive(KEY, due_ms=NOON_MS + 7) is True
    (row,) = await slack.inbox_due(now_ms=NOON_MS + 7, limit=9)
    assert (row.attempts, row.due_ms, await slack.dead_letters()) == (0, NOON_MS + 7, ())


async def test_dead_letters_come_oldest_first(slack):
    for key, received_ms in (("b", 2), ("a", 2), ("c", 1)):
        await slack.keep(an_inbox_row(key, received_ms=received_ms))
        await slack.died(key, at_ms=NOON_MS, error="KeyError")

    assert [row.key for row in await slack.dead_letters()] == ["c", "a", "b"]


async def test_a_dead_letter_that_another_process_had_done_is_none(slack):
    await slack.keep(an_inbox_row())
    await slack.died(KEY, at_ms=NOON_MS, error="KeyError")

    await slack.done(KEY, at_ms=NOON_MS)

    assert await slack.dead_letters() == ()
    assert await slack.revive(KEY, due_ms=NOON_MS) is False


async def test_whoever_comes_late_changes_nothing(slack):
    for key in ("done", "dead"):
        await slack.keep(an_inbox_row(key))
    await slack.done("done", at_ms=NOON_MS)
    await slack.died("dead", at_ms=NOON_MS, error="KeyError")

    for key in ("done", "dead", "never"):
        await slack.postponed(key, until_ms=NOON_MS, error="late")
        await slack.died(key, at_ms=NOON_MS, error="late")
    await slack.done("never", at_ms=NOON_MS)

    assert await due(slack) == []
    assert [(row.key, row.attempts, row.error) for row in await slack.dead_letters()] == [
        ("dead", 1, "KeyError")
    ]
    assert await slack.revive("done", due_ms=NOON_MS) is False
    assert await slack.revive("never", due_ms=NOON_MS) is False


async def test_ids_are_known_for_two_days_and_then_forgotten(slack):
    """FAULTS SL4."""
    clock = ManualClock(now_ms=NOON_MS)
    await slack.keep(an_inbox_row(effect=EFFECT))
    await slack.done(KEY, at_ms=clock.now_ms())

    clock.advance(48 * 3_600_000)
    assert await slack.forget_done(received_before_ms=clock.now_ms() - KEPT_MS) == 0
    assert await slack.keep(an_inbox_row("T1:Ev2", effect=EFFECT)) is False

    clock.advance(1)
    assert await slack.forget_done(received_before_ms=clock.now_ms() - KEPT_MS) == 1
    assert await slack.keep(an_inbox_row("T1:Ev2", effect=EFFECT)) is True


async def test_what_is_not_done_is_never_forgotten(slack):
    for key in ("waits", "dead"):
        await slack.keep(an_inbox_row(key))
    await slack.died("dead", at_ms=NOON_MS, error="KeyError")

    assert await slack.forget_done(received_before_ms=LATER_MS + 10 * KEPT_MS) == 0

    assert await due(slack) == ["waits"]
    assert [row.key for row in await slack.dead_letters()] == ["dead"]
