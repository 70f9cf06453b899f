"""`calibrate`: measures the gate's threshold on labelled questions and writes it where the gate reads it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal.command_line import said, write_lines
from tests.terminal.pseudo_terminal import at_a_terminal

pytestmark = pytest.mark.timeout(300)

SUBJECTS = ("lesson", "payment", "refund", "password", "microphone")
PLANETS = ("Mars", "Venus", "Saturn", "Pluto", "Neptune")


def golden(count: int) -> Iterator[dict[str, object]]:
    """Yield as many answerable as unanswerable questions, half of the latter near the articles' topics."""
    for number in range(count):
        subject, planet = SUBJECTS[number % 5], PLANETS[number % 5]
        yield row(f"a{number}", f"{number} ways to change my {subject}?", gold=[subject], answerable=True)
        if number % 2:
            yield row(f"o{number}", f"How many moons has {planet}, {number}?", label="OFF_TOPIC")
        else:
            yield row(f"n{number}", f"Is {subject} number {number} taxed in Peru?", label="NO_KB_NEAR")


def row(name: str, text: str, *, gold=(), answerable=False, label="ANSWER") -> dict[str, object]:
    turns = [said("customer", text)]
    return {"id": name, "turns": turns, "gold": list(gold), "answerable": answerable, "label": label}


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, ...]:
    """Return the arguments that name a corpus and enough labelled questions about it."""
    corpus = write_lines(
        tmp_path / "corpus.jsonl",
        *({"id": s, "title": f"Change your {s}", "text": f"Open the {s} page, then Edit."} for s in SUBJECTS),
    )
    conversations = write_lines(tmp_path / "conversations.jsonl", *golden(100))
    return "--kb", str(corpus), "--conversations", str(conversations)


def test_a_stored_calibration_is_what_the_gate_reads(uncalibrated_copy, files):
    tried = uncalibrated_copy.json("calibrate", *files, "--dry-run")
    assert uncalibrated_copy.json("inspect", "reschedule")[0]["threshold"] is None

    kept = uncalibrated_copy.json("calibrate", *files)

    assert kept["calibration"]["strict"] == tried["calibration"]["strict"]
    assert uncalibrated_copy.json("inspect", "reschedule")[0]["threshold"] == kept["calibration"]["strict"]
    assert uncalibrated_copy.json("check")["parts"]["gate"]["ok"] is True


def test_the_report_says_how_many_pass(empty, files):
    report = empty.json("calibrate", *files)

    calibration, (measured,) = report["calibration"], report["sets"].values()
    assert (calibration["answerable"], calibration["unanswerable"]) == (100, 100)
    assert calibration["near_topic_passed"] <= 0.15
    assert calibration["off_topic_passed"] <= 0.02
    assert (
        calibration["lowest"] <= calibration["permissive"] <= calibration["strict"] <= calibration["highest"]
    )
    assert measured["passed"]["off"] == pytest.approx(calibration["off_topic_passed"], abs=1e-4)
    assert measured["auroc"] > 0.9


def test_programs_read_what_other_thresholds_let_through(empty, files):
    report = empty.json("calibrate", *files, "--dry-run")

    chosen = report["trade_off"][4]
    assert [set(point) for point in report["trade_off"]] == [{"threshold", "answerable", "near", "off"}] * 9
    assert chosen["threshold"] == pytest.approx(report["calibration"]["strict"], abs=1e-4)
    assert chosen["near"] == pytest.approx(report["calibration"]["near_topic_passed"], abs=1e-4)


def test_the_page_is_written_and_shows_the_threshold(empty, files, tmp_path):
    report = empty.json("calibrate", *files, "--dry-run", "--html", str(tmp_path / "page.html"))

    page = (tmp_path / "page.html").read_text()
    assert f"The threshold is {report['calibration']['strict']:.4f}" in page
    assert "<svg" in page


def test_a_page_that_cannot_be_written_is_refused_and_nothing_is_stored(uncalibrated_copy, files, tmp_path):
    result = uncalibrated_copy.run("calibrate", *files, "--html", str(tmp_path / "no" / "page.html"))

    assert result.exit_code == 1
    assert "cannot be written" in result.stderr
    assert uncalibrated_copy.json("inspect", "reschedule")[0]["threshold"] is None


