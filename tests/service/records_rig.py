"""The service's rig with a records route: a scripted planner, and a scripted database of one customer's lessons."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from bot.core.conversation import ConversationId
from bot.core.policy import TurnPolicy
from bot.core.prompt import Usage
from bot.core.records import Column, Plan, RecordsSchema, Route, Rows, View
from bot.errors import StatementRejected
from bot.model_ports import Planned, PlanRequest, Worded, WordingRequest
from bot.service.own_records import RecordsOfOne
from bot.service.records_lookup import OwnRecords
from bot.service.records_route import RecordsParts
from tests.service.rig import REPLIES, Rig, a_rig
from tests.service.stand_ins import Point

HOW_MANY = "How many lessons do I have?"
WHICH_TEN = "Which 10 are next?"
BOTH_ASKED = "How many lessons do I have left, and how do I reschedule a class?"

COUNT_SQL = "SELECT count(*) AS lessons FROM my_lessons"
BROKEN_SQL = "SELECT * FROM my_lessons WHERE starts_on >= '2026-11-30'::text"
NEXT_SQL = "SELECT starts_on, teacher FROM my_lessons ORDER BY starts_on LIMIT 10"
OPERATOR = "operator does not exist: date >= text"

COUNTED = Rows(columns=("lessons",), rows=((12,),))
TEN = Rows(
    columns=("starts_on", "teacher"),
    rows=tuple((f"2026-12-{day:02}", "Ana" if day % 2 else "Tom") for day in range(1, 11)),
)
NONE = Rows(columns=("lessons",), rows=())

COUNT = Plan(route=Route.RECORDS, sql=COUNT_SQL)
BROKEN = Plan(route=Route.RECORDS, sql=BROKEN_SQL)
NEXT = Plan(route=Route.RECORDS, sql=NEXT_SQL)
FROM_ARTICLES = Plan(route=Route.ARTICLES)
USED = Usage(input_tokens=100, output_tokens=10, cost_usd=0.001)

SCHEMA = RecordsSchema(
    dialect="postgres",
    views=(
        View(
            name="my_lessons",
            description="The customer's booked lessons.",
            columns=(
                Column(name="starts_on", type="date", description="The day"),
                Column(name="teacher", type="text"),
            ),
        ),
    ),
    functions=frozenset({"count", "now"}),
)
A_PLAN = PlanRequest(
    question=HOW_MANY, history=(), schema=SCHEMA, today="today", locale="en", nonce="n", deadline_s=1e9
)
A_WORDING = WordingRequest(question=HOW_MANY, rows=COUNTED, locale="en", nonce="n", deadline_s=1e9)
Script = Sequence[Plan | Exception | Point]


@dataclass(slots=True)
class ScriptedPlanner:
    """Plays its plans, one a call; `words` is what it says of any rows, by default how many lessons there are."""

    script: Script = (COUNT,)
    words: str | Exception | Point = "You have 12 lessons."
    usage: Usage | None = USED
    plans: list[PlanRequest] = field(default_factory=list)
    wordings: list[WordingRequest] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "scripted-planner"

    @property
    def prompt_digest(self) -> str:
        return "digest-of-plans"

    async def plan(self, request: PlanRequest) -> Planned:
        step = self.script[len(self.plans)]
        self.plans.append(request)
        if isinstance(step, Exception):
            raise step
        if isinstance(step, Point):
            await step.passed()
            step = COUNT
        return Planned(plan=step, usage=self.usage)

    async def word(self, request: WordingRequest) -> Worded:
        self.wordings.append(request)
        if isinstance(self.words, Exception):
            raise self.words
        if isinstance(self.words, Point):
            await self.words.passed()
        return Worded(text=str(self.words).replace("{nonce}", request.nonce), usage=self.usage)


@dataclass(slots=True)
class ScriptedRecords:
    """A database that knows some statements by heart and rejects others; each query is kept with whose it was."""

    found: dict[str, Rows] = field(default_factory=lambda: {COUNT_SQL: COUNTED, NEXT_SQL: TEN})
    at_query: Point = field(default_factory=Point)
    asked: list[tuple[str, str]] = field(default_factory=list)

    @property
    def schema(self) -> RecordsSchema:
        return SCHEMA

    async def query(self, sql: str, *, subject: str) -> Rows:
        self.asked.append((subject, sql))
        await self.at_query.passed()
        if sql not in self.found:
            raise StatementRejected(OPERATOR)
        return self.found[sql]

    async def ping(self) -> None:
        await self.at_query.passed()


@dataclass(slots=True)
class ScriptedEntrance:
    """Opens the records to the customer `subject`; None is somebody unknown."""

    records: ScriptedRecords
    subject: str | None = "maria"
    at_profile: Point = field(default_factory=Point)
    meanwhile: Callable[[], None] = lambda: None

    @property
    def schema(self) -> RecordsSchema:
        return self.records.schema

    async def of(self, _conversation: ConversationId) -> OwnRecords | None:
        await self.at_profile.passed()
        self.meanwhile()
        return None if self.subject is None else RecordsOfOne(records=self.records, subject=self.subject)


@dataclass(slots=True, kw_only=True)
class RecordsRig:
    """A rig, and what its records route waits for."""

    rig: Rig
    planner: ScriptedPlanner
    records: ScriptedRecords
    entrance: ScriptedEntrance


async def a_records_rig(
    *plans: Plan | Exception | Point, policy: TurnPolicy | None = None, **fields
) -> RecordsRig:
    """Open one conversation of a known customer whose questions are planned by *plans*, a single count unless it is said."""
    rig = await a_rig(policy=policy, **fields)
    planner, records = ScriptedPlanner(script=plans or (COUNT,)), ScriptedRecords()
    entrance = ScriptedEntrance(records)
    parts = RecordsParts(records=entrance, planner=planner, replies=REPLIES)
    turns = replace(rig.turns, answering=replace(rig.turns.answering, records=parts))
    rig.turns = rig.runner.turns = turns
    rig.sweep = replace(rig.sweep, turns=turns)
    return RecordsRig(rig=rig, planner=planner, records=records, entrance=entrance)
