"""`ask`: one turn on the synced articles, printed for people or as DESIGN §8 promises it to programs; nothing is kept."""

import asyncio
import json
import sqlite3

import pytest

from bot.adapters.prompt_files import Language
from bot.core.outcome import Ask, Courtesy, CourtesyKind, ReasonCode
from bot.terminal.asking import to_json
from tests.builders import a_handoff, a_turn, an_answer
from tests.service.rig import REPLIES, RULES
from tests.terminal.command_line import said, write_lines
from tests.vendors.anthropic_server import anthropic_server, rejects_key

pytestmark = pytest.mark.timeout(300)

RESCHEDULE = "How do I reschedule a class?"


def test_json_has_the_keys_of_the_contract(sample):
    turn = sample.json("ask", RESCHEDULE)

    assert set(turn) == {"outcome", "reason", "text", "sources", "evidence"}
    assert (turn["outcome"], turn["reason"]) == ("answer", None)
    (source,) = turn["sources"]
    assert set(source) == {"id", "title", "url"}
    assert (source["id"], source["url"]) == ("KB000003", "/articles/KB000003")
    assert source["title"] in turn["text"]


def test_the_evidence_has_the_keys_and_types_of_the_contract(sample):
    evidence = sample.json("ask", RESCHEDULE)["evidence"]

    passage, stage = evidence["passages"][0], evidence["stages"][0]
    assert {name: type(value) for name, value in evidence.items()} == {
        "query": str,
        "used": list,
        "dropped": list,
        "passages": list,
        "threshold": float,
        "fingerprint": str,
        "stages": list,
    }
    assert {n: type(v) for n, v in passage.items()} == {
        "article_id": str,
        "title": str,
        "cosine": float,
        "score": float,
    }
    assert set(stage) == {"name", "status", "ms", "error"}
    assert (stage["name"], stage["status"], stage["error"]) == ("route", "ok", None)


def test_a_question_that_no_article_answers_is_handed_over(sample):
    turn = sample.json("ask", "How do I book a class?")

    assert (turn["outcome"], turn["reason"], turn["sources"]) == ("handoff", "no_evidence", [])
    assert max(p["cosine"] for p in turn["evidence"]["passages"]) < turn["evidence"]["threshold"]


def test_a_request_for_a_person_searches_nothing(sample):
    turn = sample.json("ask", "can I get a person")

    assert (turn["outcome"], turn["reason"]) == ("handoff", "customer_asked")
    assert turn["evidence"]["query"] is None
    assert turn["evidence"]["passages"] == []
    assert [stage["name"] for stage in turn["evidence"]["stages"]] == ["route"]


def test_a_greeting_is_returned(sample):
    assert sample.json("ask", "hello!")["outcome"] == "courtesy"


def test_a_rule_fires_on_the_message_itself(sample):
    assert sample.json("ask", "refund me now!")["reason"] == "escalation_rule"


def test_a_rule_word_in_an_older_message_does_not_fire(sample, tmp_path):
    history = write_lines(
        tmp_path / "h.jsonl",
        said("customer", "refund me now!"),
        said("bot", "A person will look at it.", refusal=True),
    )

    turn = sample.json("ask", RESCHEDULE, "--history", str(history))

    assert turn["outcome"] == "answer"
    assert turn["evidence"]["dropped"] == [{"seq": 2, "why": "refusal_echo"}]
    assert turn["evidence"]["used"] == [1, 3]


def test_asking_keeps_nothing(sample):
    tables = "SELECT count(*) FROM conversations", "SELECT count(*) FROM messages"
    with sqlite3.connect(sample.data / "candor.db") as database:
        before = [database.execute(count).fetchone()[0] for count in tables]

        sample.json("ask", "can I get a person")
        sample.json("ask", RESCHEDULE)

        assert before == [0, 0] == [database.execute(count).fetchone()[0] for count in tables]
    database.close()


def test_text_for_people_names_the_outcome_the_source_and_the_search(sample):
    printed = sample.run("ask", RESCHEDULE).stdout

    assert printed.startswith("answer ")
    for part in ("→ How to Reschedule a Lesson (KB000003)", f"Searched with: {RESCHEDULE}", "(threshold 0."):
        assert part in printed


@pytest.mark.parametrize("text", ["[/red] how [bold]do I", "caf\udcff", "", "\x1b[31m red", "-5"])
def test_any_text_can_be_asked_and_printed(sample, text):
    result = sample.run("ask", "--", text)

    assert result.exit_code == 0, result.output
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    ("outcome", "name", "reason"),
    [
        (an_answer(), "answer", None),
        (Ask(text="Which lesson?"), "ask", None),
        (Ask(text="", offer=True), "ask", None),
        (Courtesy(kind=CourtesyKind.THANKS), "courtesy", None),
        *((a_handoff(reason), "handoff", reason.value) for reason in ReasonCode),
    ],
)
def test_every_outcome_has_its_name_its_reason_and_a_text(outcome, name, reason):
    spoken = Language(rules=RULES, replies=REPLIES)

    turn = json.loads(json.dumps(to_json(a_turn(outcome), spoken, locale="en")))

    assert (turn["outcome"], turn["reason"]) == (name, reason)
    assert turn["text"]
    assert turn["evidence"]["query"] is None


def test_the_operator_is_told_what_to_do_when_nothing_was_synced(empty):
    result = empty.run("ask", RESCHEDULE)

    assert result.exit_code == 0
    assert result.stdout.startswith("handoff: index_not_ready")
    assert "run python -m kb_sync SOURCE" in " ".join(result.stdout.split())


def test_the_operator_is_told_what_to_do_when_the_gate_is_not_calibrated(uncalibrated):
    result = uncalibrated.run("ask", RESCHEDULE)

    assert result.stdout.startswith("handoff: index_not_ready")
    assert "uncalibrated: run `bot calibrate`" in " ".join(result.stdout.split())


async def test_with_a_rejected_key_the_customer_hears_that_no_answer_can_be_written(sample):
    async with anthropic_server(rejects_key()) as server:
        key = {"ANTHROPIC_API_KEY": "wrong", "ANTHROPIC_BASE_URL": server.url}
        turn = await asyncio.to_thread(sample.json, "ask", RESCHEDULE, **key)

    assert (turn["outcome"], turn["reason"]) == ("handoff", "model_unavailable")
    assert turn["text"] == REPLIES.handoff(ReasonCode.MODEL_UNAVAILABLE, "en")
    assert {s["error"] for s in turn["evidence"]["stages"]} == {None, "KeyRejected"}
