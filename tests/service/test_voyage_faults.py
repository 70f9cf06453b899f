"""The embedder's provider misbehaves in every known way: a question is handed over as what it is, a sync changes nothing.

Everything is real but the provider: its client, the embedder, the turn and the sync (FAULTS §3.3, L13, L15).
"""

import math
from dataclasses import dataclass, replace

import pytest

from bot.core.knowledge import IndexState
from bot.core.outcome import Answer, Handoff, ReasonCode
from bot.core.truth import is_truthful
from bot.core.turn import Stage, failing_stage
from bot.errors import RetrievalUnavailable
from tests.kb_sync.folders import an_article
from tests.service.rig import QUESTION, REPLIES, UNCOVERED, reason_of
from tests.service.voyage_rig import a_sync_rig, a_voyage_rig
from tests.vendors.local_server import Reply, hangs, resets, sends
from tests.vendors.voyage_server import embeds, refuses, rejects_key

VISIBLE_WITHIN_S = 35.0
RETRIEVAL = ReasonCode.RETRIEVAL_UNAVAILABLE
ARTICLES = [an_article(1), an_article(2)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What the provider does every time, and what an operator is told of it."""

    reply: Reply
    said: str
    error: str = "RetrievalUnavailable"


def numbers(number: float, *, as_lists: bool = False) -> Reply:
    """Answer with vectors that begin with *number*."""
    return embeds(lambda vectors: [[number, *v[1:]] for v in vectors], as_lists=as_lists)


FAULTS = {
    "fewer vectors": Fault(reply=embeds(lambda v: v[1:]), said="vectors for"),
    "more vectors": Fault(reply=embeds(lambda v: [*v, *v]), said="vectors for"),
    "other dimension": Fault(
        reply=embeds(lambda v: [[1.0, *(0.0,) * 63] for _ in v]), said="returned 64 dimensions instead of 128"
    ),
    "NaN": Fault(reply=numbers(math.nan), said="of length nan"),
    "NaN in a list": Fault(reply=numbers(math.nan, as_lists=True), said="of length nan"),
    "infinity": Fault(reply=numbers(math.inf), said="of length inf"),
    "zero vector": Fault(reply=embeds(lambda v: [[0.0] * len(one) for one in v]), said="of length 0"),
    "wrong norm": Fault(reply=embeds(lambda v: [[n * 1.01 for n in one] for one in v]), said="of length 1.01"),
    "other model": Fault(reply=embeds(model="voyage-3.5"), said="'voyage-3.5' instead of 'voyage-4'"),
    "key rejected": Fault(reply=rejects_key(), said="rejects VOYAGE_API_KEY", error="EmbedderKeyRejected"),
    "model not allowed": Fault(reply=refuses(403), said="rejects VOYAGE_API_KEY", error="EmbedderKeyRejected"),
    "model unknown": Fault(reply=refuses(400), said="check VOYAGE_MODEL"),
    "rate limit for an hour": Fault(reply=refuses(429, retry_after="3600"), said="rate limit is reached"),
    "rate limit": Fault(reply=refuses(429), said="rate limit is reached"),
    "failure": Fault(reply=refuses(500), said="Voyage fails (ServerError 500)"),
    "overloaded": Fault(reply=refuses(503), said="Voyage fails (ServiceUnavailableError 503)"),
    "reset": Fault(reply=resets(), said="cannot be reached, or broke the connection"),
    "hang": Fault(reply=hangs(), said="did not answer in time"),
    "HTML": Fault(reply=sends("<html><b>Sign in</b></html>"), said="cannot be read (APIError 200)"),
    "broken JSON": Fault(reply=sends('{"data": [', "application/json"), said="cannot be read"),
    "other JSON": Fault(reply=sends('{"ok": true}', "application/json"), said="cannot be read"),
}  # fmt: skip
CASES = pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)


@CASES
async def test_a_question_is_handed_over_and_no_other_reason_would_be_true(fault: Fault):
    async with a_voyage_rig(fault.reply) as (rig, _):
        turn = await rig.ask(QUESTION)

        broken = failing_stage(turn.stages)
        assert reason_of(turn) is RETRIEVAL, turn.stages
        assert (broken and broken.name, broken and broken.error) == (Stage.EMBED, fault.error)
        others = [Handoff(reason=reason) for reason in ReasonCode if reason is not RETRIEVAL]
        assert not any(is_truthful(replace(turn, outcome=other)) for other in others)


@CASES
async def test_the_customer_is_told_in_time_and_the_agent_is_told_what_failed(fault: Fault):
    async with a_voyage_rig(fault.reply) as (rig, _):
        turn = await rig.ask(QUESTION)

        (said,) = await rig.told()
        assert said.text == REPLIES.handoff(RETRIEVAL, "en")
        assert rig.clock.monotonic_s() < VISIBLE_WITHIN_S
        assert isinstance(turn.outcome, Handoff)
        assert fault.said in turn.outcome.detail


@CASES
async def test_a_first_sync_fails_with_its_reason_and_stores_nothing(fault: Fault):
    async with a_sync_rig(fault.reply) as rig:
        with pytest.raises(RetrievalUnavailable) as failed:
            await rig.sync(ARTICLES)

        (run,) = rig.writer.runs(limit=9)
        assert fault.said in str(failed.value)
        assert (run.outcome, run.error) == ("failed", str(failed.value))
        assert (await rig.index.status()).state is not IndexState.READY
        assert rig.writer.vectors == {}


@CASES
async def test_a_later_sync_leaves_what_is_searched_as_it_was(fault: Fault):
    async with a_sync_rig(embeds()) as rig:
        await rig.sync(ARTICLES)
        before = await rig.index.status()
        rig.server.replies = [fault.reply]
        with pytest.raises(RetrievalUnavailable):
            await rig.sync([*ARTICLES, an_article(3)])

        after = await rig.index.status()
        assert (after.generation, after.articles, after.state) == (before.generation, 2, IndexState.READY)
        assert after.last_sync_ms == before.last_sync_ms


@pytest.mark.parametrize("failures", [1, 2])
async def test_a_provider_that_recovers_in_time_is_not_noticed(failures):
    async with a_voyage_rig(*[refuses(503)] * failures, embeds()) as (rig, _):
        turn = await rig.ask(QUESTION)

    assert isinstance(turn.outcome, Answer)


async def test_the_next_question_is_answered_when_the_provider_is_back():
    async with a_voyage_rig(refuses(400), embeds()) as (rig, _):
        await rig.ask(QUESTION)
        await rig.return_to_bot()
        turn = await rig.ask("How do I reschedule a class today?")

    assert isinstance(turn.outcome, Answer)


async def test_nothing_found_with_a_healthy_provider_is_no_evidence():
    async with a_voyage_rig(embeds()) as (rig, _):
        turn = await rig.ask(UNCOVERED)

    assert reason_of(turn) is ReasonCode.NO_EVIDENCE


async def test_a_key_that_is_revoked_while_running_hands_over_from_then_on():
    async with a_voyage_rig(embeds(), rejects_key()) as (rig, _):
        first = await rig.ask(QUESTION)
        second = await rig.ask("How do I reschedule a class tomorrow?")

    assert (reason_of(first), reason_of(second)) == (None, RETRIEVAL)
