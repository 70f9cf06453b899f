"""A build that does not hold or find what it must is not put to use, and says so (FAULTS K6)."""

import pytest

from bot.adapters.memory.embedder import HashEmbedder
from bot.adapters.memory.knowledge import MemoryKnowledgeWriter
from bot.errors import GenerationRefused
from bot.sync_ports import GenerationState
from kb_sync.questions import Question
from kb_sync.report import QuestionsAsked
from tests.kb_sync.folders import an_article
from tests.kb_sync.sync_rig import SyncRig, articles


class Losing(MemoryKnowledgeWriter):
    """Loses an article on the way into a build."""

    def carry_over(self, token, build, articles):
        super().carry_over(token, build, [one for one in articles if one != "KB1"])


class Misplacing(MemoryKnowledgeWriter):
    """Finds another article than it should."""

    def nearest(self, generation, vectors, *, limit):
        return tuple((("KB0", 1.0),) for _ in vectors)


class Confusing(HashEmbedder):
    """Another model, to which every question means the same."""

    def __init__(self) -> None:
        super().__init__(dimension=64)

    async def embed_queries(self, texts):
        return await super().embed_queries(["nothing in particular"] * len(texts))


def rig_with(writer: MemoryKnowledgeWriter) -> SyncRig:
    rig = SyncRig()
    rig.writer = writer
    rig.use(rig.embedder)
    return rig


@pytest.mark.parametrize(
    ("writer", "said"),
    [
        pytest.param(Losing(), "1 articles are missing: KB1", id="an article was lost"),
        pytest.param(Misplacing(), "a search does not find KB1, KB2, KB3 by its own passage", id="canaries"),
    ],
)
async def test_a_build_with_a_fault_is_dropped_and_what_was_live_stays(writer, said):
    rig = rig_with(MemoryKnowledgeWriter())
    await rig.sync(*articles(3))
    writer.__dict__ = rig.writer.__dict__
    faulty = rig_with(writer)

    refusal = await faulty.refused(*articles(4))

    assert isinstance(refusal, GenerationRefused)
    assert said in str(refusal)
    assert [one.state for one in rig.writer.generations()] == [GenerationState.LIVE]
    assert (rig.run.outcome, rig.run.exit_code, rig.run.failed) == ("failed", 1, 1)
    assert len(await rig.searched()) == 3


async def test_titles_are_asked_where_no_questions_are_recorded():
    rig = SyncRig()

    report = await rig.sync(*articles(50))

    check = rig.check
    assert (check.articles, check.passages, check.recall_at_3) == (50, 50, 1.0)
    assert (len(check.questions), report.questions) == (20, QuestionsAsked(hits=20, of=20))
    assert check.questions[1].gold == ("KB10",)


async def test_the_operators_own_questions_are_asked_at_each_publication():
    question = Question(text="Which day may I choose? 2", gold=("KB2",))
    rig = SyncRig(golden=[question, Question(text="Where is the moon?", gold=("gone",))])

    await rig.sync(*articles(3))

    (checked,) = rig.check.questions
    assert (checked.text, checked.gold, checked.hit) == (question.text, ("KB2",), True)


async def test_another_model_that_finds_less_is_refused_and_everything_stays():
    rig = SyncRig()
    first = await rig.sync(*articles(30))
    rig.use(Confusing())

    refusal = await rig.refused(*articles(30))

    assert isinstance(refusal, GenerationRefused)
    assert "instead of 20" in str(refusal)
    assert "--accept-worse" in str(refusal)
    assert rig.live == first.generation


async def test_another_model_that_finds_less_is_put_to_use_when_somebody_accepts_it():
    rig = SyncRig()
    await rig.sync(*articles(30))
    rig.use(Confusing())
    await rig.refused(*articles(30))

    report = await rig.sync(*articles(30), worse=True)

    assert report.embedded_passages == 0
    assert rig.live == report.generation
    assert (rig.check.recall_at_3 or 0) < 1


async def test_the_questions_that_the_old_model_was_asked_are_asked_of_the_new_one():
    """Other questions would say nothing about which of the two finds more."""
    rig = SyncRig()
    await rig.sync(*articles(30))
    rig.setup = SyncRig(golden=[Question(text="Article 4", gold=("KB4",))]).setup
    rig.use(Confusing())

    assert "of 20 recorded questions" in str(await rig.refused(*articles(30)))


async def test_the_same_model_is_not_judged_by_its_questions():
    """The articles changed, and with them what is found: that is the author's business."""
    rig = SyncRig()
    await rig.sync(*articles(3))

    report = await rig.sync(*[an_article(number, title="Other") for number in range(3)])

    assert report.outcome.exit_code == 0
