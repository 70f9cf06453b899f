"""Structured logs on standard error: one line an event, for people on a terminal and as JSON elsewhere.

A traceback never shows local variables: what customers write would be among them.
"""

import logging
import sys
from typing import TextIO

import structlog


def configure_logs(level: str, *, stream: TextIO | None = None) -> None:
    """Send every event of at least *level* to *stream*, standard error by default; control characters come out escaped."""
    target = sys.stderr if stream is None else stream
    rendering: tuple[structlog.typing.Processor, ...] = (
        (
            _without_control_characters,
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
        )
        if target.isatty()
        else (structlog.processors.JSONRenderer(ensure_ascii=True),)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            *rendering,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(file=target),
        cache_logger_on_first_use=False,
    )


def _without_control_characters(
    _logger: structlog.typing.WrappedLogger, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    return {name: _escaped(name, value) for name, value in event.items()}


def _escaped(name: str, value: object) -> object:
    """Values of other types are printed by their `repr`, which escapes by itself; a trace keeps its lines."""
    if not isinstance(value, str):
        return value
    kept = "\n" if name == "exception" else ""
    return "".join(c if c in kept or c.isprintable() else _code(c) for c in value)


def _code(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
