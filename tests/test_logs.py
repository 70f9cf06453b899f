"""Logs carry ids and reasons, never what people wrote (FAULTS L11), and no control character reaches a terminal."""

import io
import json
from collections.abc import Iterator, Sequence

import pytest
import structlog

from bot.adapters.extractive import ExtractiveAnswerer
from bot.adapters.memory.clock import ManualClock
from bot.adapters.prompt_files import Language
from bot.core.asking import question_after
from bot.core.conversation import TurnId
from bot.core.policy import TurnPolicy
from bot.core.turn import Turn
from bot.errors import RetrievalUnavailable
from bot.logs import configure_logs
from bot.turn_wiring import Parts, answering
from tests.builders import a_message
from tests.service.rig import REPLIES, RULES
from tests.service.shelf import ARTICLES, Shelf
from tests.service.stand_ins import ScriptedEmbedder, ScriptedIndex

HOSTILE = "\x1b[2J\x07\r\nlevel=error\u202e\x9b31m\x7f"
WORDS = "zebra@example.com"


class Terminal(io.StringIO):
    """Says that a person is looking."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _own_logs() -> Iterator[None]:
    yield
    structlog.reset_defaults()


@pytest.fixture(params=[io.StringIO, Terminal], ids=["file", "terminal"])
def stream(request: pytest.FixtureRequest) -> io.StringIO:
    stream: io.StringIO = request.param()
    configure_logs("debug", stream=stream)
    return stream


async def asked(text: str, *, fails: Exception | None = None) -> Turn:
    """Settle a turn on *text*, on a bot whose embedder fails when it is told to."""
    shelf, spoken = Shelf.holding(ARTICLES), Language(rules=RULES, replies=REPLIES)
    index, embedder = ScriptedIndex(shelf.index), ScriptedEmbedder(shelf.embedder)
    embedder.at_embed.fails = fails
    answerer = ExtractiveAnswerer(spoken.replies, spoken.rules)
    parts = Parts(index=index, embedder=embedder, answerer=answerer, clock=ManualClock())
    start = question_after((a_message(f"My mail is {WORDS}"),), text, locale="en")
    steps = answering(parts, spoken, TurnPolicy())
    return await steps.settle(start, TurnId("t1"), capped=None, show=_nothing)


async def _nothing(_texts: Sequence[str]) -> None:
    """Show nothing."""


@pytest.mark.parametrize(
    "fails",
    [
        pytest.param(None, id="nothing fails"),
        pytest.param(RetrievalUnavailable("the model is gone"), id="an outage"),
        pytest.param(ZeroDivisionError("a defect"), id="a defect, whose trace is logged"),
    ],
)
@pytest.mark.parametrize("text", ["How do I reschedule zebra?", "zebra wants a person", "zebra, zebra"])
async def test_no_line_holds_what_was_written(stream, text, fails):
    turn = await asked(text, fails=fails)

    assert turn.covers == (2,)
    assert "zebra" not in stream.getvalue()


async def test_a_defect_is_logged_with_its_trace(stream):
    await asked("How do I reschedule?", fails=ZeroDivisionError("a defect"))

    logged = stream.getvalue()
    for part in ("stage_failed", "ZeroDivisionError", "a defect", "Traceback"):
        assert part in logged


def test_control_characters_come_out_escaped(stream):
    log = structlog.get_logger()

    log.info("sent", address=HOSTILE, numbers=[HOSTILE])

    (line,) = stream.getvalue().splitlines()
    own_colours = "\x1b" if isinstance(stream, Terminal) else ""
    assert [c for c in line if not c.isprintable() and c not in own_colours] == []
    assert "\x1b[2J" not in line


def test_a_message_of_an_exception_cannot_clear_the_screen(stream):
    structlog.get_logger().error("failed", exc_info=ValueError(HOSTILE))

    assert "\x1b[2J" not in stream.getvalue()
    assert "\x07" not in stream.getvalue()


def test_outside_a_terminal_every_event_is_one_line_of_json():
    stream = io.StringIO()
    configure_logs("info", stream=stream)

    with structlog.contextvars.bound_contextvars(conversation="c1", turn="t1"):
        structlog.get_logger().warning("stage_failed", stage="embed", reason="né\u2028")
    structlog.get_logger().debug("too_quiet")

    (line,) = stream.getvalue().splitlines()
    event = json.loads(line)
    assert line.isascii()
    assert event.pop("timestamp").endswith("Z")
    assert event == {
        "event": "stage_failed",
        "level": "warning",
        "conversation": "c1",
        "turn": "t1",
        "stage": "embed",
        "reason": "né\u2028",
    }


def test_standard_error_is_looked_up_when_logs_are_configured(capsys):
    configure_logs("info")

    structlog.get_logger().info("serving")

    assert "serving" in capsys.readouterr().err
