"""Faithfulness: what is judged of an answer, and what the verdicts come to."""

import asyncio

import pytest

from bot.core.conversation import Source
from bot.core.faithfulness import JudgeRequest, Verdict, judge_request
from bot.errors import KeyRejected, ModelUnavailable, ProviderLimitReached
from bot.evaluation.judging import JudgedAnswer, faithfulness, judged
from tests.builders import a_found_passage, a_handoff, a_passage, a_ranked_passage, an_answer
from tests.evaluation.builders import a_trial


def from_article(article="KB1", text="Open My Lessons. It is free.", **fields):
    return a_trial(
        article, outcome=an_answer(text, sources=(Source(id=article, title="", url=""),)), **fields
    )


class ScriptedJudge:
    """Supports every sentence but those with one of *doubted* in them; `fails` is raised for questions with it."""

    def __init__(self, *doubted: str, fails: Exception | None = None) -> None:
        self.doubted = doubted
        self.fails = fails
        self.requests: list[JudgeRequest] = []

    async def judge(self, request: JudgeRequest) -> tuple[Verdict, ...]:
        self.requests.append(request)
        await asyncio.sleep(0)  # as a call over a network would, it lets the others run
        if self.fails is not None:
            raise self.fails
        return tuple(
            Verdict(sentence=s, supported=not any(word in s for word in self.doubted))
            for s in request.sentences
        )


def nobody() -> None:
    """Watch no progress."""


def test_sentences_are_judged_without_their_marks_and_only_against_cited_articles():
    cited = a_ranked_passage(
        found=a_found_passage(passage=a_passage(article_id="KB1", text="One."), title="A")
    )
    other = a_ranked_passage(
        found=a_found_passage(passage=a_passage(article_id="KB2", text="Two."), title="B")
    )
    answer = an_answer(
        "**Open** it.\n\n---\n\n1. Go [there](https://x.example).",
        sources=(Source(id="KB1", title="", url=""),),
    )

    request = judge_request("How?", answer, (cited, other))

    assert request == JudgeRequest(
        question="How?", sentences=("Open it.", "Go there."), passages=("A\n\nOne.",)
    )


async def test_only_answers_are_judged_and_one_sentence_without_support_makes_one_unfaithful():
    tried = [from_article(id="a", conversation_id="a"), a_trial(outcome=a_handoff(), id="h"),
             from_article(text="It is blue.", id="b", conversation_id="b")]  # fmt: skip
    judge, steps = ScriptedJudge("free"), []

    found = await judged(tried, judge, lambda: steps.append(1))

    assert (found.judged, found.unjudged, len(steps)) == (2, 0, 2)
    assert found.share is not None
    assert (found.share.value, found.share.low, found.share.high) == (0.5, 0.0, 1.0)
    (unfaithful,) = found.unfaithful
    assert (unfaithful.id, [v.sentence for v in unfaithful.unsupported]) == ("a", ["It is free."])


async def test_an_answer_on_which_the_judge_fails_counts_as_neither():
    found = await judged([from_article()], ScriptedJudge(fails=ModelUnavailable("overloaded")), nobody)

    assert (found.judged, found.unjudged, found.share, found.unfaithful) == (0, 1, None, ())


@pytest.mark.parametrize("failure", [KeyRejected("key"), ProviderLimitReached("limit")], ids=repr)
async def test_a_failure_that_every_call_would_meet_ends_the_judging(failure):
    judge = ScriptedJudge(fails=failure)

    with pytest.raises(type(failure)):
        await judged([from_article() for _ in range(20)], judge, nobody)

    assert len(judge.requests) < 20


def test_without_answers_there_is_no_share():
    assert faithfulness([]).share is None


def test_the_interval_is_over_conversations():
    yes, no = ((Verdict(sentence="x", supported=fine),) for fine in (True, False))
    answers = [
        JudgedAnswer(id=str(n), conversation_id=str(n // 10), question="", verdicts=yes if n < 30 else no)
        for n in range(40)
    ]

    share = faithfulness(answers).share

    assert share is not None
    assert share.value == 0.75
    assert share.low <= 0.25
