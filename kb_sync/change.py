"""What a run would change, and whether it may: nothing that a person must decide is done by itself."""

from dataclasses import dataclass

from bot.core.knowledge import Article, ArticleId
from bot.errors import SourceRejected, SyncHeld
from bot.sync_ports import Generation
from kb_sync.plan import Contents, SyncPlan
from kb_sync.reading import SourceState


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """What a person lets a run do that none does by itself; `tokens` is how much it may embed, None for all it needs."""

    retirements: int = 0
    tokens: int | None = None
    rolled_back: bool = False
    worse: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What the source holds beside what is live; every passage is embedded `anew` when another model made the live ones."""

    state: SourceState
    live: Generation | None
    contents: Contents
    planned: SyncPlan
    anew: bool

    @property
    def live_id(self) -> str:
        """Return the live generation, the empty text when there is none."""
        return self.live.id if self.live else ""

    @property
    def is_needed(self) -> bool:
        return self.live is None or self.anew or self.planned.changes > 0

    @property
    def written(self) -> tuple[ArticleId, ...]:
        """Return the articles whose passages are cut."""
        return tuple(self.state.digests) if self.anew else self.planned.upserts

    @property
    def articles(self) -> list[Article]:
        return [self.state.articles[one] for one in self.written]

    def is_held(self, rolled_back: str, allowed: Allowed) -> bool:
        """Tell whether the source is in the state that was *rolled back*, by its digest, and would come back by itself."""
        return self.state.digest == rolled_back and self.is_needed and not allowed.rolled_back

    def require_allowed(self, allowed: Allowed, *, rolled_back: str) -> None:
        """Refuse a state that was rolled back, and a new generation in which articles that vanished could not be kept."""
        if self.is_held(rolled_back, allowed):
            raise SyncHeld(
                "this state of the source was rolled back, so it is not put to use again by itself; "
                "change the source, or run with --forward"
            )
        if self.anew and (lost := self.planned.withheld):
            raise SourceRejected(
                f"{len(lost)} articles vanished from the source, among them {', '.join(lost[:3])}, while all must be "
                "embedded anew; nothing was changed. If they were withdrawn on purpose, run again with "
                f"--approve-retirements {len(lost)}"
            )
