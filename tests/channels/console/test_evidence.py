"""A turn's record as agents read it: for answers as for handoffs, in words, and never anything a browser could not read."""

import json
import math
from dataclasses import replace

import pytest

from bot.channels.console.evidence import to_evidence
from bot.channels.evidence_wording import (
    DROPPED,
    ERRORS,
    STAGES,
    STATUSES,
    TRIAGES,
    finding_in_words,
)
from bot.core import truth
from bot.core.conversation import Kind
from bot.core.evidence import reduced
from bot.core.grounding import Finding
from bot.core.outcome import Handoff, ReasonCode, Triage
from bot.core.records import RecordsSeen, Route, Statement
from bot.core.turn import Stage, StageStatus
from bot.errors import ModelUnavailable, RetrievalUnavailable
from tests.builders import a_handoff, a_turn
from tests.service.records_rig import BROKEN, BROKEN_SQL, COUNT, COUNT_SQL, HOW_MANY, OPERATOR, a_records_rig
from tests.service.rig import QUESTION, REPLIES, UNCOVERED, a_rig


async def _evidence(rig, turn):
    return _read(to_evidence(turn, await rig.messages(), REPLIES, "en"))


def _read(shown):
    """What a browser reads of it."""
    return json.loads(json.dumps(shown, allow_nan=False))


async def test_an_answer_shows_what_was_searched_and_what_it_rests_on():
    rig = await a_rig()
    turn = await rig.ask(QUESTION)

    shown = await _evidence(rig, turn)

    assert (shown["outcome"], shown["reason"], shown["failing"], shown["truthful"]) == (
        "answer",
        None,
        None,
        True,
    )
    assert shown["query"]["used"] == [{"seq": 1, "role": "customer", "text": QUESTION}]
    assert shown["query"]["text"] == QUESTION
    first = shown["passages"][0]
    assert (first["article_id"], first["passed"]) == ("KB000003", True)
    assert first["title"] == "How do I reschedule a class?"
    assert 0 < shown["threshold"] < first["cosine"] <= 1
    assert [stage["name"] for stage in shown["stages"]][-1] == "answer_gate"


@pytest.mark.parametrize(
    ("searched", "shown_text"),
    [
        ("a class?\nAnd refunds?", "… a class?"),
        (f"{QUESTION}\nAnd refunds?", QUESTION),
        ("something else", QUESTION),
    ],
)
async def test_of_a_message_only_what_was_searched_for_is_shown(searched, shown_text):
    rig = await a_rig()
    turn = await rig.ask(QUESTION)
    assert turn.query is not None

    shown = await _evidence(rig, replace(turn, query=replace(turn.query, text=searched)))

    assert [one["text"] for one in shown["query"]["used"]] == [shown_text]


async def test_a_handoff_without_evidence_shows_that_nothing_passed():
    rig = await a_rig()

    shown = await _evidence(rig, await rig.ask(UNCOVERED))

    assert (shown["reason"], shown["reason_text"]) == (
        "no_evidence",
        REPLIES.reason(ReasonCode.NO_EVIDENCE, "en"),
    )
    assert shown["best_cosine"] < shown["threshold"]
    assert [one for one in shown["passages"] if one["passed"]] == []
    assert shown["triage_text"] == TRIAGES[shown["triage"]]
    assert shown["stages"][-1]["status_text"] == "done, and ended the turn"


async def test_what_was_left_out_is_shown_with_the_reason_in_words():
    rig = await a_rig()
    await rig.ask("thanks")
    await rig.ask("Where?")
    await rig.say("yes", kind=Kind.FEEDBACK)
    await rig.idle()
    turn = await rig.ask(QUESTION)

    shown = await _evidence(rig, turn)

    dropped = shown["query"]["dropped"]
    assert dropped
    assert [one["why_text"] for one in dropped] == [DROPPED[one["why"]] for one in dropped]
    texts = {m.seq: m.text for m in await rig.messages()}
    assert all(one["text"] == texts[one["seq"]] for one in dropped)


@pytest.mark.parametrize(
    ("break_it", "stage", "error"),
    [
        (
            lambda rig: setattr(rig.embedder.at_embed, "fails", RetrievalUnavailable("x")),
            Stage.EMBED,
            "the search",
        ),
        (
            lambda rig: setattr(rig.index.at_search, "fails", TimeoutError()),
            Stage.SEARCH,
            "no answer in time",
        ),
        (lambda rig: setattr(rig.answerer, "script", [ModelUnavailable("x")]), Stage.DRAFT, "the model"),
    ],
)
async def test_what_failed_is_named_in_words(break_it, stage, error):
    rig = await a_rig()
    break_it(rig)

    shown = await _evidence(rig, await rig.ask(QUESTION))

    assert shown["failing"]["stage_text"] == STAGES[stage]
    assert shown["failing"]["error"].startswith(error)
    assert shown["truthful"] is True


