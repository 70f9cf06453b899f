"""Wherever a process dies while it tells Slack, the next one ends with the same: each thing once, in order (FAULTS H5, R-H5)."""

import asyncio
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.channels.slack.speaking import IN_FLIGHT_MS
from bot.core.outbox import SLACK
from tests.channels.slack.sending_rig import Sending, a_sending
from tests.service.desk_rig import ANNA
from tests.service.rig import QUESTION
from tests.vendors.slack_faults import drops, works
from tests.vendors.slack_server import ANYTHING, slack_server

WRITES = ("begin_post", "posted", "bind", "shown", "drop_post")


class Died(BaseException):
    """The process ends here."""


class Mortal:
    """The Slack store of a process that dies before or after its write number *at*."""

    def __init__(self, store, at: int, *, after: bool) -> None:
        self._store, self._left, self._after = store, at, after

    def __getattr__(self, name):
        method = getattr(self._store, name)
        return self._counted(method) if name in WRITES else method

    def _counted(self, method):
        async def counted(*args, **kwargs):
            self._left -= 1
            if self._left < 0 and not self._after:
                raise Died
            result = await method(*args, **kwargs)
            if self._left < 0:
                raise Died
            return result

        return counted


async def a_story(server) -> Sending:
    """Return what there is to tell on both sides: an answer, a handoff, a claim, replies, a note, an edit, a release."""
    sending = await a_sending(server)
    await sending.asks_in_slack()
    await sending.customer_says(QUESTION)
    await sending.claimed()
    await sending.customer_says("The blue one.")
    await sending.agent_says("Red wine.")
    await sending.desk.service.add_note(sending.id, ANNA, text="She is new.", message_id="n1")
    await sending.agent_says("Enjoy!", id="r2")
    sending.rig.clock.advance(1_000)
    await sending.desk.service.release(sending.id, ANNA)
    return sending


async def edit(sending: Sending) -> None:
    """Let the agent edit what was perhaps told already."""
    revision = f"{sending.rig.clock.now_ms()}"
    await sending.desk.service.revise(
        sending.id, ANNA, message_id="r1", text="White wine.", revision=revision
    )


async def seen(sending: Sending) -> tuple[list[str], list[str], list[str]]:
    return sending.with_customer(), sending.cards(), await sending.in_room()


async def tell_and_die(sending: Sending, at: int, *, after: bool) -> None:
    """Tell by a process that dies at a write."""
    whole = sending.store
    sending.store = Mortal(whole, at, after=after)  # type: ignore[assignment]  # it passes everything on
    sending.restart()
    with suppress(Died):
        for row in await sending.rig.store.outbox(limit=99):
            if row.kind in SLACK:
                await sending.notifier.tell(row)
    sending.store = whole
    sending.restart()
    sending.rig.clock.advance(IN_FLIGHT_MS)


async def told_at_once() -> tuple[list[str], list[str], list[str]]:
    """Return what is seen when nobody dies."""
    async with slack_server() as server:
        sending = await a_story(server)
        await sending.told_in_the_end()
        await edit(sending)
        await sending.told_in_the_end()
        return await seen(sending)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    deaths=st.lists(st.tuples(st.integers(0, 25), st.booleans()), min_size=1, max_size=3),
    edited_after=st.integers(0, 3),
)
def test_after_any_deaths_each_thing_is_told_once_in_order(deaths, edited_after):
    async def told_with_deaths():
        async with slack_server() as server:
            sending = await a_story(server)
            for number, (at, after) in enumerate(deaths):
                if number == edited_after:
                    await edit(sending)
                await tell_and_die(sending, at, after=after)
            if edited_after >= len(deaths):
                await edit(sending)
            await sending.told_in_the_end()
            return await seen(sending)

    assert asyncio.run(told_with_deaths()) == asyncio.run(told_at_once())


@pytest.mark.parametrize("call", range(0, 16, 3))
@pytest.mark.parametrize("after", [True, False])
async def test_a_connection_lost_at_any_call_changes_nothing_that_is_seen(slack, call, after):
    sending = await a_story(slack)
    await sending.told_in_the_end()
    expected = await seen(sending)

    async with slack_server() as server:
        again = await a_story(server)
        server.fails(ANYTHING, *([works()] * call), drops(after=after))
        await again.told_in_the_end()
        assert await seen(again) == expected


async def test_two_processes_that_tell_the_same_at_once_say_it_once(slack):
    sending = await a_story(slack)
    first = sending.notifier
    sending.restart()
    rows = await sending.waiting()

    told = [notifier.tell(row) for row in rows for notifier in (first, sending.notifier)]
    await asyncio.gather(*told, return_exceptions=True)
    sending.rig.clock.advance(IN_FLIGHT_MS)
    await sending.told_in_the_end()

    room = await sending.in_room()
    assert len(room) == len(set(room))
    assert [line for line in room if "Enjoy!" in line] != []
    assert len(sending.with_customer()) == len(set(sending.with_customer()))
