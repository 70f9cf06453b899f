"""Puts the operations into an OpenAPI 3.1 document; schemas of requests are those that requests are checked with. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus

from pydantic.json_schema import JsonSchemaMode, models_json_schema

from bot.channels.openapi.operations import Access, Operation, Parameter, Payload, Schema, Tag
from bot.channels.openapi.problems import Problem
from bot.channels.openapi.wording import ABOUT, EXAMPLE_WAIT_S, SCHEMES, TAGS, TITLE, WAITS

SCHEMAS = "#/components/schemas/{model}"
PROBLEM = "Problem"
ACCESS: Mapping[Access, Sequence[Mapping[str, Sequence[str]]]] = {
    Access.ANYONE: (),
    Access.CUSTOMER: ({"customerToken": []},),
    Access.CUSTOMER_OR_NEW: ({}, {"customerToken": []}),
    Access.READER: ({"agentSession": []},),
    Access.WRITER: ({"agentSession": [], "agentCsrf": []},),
}
PROBLEM_SCHEMA: Schema = {
    "type": "object",
    "description": "Why a request was refused.",
    "additionalProperties": False,
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "additionalProperties": False,
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "string", "description": "For programs. Codes are added, never renamed."},
                "message": {"type": "string", "description": "A sentence for people, in English."},
            },
        }
    },
}


def document(operations: Sequence[Operation], *, version: str) -> Schema:
    """Return the document; every model that an operation names is among its schemas."""
    paths: defaultdict[str, dict[str, Schema]] = defaultdict(dict)
    for operation in operations:
        paths[operation.path][operation.method] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": version, "description": ABOUT},
        "servers": [{"url": "/"}],
        "tags": [{"name": tag, "description": TAGS[tag]} for tag in Tag],
        "paths": dict(paths),
        "components": {"securitySchemes": SCHEMES, "schemas": _schemas(operations)},
    }


def _schemas(operations: Iterable[Operation]) -> Schema:
    models = {
        (payload.model, mode): None
        for operation in operations
        for payload, mode in _payloads(operation)
        if payload.model is not None
    }
    _, definitions = models_json_schema(list(models), ref_template=SCHEMAS)
    return {PROBLEM: PROBLEM_SCHEMA, **definitions["$defs"]}


def _payloads(operation: Operation) -> Iterable[tuple[Payload, JsonSchemaMode]]:
    if operation.body is not None:
        yield operation.body, "validation"
    for answer in operation.answers.values():
        yield answer, "serialization"


def _operation(operation: Operation) -> Schema:
    described = {"description": operation.description} if operation.description else {}
    body = {"requestBody": {"required": True, **_payload(operation.body)}} if operation.body else {}
    parameters = {"parameters": [_parameter(one) for one in operation.parameters]}
    return {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        **described,
        **({"security": ACCESS[operation.access]} if operation.access is not Access.ANYONE else {}),
        **(parameters if operation.parameters else {}),
        **body,
        "responses": {**_answers(operation.answers), **_problems(operation.problems)},
        **operation.extra,
    }


def _parameter(parameter: Parameter) -> Schema:
    return {
        "name": parameter.name,
        "in": parameter.place,
        "description": parameter.description,
        "required": parameter.required,
        "schema": parameter.schema,
        "example": parameter.example,
    }


def _answers(answers: Mapping[int, Payload]) -> Mapping[str, Schema]:
    return {
        str(status): {"description": answer.description or HTTPStatus(status).phrase, **_payload(answer)}
        for status, answer in answers.items()
    }


def _payload(payload: Payload) -> dict[str, object]:
    content: dict[str, object] = {media_type: _text(payload) for media_type in payload.media_types}
    if payload.model is not None:
        content["application/json"] = {
            "schema": {"$ref": SCHEMAS.format(model=payload.model.__name__)},
            "example": payload.example,
        }
    headers = {name: _header(meaning) for name, meaning in payload.headers.items()}
    return {**({"content": content} if content else {}), **({"headers": headers} if headers else {})}


def _text(payload: Payload) -> Schema:
    if payload.binary:
        return {"schema": {"type": "string", "format": "binary"}}
    return {} if payload.example is None else {"schema": {"type": "string"}, "example": payload.example}


def _problems(problems: Sequence[Problem]) -> Mapping[str, Schema]:
    by_status: defaultdict[int, list[Problem]] = defaultdict(list)
    for problem in problems:
        by_status[problem.status].append(problem)
    return {str(status): _problem(by_status[status]) for status in sorted(by_status)}


def _problem(problems: Sequence[Problem]) -> Schema:
    codes = {"properties": {"error": {"properties": {"code": {"enum": [one.code for one in problems]}}}}}
    waits = {"headers": {"Retry-After": _wait()}} if any(problem.waits for problem in problems) else {}
    return {
        "description": "\n\n".join(f"`{problem.code}`: {problem.when}" for problem in problems),
        **waits,
        "content": {
            "application/json": {
                "schema": {"allOf": [{"$ref": SCHEMAS.format(model=PROBLEM)}, codes]},
                "example": {"error": {"code": problems[0].code, "message": problems[0].when}},
            }
        },
    }


def _header(meaning: str) -> Schema:
    return {"description": meaning, "schema": {"type": "string"}}


def _wait() -> Schema:
    return {"description": WAITS, "schema": {"type": "integer", "minimum": 1}, "example": EXAMPLE_WAIT_S}
