"""1,000 generated values in ten places of the log, and in libraries' own lines: none is in what is written (FAULTS L11, R-L16)."""

import asyncio
import io
import json
import logging
import secrets
from collections.abc import Callable, Iterator

import pytest
import structlog

from bot.logs import OURS, configure_logs
from tests.personal import generated

VALUES = generated(1_000)
LIBRARY = logging.getLogger("aiohttp.server")

log = structlog.get_logger()


class Thing:
    """Prints as what it holds."""

    def __init__(self, value: str) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"<Thing {self.value}>"


@pytest.fixture(autouse=True)
def _own_logs() -> Iterator[None]:
    yield
    structlog.reset_defaults()
    root = logging.getLogger()
    for handler in [one for one in root.handlers if one.name == OURS]:
        root.removeHandler(handler)


@pytest.fixture
def stream() -> io.StringIO:
    stream = io.StringIO()
    configure_logs("debug", stream=stream)
    return stream


def _chained(value: str) -> None:
    try:
        try:
            _ = {"other": 1}[value]
        except KeyError as exc:
            raise ValueError("the key is gone") from exc
    except ValueError:
        log.exception("failed")


def _bound(value: str) -> None:
    with structlog.contextvars.bound_contextvars(page=f"for {value}."):
        log.info("looked")


def _of_a_library(value: str) -> None:
    try:
        _ = {"other": 1}[value]
    except KeyError:
        LIBRARY.exception("Error handling request from %s", value)


PLACES: dict[str, Callable[[str], None]] = {
    "a field": lambda value: log.info("sent", reason=value),
    "a sentence": lambda value: log.info("sent", reason=f"they wrote {value}, and left"),
    "a list": lambda value: log.info("sent", stages=[("draft", value)]),
    "a mapping": lambda value: log.info("sent", ms={"draft": {value: 1, "by": value}}),
    "an object": lambda value: log.info("sent", thing=Thing(value)),
    "an exception": lambda value: log.error("failed", exc_info=ValueError(f"bad: {value}")),
    "the cause of an exception": _chained,
    "the context": _bound,
    "a library's line": lambda value: LIBRARY.warning("got %s from %r", value, value),
    "a library's exception": _of_a_library,
}


@pytest.mark.parametrize("place", PLACES)
def test_no_value_is_in_the_log(stream, place):
    left = []
    for value in VALUES:
        PLACES[place](value)
        line = stream.getvalue()
        stream.seek(0)
        stream.truncate()
        said = json.loads(line)
        if value in repr(said) or value in line or repr(value)[1:-1] in line:
            left.append(value)

    assert left == []


def test_fields_that_are_named_after_secrets_are_left_out(stream):
    log.info("signed_in", password="hunter2", token="abc", cookie=None)

    said = json.loads(stream.getvalue())
    assert (said["password"], said["token"], said["cookie"]) == ("[secret]", "[secret]", None)


def test_ids_times_counts_and_scores_stay(stream):
    told = {
        "conversation": secrets.token_hex(16),
        "at_ms": 1_795_000_000_000,
        "best_cosine": 0.4123456789012345,
        "n": 63,
    }

    log.info("turn_settled", **told, ms={"draft": 12.5}, reason=None, ok=True)

    said = json.loads(stream.getvalue())
    assert said.items() >= {**told, "ms": {"draft": 12.5}, "reason": None, "ok": True}.items()


def test_a_card_number_is_no_count(stream):
    log.info("paid", number=4_111_111_111_111_111)

    assert json.loads(stream.getvalue())["number"] == "[card]"


def test_what_is_known_to_be_secret_is_left_out(stream):
    configure_logs("info", stream=stream, secrets=["https://hook.example/T0/B1", "candor"])

    log.info("not_delivered", problem="https://hook.example/T0/B1 says 404 to candor")

    assert json.loads(stream.getvalue())["problem"] == "[secret] says 404 to candor"


def test_a_task_that_nobody_waited_for_is_told_of_without_its_words(stream):
    loop = asyncio.new_event_loop()

    loop.call_exception_handler(
        {"message": "Task exception was never retrieved", "exception": ValueError("of ana@shop.example")}
    )
    loop.close()

    said = json.loads(stream.getvalue())
    assert said["logger"] == "asyncio"
    assert "of [e-mail]" in said["exception"]


def test_configuring_again_writes_each_line_of_a_library_once(stream):
    configure_logs("info", stream=stream)

    LIBRARY.warning("once")
    LIBRARY.info("never")

    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["once"]
