"""Reads the operator's description of the records: views, what their columns mean, and how one customer's rows are selected."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from bot.adapters.records.grammar import FUNCTIONS
from bot.core.records import Column, RecordsSchema, View
from bot.errors import Misconfigured

_NAME = r"^[a-z_][a-z0-9_]{0,59}$"
CUSTOMER = re.compile(r"(?<![:\w]):customer\b")
_RULES = (
    "Every view holds the rows of the one customer who asks. Dates and times are in the time zone {zone}. "
    "No alias and no WITH may have the name of a view."
)


class _Column(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    type: str = Field(pattern=r"^[a-z][a-z0-9_ (),]{0,59}$")
    description: str = ""


class _View(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    description: str
    select: str
    columns: dict[str, _Column] = Field(min_length=1)

    @field_validator("select")
    @classmethod
    def _for_one_customer(cls, select: str) -> str:
        if not CUSTOMER.search(select):
            raise ValueError("must select by :customer, or everybody would see all rows")
        if ";" in select or "--" in select or "/*" in select:
            raise ValueError("must be one SELECT, without ; and without comments")
        return select.strip()


class _Description(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    timezone: str = "UTC"
    notes: str = ""
    functions: list[str] = []
    views: dict[str, _View] = Field(min_length=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedView:
    """A view, and the SELECT whose columns it has, in their order; `:customer` stands for the customer's id."""

    view: View
    select: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What the operator says of the records."""

    views: tuple[DescribedView, ...]
    functions: frozenset[str] = frozenset()
    timezone: str = "UTC"
    notes: str = ""

    def schema(self, dialect: str) -> RecordsSchema:
        """Return what may be asked of a database that speaks *dialect*."""
        functions = FUNCTIONS[dialect] | self.functions
        return RecordsSchema(
            dialect=dialect,
            views=tuple(one.view for one in self.views),
            functions=functions,
            notes=f"{self.notes} {_RULES.format(zone=self.timezone)}".strip(),
        )


def load_description(file: Path) -> Description:
    """Read *file*; Misconfigured names it and what is wrong in it."""
    try:
        found = _Description.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        raise Misconfigured(
            f"RECORDS_DESCRIPTION: {file} cannot be read ({exc}); see bot/sample/records.toml for what it holds"
        ) from exc
    except ValidationError as exc:
        raise Misconfigured(f"RECORDS_DESCRIPTION: {file}: {_problems(exc)}; correct it") from exc
    _require_names(file, found)
    return Description(
        views=tuple(_described(name, view) for name, view in found.views.items()),
        functions=frozenset(found.functions),
        timezone=found.timezone,
        notes=found.notes.strip(),
    )


def _problems(exc: ValidationError) -> str:
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in exc.errors())


def _require_names(file: Path, found: _Description) -> None:
    """Names are plain, because they are written into statements, and a zone is one that exists."""
    names = [
        *found.views,
        *found.functions,
        *(name for view in found.views.values() for name in view.columns),
    ]
    wrong = [name for name in names if not re.fullmatch(_NAME, name)]
    if wrong:
        raise Misconfigured(
            f"RECORDS_DESCRIPTION: {file}: {wrong[0]!r} is no plain name; use small letters, digits and _"
        )
    try:
        ZoneInfo(found.timezone)
    except (ZoneInfoNotFoundError, ValueError) as exc:
        raise Misconfigured(
            f"RECORDS_DESCRIPTION: {file}: there is no time zone {found.timezone!r}; use one such as Europe/Madrid"
        ) from exc


def _described(name: str, view: _View) -> DescribedView:
    columns: Mapping[str, _Column] = view.columns
    return DescribedView(
        view=View(
            name=name,
            description=view.description.strip(),
            columns=tuple(
                Column(name=key, type=one.type, description=one.description) for key, one in columns.items()
            ),
        ),
        select=view.select,
    )
