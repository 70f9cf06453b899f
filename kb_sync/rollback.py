"""Back to the generation before, at once: one flip, no source read, nothing embedded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.ports import Clock
from bot.sync_ports import Generation, GenerationState, KnowledgeWriter, RunRecord
from kb_sync.locking import Lease, SyncLocking
from kb_sync.recording import RunLog
from kb_sync.report import Json, RunOutcome

_SOURCE = "--rollback"
_LOOKED_BACK = 10_000  # runs; the one that put the live generation to use is among them
_PUBLISHED = frozenset({RunOutcome.DONE.value, RunOutcome.WITHHELD.value})


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack:
    """What is live now, what was before, and what must be set for it to be searched (empty when nothing must)."""

    live: Generation
    refused: str
    remedy: str


async def roll_back(writer: KnowledgeWriter, clock: Clock, lease: Lease, *, fingerprint: str) -> RolledBack:
    """Make the generation before live again, and hold back the state of the source that is refused by it."""
    log = RunLog(writer, clock, source=_SOURCE)

    async def work(token: int) -> RolledBack:
        log.begin()
        refused = next((one for one in writer.generations() if one.state is GenerationState.LIVE), None)
        digest = digest_of(refused, writer.runs(limit=_LOOKED_BACK))
        record = replace(log.closed(RunOutcome.ROLLED_BACK), source_digest=digest)
        live = writer.roll_back(token, record, refused=digest)
        return RolledBack(
            live=live,
            refused="" if refused is None else refused.id,
            remedy=remedy_for(live.fingerprint, ours=fingerprint),
        )

    try:
        return await SyncLocking(writer=writer, clock=clock, lease=lease).hold(work)
    except BaseException as exc:
        log.fail(exc)
        raise


def digest_of(live: Generation | None, runs: Sequence[RunRecord]) -> str:
    """Return the source digest of the newest good run that left *live* in use, the empty text when none is known."""
    if live is None:
        return ""
    return next(
        (run.source_digest for run in runs if run.generation == live.id and run.outcome in _PUBLISHED), ""
    )


def remedy_for(fingerprint: str, *, ours: str) -> str:
    """Return what must be set so that questions are embedded as the passages of *fingerprint* are."""
    if fingerprint == ours:
        return ""
    theirs, mine = _parts(fingerprint), _parts(ours)
    return (
        f"Its passages were embedded as {fingerprint}, and this installation embeds as {ours}: nothing is searched, and "
        f"questions go to people, until {_setting(theirs, mine)}."
    )


def to_json(done: RolledBack) -> Mapping[str, Json]:
    """Return it as one JSON object."""
    return {
        "outcome": RunOutcome.ROLLED_BACK.value,
        "exit_code": RunOutcome.ROLLED_BACK.exit_code,
        "generation": done.live.id,
        "previous": done.refused,
        "fingerprint": done.live.fingerprint,
        "articles": done.live.articles,
        "passages": done.live.passages,
        "remedy": done.remedy,
    }


def lines(done: RolledBack) -> tuple[str, ...]:
    """Return what a person must know, line by line."""
    live = done.live
    return (
        f"Customers are answered from generation {live.id} again: {live.articles:,} articles, {live.passages:,} passages.",
        "A sync of the same source is held until the source changes, or --forward is given.",
        *filter(None, [done.remedy]),
    )


def _parts(fingerprint: str) -> tuple[str, str, str]:
    """Return provider, model and chunker; a model's name may have slashes in it."""
    provider, _, rest = fingerprint.partition("/")
    *model, _dimension, _normalisation, chunker = rest.split("/")
    return provider, "/".join(model), chunker


def _setting(theirs: tuple[str, str, str], mine: tuple[str, str, str]) -> str:
    provider, model, chunker = theirs
    if chunker != mine[2]:
        return f"the version of Candor that cuts passages as {chunker} runs again"
    if provider == "voyage":
        return f"VOYAGE_API_KEY is set, VOYAGE_MODEL is {model}, and VOYAGE_DIMENSION is as it was"
    return f"VOYAGE_API_KEY is unset and CANDOR_EMBEDDING_MODEL names the model {model}, or is unset if that is the shipped one"
