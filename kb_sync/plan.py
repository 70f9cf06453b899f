"""What a sync will do, decided from digests alone. Vanished articles are not retired in bulk without approval (FAULTS K5)."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

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

    @property
    def changes(self) -> int:
        """Return how many articles would be searched otherwise than now."""
        return len(self.upserts) + len(self.retirements)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a generation holds: digests of its articles, and the ones that it keeps as retired."""

    digests: Mapping[ArticleId, str] = field(default_factory=dict)
    retired: frozenset[ArticleId] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSteps:
    """What turns a build, empty or left by an interrupted run, into `target`."""

    target: Contents
    carried: tuple[ArticleId, ...] = ()
    written: tuple[ArticleId, ...] = ()
    retired: tuple[ArticleId, ...] = ()
    strays: tuple[ArticleId, ...] = ()


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


def build_steps(
    planned: SyncPlan,
    wanted: Mapping[ArticleId, str],
    *,
    live: Contents,
    built: Contents,
    anew: bool = False,
) -> BuildSteps:
    """Return what must still be done to *built*, so that what an interrupted run did for the same plan is not done again.

    Nothing but retired articles can be carried over when passages are embedded *anew*; none may be withheld then.
    """
    target = _target(planned, wanted, live)
    kept = () if anew else (*planned.unchanged, *planned.withheld)
    written = (*planned.upserts, *planned.unchanged) if anew else planned.upserts
    retired_before = target.retired - frozenset(planned.retirements)
    return BuildSteps(
        target=target,
        carried=(
            *(one for one in kept if built.digests.get(one) != target.digests[one]),
            *sorted(retired_before - built.retired),
        ),
        written=tuple(one for one in written if built.digests.get(one) != target.digests[one]),
        retired=tuple(one for one in planned.retirements if one not in built.retired),
        strays=tuple(sorted((built.digests.keys() | built.retired) - target.digests.keys() - target.retired)),
    )


def _target(planned: SyncPlan, wanted: Mapping[ArticleId, str], live: Contents) -> Contents:
    digests = {one: wanted[one] for one in (*planned.upserts, *planned.unchanged)}
    digests |= {one: live.digests[one] for one in planned.withheld}
    retired = (live.retired | frozenset(planned.retirements)) - digests.keys()
    return Contents(digests=digests, retired=retired)
