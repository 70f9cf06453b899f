"""What the knowledge base in memory is made of: articles as they were written once, and generations that share them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.core.indexing import Standing
from bot.core.knowledge import Article, ArticleId, ArticleStatus, Passage, PassageId, Vector
from bot.sync_ports import Generation, GenerationCheck, GenerationState

Vectors = Mapping[tuple[str, str], Vector]  # by fingerprint and text digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """An article and its passages as they were written once for one fingerprint; `digests` are those of its passages' texts."""

    fingerprint: str
    article: Article
    digest: str
    passages: tuple[Passage, ...]
    digests: Mapping[PassageId, str]
    written_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """An article of a generation; a retired one is kept out of every search."""

    version: Version
    is_retired: bool
    added_ms: int

    @property
    def standing(self) -> Standing:
        article = self.version.article
        status = ArticleStatus.RETIRED if self.is_retired else article.status
        return Standing(id=article.id, status=status, supersedes=article.supersedes)


@dataclass(slots=True, kw_only=True)
class KeptGeneration:
    """One state of the whole index; only one that is being built changes."""

    id: str
    fingerprint: str
    created_ms: int
    state: GenerationState = GenerationState.BUILDING
    published_ms: int | None = None
    check: GenerationCheck | None = None
    members: dict[ArticleId, Member] = field(default_factory=dict)

    def counted(self) -> Generation:
        """Return it as the port describes it."""
        kept = [member for member in self.members.values() if not member.is_retired]
        return Generation(
            id=self.id,
            fingerprint=self.fingerprint,
            state=self.state,
            created_ms=self.created_ms,
            published_ms=self.published_ms,
            articles=len(kept),
            passages=sum(len(member.version.passages) for member in kept),
            check=self.check,
        )
