"""The owner that an audit adds up to, and audits that do not fit together (FAULTS H9)."""

from dataclasses import replace

import pytest

from bot.core.audit import AuditRow, Owner, rebuilt
from bot.core.conversation import AgentId, Status
from tests.builders import CONVERSATION, NOON_MS

ANNA, BEN = AgentId("anna"), AgentId("ben")


def a_row(what, before, after, *, epoch, agent=None):
    return AuditRow(
        conversation=CONVERSATION,
        at_ms=NOON_MS,
        who="somebody",
        what=what,
        before=before,
        after=after,
        epoch=epoch,
        agent=agent,
    )


ROWS = (
    a_row("opened", "", "bot", epoch=0),
    a_row("answer", "bot", "bot", epoch=0),
    a_row("handoff", "bot", "queued", epoch=1),
    a_row("claimed", "queued", "claimed", epoch=2, agent=ANNA),
    a_row("transferred", "claimed", "claimed", epoch=3, agent=BEN),
    a_row("resolved", "claimed", "resolved", epoch=4),
    a_row("reopened", "resolved", "bot", epoch=5),
)


@pytest.mark.parametrize(
    ("rows", "status", "epoch", "episode", "agent"),
    [
        pytest.param(1, Status.BOT, 0, 1, None, id="opened"),
        pytest.param(2, Status.BOT, 0, 1, None, id="answered"),
        pytest.param(3, Status.QUEUED, 1, 1, None, id="handed over"),
        pytest.param(4, Status.CLAIMED, 2, 1, ANNA, id="claimed"),
        pytest.param(5, Status.CLAIMED, 3, 1, BEN, id="transferred"),
        pytest.param(6, Status.RESOLVED, 4, 1, None, id="resolved"),
        pytest.param(7, Status.BOT, 5, 2, None, id="reopened"),
    ],
)
def test_the_rows_lead_to_an_owner(rows, status, epoch, episode, agent):
    assert rebuilt(ROWS[:rows]) == Owner(status=status, epoch=epoch, episode=episode, agent=agent)


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param((), id="none"),
        pytest.param(ROWS[1:], id="no opening"),
        pytest.param(ROWS[:2] + ROWS[3:], id="the handoff is missing"),
        pytest.param((*ROWS[:3], ROWS[4]), id="the claim is missing"),
        pytest.param((*ROWS[:4], ROWS[3]), id="a claim twice"),
        pytest.param((*ROWS[:3], replace(ROWS[3], epoch=1)), id="a new owner in the old epoch"),
        pytest.param((*ROWS[:3], replace(ROWS[3], epoch=3)), id="an epoch that nobody had"),
        pytest.param((ROWS[0], replace(ROWS[1], epoch=1)), id="a new epoch for the old owner"),
        pytest.param((ROWS[0], *ROWS[2:0:-1]), id="out of order"),
    ],
)
def test_rows_that_do_not_follow_each_other_are_not_believed(rows):
    with pytest.raises(ValueError, match="audit"):
        rebuilt(rows)
