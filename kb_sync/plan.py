"""What a sync will do, decided from digests alone. Vanished articles are not retired in bulk without approval (FAULTS K5)."""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from bot.core.knowledge import ArticleId

_UNGUARDED_COUNT = 10
_UNGUARDED_SHARE = 0.10


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncPlan:
    """Articles by what becomes of them; `withheld` vanished from the source but stay until a person approves."""

    added: tuple[ArticleId, ...] = ()
    changed: tuple[ArticleId, ...] = ()
    unchanged: tuple[ArticleId, ...] = ()
    retirements: tuple[ArticleId, ...] = ()
    withheld: tuple[ArticleId, ...] = ()

    @property
    def upserts(self) -> tuple[ArticleId, ...]:
        """Return the articles to write, in the order of the source."""
        return (*self.added, *self.changed)


def plan(
    wanted: Mapping[ArticleId, str],
    stored: Mapping[ArticleId, str],
    *,
    withdrawn: Set[ArticleId] = frozenset(),
    approved: int = 0,
) -> SyncPlan:
    """Compare digests by article; *withdrawn* ones the source itself retires, *approved* is a ceiling for vanished ones."""
    vanished = tuple(one for one in stored if one not in wanted and one not in withdrawn)
    named = tuple(one for one in stored if one in withdrawn)
    is_withheld = needs_approval(len(vanished), of=len(stored)) and len(vanished) > approved
    return SyncPlan(
        added=tuple(one for one in wanted if one not in stored),
        changed=tuple(one for one in wanted if one in stored and stored[one] != wanted[one]),
        unchanged=tuple(one for one in wanted if stored.get(one) == wanted[one]),
        retirements=named if is_withheld else (*named, *vanished),
        withheld=vanished if is_withheld else (),
    )


def needs_approval(vanished: int, *, of: int) -> bool:
    """Tell whether so many articles rarely vanish on purpose: more than 10, and more than a tenth."""
    return vanished > _UNGUARDED_COUNT and vanished > of * _UNGUARDED_SHARE
