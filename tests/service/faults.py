"""Every way in which a stage can end a turn, with the one reason that must follow (DESIGN §6)."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bot.core.caps import Allowance, Caps
from bot.core.conversation import Kind
from bot.core.knowledge import FoundPassage, SearchResult
from bot.core.outcome import ReasonCode
from bot.core.policy import Deadlines, TurnPolicy
from bot.core.prompt import Abstained, Asked, Block, Citation, Finished, Stop
from bot.core.rules import Rules
from bot.errors import (
    IndexNotReady,
    InputRejected,
    Misconfigured,
    ModelUnavailable,
    RetrievalUnavailable,
    StoreUnavailable,
)
from tests.knowledge_builders import a_calibration, an_article, begin_build, publish_changes
from tests.service.rig import COMPUTED, DEFAULT_CAPS, QUESTION, RULES, UNCOVERED, Rig
from tests.service.shelf import ARTICLES, RESCHEDULE, Shelf
from tests.service.stand_ins import Point, Script

Breaks = Callable[[Rig], object]

SHORT_S = 0.01
EMBED_LATE = TurnPolicy(deadlines=Deadlines(embed_s=SHORT_S))
SEARCH_LATE = TurnPolicy(deadlines=Deadlines(search_s=SHORT_S))
DRAFT_LATE = TurnPolicy(deadlines=Deadlines(draft_s=SHORT_S))
STORE_LATE = TurnPolicy(deadlines=Deadlines(draft_s=SHORT_S, turn_s=5 * SHORT_S))
BUDGET_SPENT = TurnPolicy(deadlines=Deadlines(turn_s=SHORT_S))
RETRIEVAL = ReasonCode.RETRIEVAL_UNAVAILABLE
NOT_READY = ReasonCode.INDEX_NOT_READY
MODEL = ReasonCode.MODEL_UNAVAILABLE
LOST = ReasonCode.TURN_LOST
LATE = ReasonCode.OUT_OF_TIME
UNGROUNDED = ReasonCode.UNGROUNDED_DRAFT
ABSTAINED = ReasonCode.MODEL_ABSTAINED


def nothing(rig: Rig) -> None:
    """Everything works."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is broken, what the customer says, and the reason; `rules`, `policy` and `caps` are those of the installation.

    `before` is what the customer had said earlier, each with a turn of its own.
    """

    reason: ReasonCode
    breaks: Breaks = nothing
    says: str = QUESTION
    kind: Kind = Kind.TEXT
    before: tuple[tuple[str, Kind], ...] = ()
    policy: TurnPolicy = field(default_factory=TurnPolicy)
    rules: Rules = field(default=RULES, repr=False)
    caps: Caps = DEFAULT_CAPS


def failing(point: str, failure: Exception) -> Breaks:
    """Make the stand-in's point, such as "index.at_search", raise *failure*."""
    return lambda rig: setattr(_point(rig, point), "fails", failure)


def hanging(point: str) -> Breaks:
    """Make the point wait for ever."""
    return lambda rig: setattr(_point(rig, point), "waits", True)


def drafting(*script: object) -> Breaks:
    """Make the answerer play *script*."""
    return lambda rig: setattr(rig.answerer, "script", script)


def stalling(*pieces: object) -> Breaks:
    """Make the answerer wait for ever after *pieces*."""
    return lambda rig: setattr(rig.answerer, "script", (*pieces, Point(waits=True)))


def abstaining(rig: Rig) -> None:
    """Let the answerer be one that can abstain."""
    rig.answerer.can_abstain = True
    rig.answerer.script = (Abstained(why="the article is on something else"),)


def whole_and_hanging(rig: Rig) -> None:
    """Let the draft be there at once, and the store hang when it shall be recorded."""
    rig.answerer.streams = False
    rig.store.at_show.waits = True


def reached_meanwhile(rig: Rig) -> None:
    """Let another conversation use up what is left while this one is searched for."""

    def found(result: SearchResult) -> SearchResult:
        rig.ledger.used_elsewhere(at_ms=rig.clock.now_ms())
        return result

    rig.index.found = found


def finding(change: Callable[[SearchResult], SearchResult]) -> Breaks:
    """Change what a search returns."""
    return lambda rig: setattr(rig.index, "found", change)


