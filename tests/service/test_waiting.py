"""H7 and R-H7: whoever waits for a person is told after two and ten minutes and out of hours, once each, and never after a claim."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.audit import Change
from bot.core.business_hours import BusinessHours
from bot.core.conversation import Kind, Role, Status
from bot.core.waiting import contact_in
from bot.service.live import Changed
from tests.builders import NOON_MS, a_conversation
from tests.service.rig import UNCOVERED, Rig
from tests.service.waiting_rig import (
    MINUTE_MS,
    WEEKDAYS,
    FailsOnce,
    Unreadable,
    a_waiting,
    claimed,
    queued,
)
from tests.waiting import wait_until


@pytest.fixture
async def handed_over(rig: Rig) -> Rig:
    """A customer who waits in the queue since now."""
    await rig.ask(UNCOVERED)
    assert (await rig.state()).status is Status.QUEUED
    return rig


async def notices(rig: Rig) -> list[str]:
    """Return what was told beside the handoff, as the last part of each id."""
    ids = [m.channel_message_id or "" for m in await rig.messages() if m.kind is Kind.NOTICE]
    return [key.rpartition(":")[2] for key in ids if key.startswith("wait:")]


async def last_told(rig: Rig) -> str:
    return [m for m in await rig.messages() if m.role is Role.BOT][-1].text


async def test_the_customer_is_told_at_two_and_at_ten_minutes_and_not_again(handed_over: Rig):
    waiting = a_waiting(handed_over)
    seen = []
    for minute in range(15):
        handed_over.clock.advance(MINUTE_MS if minute else 0)
        await waiting.tell_waiting()
        seen.append(await notices(handed_over))

    assert seen[:2] == [[], []]
    assert seen[2:10] == [["2m"]] * 8
    assert seen[10:] == [["2m", "10m"]] * 5


async def test_a_restart_repeats_nothing(handed_over: Rig):
    handed_over.clock.advance(2 * MINUTE_MS)
    assert await a_waiting(handed_over).tell_waiting() == 1

    assert await a_waiting(handed_over).tell_waiting() == 0
    assert await notices(handed_over) == ["2m"]


async def test_two_processes_at_once_tell_it_once(handed_over: Rig):
    handed_over.clock.advance(10 * MINUTE_MS)
    await asyncio.gather(*(a_waiting(handed_over).tell_waiting() for _ in range(5)))

    assert await notices(handed_over) == ["10m"]


async def test_a_process_that_was_away_tells_only_the_last_of_what_is_due(handed_over: Rig):
    handed_over.clock.advance(30 * MINUTE_MS)

    await a_waiting(handed_over).tell_waiting()

    assert await notices(handed_over) == ["10m"]


async def test_nothing_is_told_after_a_claim(handed_over: Rig):
    waiting = a_waiting(handed_over)
    read = await handed_over.state()
    handed_over.clock.advance(10 * MINUTE_MS)
    await claimed(handed_over, read)

    assert await waiting.tell_waiting() == 0
    assert await waiting._try(read) == 0  # it was read before the claim
    assert await notices(handed_over) == []


async def test_a_customer_whose_agent_went_silent_is_told_of_the_whole_wait(handed_over: Rig):
    held = await claimed(handed_over, await handed_over.state())
    handed_over.clock.advance(3 * MINUTE_MS)
    now_ms = handed_over.clock.now_ms()
    expired = held.lease_expired(now_ms=now_ms)
    await handed_over.store.change(held, expired, Change(who="sweep", what="lease_expired", at_ms=now_ms))

    await a_waiting(handed_over).tell_waiting()

    assert await notices(handed_over) == ["2m"]


async def test_notices_are_the_bot_s_and_change_neither_owner_nor_audit(handed_over: Rig):
    before, audit = await handed_over.state(), await handed_over.store.audit(handed_over.conversation)
    handed_over.clock.advance(2 * MINUTE_MS)
    await a_waiting(handed_over).tell_waiting()

    said = (await handed_over.messages())[-1]
    assert (said.role, said.kind, said.at_ms) == (Role.BOT, Kind.NOTICE, handed_over.clock.now_ms())
    assert await handed_over.state() == replace(before, last_seq=said.seq)
    assert await handed_over.store.audit(handed_over.conversation) == audit


async def test_whoever_watches_is_woken_by_a_notice(handed_over: Rig):
    handed_over.clock.advance(2 * MINUTE_MS)
    with handed_over.live.watch(handed_over.conversation) as watcher:
        await a_waiting(handed_over).tell_waiting()

        assert watcher._events.get_nowait() == Changed()


async def test_the_desk_is_warned_once_at_ten_minutes(handed_over: Rig, logged):
    waiting = a_waiting(handed_over)
    handed_over.clock.advance(10 * MINUTE_MS)
    for _ in range(3):
        await waiting.tell_waiting()
    await a_waiting(handed_over).tell_waiting()

    warned = [entry for entry in logged if entry["event"] == "nobody_has_claimed"]
    assert [(entry["log_level"], entry["conversation"]) for entry in warned] == [
        ("warning", handed_over.conversation)
    ]


async def test_out_of_hours_the_customer_is_told_right_after_the_handoff(rig: Rig):
    waiting = a_waiting(rig, hours=WEEKDAYS)
    rig.runner.turns = replace(rig.turns, handed_over=waiting.handed_over)
    await rig.ask(UNCOVERED)
    await waiting.drain(grace_s=1)

    assert await notices(rig) == ["closed"]
    assert "back on Monday at 09:00 (Europe/Berlin)" in await last_told(rig)
    assert "e-mail" in await last_told(rig)


async def test_within_the_hours_nothing_is_told_at_once(rig: Rig):
    waiting = a_waiting(rig, hours=BusinessHours.from_text("Sun 09:00-19:00 Europe/Berlin"))
    rig.runner.turns = replace(rig.turns, handed_over=waiting.handed_over)
    await rig.ask(UNCOVERED)

    assert waiting.background.is_idle


async def test_the_round_tells_it_where_the_process_that_handed_over_could_not(handed_over: Rig):
    await a_waiting(handed_over, hours=WEEKDAYS).tell_waiting()

    assert await notices(handed_over) == ["closed"]


async def test_minutes_count_from_the_opening(handed_over: Rig):
    waiting = a_waiting(handed_over, hours=WEEKDAYS)
    opens_ms = WEEKDAYS.next_opening(handed_over.clock.now_ms())
    told = []
    for at_ms in (0, 3_600_000, opens_ms, opens_ms + 2 * MINUTE_MS, opens_ms + 10 * MINUTE_MS):
        handed_over.clock.advance(max(0, at_ms - handed_over.clock.now_ms()))
        await waiting.tell_waiting()
        told.append(len(await notices(handed_over)))

    assert told == [1, 1, 1, 2, 3]
    assert await notices(handed_over) == ["closed", "2m", "10m"]


async def test_an_address_is_confirmed_once_and_kept_for_the_desk(handed_over: Rig):
    waiting = a_waiting(handed_over, hours=WEEKDAYS)
    await waiting.tell_waiting()
    for text in ("You reach me at Ana@Shop.example", "or at ben@shop.example"):
        await handed_over.say(text)
        await waiting.tell_waiting()

    assert await notices(handed_over) == ["closed", "email"]
    assert await last_told(handed_over) == "Thank you. I have noted ana@shop.example for our team."
    assert contact_in(await handed_over.messages()) == "ben@shop.example"


async def test_an_address_that_came_before_a_claim_is_not_confirmed_after_it(handed_over: Rig):
    waiting = a_waiting(handed_over, hours=WEEKDAYS)
    await waiting.tell_waiting()
    await handed_over.say("You reach me at ana@shop.example")
    await claimed(handed_over, await handed_over.state())

    waiting.handed_over(handed_over.conversation)
    await waiting.drain(grace_s=1)

    assert await notices(handed_over) == ["closed"]


async def test_an_address_that_is_known_is_not_asked_for(handed_over: Rig):
    await handed_over.say("You reach me at ana@shop.example")
    handed_over.clock.advance(10 * MINUTE_MS)
    await a_waiting(handed_over).tell_waiting()

    assert await notices(handed_over) == ["10m"]
    assert "e-mail" not in await last_told(handed_over)


async def test_the_customer_s_language_is_spoken(rig: Rig):
    spanish = a_conversation(id="c2", locale="es")
    await queued(rig, spanish, at_ms=NOON_MS)
    rig.clock.advance(2 * MINUTE_MS)

    await a_waiting(rig).tell_waiting()

    said = (await rig.store.snapshot(spanish.id, after=0)).messages[-1]
    assert said.text == "Sigues en la cola, en el puesto 1. Todavía no sabemos cuánto tardará."


async def test_a_conversation_that_cannot_be_read_does_not_keep_the_others_waiting(handed_over: Rig, logged):
    later = a_conversation(id="later")
    await queued(handed_over, later, at_ms=handed_over.clock.now_ms())
    handed_over.clock.advance(2 * MINUTE_MS)
    waiting = a_waiting(handed_over)
    waiting.store = Unreadable(handed_over.store, handed_over.conversation)

    assert await waiting.tell_waiting() == 1
    assert [entry["event"] for entry in logged if entry["log_level"] == "error"] == ["telling_failed"]


async def test_what_is_being_told_when_the_process_stops_is_told_by_the_next(rig: Rig, logged):
    waiting = a_waiting(rig, hours=WEEKDAYS)
    await rig.ask(UNCOVERED)
    waiting.store = Unreadable(rig.store, rig.conversation)
    waiting.handed_over(rig.conversation)
    await waiting.drain(grace_s=1)
    waiting.handed_over(rig.conversation)

    assert (waiting.background.is_idle, await notices(rig)) == (True, [])
    assert await a_waiting(rig, hours=WEEKDAYS).tell_waiting() == 1


async def test_a_round_that_fails_is_followed_by_the_next(handed_over: Rig):
    waiting = a_waiting(handed_over, every_s=0.001)
    failing = waiting.desk
    waiting.desk = FailsOnce(failing)
    handed_over.clock.advance(2 * MINUTE_MS)
    going_round = asyncio.create_task(waiting.run_forever())

    async def told() -> list[str]:
        return await notices(handed_over)

    await wait_until(told)
    going_round.cancel()

    assert await notices(handed_over) == ["2m"]
