"""Recorded turns become conversations to replay, and are read back as the turn that was owed then."""

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.core.conversation import Kind, Message, Role
from bot.core.outcome import Ask
from bot.core.policy import TurnPolicy
from bot.core.turn import Turn
from bot.errors import InputRejected
from bot.evaluation.traffic import read_conversations, to_row
from bot.service.turns import HISTORY
from tests.builders import a_bot_message, a_message, a_ranked_passage, a_turn
from tests.service.rig import UNCOVERED, Rig, a_rig

QUESTION = {"role": "customer", "text": "yes"}


def written(folder: Path, *rows: object) -> Path:
    file = folder / "traffic.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


async def exported(rig: Rig, folder: Path):
    """Export every turn of the rig's conversation and read the file."""
    messages, state = await rig.messages(), await rig.state()
    rows = [to_row(turn, messages, locale=state.locale) for turn in await rig.turn_records()]
    return read_conversations(written(folder, *rows))


def as_json(turn: Turn, messages: Sequence[Message]):
    """Return the exported turn as a program reads it."""
    return json.loads(json.dumps(to_row(turn, messages, locale="en"), allow_nan=False))


async def test_a_turn_starts_again_where_it_started(tmp_path):
    rig = await a_rig(policy=TurnPolicy(offer_before_handoff=True), locale="de")
    first, second = await rig.ask(), await rig.ask(UNCOVERED)

    one, two = await exported(rig, tmp_path)

    assert [(past.id, past.locale, past.question) for past in (one, two)] == [
        (first.id, "de", "How do I reschedule a class?"),
        (second.id, "de", UNCOVERED),
    ]
    assert [m.role for m in two.start.history] == [Role.CUSTOMER, Role.BOT, Role.CUSTOMER]
    assert two.start.unanswered == two.start.history[-1:]
    assert (one.gold, one.answerable, one.reason) == ((), None, None)


async def test_an_offer_is_still_known_as_one(tmp_path):
    rig = await a_rig(policy=TurnPolicy(offer_before_handoff=True))
    offered = await rig.ask(UNCOVERED)
    await rig.ask("Which cheese, then?")

    one, two = await exported(rig, tmp_path)

    assert isinstance(offered.outcome, Ask)
    assert (one.recorded.outcome, one.recorded.reason, one.recorded.offer) == ("ask", None, True)
    assert (one.start.offered, two.start.offered, two.start.prompted) == (False, True, True)


async def test_a_burst_is_owed_one_turn_again(tmp_path):
    rig = await a_rig()
    rig.answerer.can_abstain = True
    await rig.say("How do I reschedule a class?")
    await rig.say("on a Sunday?")
    await rig.idle()

    (past,) = await exported(rig, tmp_path)

    assert [m.text for m in past.start.unanswered] == ["How do I reschedule a class?", "on a Sunday?"]
    assert past.start.conversation.answered_seq == 0


async def test_what_the_turn_came_to_is_recorded(tmp_path):
    rig = await a_rig()
    turn = await rig.ask()
    (told,) = await rig.told()
    assert turn.query is not None

    (past,) = await exported(rig, tmp_path)

    recorded = past.recorded
    assert (recorded.outcome, recorded.reason, recorded.text) == ("answer", None, told.text)
    assert (recorded.query, recorded.threshold, recorded.best_cosine) == (
        turn.query.text, turn.threshold, turn.best_cosine,
    )  # fmt: skip
    assert [(p.article_id, p.cosine) for p in recorded.passages] == [
        (p.found.article_id, p.found.cosine) for p in turn.ranked
    ]


def test_notes_of_agents_and_what_came_later_stay_behind():
    note = a_message("he is angry", seq=1, role=Role.AGENT, kind=Kind.NOTE)
    messages = [
        note,
        a_message("mine", seq=2),
        a_bot_message("secret plan", seq=3),
        a_message("later", seq=4),
    ]

    row = as_json(a_turn(covers=(2,)), messages)

    assert row["turns"] == [{"role": "customer", "text": "mine"}]
    assert "angry" not in json.dumps(row)
    assert "later" not in json.dumps(row)


def test_of_a_long_conversation_what_the_turn_read_is_kept():
    messages = [a_message(f"message {n}", seq=n) for n in range(1, HISTORY + 20)]

    row = as_json(a_turn(covers=(1, HISTORY + 19)), messages)

    assert [line["text"] for line in row["turns"]][:2] == ["message 1", "message 20"]
    assert len(row["turns"]) == HISTORY + 1


def test_a_broken_score_is_recorded_as_none():
    broken = a_turn(best_cosine=math.nan, threshold=-math.inf, ranked=(a_ranked_passage(math.nan),))

    recorded = as_json(broken, [a_message()])["recorded"]

    assert (recorded["best_cosine"], recorded["threshold"]) == (None, None)
    assert recorded["passages"] == [{"article_id": "KB000003", "cosine": None}]


@pytest.mark.parametrize(
    ("labels", "answerable"),
    [({}, None), ({"answerable": None}, None), ({"gold": ["KB1"]}, True), ({"answerable": False}, False)],
)
def test_labels_are_optional(tmp_path, labels, answerable):
    (past,) = read_conversations(written(tmp_path, {"id": 7, "turns": [QUESTION]} | labels))

    assert (past.id, past.answerable, past.recorded) == ("7", answerable, None)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"turns": [QUESTION, {"role": "bot", "text": "no"}]}, "the last of its turns is not the customer's"),
        ({"turns": [QUESTION], "covers": 2}, "covers: 2 messages, but the customer wrote 1"),
        ({"turns": [QUESTION], "reason": "no_evidnce"}, "reason: Input should be 'customer_asked', "),
        ({"turns": []}, "turns: List should have at least 1 item"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, row, said):
    file = written(tmp_path, {"id": "a", "turns": [QUESTION]}, {"id": "b"} | row)

    with pytest.raises(InputRejected) as rejected:
        read_conversations(file)

    assert str(rejected.value).startswith(f"{file}:2: {said}")


def test_a_file_without_conversations_is_refused(tmp_path):
    with pytest.raises(InputRejected, match="holds no conversation"):
        read_conversations(written(tmp_path))
