"""What `calibrate` asks on a terminal: after the trade-off, again until a number is given, and only there."""

import io

import pytest
from rich.console import Console

from bot.core.policy import RetrievalPolicy
from bot.errors import Refused
from bot.evaluation.calibration import Limits
from bot.evaluation.golden import Topic
from bot.terminal.calibrating import Measured, Measurement, settled
from bot.terminal.wanted_share import asked, wanted_share
from tests.evaluation.builders import a_trial

QUESTION = "How many of a hundred near-topic questions may pass? [15]: "


def a_measurement() -> Measurement:
    tried = [
        a_trial(id=f"{topic}{n}", best=low + n / 200, topic=topic)
        for topic, low in ((Topic.ANSWERABLE, 0.4), (Topic.NEAR, 0.2))
        for n in range(100)
    ]
    sets = (Measured(name="set", tried=tuple(tried)),)
    return Measurement(sets=sets, fingerprint="local/m", policy=RetrievalPolicy())


def a_console() -> tuple[Console, io.StringIO]:
    said = io.StringIO()
    return Console(file=said, width=80), said


class Hangup(io.StringIO):
    """A terminal whose person pressed Ctrl-D."""

    def readline(self, _size: int = -1, /) -> str:  # type: ignore[override]  # as StringIO's own
        raise EOFError


@pytest.mark.parametrize(
    ("typed", "share"),
    [
        pytest.param("\n", 0.15, id="nothing is the default"),
        pytest.param("7\n", 0.07, id="a number"),
        pytest.param(" 7.5 % \n", 0.075, id="a number as people write it"),
        pytest.param("0\n", 0.0, id="none at all"),
        pytest.param("100\n", 1.0, id="all"),
    ],
)
def test_the_answer_becomes_a_share(typed, share):
    console, said = a_console()

    assert wanted_share(0.15, console, io.StringIO(typed)) == pytest.approx(share)
    assert said.getvalue() == QUESTION


@pytest.mark.parametrize("typed", ["few", "101", "-1", "nan", "1e9", "%"])
def test_what_is_no_number_in_range_is_asked_for_again(typed):
    console, said = a_console()

    assert wanted_share(0.15, console, io.StringIO(f"{typed}\n20\n")) == 0.2
    assert said.getvalue() == f"{QUESTION}Give a number from 0 to 100, such as 15.\n{QUESTION}"


def test_an_end_of_the_answers_is_refused_with_what_to_do():
    console, _ = a_console()

    with pytest.raises(Refused, match="nothing is stored; give it with --near"):
        wanted_share(0.15, console, Hangup())


def test_the_trade_off_stands_before_the_question_and_the_new_one_after_it():
    console, said = a_console()

    report = asked(a_measurement(), console, io.StringIO("40\n"))

    before, after = said.getvalue().split(QUESTION)
    assert report.calibration.near_topic_passed == pytest.approx(0.4)
    assert "40%" in next(line for line in after.splitlines() if line.startswith("chosen"))
    assert "15%" in next(line for line in before.splitlines() if line.startswith("chosen"))


def test_the_default_leaves_what_was_shown():
    console, said = a_console()

    report = asked(a_measurement(), console, io.StringIO("\n"))

    assert report.calibration.strict == settled(a_measurement(), Limits()).calibration.strict
    assert said.getvalue().endswith(QUESTION)
