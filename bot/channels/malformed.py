"""Requests that are no HTTP: a line in the log each, in place of the trace that repeats what a stranger sent."""

import logging

import structlog
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

log = structlog.get_logger()


class _Malformed(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, HttpProcessingError | web.RequestPayloadError):
            return True
        log.info("request_malformed", error=type(error).__name__)
        return False


def server_logger() -> logging.Logger:
    """Return the logger for the server's own lines."""
    logger = logging.getLogger("aiohttp.server.candor")
    if not logger.filters:
        logger.addFilter(_Malformed())
    return logger
