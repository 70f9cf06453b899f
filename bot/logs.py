"""Structured logs on standard error: one line an event, for people on a terminal and as JSON elsewhere.

Whatever is logged, by us or by a library, is redacted as `core.redaction` says: logs carry ids, not what people wrote. A
traceback never shows local variables, which would hold it.
"""

import logging
import sys
from collections.abc import Iterable, Mapping
from typing import TextIO

import structlog

from bot.core.check_digits import is_card
from bot.core.redaction import CARD, SECRET, SHORTEST_SECRET, escaped, redacted

OURS = "candor"  # the name of our handler
# Libraries tell of their own work below this.
LIBRARIES = logging.WARNING
_SECRET_FIELDS = frozenset({"authorization", "cookie", "csrf", "password", "secret", "token"})


def configure_logs(level: str, *, stream: TextIO | None = None, secrets: Iterable[str] = ()) -> None:
    """Send every event of at least *level* to *stream*, standard error by default; control characters come out escaped.

    *secrets* are left out wherever they occur.
    """
    target = sys.stderr if stream is None else stream
    known = tuple(secret for secret in secrets if len(secret) >= SHORTEST_SECRET)
    finishing: list[structlog.typing.Processor] = [
        structlog.processors.format_exc_info,
        Redaction(known),
        *_rendering(target),
    ]
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, *_describing(), *finishing],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(file=target),
        cache_logger_on_first_use=False,
    )
    _handle_libraries(target, finishing)


class Redaction:
    """The step that every line passes before it is written."""

    def __init__(self, secrets: tuple[str, ...] = ()) -> None:
        self._secrets = secrets

    def __call__(
        self, _logger: structlog.typing.WrappedLogger, _method: str, event: structlog.typing.EventDict
    ) -> structlog.typing.EventDict:
        return {name: self._field(name, value) for name, value in event.items()}

    def _field(self, name: str, value: object) -> object:
        if name in _SECRET_FIELDS and value is not None:
            return SECRET
        return self._value(value)

    def _value(self, value: object) -> object:
        """Numbers stay numbers; what is neither text nor a collection is written as the text it would be printed as."""
        match value:
            case None | bool() | float():
                return value
            case int():
                return CARD if is_card(str(abs(value))) else value
            case str():
                return redacted(value, secrets=self._secrets)
            case Mapping():
                return {self._value(str(key)): self._value(one) for key, one in value.items()}
            case list() | tuple() | set() | frozenset():
                return [self._value(one) for one in value]
            case _:
                return redacted(str(value), secrets=self._secrets)


def _describing() -> list[structlog.typing.Processor]:
    return [structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso", utc=True)]


def _rendering(target: TextIO) -> list[structlog.typing.Processor]:
    if target.isatty():
        console = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        return [_without_control_characters, console]
    return [structlog.processors.JSONRenderer(ensure_ascii=True)]


def _without_control_characters(
    _logger: structlog.typing.WrappedLogger, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    return {name: _on_a_terminal(name, value) for name, value in event.items()}


def _on_a_terminal(name: str, value: object) -> object:
    """Values of other types are printed by their `repr`, which escapes by itself; a trace keeps its lines."""
    return escaped(value, kept="\n" if name == "exception" else "") if isinstance(value, str) else value


def _handle_libraries(target: TextIO, finishing: list[structlog.typing.Processor]) -> None:
    """Write what libraries log like our own lines; Python would print it as it is."""
    handler = logging.StreamHandler(target)
    handler.name = OURS
    handler.setLevel(LIBRARIES)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*_describing(), structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *finishing],
        )
    )
    root = logging.getLogger()
    for earlier in [one for one in root.handlers if one.name == OURS]:
        root.removeHandler(earlier)
    root.addHandler(handler)
