"""Labelled conversations and the knowledge base that they are about, as `calibrate` and `evaluate` take them."""

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rich.markup import escape
from rich.progress import Progress

from bot.adapters.extractive import ExtractiveAnswerer
from bot.adapters.prompt_files import Language
from bot.adapters.system_clock import SystemClock
from bot.core.knowledge import IndexState, IndexStatus
from bot.errors import IndexNotReady, Refused
from bot.evaluation.golden import GoldenConversation, read_golden
from bot.evaluation.known_queries import KnownQueries
from bot.knowledge_wiring import Knowledge
from bot.terminal.corpora import indexed_corpus
from bot.terminal.texts import isolated
from bot.turn_wiring import Parts

SYNCED = "-"
KB = "kb"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    """Conversations and their articles, None for the ones that are synced; `name` is what reports call the set.

    Where both files hold several knowledge bases (field `kb`), `kb` is the one whose rows these are.
    """

    conversations: Path
    corpus: Path | None
    name: str
    kb: str | None = None

    def read(self) -> tuple[GoldenConversation, ...]:
        """Read the conversations; InputRejected."""
        golden = read_golden(self.conversations)
        return golden if self.kb is None else tuple(g for g in golden if g.fields.get(KB, "") == self.kb)


def labelled_sets(conversations: Sequence[Path], corpora: Sequence[Path]) -> tuple[LabelledSet, ...]:
    """Pair each file of conversations with the articles in the same place; there are as many of both.

    A set is called by its file and its folder, and by its number too where that is another set's name.
    """
    names = ["/".join(file.resolve().parts[-2:]) for file in conversations]
    counts = Counter(names)
    return tuple(
        LabelledSet(
            conversations=file,
            corpus=None if str(corpus) == SYNCED else corpus,
            name=name if counts[name] == 1 else f"{name} ({number})",
        )
        for number, (file, corpus, name) in enumerate(zip(conversations, corpora, names, strict=True), 1)
    )


def split_by_kb(sets: Iterable[LabelledSet]) -> tuple[LabelledSet, ...]:
    """Return a set for each knowledge base that conversations name: none is to be searched for another's questions."""
    return tuple(part for one in sets for part in _split(one))


def _split(one: LabelledSet) -> tuple[LabelledSet, ...]:
    if one.corpus is None:
        return (one,)
    names = dict.fromkeys(golden.fields.get(KB, "") for golden in one.read())
    if not any(names):
        return (one,)
    return tuple(replace(one, name=f"{one.name}: {kb or 'no kb'}", kb=kb) for kb in names)


def check_fields(fields: Iterable[str], sets: Iterable[LabelledSet]) -> None:
    """Refuse a field to group by that no conversation has: a table that is only missing would say nothing."""
    known = {name for one in sets for golden in one.read() for name in golden.fields}
    for field in fields:
        if field not in known:
            raise Refused(f"no conversation has the field {field!r}; known are {', '.join(sorted(known))}")


def check_synced(sets: Iterable[LabelledSet], status: IndexStatus) -> None:
    """Raise IndexNotReady when a set is about articles that were never synced, before anything else takes time."""
    if any(one.corpus is None for one in sets) and status.state is not IndexState.READY:
        raise IndexNotReady(f"the passage index is {status.state}: {status.detail}")


@asynccontextmanager
async def opened_set(
    labelled: LabelledSet, knowledge: Knowledge, spoken: Language, progress: Progress
) -> AsyncIterator[Parts]:
    """Open what turns about the set need, which are answered without a model. No text is embedded twice, in any run."""
    parts = Parts(
        index=knowledge.index,
        embedder=KnownQueries(knowledge.embedder, knowledge.writer),
        answerer=ExtractiveAnswerer(spoken.replies, spoken.rules),
        clock=SystemClock(),
    )
    if labelled.corpus is None:
        yield parts
        return
    calibration = (await knowledge.index.status()).calibration or knowledge.shipped
    async with indexed_corpus(
        labelled.corpus,
        knowledge.embedder,
        knowledge.writer,
        progress,
        calibration=calibration,
        kb=labelled.kb,
    ) as index:
        yield replace(parts, index=index)


def described(doing: str, labelled: LabelledSet) -> str:
    """Return a progress bar's text; a file's name is never read as markup."""
    return escape(isolated(f"{doing} {labelled.name}").plain)