def test_a_share_that_is_given_is_kept(empty, files):
    report = empty.json("calibrate", *files, "--dry-run", "--near", "0.5")

    assert 0.15 < report["calibration"]["near_topic_passed"] <= 0.5


def test_somebody_at_a_terminal_is_asked_before_anything_is_stored(uncalibrated_copy, files):
    said = at_a_terminal(uncalibrated_copy.data, "calibrate", *files, typed="many\n50\n")

    before, again, after = said.split("How many of a hundred near-topic questions may pass? [15]: ")
    assert "●" in before
    assert "Give a number from 0 to 100" in again
    stored = uncalibrated_copy.json("inspect", "reschedule")[0]["threshold"]
    assert f"Threshold {stored:.4f}" in after
    assert stored < uncalibrated_copy.json("calibrate", *files, "--dry-run")["calibration"]["strict"]


def test_too_few_questions_are_refused_with_a_sentence(empty, tmp_path, files):
    few = write_lines(tmp_path / "few.jsonl", *golden(3))

    result = empty.run("calibrate", *files[:2], "--conversations", str(few))

    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == (
        "candor: the conversations hold 3 answerable questions; calibrate on at least 100 of each kind"
    )


def test_nothing_can_be_measured_on_articles_that_were_never_synced(empty, files):
    result = empty.run("calibrate", *files[2:])

    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == (
        "candor: the passage index is missing: no articles were ever synced; run python -m kb_sync SOURCE"
    )


def test_people_read_the_report_in_80_columns_whatever_a_set_is_called(empty, files, tmp_path):
    named = Path(files[3]).rename(tmp_path / "[bold]\x1b[31m.jsonl")

    result = empty.run("calibrate", *files[:3], str(named), COLUMNS="80")

    assert result.exit_code == 0, result.output
    for heading in ("questions", "AUROC", "answerable", "near", "off"):
        assert heading in result.stdout
    assert len([line for line in result.stdout.splitlines() if line.startswith("chosen ")]) == 1
    assert "●" in result.stdout
    assert "[bold]" in result.stdout.replace("\n", "")
    assert "\x1b" not in result.output
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_each_set_of_conversations_needs_its_articles(empty, files):
    result = empty.run("calibrate", *files, "--conversations", files[-1])

    assert result.exit_code == 2
    assert "give one --kb for each --conversations" in " ".join(result.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        pytest.param(['{"id": 1}', "{"], "corpus.jsonl:2: is not JSON", id="not JSON"),
        pytest.param(['{"title": "x"}'], "corpus.jsonl:1: id: Field required", id="no id"),
        pytest.param(['{"id": 1}', '{"id": "1"}'], "corpus.jsonl:2: id: 1 stands in an earlier", id="twice"),
        pytest.param([], "corpus.jsonl: holds no article", id="empty"),
    ],
)
def test_wrong_articles_are_named(empty, files, lines, problem):
    Path(files[1]).write_text("\n".join(lines))

    result = empty.run("calibrate", *files)

    assert result.exit_code == 1
    assert problem in result.stderr


def test_conversations_that_end_with_the_bot_are_named(empty, files):
    line = {"id": "a", "turns": [said("bot", "hi")], "answerable": True}
    Path(files[3]).write_text(json.dumps(line))

    result = empty.run("calibrate", *files)

    assert result.exit_code == 1
    assert "conversations.jsonl:1: the last of its turns is not the customer's" in result.stderr


def test_each_knowledge_base_of_a_file_is_measured_by_itself(empty, tmp_path):
    """Limits hold on each set, and a file of several knowledge bases is several sets."""
    shops = ("shoes", "hats")
    articles = [
        {"id": f"{kb}/{s}", "title": f"Change your {s}", "text": f"Open the {s} page of {kb}.", "kb": kb}
        for kb in shops
        for s in SUBJECTS
    ]
    asked = [one | {"id": f"{kb}-{one['id']}", "kb": kb} for kb in shops for one in golden(60)]
    corpus = write_lines(tmp_path / "shops.jsonl", *articles)
    conversations = write_lines(tmp_path / "asked.jsonl", *asked)

    report = empty.json("calibrate", "--kb", str(corpus), "--conversations", str(conversations))

    assert [name.rpartition(": ")[2] for name in report["sets"]] == ["shoes", "hats"]
    assert all(one["passed"]["near"] <= 0.15 for one in report["sets"].values())