async def test_what_records_were_asked_is_shown_with_errors_rows_and_times():
    records = await a_records_rig(BROKEN, COUNT)
    turn = await records.rig.ask(HOW_MANY)

    shown = (await _evidence(records.rig, turn))["records"]

    statements = [(one["sql"], one["error"], one["rows"]) for one in shown["statements"]]
    assert statements == [(BROKEN_SQL, OPERATOR, None), (COUNT_SQL, None, 1)]
    assert all(one["ms"] >= 0 for one in shown["statements"])
    assert (shown["route"], shown["route_text"]) == ("records", "The customer's own records")


def test_old_evidence_holds_no_statement_and_stays_truthful():
    seen = RecordsSeen(statements=(Statement(sql="SELECT 1", ms=1.0, error="secret"),), route=Route.RECORDS)
    turn = reduced(a_turn(records=seen))

    assert to_evidence(turn, (), REPLIES, "en")["records"] is None
    assert "secret" not in repr(turn)


async def test_a_turn_that_decided_without_a_search_has_none_to_show():
    rig = await a_rig()

    shown = await _evidence(rig, await rig.ask("I want to talk to a person"))

    assert (shown["query"], shown["passages"], shown["best_cosine"]) == (None, [], None)
    assert shown["reason"] == "customer_asked"
    assert shown["stages"][0]["finding"] == REPLIES.reason(ReasonCode.CUSTOMER_ASKED, "en")


async def test_a_reason_that_the_record_does_not_bear_out_is_shown_as_such():
    turn = a_turn(a_handoff(ReasonCode.NO_EVIDENCE), stages=())

    assert to_evidence(turn, (), REPLIES, "en")["truthful"] is False


async def test_no_score_is_anything_that_a_browser_cannot_read():
    rig = await a_rig()
    turn = await rig.ask(QUESTION)
    broken = replace(
        turn,
        best_cosine=math.nan,
        threshold=math.inf,
        ranked=tuple(
            replace(p, score=math.nan, found=replace(p.found, cosine=math.nan)) for p in turn.ranked
        ),
    )

    shown = _read(to_evidence(broken, (), REPLIES, "en"))

    assert (shown["best_cosine"], shown["passages"][0]["cosine"]) == (None, None)


async def test_a_link_that_must_not_be_followed_is_none():
    rig = await a_rig()
    turn = await rig.ask(QUESTION)
    ranked = tuple(replace(p, found=replace(p.found, url="javascript:alert(1)")) for p in turn.ranked)

    shown = _read(to_evidence(replace(turn, ranked=ranked), (), REPLIES, "en"))

    assert {one["url"] for one in shown["passages"]} == {None}


async def test_an_article_without_an_address_is_read_on_a_page_of_ours():
    rig = await a_rig()
    turn = await rig.ask(QUESTION)
    ranked = tuple(replace(p, found=replace(p.found, url="")) for p in turn.ranked)

    shown = _read(to_evidence(replace(turn, ranked=ranked), (), REPLIES, "en"))

    assert shown["passages"][0]["url"] == "/articles/KB000003"


def test_every_code_has_words():
    findings = [
        truth.COMPUTED,
        truth.DEFECT,
        truth.TURN_BUDGET,
        truth.ABSTAINED,
        truth.CAPPED,
        truth.PROMISED_PERSON,
        truth.REPEATED,
        truth.TO_RECORDS,
        truth.TO_ARTICLES,
        truth.TO_BOTH,
        truth.REJECTED,
        truth.FOUND,
        truth.FOUND_NOTHING,
        truth.WORDED,
        truth.TABULATED,
    ]

    assert [set(Stage) - STAGES.keys(), set(StageStatus) - STATUSES.keys(), set(Triage) - TRIAGES.keys()] == [
        set()
    ] * 3
    assert {f"kind_{kind}" for kind in Kind if kind is not Kind.TEXT} <= DROPPED.keys()
    assert "RetrievalUnavailable" in ERRORS
    for code in (*findings, *Finding, *ReasonCode):
        assert finding_in_words(code, REPLIES, "en") != code


def test_a_code_of_a_later_release_is_shown_as_it_is():
    assert finding_in_words("brand_new", REPLIES, "en") == "brand_new"


@pytest.mark.parametrize("locale", ["de", "pt-BR"])
def test_the_reason_is_in_the_agents_language(locale):
    turn = a_turn(Handoff(reason=ReasonCode.BOT_PAUSED, rule="r", detail="d"))

    shown = to_evidence(turn, (), REPLIES, locale)

    assert shown["reason_text"] == REPLIES.reason(ReasonCode.BOT_PAUSED, locale)
    assert (shown["rule"], shown["detail"]) == ("r", "d")
