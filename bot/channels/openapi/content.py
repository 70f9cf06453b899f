"""The operations of the content team's page."""

from bot.channels.console.content_frames import DAYS, MOST_TAG, DecisionBody, TryBody
from bot.channels.console.frames import MOST_SEARCHED
from bot.channels.openapi import problems as p
from bot.channels.openapi.console import KEY, READING, WRITING
from bot.channels.openapi.content_shapes import (
    ARTICLE,
    DECIDED,
    PAIRS,
    SYNC,
    Articles,
    ContentPairs,
    Decided,
    SyncReport,
    WholeArticle,
)
from bot.channels.openapi.operations import Access, Operation, Parameter, Payload, Tag
from bot.channels.openapi.search_shapes import GAPS, SUPPOSED, TRIED, GapsReport, Supposed, Tried
from bot.core.knowledge import ArticleStatus
from bot.service.gaps import MOST_DAYS

PATH = "/console/v1/content"
DECIDES = "For the roles content and admin."
FILE = {"Content-Disposition": "The name of the file."}


def _query(name: str, description: str, schema: dict[str, object], example: object) -> Parameter:
    return Parameter(name=name, place="query", description=description, schema=schema, example=example)


SPAN = _query(
    "days",
    "Of how many days, up to now.",
    {"type": "integer", "minimum": 1, "maximum": MOST_DAYS, "default": DAYS},
    DAYS,
)
WORDS = _query("q", "Words that articles have.", {"type": "string", "maxLength": MOST_SEARCHED}, "gift card")
STATUS = _query(
    "status", "Of which status; empty for any.", {"type": "string", "enum": ["", *ArticleStatus]}, "active"
)
TAG = _query("tag", "With which tag.", {"type": "string", "maxLength": MOST_TAG}, "refund")
THRESHOLD = _query(
    "threshold",
    "Another threshold, a cosine from `lowest` to `highest`; without it, the one in force.",
    {"type": "number", "minimum": -1, "maximum": 1},
    0.5,
)
ARTICLE_ID = Parameter(
    name="id",
    place="path",
    required=True,
    description="The article's id.",
    schema={"type": "string", "minLength": 1},
    example="KB000003",
)
PAIR_KEY = Parameter(
    name="key",
    place="path",
    required=True,
    description="What names the pair.",
    schema={"type": "string", "pattern": "^[0-9a-f]{32}$"},
    example="f" * 32,
)
GAP_ID = Parameter(
    name="id",
    place="path",
    required=True,
    description="The gap's id, or a question's in it.",
    schema=KEY,
    example="5d1c7e9a3b2f4d6e8c0a1b2c3d4e5f60",
)


def _reading(
    path: str,
    operation_id: str,
    summary: str,
    answer: Payload,
    *,
    parameters: tuple[Parameter, ...] = (),
    problems: tuple[p.Problem, ...] = READING,
) -> Operation:
    return Operation(
        method="get",
        path=f"{PATH}/{path}",
        id=operation_id,
        tag=Tag.CONSOLE,
        access=Access.READER,
        summary=summary,
        parameters=parameters,
        answers={200: answer},
        problems=problems,
    )


OPERATIONS = (
    _reading(
        "health",
        "readSyncHealth",
        "Whether the articles are up to date",
        Payload(model=SyncReport, example=SYNC),
    ),
    _reading(
        "articles",
        "readArticles",
        "The articles, of any status",
        Payload(
            model=Articles,
            example={
                "articles": [ARTICLE],
                "tags": ["rescheduling"],
                "found": 1,
                "total": 212,
                "cited_days": 90,
            },
        ),
        parameters=(WORDS, STATUS, TAG),
        problems=(p.INPUT, *READING),
    ),
    _reading(
        "articles/{id}",
        "readWholeArticle",
        "One article with its text",
        Payload(
            model=WholeArticle, example={**ARTICLE, "body": "Open My Lessons and choose **Reschedule**."}
        ),
        parameters=(ARTICLE_ID,),
        problems=(p.NO_ARTICLE, p.NOT_FOUND, *READING),
    ),
    _reading(
        "pairs",
        "readPairs",
        "Articles that repeat or contradict each other, and what was decided",
        Payload(model=ContentPairs, example=PAIRS),
    ),
    Operation(
        method="post",
        path=f"{PATH}/pairs/{{key}}",
        id="decidePair",
        tag=Tag.CONSOLE,
        access=Access.WRITER,
        summary="Let one article of a pair supersede the other, or keep both",
        description=f"{DECIDES} It counts at once, for searches too, until it is undone.",
        parameters=(PAIR_KEY,),
        body=Payload(model=DecisionBody, example={"decision": "supersede", "keep": "KB000003"}),
        answers={200: Payload(model=Decided, example=DECIDED)},
        problems=(*WRITING, p.NOT_FOUND, p.REFUSED),
    ),
    Operation(
        method="delete",
        path=f"{PATH}/pairs/{{key}}",
        id="undoPair",
        tag=Tag.CONSOLE,
        access=Access.WRITER,
        summary="Undo a decision about a pair",
        description=f"{DECIDES} One that is not there is left alone.",
        parameters=(PAIR_KEY,),
        answers={204: Payload(description="The pair is as before the decision.")},
        problems=(p.SIGNED_OUT, p.ORIGIN, p.CSRF, p.ROLE, p.NOT_FOUND, p.UNAVAILABLE),
    ),
    _reading(
        "gaps",
        "readGaps",
        "What customers asked and no article answered",
        Payload(model=GapsReport, example=GAPS),
        parameters=(SPAN,),
        problems=(p.INPUT, *READING),
    ),
    _reading(
        "gaps.csv",
        "readGapsTable",
        "The same for a spreadsheet",
        Payload(description="A table.", media_types=("text/csv",), headers=FILE),
        parameters=(SPAN,),
        problems=(p.INPUT, *READING),
    ),
    _reading(
        "gaps/{id}/draft",
        "readGapDraft",
        "A draft of an article that quotes what agents answered; for the roles content and admin",
        Payload(description="Markdown with front matter.", media_types=("text/markdown",), headers=FILE),
        parameters=(GAP_ID, SPAN),
        problems=(p.INPUT, p.ROLE, p.NO_GAP, p.NOT_FOUND, *READING),
    ),
    Operation(
        method="post",
        path=f"{PATH}/try",
        id="trySearch",
        tag=Tag.CONSOLE,
        access=Access.WRITER,
        summary="Search as a turn would, and keep nothing",
        body=Payload(
            model=TryBody,
            example={"messages": [{"role": "customer", "text": "Do you teach accordion?"}], "locale": "en"},
        ),
        answers={200: Payload(model=Tried, example=TRIED)},
        problems=(p.INPUT, p.SIGNED_OUT, p.ORIGIN, p.CSRF, p.TOO_LARGE, p.UNAVAILABLE),
    ),
    _reading(
        "what-if",
        "readWhatIf",
        "What another threshold would have done to recorded turns",
        Payload(model=Supposed, example=SUPPOSED),
        parameters=(THRESHOLD, SPAN),
        problems=(p.INPUT, *READING),
    ),
)
