"""The one document of the knowledge base's state: the lock, what is live, what was before it, what is being built, what people decided.

Lock and pointer stand in one document, which is replaced under its revision, so that a flip is one conditional write that a sync
whose lock was taken over cannot make.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from bot.adapters.mongo.blocking import BlockingDatabase
from bot.core.content import Decision, DecisionKind, PairKey
from bot.core.indexing import Standing, with_decisions
from bot.core.knowledge import ArticleId
from bot.errors import StoreUnavailable, SyncFenced
from bot.sync_ports import (
    CheckedQuestion,
    Generation,
    GenerationCheck,
    GenerationState,
    RunRecord,
    SyncLock,
)

COLLECTION, ID = "kb_state", "state"
ATTEMPTS = 60  # two syncs and a person are the most that write it at once
PAUSE_S = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What every process reads first. `revision` grows with each write; `recorded` are runs that are not in their collection yet.

    `opened` has the token of the sync that last opened each generation: documents with an older one are a late writer's, and count for nothing.
    """

    revision: int = 0
    token: int = 0
    lock: SyncLock | None = None
    generations: tuple[Generation, ...] = ()
    rolled_back: str = ""
    newest_ms: int = 0
    decisions: tuple[Decision, ...] = ()
    recorded: tuple[RunRecord, ...] = ()
    opened: Mapping[str, int] = field(default_factory=dict)

    def in_state(self, state: GenerationState) -> Generation | None:
        """Return the generation in a state; None when there is none."""
        return next((one for one in self.generations if one.state is state), None)

    def decided(self, known: Iterable[Standing]) -> tuple[Standing, ...]:
        """Add what people decided to what articles say of themselves."""
        superseded = [one for one in self.decisions if one.kind is DecisionKind.SUPERSEDED]
        return with_decisions(known, [(one.loser, one.winner) for one in superseded])

    def require_lock(self, token: int) -> None:
        """Raise SyncFenced unless the lock was last taken with *token*."""
        if self.lock is None or self.lock.token != token:
            raise SyncFenced("another sync has taken the lock since; this one writes nothing more")

    def build(self, build: str) -> Generation:
        """Return what is being built under this id; StoreUnavailable when it is no build."""
        found = next((one for one in self.generations if one.id == build), None)
        if found is None:
            raise StoreUnavailable(f"generation {build} is gone; sync again")
        if found.state is not GenerationState.BUILDING:
            raise StoreUnavailable(f"generation {build} was published and is never changed; sync again")
        return found

    def opened_by(self, token: int) -> "State":
        """Return the state in which what is being built belongs to a token; generations that are gone are forgotten."""
        kept = {one.id: self.opened.get(one.id, 0) for one in self.generations}
        building = {one.id: token for one in self.generations if one.state is GenerationState.BUILDING}
        return replace(self, opened={**kept, **building})

    def counting(self, generation: str) -> dict[str, object]:
        """Return the query for the documents of a generation that count."""
        return {"token": {"$gte": self.opened.get(generation, 0)}}

    def with_generation(self, new: Generation) -> "State":
        """Return the state with a generation in place of the one with its id."""
        others = tuple(one for one in self.generations if one.id != new.id)
        return replace(self, generations=(*others, new))

    def without(self, generation: str) -> "State":
        """Return the state without a generation."""
        return replace(self, generations=tuple(one for one in self.generations if one.id != generation))


@dataclass(frozen=True, slots=True, kw_only=True)
class StateDocument:
    """Reads and replaces the document."""

    database: BlockingDatabase
    pause: Callable[[float], None] = field(default=time.sleep)

    def read(self) -> State:
        """Return the state; an empty one before the first write."""
        found = self.database.find_one(COLLECTION, {"_id": ID})
        return State() if found is None else to_state(found)

    def change(self, decide: Callable[[State], State]) -> State:
        """Replace the state by what *decide* makes of it, again when somebody else wrote meanwhile; what it raises ends it."""
        for _ in range(ATTEMPTS):
            before = self.read()
            after = replace(decide(before), revision=before.revision + 1)
            if self._written(after):
                return after
            self.pause(PAUSE_S)
        raise StoreUnavailable(
            f"the state of the knowledge base was written by others {ATTEMPTS} times in a row"
        )

    def _written(self, state: State) -> bool:
        document = from_state(state)
        if state.revision == 1:
            return self.database.insert(COLLECTION, document)
        return self.database.replace(COLLECTION, {"_id": ID, "revision": state.revision - 1}, document)


def from_state(state: State) -> dict[str, Any]:
    return {
        "_id": ID,
        "revision": state.revision,
        "token": state.token,
        "lock": None if state.lock is None else asdict(state.lock),
        "generations": [{**asdict(one), "state": str(one.state)} for one in state.generations],
        "rolled_back": state.rolled_back,
        "newest_ms": state.newest_ms,
        "decisions": [{**asdict(one), "kind": str(one.kind)} for one in state.decisions],
        "recorded": [asdict(one) for one in state.recorded],
        "opened": dict(state.opened),
    }


def to_state(kept: Mapping[str, Any]) -> State:
    return State(
        revision=kept["revision"],
        token=kept["token"],
        lock=None if kept["lock"] is None else SyncLock(**kept["lock"]),
        generations=tuple(map(_to_generation, kept["generations"])),
        rolled_back=kept["rolled_back"],
        newest_ms=kept["newest_ms"],
        decisions=tuple(map(_to_decision, kept["decisions"])),
        recorded=tuple(RunRecord(**one) for one in kept["recorded"]),
        opened=kept["opened"],
    )


def _to_decision(kept: Mapping[str, Any]) -> Decision:
    return Decision(
        key=PairKey(kept["key"]),
        kind=DecisionKind(kept["kind"]),
        loser=ArticleId(kept["loser"]),
        winner=ArticleId(kept["winner"]),
        who=kept["who"],
        at_ms=kept["at_ms"],
    )


def _to_generation(kept: Mapping[str, Any]) -> Generation:
    check = kept["check"]
    return Generation(
        **{
            **kept,
            "state": GenerationState(kept["state"]),
            "check": None if check is None else _to_check(check),
        }
    )


def _to_check(kept: Mapping[str, Any]) -> GenerationCheck:
    questions = tuple(
        CheckedQuestion(text=one["text"], gold=tuple(map(ArticleId, one["gold"])), hit=bool(one["hit"]))
        for one in kept["questions"]
    )
    return GenerationCheck(articles=kept["articles"], passages=kept["passages"], questions=questions)
