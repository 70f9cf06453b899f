"""The spells that a conversation spent with people: from the first time in the queue, or in an agent's hands, to the next time without. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.core.audit import AuditRow
from bot.core.conversation import Status

_WITH_PEOPLE = frozenset({Status.QUEUED, Status.CLAIMED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Spell:
    """One such time. `changes` are its changes of owner: the first began it, and where it is over the last ended it."""

    changes: tuple[AuditRow, ...]

    @property
    def epoch(self) -> int:
        """Return the epoch that it began with, which tells it from the conversation's other spells."""
        return self.changes[0].epoch

    @property
    def began_ms(self) -> int:
        return self.changes[0].at_ms

    @property
    def ended_ms(self) -> int | None:
        """Return when people gave the conversation up; None while they have it."""
        last = self.changes[-1]
        return None if last.after in _WITH_PEOPLE else last.at_ms


def spells_of(audit: Iterable[AuditRow]) -> tuple[Spell, ...]:
    """Return every spell in an audit, oldest first."""
    spells: list[list[AuditRow]] = []
    lasts, epoch = False, -1
    for row in audit:
        if row.epoch == epoch:  # what changed was not the owner
            continue
        epoch = row.epoch
        if lasts:
            spells[-1].append(row)
        elif row.after in _WITH_PEOPLE:
            spells.append([row])
        lasts = row.after in _WITH_PEOPLE
    return tuple(Spell(changes=tuple(rows)) for rows in spells)


def spell_of(audit: Iterable[AuditRow]) -> int | None:
    """Return the epoch with which the present spell began; None when no person has the conversation."""
    spells = spells_of(audit)
    return spells[-1].epoch if spells and spells[-1].ended_ms is None else None


def spell_at(spells: Sequence[Spell], *, epoch: int, at_ms: int) -> Spell | None:
    """Return the spell that lasted, or had just ended, when something was announced; None when people had no part in it then."""
    begun = [spell for spell in spells if spell.epoch <= epoch]
    last = begun[-1] if begun else None
    return last if last and (last.ended_ms is None or at_ms <= last.ended_ms) else None
