"""A second look at close candidates in a whole turn: it may change which topic is quoted, and can neither stop nor pass anything."""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from bot.core.outcome import Answer, Handoff, ReasonCode
from bot.core.policy import Deadlines, TurnPolicy
from bot.core.truth import is_truthful
from bot.core.turn import Stage, StageStatus, Turn
from bot.errors import IndexNotReady, RetrievalUnavailable, StoreUnavailable
from tests.knowledge_builders import an_article
from tests.service.rig import QUESTION, UNCOVERED, Rig, a_rig, reason_of
from tests.service.stand_ins import ScriptedReranker
from tests.service.voyage_rig import RERANK_MODEL, a_reranker
from tests.vendors.local_server import Reply, hangs, resets, sends
from tests.vendors.voyage_server import VoyageServer, breaks_off, refuses, rejects_key, scores, voyage_server

INVOICE = an_article(
    "KB000061", title="Paying by Invoice", body="Paying by invoice is possible for companies."
)
VOUCHER = an_article(
    "KB000062", title="Receiving a Voucher", body="Receiving a voucher is possible for companies."
)
BY_COSINE = [INVOICE.id, VOUCHER.id]
SWAPPED = [VOUCHER.id, INVOICE.id]
BETWEEN = "Is paying by invoice or receiving a voucher possible?"
STATED = f"{BETWEEN} My class starts in 2 hours."
SHORT_S = 0.01
OUTAGES = [RetrievalUnavailable("overloaded"), StoreUnavailable("disk full"), IndexNotReady("building"), TimeoutError()]  # fmt: skip


@asynccontextmanager
async def a_voyage_rig(*replies: Reply) -> AsyncIterator[tuple[Rig, VoyageServer]]:
    """Open a rig over the two articles; Voyage, which plays *replies*, looks at them again."""
    async with voyage_server(*replies) as server, a_reranker(server.url) as reranker:
        yield await a_rig(articles=(INVOICE, VOUCHER), reranker=reranker), server


async def a_scripted_rig(reranker: ScriptedReranker | None, **deadlines: float) -> Rig:
    policy = TurnPolicy(deadlines=Deadlines(**deadlines))
    return await a_rig(articles=(INVOICE, VOUCHER), policy=policy, reranker=reranker)


def order_of(turn: Turn) -> list[str]:
    return [p.found.article_id for p in turn.ranked]


def looked_again(turn: Turn) -> list[tuple[StageStatus, str | None]]:
    """Return how the second look ended; nothing when there was none."""
    return [(s.status, s.finding) for s in turn.stages if s.name is Stage.RERANK]


def assert_answered_in_the_first_order(turn: Turn, finding: str) -> None:
    assert looked_again(turn) == [(StageStatus.OK, f"order_kept: {finding}")]
    assert order_of(turn) == BY_COSINE
    assert isinstance(turn.outcome, Answer)
    assert [source.id for source in turn.outcome.sources] == [INVOICE.id]
    assert is_truthful(turn)


async def test_the_topic_that_voyage_finds_more_relevant_is_quoted():
    async with a_voyage_rig(scores(0.2, 0.9)) as (rig, _):
        turn = await rig.ask(BETWEEN)

    assert order_of(turn) == SWAPPED
    assert isinstance(turn.outcome, Answer)
    assert [source.id for source in turn.outcome.sources] == [VOUCHER.id]
    assert looked_again(turn) == [(StageStatus.OK, None)]
    assert is_truthful(turn)


async def test_voyage_compares_the_customer_s_words_with_the_passages_as_they_were_embedded():
    async with a_voyage_rig(scores(0.9, 0.2)) as (rig, server):
        turn = await rig.ask(BETWEEN)

    ((path, body),) = server.requests
    assert (path, body["query"], body["model"]) == ("/v1/rerank", BETWEEN, RERANK_MODEL)
    assert body["documents"] == [f"{a.title}\n\n{a.body}" for a in (INVOICE, VOUCHER)]
    assert order_of(turn) == BY_COSINE


@pytest.mark.parametrize(
    ("reply", "finding"),
    [
        pytest.param(refuses(500), "RetrievalUnavailable", id="failure"),
        pytest.param(refuses(429), "RetrievalUnavailable", id="rate limit"),
        pytest.param(refuses(400), "RetrievalUnavailable", id="model unknown"),
        pytest.param(rejects_key(), "EmbedderKeyRejected", id="key rejected"),
        pytest.param(hangs(), "RetrievalUnavailable", id="hang"),
        pytest.param(resets(), "RetrievalUnavailable", id="reset"),
        pytest.param(breaks_off(), "RetrievalUnavailable", id="half an answer"),
        pytest.param(sends("<b>Sign in</b>"), "RetrievalUnavailable", id="HTML"),
        pytest.param(scores(0.9), "RetrievalUnavailable", id="a score too few"),
        pytest.param(scores(0.2, math.nan), "RetrievalUnavailable", id="NaN"),
        pytest.param(scores(0.2, 0.9, model="other"), "RetrievalUnavailable", id="other model"),
    ],
)
async def test_whatever_voyage_does_the_turn_is_answered_in_the_first_order(reply: Reply, finding: str):
    async with a_voyage_rig(reply) as (rig, _):
        turn = await rig.ask(BETWEEN)

    assert_answered_in_the_first_order(turn, finding)


