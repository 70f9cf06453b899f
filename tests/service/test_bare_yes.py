"""DESIGN §2.1: a bare reply is looked for together with what it replies to; alone it finds something else."""

import pytest

from bot.core.outcome import Answer, Ask
from bot.core.prompt import Asked
from tests.service.rig import QUESTION, Rig
from tests.service.shelf import RESCHEDULE, THRESHOLD

ASKED = "Is it less than 24 hours before the class?"
BARE = ("no its more", "yes", "less", "more", "no")


@pytest.mark.parametrize("reply", BARE)
async def test_the_window_finds_what_the_bare_message_does_not(rig: Rig, reply):
    rig.answerer.script = (Asked(text=ASKED, options=("Less", "More")),)
    assert isinstance((await rig.ask(QUESTION)).outcome, Ask)
    rig.answerer.script = None

    turn = await rig.ask(reply)

    assert isinstance(turn.outcome, Answer)
    assert [s.id for s in turn.outcome.sources] == [RESCHEDULE.id]
    assert turn.query is not None
    assert (turn.query.text, turn.query.bare) == (f"{QUESTION}\n{ASKED}\n{reply}", reply)
    assert rig.answerer.requests[-1].question == reply


@pytest.mark.parametrize("reply", BARE)
async def test_alone_the_bare_message_does_not_find_the_article(rig: Rig, reply):
    turn = await rig.ask(reply)

    (cosine,) = (r.found.cosine for r in turn.ranked if r.found.article_id == RESCHEDULE.id)
    assert cosine < THRESHOLD
