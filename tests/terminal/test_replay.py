"""`replay`: two configurations on the real articles, or a threshold against what was recorded; nothing is kept."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.terminal.command_line import CommandLine, said, write_lines

pytestmark = pytest.mark.timeout(300)

RIGHT = {"id": "right", "turns": [said("customer", "How do I reschedule a class?")], "gold": ["KB000003"], "answerable": True}  # fmt: skip
STRANGE = {"id": "strange", "turns": [said("customer", "How do I book a class?")], "answerable": False}
PERSON = {"id": "person", "turns": [said("customer", "can I get a person")], "answerable": False, "reason": "customer_asked"}  # fmt: skip
UNLABELLED = {"id": "unlabelled", "turns": [said("customer", "How do I book a class?")]}


@pytest.fixture
def conversations(tmp_path: Path) -> str:
    return str(write_lines(tmp_path / "conversations.jsonl", RIGHT, STRANGE, PERSON, UNLABELLED))


@pytest.fixture
def strict_and_lax(tmp_path: Path) -> tuple[str, ...]:
    """Return the arguments for the calibrated threshold before and a very low one after."""
    old, new = tmp_path / "old.toml", tmp_path / "new.toml"
    old.write_text("")
    new.write_text("gate_threshold = 0.2\n")
    return "--old", str(old), "--new", str(new)


def verdicts(report) -> dict[str, str]:
    return {one["id"]: one["verdict"] for one in report["conversations"]}


def test_each_conversation_has_its_verdict(sample, conversations, strict_and_lax):
    report = sample.json("replay", "--conversations", conversations, *strict_and_lax)

    assert verdicts(report) == {
        "right": "unchanged",
        "strange": "worse",
        "person": "unchanged",
        "unlabelled": "changed",
    }
    assert (
        report["summary"]["text"]
        == "3 known good: 2 unchanged, 1 worse; 1 unlabelled: 0 unchanged, 1 changed"
    )
    assert report["differences"] == {"gate_threshold": {"old": None, "new": 0.2}}


def test_both_sides_have_what_ask_would_have_said(sample, conversations, strict_and_lax):
    report = sample.json("replay", "--conversations", conversations, *strict_and_lax)

    asked = sample.json("ask", "How do I book a class?")
    strange = next(one for one in report["conversations"] if one["id"] == "strange")
    old, new = strange["old"], strange["new"]
    assert all(old[key] == asked[key] for key in ("outcome", "reason", "text", "sources"))
    assert old["query"] == asked["evidence"]["query"]
    assert [p["article_id"] for p in old["passages"]] == [
        p["article_id"] for p in asked["evidence"]["passages"]
    ]
    assert (old["passes"], new["passes"], new["threshold"]) == (False, True, 0.2)
    assert (old["reason"], new["reason"]) == ("no_evidence", None)


def test_strict_fails_on_anything_worse(sample, conversations, strict_and_lax):
    arguments = ("replay", "--conversations", conversations, *strict_and_lax)
    _, old, _, new = strict_and_lax

    assert sample.run(*arguments).exit_code == 0
    assert sample.run(*arguments, "--strict").exit_code == 1
    better = sample.run("replay", "--conversations", conversations, "--old", new, "--new", old, "--strict")
    assert better.exit_code == 0
    assert "1 known failure: 1 improved, 0 unchanged, 0 worse" in better.stdout


def test_a_configuration_changes_nothing_against_itself(sample, conversations, strict_and_lax):
    _, _, _, new = strict_and_lax

    report = sample.json("replay", "--conversations", conversations, "--old", new, "--new", new, "--strict")

    assert set(verdicts(report).values()) == {"unchanged"}
    assert all(one["old"] == one["new"] for one in report["conversations"])


def test_people_read_what_changed_side_by_side_in_80_columns(sample, conversations, strict_and_lax):
    result = sample.run("replay", "--conversations", conversations, *strict_and_lax, COLUMNS="80")

    lines = result.stdout.splitlines()
    assert max(len(line) for line in lines) <= 80
    text = " ".join(result.stdout.split())
    for part in (
        "gate_threshold calibrated → 0.2",
        "unchanged right: answered from KB000003, rightly, as before",
        "worse strange: was handed over (no_evidence), rightly;",
        "handoff: no_evidence answer from",
        "the same",
    ):
        assert part in text
    assert text.index("unchanged right") < text.index("changed unlabelled:") < text.index("worse strange")


def test_verbose_puts_unchanged_ones_side_by_side_too(sample, conversations, strict_and_lax):
    arguments = ("replay", "--conversations", conversations, *strict_and_lax)

    assert sample.run(*arguments).stdout.count("passages") == 2
    assert sample.run(*arguments, "--verbose").stdout.count("passages") == 4


def test_articles_may_come_from_a_file(uncalibrated_copy, sample, tmp_path, conversations, strict_and_lax):
    kb = write_lines(
        tmp_path / "kb.jsonl",
        {"id": "X1", "title": "How to Book a Class", "text": "Open the calendar and click **Book**."},
    )

    report = sample.json("replay", "--conversations", conversations, "--kb", str(kb), *strict_and_lax)

    booked = next(one for one in report["conversations"] if one["id"] == "unlabelled")
    assert booked["new"]["sources"] == [{"id": "X1", "title": "How to Book a Class", "url": "/articles/X1"}]


def test_a_replay_leaves_the_data_file_as_it_was(sample, conversations, strict_and_lax):
    before = contents(sample.data / "candor.db")

    sample.json("replay", "--conversations", conversations, *strict_and_lax)

    assert contents(sample.data / "candor.db") == before


def contents(file: Path) -> str:
    with closing(sqlite3.connect(file)) as database:
        return hashlib.sha256("\n".join(database.iterdump()).encode()).hexdigest()


def test_what_cannot_be_compared_is_refused(
    uncalibrated: CommandLine, empty: CommandLine, conversations, strict_and_lax
):
    arguments = ("replay", "--conversations", conversations, *strict_and_lax)

    for command, remedy in ((uncalibrated, "bot calibrate"), (empty, "python -m kb_sync SOURCE")):
        result = command.run(*arguments)
        assert (result.exit_code, result.stdout) == (1, "")
        assert remedy in result.stderr


def recorded(name: str, best: float | None, **fields) -> dict[str, object]:
    came_to = {"outcome": "answer", "best_cosine": best, "threshold": 0.5, "fingerprint": "f", **fields}
    return {"id": name, "turns": [said("customer", f"Is [bold]{name}[/]?")], "recorded": came_to}


@pytest.fixture
def traffic(tmp_path: Path) -> str:
    stopped = {"outcome": "handoff", "reason": "no_evidence"}
    rows = [
        recorded("t1", 0.49, **stopped, passages=[{"article_id": "KB1", "cosine": 0.49}]),
        recorded("t2", 0.30, **stopped),
        recorded("t3", 0.55),
        recorded("t4", None, outcome="courtesy"),
    ]
    return str(write_lines(tmp_path / "traffic.jsonl", *rows))


def test_another_threshold_is_tried_on_recorded_turns_without_any_article(empty, traffic):
    lower = empty.json("replay", "--conversations", traffic, "--threshold", "0.48")
    higher = empty.json("replay", "--conversations", traffic, "--threshold", "0.6")

    assert (lower["n"], lower["no_evidence"], lower["answered"]) == (4, 2, 1)
    assert lower["would_have_passed"] == [
        {
            "id": "t1",
            "question": "Is [bold]t1[/]?",
            "outcome": "handoff",
            "reason": "no_evidence",
            "best_cosine": 0.49,
            "threshold": 0.5,
            "article_id": "KB1",
        }
    ]
    assert (lower["would_have_been_handed_over"], higher["would_have_passed"]) == ([], [])
    assert [one["id"] for one in higher["would_have_been_handed_over"]] == ["t3"]
    assert not empty.data.exists()


def test_people_read_what_another_threshold_would_have_done(empty, traffic):
    result = empty.run("replay", "--conversations", traffic, "--threshold", "0.48", COLUMNS="80")

    text = " ".join(result.stdout.split())
    assert "t1 0.490 0.500 KB1 Is [bold]t1[/]?" in text
    assert "At 0.480, of 4 turns: 1 of 2 handoffs with no_evidence would have passed the gate, 0 of 1" in text
    assert max(len(line) for line in result.stdout.splitlines()) <= 80


def test_golden_conversations_have_no_recorded_turn(empty, conversations):
    result = empty.run("replay", "--conversations", conversations, "--threshold", "0.5")

    assert result.exit_code == 1
    assert result.stderr.startswith("candor: conversation right has no recorded turn")


@pytest.mark.parametrize(
    "arguments",
    [(), ("--threshold", "0.5", "--strict"), ("--threshold", "1.5"), ("--threshold", "0.5", "--verbose")],
)
def test_wrong_usage_exits_with_2(empty, traffic, arguments):
    assert empty.run("replay", "--conversations", traffic, *arguments).exit_code == 2
