"""Whether the sentences of an answer are supported by the passages of the articles that it cites. Judged by a model, offline."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.core.knowledge import RankedPassage
from bot.core.markdown import plain_text, sentences_of
from bot.core.outcome import Answer


class JudgeName(StrEnum):
    """Who may judge."""

    CLAUDE = "claude"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRequest:
    """One answer: the question, the sentences to judge, and the passages that may support them, each under its title."""

    question: str
    sentences: tuple[str, ...]
    passages: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the judge says of one sentence; `why` names what lacks support."""

    sentence: str
    supported: bool
    why: str = ""


def judge_request(question: str, answer: Answer, ranked: Sequence[RankedPassage]) -> JudgeRequest:
    """Return the request for an answer; of what was retrieved, only articles that the customer was shown as sources count."""
    cited = {source.id for source in answer.sources}
    found = [one.found for one in ranked if one.found.article_id in cited]
    sentences = (s for s in sentences_of(plain_text(answer.text)) if any(c.isalpha() for c in s))
    return JudgeRequest(
        question=question,
        sentences=tuple(sentences),
        passages=tuple(f"{one.title}\n\n{one.passage.text}" for one in found),
    )