def finding_each(**fields: object) -> Breaks:
    """Change each passage that a search returns; another cosine is also how near they are to what was said."""

    def changed(found: FoundPassage) -> FoundPassage:
        return replace(found, **fields)

    def each(result: SearchResult) -> SearchResult:
        passages = tuple(map(changed, result.passages))
        return replace(result, passages=passages, beside=_beside(result, fields.get("cosine")))

    return finding(each)


def finding_beside(cosine: float) -> Breaks:
    """Change how near the passages are to what was said, and nothing else."""
    return finding(lambda result: replace(result, beside=_beside(result, cosine)))


def _beside(result: SearchResult, cosine: object) -> tuple[tuple[float, ...], ...]:
    if not isinstance(cosine, float):
        return result.beside
    return tuple((cosine,) * len(cosines) for cosines in result.beside)


def on_shelf(change: Callable[[Shelf], object]) -> Breaks:
    """Change the knowledge base that was synced."""
    return lambda rig: change(rig.shelf)


def calibrated(**fields: object) -> Breaks:
    """Store another calibration."""

    def store(shelf: Shelf) -> None:
        shelf.writer.store_calibration(a_calibration(str(shelf.embedder.fingerprint), **fields))

    return on_shelf(store)


def quoted(
    text: str = RESCHEDULE.body, *, quote: str = "Open My Lessons", passage: str = "KB000003#0"
) -> Block:
    """Return a block that cites the article on rescheduling."""
    return Block(text=text, citations=(Citation(passage=passage, quote=quote),))


def _point(rig: Rig, name: str) -> Point:
    part, _, point = name.partition(".")
    found = getattr(getattr(rig, part), point)
    assert isinstance(found, Point)
    return found


def _drop_everything(shelf: Shelf) -> None:
    shelf.writer.kept.clear()


def _still_building(shelf: Shelf) -> None:
    _drop_everything(shelf)
    begin_build(shelf.writer, "local/first", ())


def _all_retired(shelf: Shelf) -> None:
    fingerprint = str(shelf.embedder.fingerprint)
    publish_changes(shelf.writer, fingerprint, retired=[article.id for article in ARTICLES])


COMPLETE = Finished(stop=Stop.COMPLETE)
STATES: dict[str, Breaks] = {
    "missing": on_shelf(_drop_everything),
    "building": on_shelf(_still_building),
    "empty": on_shelf(_all_retired),
    "nothing active": on_shelf(lambda shelf: shelf.publish([an_article(a.id, status="draft") for a in ARTICLES])),
    "mismatched": on_shelf(lambda shelf: shelf.publish(ARTICLES, fingerprint="local/other")),
}  # fmt: skip
OUTAGES: dict[str, Exception] = {
    "outage": RetrievalUnavailable("connection refused"),
    "timeout": TimeoutError(),
    "store failure": StoreUnavailable("disk I/O error"),
}
DEFECTS: dict[str, Exception] = {
    "defect": ValueError("a defect of ours"),
    "refusal": InputRejected("vector", "is empty", "send one"),
    "misconfigured": Misconfigured("VOYAGE_MODEL: unknown"),
}
RETRIEVAL_POINTS = {
    "index": "index.at_status",
    "embed": "embedder.at_embed",
    "search": "index.at_search",
}
ENDS_OF_DRAFTS: dict[str, tuple[ReasonCode, Script]] = {
    "no piece at all": (MODEL, ()),
    "no end": (MODEL, (quoted(),)),
    "cut off": (MODEL, (quoted(), Finished(stop=Stop.CUT_OFF))),
    "cut off at once": (MODEL, (Finished(stop=Stop.CUT_OFF),)),
    "refused": (MODEL, (Finished(stop=Stop.REFUSED),)),
    "outage": (MODEL, (ModelUnavailable("overloaded"),)),
    "outage after a block": (MODEL, (quoted(), ModelUnavailable("reset"))),
    "outage of another family": (MODEL, (RetrievalUnavailable("file search"),)),
    "timeout": (MODEL, (TimeoutError(),)),
    "defect": (LOST, (KeyError("content"),)),
    "defect after a block": (LOST, (quoted(), ValueError("a defect of ours"))),
    "wrong data in a citation": (LOST, (quoted(quote=7), COMPLETE)),
    "abstained": (ABSTAINED, (Abstained(),)),
    "abstained after a block": (ABSTAINED, (quoted(), Abstained(why="no more"))),
    "promised a person": (ABSTAINED, (quoted("I will connect you to a colleague."), COMPLETE)),
    "promised a person in a question": (ABSTAINED, (Asked(text="I'll connect you with an agent, ok?"),)),
    "altered quote": (UNGROUNDED, (quoted(quote="Open Your Lessons"), COMPLETE)),
    "invented number": (UNGROUNDED, (quoted("It is free until 12 hours before."), COMPLETE)),
    "invented price": (UNGROUNDED, (quoted("Rescheduling costs 5 EUR."), COMPLETE)),
    "invented link": (UNGROUNDED, (quoted("See https://evil.example/now."), COMPLETE)),
    "unknown passage": (UNGROUNDED, (quoted(passage="KB999999#0"), COMPLETE)),
    "without citation": (UNGROUNDED, (Block(text="Open My Lessons."), COMPLETE)),
    "complete but empty": (UNGROUNDED, (COMPLETE,)),
    "only a fixed sentence": (UNGROUNDED, (Block(text="From our article:", fixed=True), COMPLETE)),
    "second block invents": (UNGROUNDED, (quoted(), quoted("It costs 99 EUR."), COMPLETE)),
    "question invents": (UNGROUNDED, (Asked(text="Is it more than 48 hours before?"),)),
    "question states": (UNGROUNDED, (Asked(text="It is free."),)),
    "question offers an invented number": (UNGROUNDED, (Asked(text="Which?", options=("72 hours",)),)),
    "end offers an invented number": (
        UNGROUNDED, (quoted(), Finished(stop=Stop.COMPLETE, options=("More than 72 hours",)))
    ),
    "wrong data in the end": (LOST, (quoted(), Finished(stop=Stop.COMPLETE, options=(None,)))),
}  # fmt: skip


