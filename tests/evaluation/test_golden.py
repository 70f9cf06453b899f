"""Golden conversations and histories are read from JSON lines into what a turn reads."""

import json
from pathlib import Path

import pytest

from bot.core.asking import question_after
from bot.core.conversation import Kind, Role
from bot.errors import InputRejected
from bot.evaluation.golden import Topic, read_golden, read_history

QUESTION = {"role": "customer", "text": "yes"}
ROW = {"id": "g1", "turns": [QUESTION], "gold": ["KB1"], "answerable": True}


def write(folder: Path, *rows: object) -> Path:
    file = folder / "golden.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return file


def test_the_last_turn_is_asked_after_the_others(tmp_path):
    bot = {"role": "bot", "text": "Less than 24 hours?", "refusal": True}
    file = write(tmp_path, ROW | {"turns": [bot, QUESTION], "label": "ANSWER", "reason": "no_evidence"})

    (golden,) = read_golden(file)

    assert [(m.seq, m.role, m.refusal) for m in golden.start.history] == [
        (1, Role.BOT, True),
        (2, Role.CUSTOMER, False),
    ]
    assert golden.start.unanswered == golden.start.history[-1:]
    assert golden.start.conversation.answered_seq == 1
    assert (golden.gold, golden.topic, golden.reason) == (("KB1",), Topic.ANSWERABLE, "no_evidence")


@pytest.mark.parametrize(
    ("answerable", "label", "topic"),
    [
        (True, "", Topic.ANSWERABLE),
        (True, "OFF_TOPIC", Topic.ANSWERABLE),
        (False, "NO_KB_NEAR", Topic.NEAR),
        (False, "", Topic.NEAR),
        (False, "OFF_TOPIC", Topic.OFF),
        (False, "OOD_OOS", Topic.OFF),
        (False, "HUMAN_REQUEST", Topic.ROUTED),
        (False, "COMPUTED", Topic.ROUTED),
        (False, "CHITCHAT", Topic.ROUTED),
    ],
)
def test_the_label_tells_how_an_unanswerable_question_counts(tmp_path, answerable, label, topic):
    (golden,) = read_golden(write(tmp_path, ROW | {"answerable": answerable, "label": label}))

    assert golden.topic is topic


def test_a_question_may_count_as_asked_on_a_day_of_its_own(tmp_path):
    then, now = read_golden(write(tmp_path, ROW | {"asked_on": "2026-11-15"}, ROW))

    assert (then.asked_ms, now.asked_ms) == (1_794_700_800_000, None)


def test_a_day_that_is_none_is_refused_with_its_line(tmp_path):
    with pytest.raises(InputRejected, match=r"golden\.jsonl:1: asked_on"):
        read_golden(write(tmp_path, ROW | {"asked_on": "last week"}))


def test_short_values_of_a_row_are_kept_to_group_by_up_to_their_first_comma(tmp_path):
    more = {
        "label": "ANSWER",
        "source": "MTRAG-UN, repository@1",
        "turn": 2,
        "primary": ["KB1"],
        "rewrite": None,
    }

    (golden,) = read_golden(write(tmp_path, ROW | more))

    assert golden.fields == {"label": "ANSWER", "source": "MTRAG-UN", "turn": "2"}


def test_questions_of_one_conversation_share_its_id_and_others_have_their_own(tmp_path):
    rows = [ROW | {"conversation_id": "c1"}, ROW | {"conversation_id": "c1"}, ROW]

    golden = read_golden(write(tmp_path, *rows))

    assert [one.conversation_id for one in golden] == ["c1", "c1", "g1"]


def test_a_rewrite_is_read_when_there_is_one(tmp_path):
    golden = read_golden(
        write(tmp_path, ROW | {"rewrite": "reschedule a class"}, ROW | {"rewrite": None}, ROW)
    )

    assert [one.rewrite for one in golden] == ["reschedule a class", None, None]


def test_ids_may_be_numbers(tmp_path):
    (golden,) = read_golden(write(tmp_path, ROW | {"id": 7, "gold": [360016495679]}))

    assert (golden.id, golden.gold) == ("7", ("360016495679",))


def test_blank_lines_a_byte_order_mark_and_strange_line_ends_in_texts_are_read(tmp_path):
    text = "one\u2028two\u0085three\x0cfour"
    line = json.dumps(ROW | {"turns": [QUESTION | {"text": text}]}, ensure_ascii=False)
    file = tmp_path / "golden.jsonl"
    file.write_bytes(f"\ufeff\r\n{line}\r\n\n".encode())

    (golden,) = read_golden(file)

    assert golden.start.unanswered[0].text == text


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        pytest.param([], "Input should be an object", id="no object"),
        pytest.param(ROW | {"turns": []}, "turns: List should have at least 1 item", id="no turns"),
        pytest.param(ROW | {"turns": [{"role": "customer"}]}, "turns.0.text: Field required", id="no text"),
        pytest.param(
            ROW | {"answerable": "maybe"}, "answerable: Input should be a valid boolean", id="maybe"
        ),
        pytest.param(
            ROW | {"turns": [QUESTION | {"role": "bot"}]}, "the last of its turns is not", id="bot is last"
        ),
    ],
)
def test_a_wrong_row_is_named_with_its_line_and_field(tmp_path, row, problem):
    with pytest.raises(InputRejected) as refused:
        read_golden(write(tmp_path, ROW, row))

    assert refused.value.field.endswith("golden.jsonl:2")
    assert problem in str(refused.value)
    assert refused.value.remedy


@pytest.mark.parametrize("line", ["{", "nonsense", '{"id": "\\ud800"}', "[" * 100_000, "1" * 10_000])
def test_what_is_no_json_object_is_named(tmp_path, line):
    file = tmp_path / "golden.jsonl"
    file.write_text(line)

    with pytest.raises(InputRejected, match=r"golden\.jsonl:1: "):
        read_golden(file)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InputRejected, match=r"no\.jsonl: cannot be read"):
        read_golden(tmp_path / "no.jsonl")


def test_a_history_keeps_kinds_and_refusals(tmp_path):
    file = write(
        tmp_path,
        QUESTION,
        {"role": "agent", "text": "t", "kind": "note"},
        {"role": "bot", "text": "r", "refusal": True},
    )

    first, second, third = read_history(file)

    assert (first.seq, first.role, first.kind) == (1, Role.CUSTOMER, Kind.TEXT)
    assert (second.role, second.kind) == (Role.AGENT, Kind.NOTE)
    assert (third.seq, third.refusal) == (3, True)


def test_a_question_comes_after_its_history(tmp_path):
    history = read_history(write(tmp_path, QUESTION, QUESTION))

    start = question_after(history, "no", locale="de")

    assert [m.text for m in start.history] == ["yes", "yes", "no"]
    assert [(m.seq, m.text) for m in start.unanswered] == [(3, "no")]
    assert (start.conversation.locale, start.fence.last_customer_seq) == ("de", 3)
