"""Gaps from the turn that found nothing to the report, the table and the draft; and what becomes of them when an article comes."""

from dataclasses import replace

import pytest

from bot.adapters.memory.erasure import MemoryErasure
from bot.adapters.memory.knowledge import MemoryKnowledgeWriter
from bot.core.caps import DAY_MS
from bot.core.content import Decision, DecisionKind, PairKey
from bot.core.desk import Mark, MarkKind
from bot.core.gaps import GapSign
from bot.core.knowledge import ArticleId
from bot.core.outcome import ReasonCode, Triage
from bot.core.policy import TurnPolicy
from bot.core.prompt import Abstained
from bot.errors import InputRejected, RetrievalUnavailable, StoreUnavailable
from bot.service import gap_asking
from bot.service.gap_builds import Unpublished
from tests.knowledge_builders import an_article
from tests.service.gap_rig import ANNA, DAYS, GapRig, a_gap_rig
from tests.service.rig import QUESTION, UNCOVERED
from tests.service.shelf import RESCHEDULE

WINE = an_article("KB9", title=UNCOVERED, body=f"{UNCOVERED} A dry white one.")
DRAFT = an_article("KB8", title=UNCOVERED, body=UNCOVERED, status="draft")


@pytest.fixture
async def there() -> GapRig:
    return await a_gap_rig()


async def test_a_question_without_an_article_is_a_gap_until_one_answers_it(there: GapRig):
    await there.ask(UNCOVERED)
    await there.ask(QUESTION, conversation="c2")

    (before,) = await there.found()
    there.rig.clock.advance(1)
    there.sync(WINE)
    (after,) = await there.found()

    assert (before.label, before.triage, before.answered_by) == ((UNCOVERED,), Triage.ABSENT, None)
    assert (after.label, after.triage, after.answered_by) == ((UNCOVERED,), Triage.NOT_YET_INDEXED, "KB9")


async def test_an_article_that_is_only_written_is_told_at_the_next_report(there: GapRig):
    await there.ask(UNCOVERED)
    there.sync(DRAFT)

    (gap,) = await there.found()
    (question,) = gap.questions

    assert (question.triage, gap.triage) == (Triage.ABSENT, Triage.ONLY_DRAFT)
    assert question.today is not None
    assert not question.today.passes


async def test_an_article_that_is_not_published_yet_is_told_of_at_once(there: GapRig):
    await there.ask(UNCOVERED)
    there.write(WINE)

    (gap,) = await there.found()

    assert (gap.triage, gap.answered_by) == (Triage.NOT_YET_INDEXED, None)
    assert gap.questions[0].today is not None
    assert gap.questions[0].today.article == "KB9"


@pytest.mark.parametrize(
    ("article", "fingerprint"),
    [(WINE, "another/model"), (RESCHEDULE, None)],
    ids=["another model", "another article"],
)
async def test_a_build_that_does_not_answer_changes_nothing(there: GapRig, article, fingerprint):
    await there.ask(UNCOVERED)
    there.write(article, fingerprint=fingerprint)

    assert [gap.triage for gap in await there.found()] == [Triage.ABSENT]


async def test_a_build_that_cannot_be_read_leaves_the_rest_as_it_is(there: GapRig):
    await there.ask(UNCOVERED)
    gaps = replace(there.gaps, asking=replace(there.gaps.asking, unpublished=Unpublished(writer=_Gone())))

    assert [gap.triage for gap in (await gaps.report(DAYS)).gaps] == [Triage.ABSENT]


class _Gone(MemoryKnowledgeWriter):
    def generations(self):
        raise StoreUnavailable("down")


async def test_the_same_question_of_several_customers_is_one_gap(there: GapRig):
    for name, text in (("c1", UNCOVERED), ("c2", UNCOVERED.upper()), ("c2", UNCOVERED), ("c3", UNCOVERED)):
        await there.ask(text, conversation=name)
        await there.agent_answers("A dry white one.", conversation=name) if name == "c1" else None

    (gap,) = await there.found()

    assert gap.count == 3
    assert [reply.text for reply in gap.replies] == ["A dry white one."]


async def test_an_offer_to_rephrase_and_the_handoff_after_it_are_one_customers_gap():
    there = await a_gap_rig(policy=TurnPolicy(offer_before_handoff=True))
    await there.ask(UNCOVERED)
    await there.ask(f"{UNCOVERED} please")

    (gap,) = await there.found()

    assert (gap.count, len(gap.questions)) == (1, 2)


async def test_what_the_model_declared_unanswerable_is_not_answered_by_what_it_had_read(there: GapRig):
    there.rig.answerer.can_abstain = True
    there.rig.answerer.script = [Abstained()]
    await there.ask(QUESTION)

    (gap,) = await there.found()

    assert gap.questions[0].sign is GapSign.MODEL_ABSTAINED
    assert (gap.triage, gap.answered_by) == (None, None)


