"""The operations of pages and files, and of what operators watch."""

from bot.channels.openapi.operations import Operation, Parameter, Payload, Shape, Tag
from bot.channels.openapi.problems import NOT_FOUND, ORIGIN

HTML = "text/html"
ETAG = {"ETag": "Names this version of the file; send it as If-None-Match."}
UNCHANGED = Payload(description="The browser has this version.", headers=ETAG)
FILE_TYPES = ("text/javascript", "text/css", "image/svg+xml", HTML)


class Proof(Shape):
    """A proof of who the customer is."""

    identity: str
    """A JWT for `identify`, good for ten minutes."""


class Alive(Shape):
    alive: bool


class Readiness(Shape):
    """Whether the service can do its work."""

    ready: bool
    """Whether every check passed."""
    checks: dict[str, dict[str, str | int | float | bool | None]]
    """What each check found: `ok`, with `error` when it is false, and whatever else the check tells."""


def _path(name: str, description: str, example: str) -> Parameter:
    return Parameter(
        name=name,
        place="path",
        required=True,
        description=description,
        schema={"type": "string", "minLength": 1},
        example=example,
    )


def _page(path: str, operation_id: str, summary: str) -> Operation:
    return Operation(
        method="get",
        path=path,
        id=operation_id,
        tag=Tag.PAGES,
        summary=summary,
        answers={200: Payload(description="The page.", media_types=(HTML,), headers=ETAG), 304: UNCHANGED},
    )


def _files(path: str, operation_id: str, summary: str, example: str) -> Operation:
    return Operation(
        method="get",
        path=path,
        id=operation_id,
        tag=Tag.PAGES,
        summary=summary,
        description="Kept by browsers for a year when `release` is the running one, else checked each time.",
        parameters=(
            _path("release", "The release that the page belongs to.", "0123456789abcdef"),
            _path("name", "The file.", example),
        ),
        answers={
            200: Payload(description="The file.", media_types=FILE_TYPES, headers=ETAG),
            304: UNCHANGED,
        },
        problems=(NOT_FOUND,),
    )


OPERATIONS = (
    _page("/", "readDemo", "The demo page, with the widget in it"),
    Operation(
        method="post",
        path="/demo/identity",
        id="signDemoCustomerIn",
        tag=Tag.PAGES,
        summary="Vouch for the sample's customer",
        description="For the demo page alone, and there only while the sample's records are asked; else there is no such route.",
        answers={200: Payload(model=Proof, example={"identity": "eyJhbGciOiJIUzI1NiJ9.e30.signature"})},
        problems=(ORIGIN,),
    ),
    Operation(
        method="get",
        path="/widget.js",
        id="readLoader",
        tag=Tag.PAGES,
        summary="The script that puts the widget into a site",
        answers={
            200: Payload(description="The script.", media_types=("text/javascript",), headers=ETAG),
            304: UNCHANGED,
        },
    ),
    _page("/widget/frame", "readFrame", "The widget itself, which only listed sites may frame"),
    _files("/widget/static/{release}/{name}", "readWidgetFile", "A file of the widget", "widget.css"),
    _page("/console", "readConsole", "The agents' console"),
    _page("/console/content", "readContent", "The agents' console, at what the content team works with"),
    _page("/console/join", "readJoining", "The page on which an invitation is used"),
    _files("/console/static/{release}/{name}", "readConsoleFile", "A file of the console", "console.css"),
    Operation(
        method="get",
        path="/articles/{article}",
        id="readArticle",
        tag=Tag.PAGES,
        summary="An article as a page",
        parameters=(_path("article", "The article's id.", "KB000003"),),
        answers={
            200: Payload(description="The article.", media_types=(HTML,)),
            404: Payload(description="Customers can read no such article.", media_types=(HTML,)),
            503: Payload(
                description="Articles cannot be read now.",
                media_types=(HTML,),
                headers={"Retry-After": "Seconds after which it is worth trying again."},
            ),
        },
    ),
    _files("/articles/static/{release}/{name}", "readArticleFile", "A file of the articles", "article.css"),
    Operation(
        method="get",
        path="/healthz",
        id="readHealth",
        tag=Tag.OPERATION,
        summary="Whether the process is alive",
        answers={200: Payload(model=Alive, example={"alive": True})},
    ),
    Operation(
        method="get",
        path="/readyz",
        id="readReadiness",
        tag=Tag.OPERATION,
        summary="Whether the service can do its work",
        description="Each check has 2 seconds. While the process stops, nothing answers here any more.",
        answers={
            200: Payload(
                description="Every check passed.",
                model=Readiness,
                example={"ready": True, "checks": {"store": {"ok": True}}},
            ),
            503: Payload(
                description="A check failed.",
                model=Readiness,
                example={"ready": False, "checks": {"store": {"ok": False, "error": "no answer within 2 s"}}},
            ),
        },
    ),
    Operation(
        method="get",
        path="/metrics",
        id="readMetrics",
        tag=Tag.OPERATION,
        summary="Numbers for Prometheus",
        answers={200: Payload(description="Prometheus's text format.", media_types=("text/plain",))},
    ),
    Operation(
        method="get",
        path="/openapi.json",
        id="readDocument",
        tag=Tag.OPERATION,
        summary="This document",
        answers={200: Payload(description="OpenAPI 3.1.", media_types=("application/json",))},
    ),
)
