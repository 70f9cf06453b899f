"""Both configurations see the same articles, vectors and moment, and a replay in which something fails stops."""

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.core.asking import question_after
from bot.core.gate import blend_of
from bot.core.policy import RetrievalPolicy, TurnPolicy
from bot.errors import IndexNotReady, Misconfigured, RetrievalUnavailable
from bot.evaluation.comparison import Verdict
from bot.evaluation.configuration import Configuration
from bot.evaluation.replay import RememberingEmbedder, index_for, replayed
from bot.evaluation.traffic import PastConversation, read_conversations, to_row
from tests.evaluation.test_traffic import written
from tests.knowledge_builders import a_calibration
from tests.service.rig import COMPUTED, QUESTION, UNCOVERED, Rig, a_rig


def past(text: str = QUESTION, **labels) -> PastConversation:
    return PastConversation(**{"id": "g", "start": question_after((), text, locale="en")} | labels)


async def verdicts(rig: Rig, *conversations: PastConversation) -> list[Verdict]:
    answering = rig.turns.answering
    return [one.verdict async for one in replayed(conversations, answering, answering)]


async def test_exported_turns_end_as_they_did(tmp_path):
    rig = await a_rig()
    turns = [await rig.ask(text) for text in (QUESTION, "thanks", UNCOVERED)]
    rows = [to_row(turn, await rig.messages(), locale="en") for turn in turns]
    answering = rig.turns.answering

    found = [c async for c in replayed(read_conversations(written(tmp_path, *rows)), answering, answering)]

    assert [one.new.outcome for one in found] == [turn.outcome for turn in turns]
    assert [one.new.query for one in found][:2] == [turns[0].query, None]
    assert {one.verdict for one in found} == {Verdict.UNCHANGED}


async def test_a_replay_keeps_nothing():
    rig = await a_rig()

    await verdicts(rig, past(), past(UNCOVERED), past("a person please"))

    assert (await rig.messages(), await rig.turn_records(), rig.log) == ((), (), [])


async def test_a_computed_question_ends_as_in_the_service():
    rig = await a_rig()

    with capture_logs():
        assert await verdicts(rig, past(COMPUTED, reason="records_unavailable")) == [Verdict.UNCHANGED]


async def test_a_question_is_asked_again_on_its_own_day():
    rig = await a_rig()
    answering = rig.turns.answering

    (found,) = [c async for c in replayed([past(asked_ms=5)], answering, answering)]

    assert (found.old.started_ms, found.new.started_ms) == (5, 5)


async def test_a_failed_search_stops_the_replay():
    rig = await a_rig()
    rig.index.at_search.fails = RetrievalUnavailable("gone")

    with capture_logs(), pytest.raises(RetrievalUnavailable, match="conversation g: search failed"):
        await verdicts(rig, past())


async def test_no_query_is_embedded_twice():
    rig = await a_rig()
    shared = RememberingEmbedder(rig.embedder)
    answering = rig.turns.answering
    steps = replace(answering, retrieving=replace(answering.retrieving, embedder=shared))

    found = [one async for one in replayed([past(), past(UNCOVERED), past()], steps, steps)]

    assert len(found) == 3
    assert rig.embedder.embedded == [QUESTION, UNCOVERED]


async def test_a_remembered_vector_is_the_one_that_was_given_first():
    embedder = RememberingEmbedder((await a_rig()).embedder)

    first = await embedder.embed_queries(["a b", "c", "a b"])

    assert await embedder.embed_queries(["c", "a b"]) == (first[1], first[0])
    assert first[0] == first[2]


def configuration(threshold: float | None = None, **retrieval) -> Configuration:
    policy = TurnPolicy(gate_threshold=threshold, retrieval=replace(RetrievalPolicy(), **retrieval))
    return Configuration(name="new.toml", policy=policy)


async def test_another_blend_is_judged_by_the_threshold_that_its_configuration_states():
    index = (await a_rig()).shelf.index
    calibration = (await index.status()).calibration

    other = index_for(configuration(0.9, stands_alone=0.1), index, calibration)

    assert calibration is not None
    assert index_for(configuration(), index, calibration) is index
    assert (await other.status()).calibration == replace(
        calibration, blend={**calibration.blend, "stands_alone": 0.1}
    )


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (
            configuration(stands_alone=0.1),
            "new.toml: gate_threshold: is missing, and the calibrated one is for",
        ),
        (configuration(bare_reply_words=9), "whose scores are others; write gate_threshold = NUMBER"),
        (configuration(-0.99), "new.toml: gate_threshold: -0.99 is outside of what calibration saw"),
    ],
)
async def test_a_threshold_that_would_mean_nothing_is_refused(wanted, said):
    index = (await a_rig()).shelf.index

    with pytest.raises(Misconfigured) as refused:
        index_for(wanted, index, (await index.status()).calibration)

    assert said in str(refused.value)


async def test_without_a_calibration_nothing_can_be_compared():
    with pytest.raises(IndexNotReady, match="run `python -m bot calibrate`"):
        index_for(configuration(), (await a_rig()).shelf.index, None)


def test_the_calibration_in_these_tests_is_for_the_default_blend():
    assert a_calibration("f").blend == blend_of(RetrievalPolicy())
