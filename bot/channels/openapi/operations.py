"""What the document says of one route, in the words of this package; `document.py` puts it into OpenAPI's. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from bot.channels.openapi.problems import Problem

Schema = Mapping[str, object]
Example = Mapping[str, object]


class Shape(BaseModel):
    """A JSON object that we send: exactly these fields. It describes what views make, and never makes any."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Access(StrEnum):
    """Who may call a route."""

    ANYONE = "anyone"
    CUSTOMER = "customer"
    CUSTOMER_OR_NEW = "customer or new"
    READER = "reader"
    WRITER = "writer"


class Tag(StrEnum):
    """What a route belongs to."""

    WIDGET = "Widget"
    CONSOLE = "Console"
    PAGES = "Pages"
    OPERATION = "Operation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A part of the address, a value of the query, or a header that means something to a route."""

    name: str
    place: str
    description: str
    schema: Schema
    example: object
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """What a request or an answer carries: JSON of a model, or text or bytes of some other type."""

    description: str = ""
    model: type[BaseModel] | None = None
    media_types: tuple[str, ...] = ()
    binary: bool = False
    example: object = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one address."""

    method: str
    path: str
    id: str
    tag: Tag
    summary: str
    description: str = ""
    access: Access = Access.ANYONE
    parameters: tuple[Parameter, ...] = ()
    body: Payload | None = None
    answers: Mapping[int, Payload] = field(default_factory=dict[int, Payload])
    problems: tuple[Problem, ...] = ()
    extra: Schema = field(default_factory=dict[str, object])
