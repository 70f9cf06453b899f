"""When no sync has succeeded for more than a week, an answer says that it may be out of date, and once a day is enough (FAULTS K2)."""

from dataclasses import replace

import pytest

from bot.core.conversation import Kind, Role
from bot.core.knowledge import IndexState, IndexStatus
from bot.core.staleness import SyncHealth
from bot.service.sync_watch import SyncWatch
from tests.service.rig import QUESTION, REPLIES, UNCOVERED, Rig, a_rig

DAY_MS = 86_400_000
NOTICE = REPLIES.text("old_articles", "en")


class Unheard:
    def sync_seen(self, health: SyncHealth | None) -> None:
        pass


def never_synced_again(rig: Rig, *, every_s: int | None = 900) -> None:
    """Let the last good sync be as old as the rig is."""
    synced_ms = rig.clock.now_ms()

    async def status() -> IndexStatus:
        return IndexStatus(state=IndexState.READY, last_sync_ms=synced_ms, expected_every_s=every_s)

    watch = SyncWatch(status=status, clock=rig.clock, observer=Unheard())
    rig.turns = rig.runner.turns = replace(rig.turns, articles_are_old=watch.are_old)


async def texts_told(rig: Rig) -> list[str]:
    return [message.text for message in await rig.told()]


async def test_an_answer_from_articles_older_than_a_week_says_so_before_it(rig: Rig):
    never_synced_again(rig)
    rig.clock.advance(8 * DAY_MS)

    await rig.ask()

    notice, answer = await rig.told()
    assert (notice.text, notice.kind) == (NOTICE, Kind.NOTICE)
    assert (notice.sources, notice.options, notice.turn) == ((), (), answer.turn)
    assert answer.sources


@pytest.mark.parametrize(("days", "every_s"), [(7, 900), (400, None)], ids=["a week", "synced by hand"])
async def test_younger_articles_and_those_synced_by_hand_need_no_word(rig: Rig, days, every_s):
    never_synced_again(rig, every_s=every_s)
    rig.clock.advance(days * DAY_MS)

    await rig.ask()

    assert NOTICE not in await texts_told(rig)


async def test_it_is_said_once_a_day(rig: Rig):
    never_synced_again(rig)
    rig.clock.advance(8 * DAY_MS)
    said = []
    for hours in (0, 1, 22, 2):
        rig.clock.advance(hours * 3_600_000)
        await rig.ask()
        said.append(NOTICE in await texts_told(rig))

    assert said == [True, False, False, True]


async def test_a_handoff_and_a_courtesy_do_not_say_it(rig: Rig):
    never_synced_again(rig)
    rig.clock.advance(8 * DAY_MS)
    told = []
    for text in ("Hello!", UNCOVERED):
        await rig.ask(text)
        told.extend(await texts_told(rig))

    assert NOTICE not in told


async def test_no_gate_judges_it_and_no_later_search_or_draft_sees_it(rig: Rig):
    never_synced_again(rig)
    rig.clock.advance(8 * DAY_MS)
    await rig.ask()

    turn = await rig.ask("And until when?")

    assert turn.query is not None
    assert NOTICE not in turn.query.text
    notice = next(m for m in await rig.messages() if m.text == NOTICE)
    assert notice.seq not in turn.query.used
    assert all(NOTICE not in m.text for request in rig.answerer.requests for m in request.history)


@pytest.mark.parametrize("locale", ["en", "es", "de", "fr", "pt"])
async def test_it_is_said_in_the_customers_language(locale):
    rig = await a_rig(locale=locale)
    never_synced_again(rig)
    rig.clock.advance(8 * DAY_MS)

    await rig.ask(QUESTION)

    said = [m.text for m in await rig.messages() if m.role is Role.BOT]
    assert said[0] == REPLIES.text("old_articles", locale)
