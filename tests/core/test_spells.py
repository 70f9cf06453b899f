"""A conversation's time with people is told apart by its audit alone."""

import pytest

from bot.core.audit import AuditRow
from bot.core.conversation import ConversationId
from bot.core.spells import spell_at, spell_of, spells_of


def audited(*owners: str) -> tuple[AuditRow, ...]:
    """Return the audit of a conversation that went through these states, a second each; the same one twice is no change of owner."""
    rows: list[AuditRow] = []
    for at, after in enumerate(owners):
        epoch = rows[-1].epoch + (rows[-1].after != after) if rows else 0
        before = rows[-1].after if rows else ""
        row = AuditRow(
            conversation=ConversationId("c1"), at_ms=at * 1_000, who="anna", what="moved",
            before=before, after=after, epoch=epoch,
        )  # fmt: skip
        rows.append(row)
    return tuple(rows)


@pytest.mark.parametrize(
    ("owners", "present"),
    [
        pytest.param((), None, id="nothing yet"),
        pytest.param(("bot",), None, id="the bot has it"),
        pytest.param(("bot", "queued"), 1, id="it waits"),
        pytest.param(("bot", "queued", "claimed"), 1, id="it is claimed"),
        pytest.param(("bot", "queued", "claimed", "queued"), 1, id="it waits again"),
        pytest.param(("bot", "claimed"), 1, id="an agent took it over"),
        pytest.param(("bot", "queued", "claimed", "bot"), None, id="it was given back"),
        pytest.param(("bot", "queued", "claimed", "bot", "queued"), 4, id="the bot handed over once more"),
        pytest.param(("bot", "claimed", "resolved"), None, id="it is done"),
    ],
)
def test_the_present_spell_is_the_epoch_that_people_got_it_with(owners, present):
    assert spell_of(audited(*owners)) == present


def test_a_spell_knows_its_changes_and_when_it_began_and_ended():
    first, second = spells_of(audited("bot", "queued", "claimed", "claimed", "bot", "claimed"))

    assert [row.after for row in first.changes] == ["queued", "claimed", "bot"]
    assert (first.epoch, first.began_ms, first.ended_ms) == (1, 1_000, 4_000)
    assert (second.epoch, second.ended_ms) == (4, None)


@pytest.mark.parametrize(
    ("epoch", "at_ms", "spell"),
    [
        pytest.param(0, 0, None, id="before the first"),
        pytest.param(1, 1_000, 1, id="at its beginning"),
        pytest.param(3, 3_000, 1, id="at its end"),
        pytest.param(3, 3_500, None, id="after it"),
        pytest.param(4, 9_000, 4, id="in the one that lasts"),
    ],
)
def test_what_was_announced_belongs_to_the_spell_of_its_time(epoch, at_ms, spell):
    spells = spells_of(audited("bot", "queued", "claimed", "bot", "queued"))

    found = spell_at(spells, epoch=epoch, at_ms=at_ms)

    assert (found and found.epoch) == spell