async def test_a_mark_of_an_agent_makes_a_gap_of_an_answered_question(there: GapRig):
    turn = await there.ask(QUESTION)
    at_ms = there.rig.clock.now_ms()
    mark = Mark(
        conversation=turn.fence.conversation, kind=MarkKind.KNOWLEDGE_GAP, seq=0, agent=ANNA, at_ms=at_ms
    )
    await there.desk.add_mark(mark)

    (gap,) = await there.found()

    assert (gap.questions[0].sign, gap.questions[0].turn) == (GapSign.KNOWLEDGE_GAP, turn.id)


async def test_only_the_days_that_are_asked_for_count(there: GapRig):
    await there.ask(UNCOVERED)
    there.rig.clock.advance(2 * DAY_MS)

    assert (await there.gaps.report(1)).gaps == ()
    assert len((await there.gaps.report(3)).gaps) == 1


@pytest.mark.parametrize("days", [0, -1, 367])
async def test_a_span_that_makes_no_sense_is_refused(there: GapRig, days):
    with pytest.raises(InputRejected, match="days"):
        await there.gaps.report(days)


async def test_what_is_erased_is_in_no_report_and_leaves_no_vector(there: GapRig):
    turn = await there.ask(UNCOVERED)
    await there.found()
    erasure = MemoryErasure(there.rig.store, there.customers)
    await erasure.erase([turn.fence.conversation], who="operator", at_ms=0)

    assert await there.found() == ()
    assert there.gaps.vectors._known == {}
    assert there.gaps.asking._known == {}


async def test_a_second_report_embeds_and_searches_nothing(there: GapRig):
    await there.ask(UNCOVERED)
    first = await there.found()
    embedded, searched = len(there.rig.embedder.embedded), len(there.rig.index.searches)

    assert await there.found() == first
    assert (len(there.rig.embedder.embedded), len(there.rig.index.searches)) == (embedded, searched)


async def test_a_decision_on_articles_has_questions_asked_again(there: GapRig):
    await there.ask(UNCOVERED)
    await there.found()
    searched = len(there.rig.index.searches)
    there.catalogue.decided = (
        Decision(
            key=PairKey("k"),
            kind=DecisionKind.SUPERSEDED,
            loser=ArticleId("KB1"),
            winner=ArticleId("KB2"),
            who="anna",
            at_ms=1,
        ),
    )

    await there.found()

    assert len(there.rig.index.searches) > searched


async def test_without_an_index_gaps_are_told_as_they_were_recorded(there: GapRig):
    await there.ask(UNCOVERED)
    there.rig.index.at_status.fails = RetrievalUnavailable("down")

    report = await there.gaps.report(DAYS)

    assert [gap.triage for gap in report.gaps] == [Triage.ABSENT]
    assert (report.problem, report.not_asked) == (ReasonCode.RETRIEVAL_UNAVAILABLE, 1)


async def test_a_search_that_fails_ends_the_asking_and_not_the_report(there: GapRig):
    for place, text in enumerate((UNCOVERED, "Where do I park my bicycle?")):
        await there.ask(text, conversation=f"c{place}")
    there.rig.index.at_search.fails = RetrievalUnavailable("down")
    searched = len(there.rig.index.searches)

    report = await there.gaps.report(DAYS)

    assert (len(report.gaps), report.problem) == (2, ReasonCode.RETRIEVAL_UNAVAILABLE)
    assert len(there.rig.index.searches) <= searched + 1


async def test_without_an_embedder_there_is_no_report(there: GapRig):
    await there.ask(UNCOVERED)
    there.rig.embedder.at_embed.fails = RetrievalUnavailable("down")

    with pytest.raises(RetrievalUnavailable):
        await there.gaps.report(DAYS)


async def test_only_so_many_questions_are_asked_again_at_once_and_the_rest_next_time(there: GapRig):
    count = gap_asking.MOST_AT_ONCE + 1
    rare = [f"{chr(97 + n // 26)}{chr(97 + n % 26)}qx{n} zw{n * 7}" for n in range(count)]
    for place, text in enumerate(rare):
        await there.ask(text, conversation=f"c{place}")

    first, second = await there.gaps.report(DAYS), await there.gaps.report(DAYS)

    assert first.not_asked == len(first.gaps) - gap_asking.MOST_AT_ONCE
    assert second.not_asked == 0


async def test_the_table_has_a_row_for_each_gap(there: GapRig):
    await there.ask(UNCOVERED)

    written = await there.gaps.csv(DAYS)

    assert written.startswith("\ufeffgap,customers,")
    assert UNCOVERED in written


async def test_a_draft_quotes_the_agents_and_has_an_id_of_its_own(there: GapRig):
    turn = await there.ask(f"{UNCOVERED} I am ada@example.org")
    await there.agent_answers("A dry white one, write to bob@example.org.")
    taken = an_article(f"gap-{turn.id[:12]}")
    there.sync(taken)

    draft = await there.gaps.draft(turn.id[:8], DAYS)

    assert draft is not None
    assert draft.id == f"{taken.id}-2"
    assert "> A dry white one, write to [e-mail]" in draft.text
    assert "example.org" not in draft.text


async def test_there_is_no_draft_of_a_gap_that_is_not_there(there: GapRig):
    assert await there.gaps.draft("unknown", DAYS) is None
