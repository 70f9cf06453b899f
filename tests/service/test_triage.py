"""After "nothing found", what the content team is told: an article exists out of the customer's reach, or none does."""

import pytest

from bot.core.outcome import Handoff, ReasonCode, Triage
from bot.core.policy import Deadlines, TurnPolicy
from bot.errors import RetrievalUnavailable
from tests.knowledge_builders import an_article, begin_build
from tests.service.faults import finding_each
from tests.service.rig import UNCOVERED, Rig, a_rig
from tests.service.shelf import ARTICLES, RESCHEDULE, THRESHOLD, _passage_of, _vector_of

WINE = {"title": UNCOVERED, "body": UNCOVERED}
DRAFT = an_article("KB9", status="draft", **WINE)
OLD = an_article("KB9", status="superseded", **WINE)
WINE_ARTICLE = an_article("KB9", **WINE)
FOREIGN = an_article("KB9", locale="de", **WINE)


@pytest.mark.parametrize(
    ("articles", "triage"),
    [
        pytest.param([], Triage.ABSENT, id="none anywhere"),
        pytest.param([DRAFT], Triage.ONLY_DRAFT, id="a draft"),
        pytest.param([OLD], Triage.ONLY_SUPERSEDED, id="a superseded one"),
        pytest.param([FOREIGN], Triage.OTHER_LANGUAGE, id="another language"),
    ],
)
async def test_nothing_found_is_explained_for_the_content_team(articles, triage):
    rig = await a_rig(articles=[*ARTICLES, *articles])

    turn = await rig.ask(UNCOVERED)

    assert turn.outcome == Handoff(reason=ReasonCode.NO_EVIDENCE, triage=triage)


def a_build(rig: Rig, article, fingerprint=None):
    passage = _passage_of(article)
    written = [(article, [(passage, _vector_of(passage.embedded_text))])]
    begin_build(rig.shelf.writer, fingerprint or str(rig.shelf.embedder.fingerprint), written)


@pytest.mark.parametrize(
    ("article", "fingerprint", "triage"),
    [
        pytest.param(WINE_ARTICLE, None, Triage.NOT_YET_INDEXED, id="that answers"),
        pytest.param(WINE_ARTICLE, "another/model", Triage.ABSENT, id="of another model"),
        pytest.param(RESCHEDULE, None, Triage.ABSENT, id="about something else"),
        pytest.param(DRAFT, None, Triage.ABSENT, id="with a draft only"),
    ],
)
async def test_an_article_in_a_build_that_is_not_published_is_not_yet_indexed(
    rig: Rig, article, fingerprint, triage
):
    a_build(rig, article, fingerprint)

    turn = await rig.ask(UNCOVERED)

    assert turn.outcome == Handoff(reason=ReasonCode.NO_EVIDENCE, triage=triage)


async def test_an_article_of_another_language_stays_one_while_a_sync_runs():
    rig = await a_rig(articles=[*ARTICLES, FOREIGN])
    a_build(rig, FOREIGN)

    turn = await rig.ask(UNCOVERED)

    assert turn.outcome == Handoff(reason=ReasonCode.NO_EVIDENCE, triage=Triage.OTHER_LANGUAGE)


async def test_a_passage_just_below_the_threshold_is_a_near_miss(rig: Rig):
    finding_each(cosine=THRESHOLD - 0.05)(rig)

    turn = await rig.ask(UNCOVERED)

    assert turn.outcome == Handoff(reason=ReasonCode.NO_EVIDENCE, triage=Triage.NEAR_MISS)


@pytest.mark.parametrize(
    "failure", [RetrievalUnavailable("x"), ValueError("a defect"), TimeoutError()], ids=repr
)
async def test_a_triage_that_fails_leaves_the_reason_as_it_is(rig: Rig, failure):
    rig.index.at_search.skips = 1
    rig.index.at_search.fails = failure

    turn = await rig.ask(UNCOVERED)

    assert turn.outcome == Handoff(reason=ReasonCode.NO_EVIDENCE)


async def test_a_triage_outside_the_turns_budget_does_not_make_it_out_of_time():
    rig = await a_rig(policy=TurnPolicy(deadlines=Deadlines(turn_s=0.01)))
    rig.index.at_search.skips = 1
    rig.index.at_search.waits = True

    await rig.say(UNCOVERED)
    await rig.index.at_search.reached.wait()
    rig.index.at_search.opened.set()
    await rig.idle()

    assert await rig.reasons() == ["no_evidence"]


async def test_other_reasons_are_not_triaged(rig: Rig):
    turn = await rig.ask("I want to talk to a person")

    assert turn.outcome == Handoff(reason=ReasonCode.CUSTOMER_ASKED)
    assert rig.index.searches == []
