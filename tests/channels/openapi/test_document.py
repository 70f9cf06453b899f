"""The document and the application say the same: routes, codes, schemas and examples."""

import json
import re
from pathlib import Path

import jsonschema_rs
import pytest

import bot.channels
from bot.channels.openapi import problems
from bot.channels.openapi.document import document
from bot.channels.openapi.problems import Problem
from bot.channels.openapi.routes import OPERATIONS, VERSION
from tests.channels.openapi.server import everything

DOCUMENT = json.loads(json.dumps(document(OPERATIONS, version=VERSION)))
EVERY = [(path, method, one) for path, item in DOCUMENT["paths"].items() for method, one in item.items()]
IDS = [one["operationId"] for _, _, one in EVERY]
CHANNELS = Path(bot.channels.__file__).parent
BARE = {"at", "now", "seen", "ms", "cosine"}  # names that say nothing of what they are measured in


def _routes(app) -> set[tuple[str, str]]:
    """The application's routes; HEAD is served wherever a page is, and said once for all."""
    return {
        (route.resource.canonical, route.method.lower())
        for route in app.router.routes()
        if route.method != "HEAD"
    }


async def test_every_route_is_in_the_document_and_the_other_way_round():
    async with everything() as server:
        served = _routes(server.app)

    described = {(path, method) for path, method, _ in EVERY}
    assert (sorted(served - described), sorted(described - served)) == ([], [])


async def test_the_document_is_served_to_everybody():
    async with everything() as server, server.admin.office.http.get(f"{server.url}/openapi.json") as answer:
        assert (answer.status, answer.content_type) == (200, "application/json")
        assert await answer.json() == DOCUMENT


def test_no_route_is_described_twice_and_no_two_have_one_name():
    routes = [(one.path, one.method) for one in OPERATIONS]
    names = [one.id for one in OPERATIONS]

    assert sorted(set(routes)) == sorted(routes)
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize(("path", "method", "operation"), EVERY, ids=IDS)
def test_every_operation_says_what_it_is_for_and_how_it_ends(path, method, operation):
    named = set(re.findall(r"{(\w+)}", path))
    given = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "path"}

    assert (operation["summary"], operation["tags"]) != ("", [])
    assert given == named
    assert all(answer["description"] for answer in operation["responses"].values())


@pytest.mark.parametrize(("path", "method", "operation"), EVERY, ids=IDS)
def test_every_example_fits_its_schema(path, method, operation):
    bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
    carried = [media for body in bodies for media in body.get("content", {}).values() if "example" in media]

    for media in carried:
        schema = {**media["schema"], "components": DOCUMENT["components"]}
        jsonschema_rs.Draft202012Validator(schema).validate(media["example"])
    for parameter in operation.get("parameters", ()):
        jsonschema_rs.Draft202012Validator(parameter["schema"]).validate(parameter["example"])


def test_every_field_that_needs_one_has_a_meaning():
    fields = [
        (name, field, schema)
        for name, model in DOCUMENT["components"]["schemas"].items()
        for field, schema in model.get("properties", {}).items()
    ]
    times = [one for one in fields if one[1].endswith(("_at", "_ms", "_s", "_since")) or one[1] in BARE]

    assert [(name, field) for name, field, schema in times if "description" not in schema] == []


def test_every_code_that_a_channel_sends_is_in_the_document():
    sent = {
        code
        for source in CHANNELS.rglob("*.py")
        if source.parent.name != "slack"  # what Slack itself sends is documented by Slack
        for code in re.findall(r'(?:ProblemJson|_unauthorized)\((?:\d+, )?"(\w+)"', source.read_text())
    }
    known = {one.code for one in vars(problems).values() if isinstance(one, Problem)}

    assert sent - known - {"internal"} == set()
