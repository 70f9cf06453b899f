"""`check`, `migrate`, and the threshold that `serve` refuses before it listens."""

import json
import re

import pytest

pytestmark = pytest.mark.timeout(300)


def test_a_usable_installation_is_said_to_be_usable(sample):
    checked = sample.json("check")

    assert checked["ok"] is True
    assert set(checked["parts"]) == {"store", "knowledge_base", "gate", "answerer"}
    assert re.search(r"\barticles [1-9]\d+, ", checked["parts"]["knowledge_base"]["said"])
    assert "knowledge base  ok" in sample.run("check").stdout


def test_people_read_each_thing_that_a_part_says_on_its_own_line(sample):
    lines = [line.strip() for line in sample.run("check", COLUMNS="80").stdout.splitlines()]

    assert any(re.fullmatch(r"passages [1-9]\d+", line) for line in lines)
    assert "measured_on the sample" in " ".join(lines)
    assert max(map(len, lines)) <= 80


def test_without_articles_the_remedy_is_named(empty):
    result = empty.run("check", "--json")

    parts = json.loads(result.stdout)["parts"]
    assert result.exit_code == 1
    assert [name for name, part in parts.items() if not part["ok"]] == ["knowledge_base", "gate"]
    assert "run python -m kb_sync SOURCE" in parts["knowledge_base"]["said"]
    assert "run `python -m bot calibrate`" in parts["gate"]["said"]


def test_without_a_calibration_only_the_gate_is_not_usable(uncalibrated):
    result = uncalibrated.run("check")

    assert result.exit_code == 1
    assert result.stdout.count("not usable") == 1


@pytest.mark.parametrize(
    ("command", "threshold"),
    [("serve", "-0.30"), ("serve", "0.99"), ("check", "-0.30"), ("ask", "-0.30"), ("inspect", "-0.30")],
)
def test_the_gate_that_could_not_fire_refuses_to_start(sample, command, threshold):
    """DESIGN §2.2: an index that reports (1 + cosine) / 2 was given 0.35, which is a cosine of -0.30; nothing is ever below it."""
    arguments = (command, "hi") if command in {"ask", "inspect"} else (command,)

    result = sample.run(*arguments, GATE_THRESHOLD=threshold)

    assert result.exit_code == 1
    assert result.stderr.startswith(
        f"candor: the gate's threshold {float(threshold):.2f} (raw cosine) is outside"
    )
    assert "run `python -m bot calibrate`, or unset GATE_THRESHOLD" in result.stderr


def test_a_threshold_inside_the_calibrated_range_is_used(sample):
    (one,) = sample.json("inspect", "How do I book a class?", GATE_THRESHOLD="0.45")

    assert (one["threshold"], one["passes"]) == (0.45, True)


def test_migrating_twice_changes_nothing_the_second_time(empty):
    first, second = empty.json("migrate"), empty.json("migrate")

    assert (first["before"], second["before"]) == (0, first["after"])
    assert second["after"] == first["after"]
    assert first["file"] == str(empty.data / "candor.db")
    assert f"schema version {first['after']} → {first['after']}" in empty.run("migrate").stdout


def test_another_program_s_file_is_refused_with_a_sentence(empty):
    empty.data.mkdir()
    (empty.data / "candor.db").write_bytes(b"no database at all, just text" * 100)

    result = empty.run("migrate")

    assert result.exit_code == 1
    assert result.stderr.startswith(f"candor: {empty.data / 'candor.db'}: ")