@pytest.mark.parametrize("failure", OUTAGES, ids=lambda failure: type(failure).__name__)
async def test_an_outage_of_any_family_keeps_the_order(failure: Exception):
    reranker = ScriptedReranker(0.2, 0.9)
    reranker.at_rerank.fails = failure

    turn = await (await a_scripted_rig(reranker)).ask(BETWEEN)

    assert_answered_in_the_first_order(turn, type(failure).__name__)


async def test_a_reranker_that_hangs_is_not_waited_for_beyond_its_limit():
    reranker = ScriptedReranker(0.2, 0.9)
    reranker.at_rerank.waits = True

    turn = await (await a_scripted_rig(reranker, rerank_s=SHORT_S)).ask(BETWEEN)

    assert_answered_in_the_first_order(turn, "TimeoutError")


async def test_the_log_says_what_failed(logged):
    reranker = ScriptedReranker()
    reranker.at_rerank.fails = RetrievalUnavailable("Voyage refuses the request")

    await (await a_scripted_rig(reranker)).ask(BETWEEN)

    (said,) = [entry for entry in logged if entry["event"] == "order_kept"]
    assert (said["error"], said["why"]) == ("RetrievalUnavailable", "Voyage refuses the request")


@pytest.mark.parametrize("found", [(0.2, 0.9), (0.9, 0.2)], ids=["swapped", "kept"])
async def test_the_gate_judges_by_what_it_would_have_judged_by(found):
    without = await (await a_scripted_rig(None)).ask(BETWEEN)
    turn = await (await a_scripted_rig(ScriptedReranker(*found))).ask(BETWEEN)

    assert (turn.best_cosine, turn.threshold, turn.support) == (
        without.best_cosine,
        without.threshold,
        without.support,
    )
    assert (len(turn.ranked), set(turn.ranked)) == (2, set(without.ranked))


async def test_nothing_is_asked_where_the_gate_stops_the_turn_anyway():
    reranker = ScriptedReranker(0.1, 1.0)

    turn = await (await a_scripted_rig(reranker)).ask(UNCOVERED)

    assert reranker.asked == []
    assert reason_of(turn) is ReasonCode.NO_EVIDENCE
    assert is_truthful(turn)


async def test_nothing_is_asked_where_one_topic_is_close():
    reranker = ScriptedReranker()
    rig = await a_rig(reranker=reranker)

    turn = await rig.ask(QUESTION)

    assert (reranker.asked, looked_again(turn)) == ([], [])
    assert isinstance(turn.outcome, Answer)


async def test_nothing_is_asked_where_the_customer_stated_a_condition():
    reranker = ScriptedReranker(0.2, 0.9)

    turn = await (await a_scripted_rig(reranker)).ask(STATED)

    assert sum(p.rival for p in turn.ranked) == 2
    assert (reranker.asked, looked_again(turn)) == ([], [])


async def test_without_a_reranker_there_is_no_second_look():
    turn = await (await a_scripted_rig(None)).ask(BETWEEN)

    assert (order_of(turn), looked_again(turn)) == (BY_COSINE, [])
    assert isinstance(turn.outcome, Answer)


@pytest.mark.parametrize("broken", ["a score too few", "a defect"])
async def test_a_defect_ends_the_turn_as_what_it_is(broken):
    reranker = ScriptedReranker(0.2)
    reranker.at_rerank.fails = ValueError("ours") if broken == "a defect" else None

    turn = await (await a_scripted_rig(reranker)).ask(BETWEEN)

    assert only_truthful_reason(turn) is reason_of(turn) is ReasonCode.TURN_LOST


async def test_the_turn_s_own_budget_may_end_during_a_second_look():
    reranker = ScriptedReranker(0.2, 0.9)
    reranker.at_rerank.waits = True

    turn = await (await a_scripted_rig(reranker, turn_s=SHORT_S)).ask(BETWEEN)

    assert turn.stages[-1].name is Stage.RERANK
    assert only_truthful_reason(turn) is reason_of(turn) is ReasonCode.OUT_OF_TIME


def only_truthful_reason(turn: Turn) -> ReasonCode:
    (reason,) = [r for r in ReasonCode if is_truthful(replace(turn, outcome=Handoff(reason=r)))]
    return reason