def saying_it_again(rig: Rig) -> None:
    """Let the answerer have its whole draft at once, as it had before."""
    rig.answerer.streams = False


FAULTS: dict[str, Fault] = {
    "route: asks for a person": Fault(reason=ReasonCode.CUSTOMER_ASKED, says="I want to talk to a person"),
    "route: presses the button": Fault(
        reason=ReasonCode.CUSTOMER_ASKED, says="Talk to a person", kind=Kind.PERSON_REQUEST
    ),
    "route: a rule": Fault(reason=ReasonCode.ESCALATION_RULE, says="I want my money back now"),
    "route: feedback no": Fault(
        reason=ReasonCode.UNRESOLVED, says="no", kind=Kind.FEEDBACK, before=(("no", Kind.FEEDBACK),)
    ),
    "draft: what had not helped": Fault(
        reason=ReasonCode.UNRESOLVED,
        breaks=saying_it_again,
        before=((QUESTION, Kind.TEXT), ("no", Kind.FEEDBACK)),
    ),
    "route: kill switch": Fault(reason=ReasonCode.BOT_PAUSED, policy=TurnPolicy(bot_enabled=False)),
    "route: retrieval switched off": Fault(
        reason=ReasonCode.BOT_PAUSED, policy=TurnPolicy(retrieval_enabled=False)
    ),
    "route: cap": Fault(reason=ReasonCode.BOT_PAUSED, caps=Caps(conversation=Allowance(turns=0))),
    "route: a file": Fault(reason=ReasonCode.UNSUPPORTED_MESSAGE, says="bill.pdf", kind=Kind.FILE),
    "route: defect": Fault(reason=LOST, rules=replace(RULES, escalations=None)),
    "records: none": Fault(reason=ReasonCode.RECORDS_UNAVAILABLE, says=COMPUTED),
    "query: defect": Fault(reason=LOST, breaks=lambda rig: setattr(rig.embedder, "counting", ValueError())),
    "query: outage": Fault(
        reason=LOST, breaks=lambda rig: setattr(rig.embedder, "counting", RetrievalUnavailable("x"))
    ),
    "query: timeout": Fault(
        reason=LOST, breaks=lambda rig: setattr(rig.embedder, "counting", TimeoutError())
    ),
    **{f"index: {state}": Fault(reason=NOT_READY, breaks=breaks) for state, breaks in STATES.items()},
    **{
        f"{stage}: {kind}": Fault(reason=reason, breaks=failing(point, failure))
        for stage, point in RETRIEVAL_POINTS.items()
        for reason, failures in ((RETRIEVAL, OUTAGES), (LOST, DEFECTS))
        for kind, failure in failures.items()
    },
    **{
        f"{stage}: its deadline": Fault(
            reason=RETRIEVAL, breaks=hanging(point), policy=EMBED_LATE if stage == "embed" else SEARCH_LATE
        )
        for stage, point in RETRIEVAL_POINTS.items()
    },
    **{
        f"{stage}: the turn's budget": Fault(reason=LATE, breaks=hanging(point), policy=BUDGET_SPENT)
        for stage, point in RETRIEVAL_POINTS.items()
    },
    "index: not ready": Fault(reason=NOT_READY, breaks=failing("index.at_status", IndexNotReady("x"))),
    "search: not ready": Fault(reason=NOT_READY, breaks=failing("index.at_search", IndexNotReady("x"))),
    "embed: too few vectors": Fault(
        reason=LOST, breaks=lambda rig: setattr(rig.embedder, "vectors", lambda vectors: vectors[1:])
    ),
    "embed: not a number": Fault(
        reason=RETRIEVAL,
        breaks=lambda rig: setattr(
            rig.embedder, "vectors", lambda vectors: tuple((float("nan"),) * len(v) for v in vectors)
        ),
    ),
    "embed: other dimension": Fault(
        reason=RETRIEVAL,
        breaks=lambda rig: setattr(rig.embedder, "vectors", lambda vectors: tuple(v[1:] for v in vectors)),
    ),
    "search: other fingerprint": Fault(
        reason=NOT_READY, breaks=finding(lambda result: replace(result, fingerprint="local/other"))
    ),
    "search: not a number": Fault(reason=RETRIEVAL, breaks=finding_each(cosine=float("nan"))),
    "search: no cosine": Fault(reason=RETRIEVAL, breaks=finding_each(cosine=17.3)),
    "search: not a number beside": Fault(reason=RETRIEVAL, breaks=finding_beside(float("nan"))),
    "search: no cosine beside": Fault(reason=RETRIEVAL, breaks=finding_beside(17.3)),
    "search: no candidates": Fault(
        reason=NOT_READY, breaks=finding(lambda result: replace(result, passages=()))
    ),
    "rank: wrong data": Fault(reason=LOST, breaks=finding_each(last_modified_ms="yesterday")),
    "gate: nothing passes": Fault(reason=ReasonCode.NO_EVIDENCE, says=UNCOVERED),
    "gate: uncalibrated": Fault(
        reason=NOT_READY, breaks=on_shelf(lambda shelf: shelf.writer.calibrations.clear())
    ),
    "gate: calibrated for another blend": Fault(reason=NOT_READY, breaks=calibrated(blend={})),
    "gate: defect": Fault(reason=LOST, breaks=calibrated(strict="0.4")),
    "draft: can abstain": Fault(reason=ABSTAINED, breaks=abstaining),
    "draft: its deadline": Fault(reason=MODEL, breaks=stalling(), policy=DRAFT_LATE),
    "draft: its deadline after a block": Fault(
        reason=MODEL, breaks=stalling(quoted()), policy=DRAFT_LATE
    ),
    "draft: the turn's budget": Fault(reason=LATE, breaks=stalling(), policy=BUDGET_SPENT),
    "draft: the turn's budget after a block": Fault(
        reason=LATE, breaks=stalling(quoted()), policy=BUDGET_SPENT
    ),
    "draft: a store that hangs": Fault(reason=LATE, breaks=hanging("store.at_show"), policy=BUDGET_SPENT),
    "draft: a store that hangs for longer than a draft may take": Fault(
        reason=LATE,
        breaks=hanging("store.at_show"),
        policy=STORE_LATE,
    ),
    "draft: a ledger that hangs": Fault(
        reason=LATE,
        breaks=hanging("ledger.at_spend"),
        policy=STORE_LATE,
        caps=Caps(overall=Allowance(turns=9)),
    ),
    "draft: a cap that others reached meanwhile": Fault(
        reason=ReasonCode.BOT_PAUSED,
        breaks=reached_meanwhile,
        caps=Caps(overall=Allowance(turns=1)),
    ),
    "draft: a store that hangs when the whole draft is there": Fault(
        reason=LATE, breaks=whole_and_hanging, policy=BUDGET_SPENT
    ),
    **{
        f"draft: {end}": Fault(reason=reason, breaks=drafting(*script))
        for end, (reason, script) in ENDS_OF_DRAFTS.items()
    },
}  # fmt: skip
