"""Golden conversations, trials and search results with defaults; a test states only what it is about."""

from bot.core.asking import question_after
from bot.core.outcome import Outcome
from bot.evaluation.golden import GoldenConversation, Topic
from bot.evaluation.strategies import Retrieved
from bot.evaluation.trials import Trial
from tests.builders import a_found_passage, a_handoff, a_passage, a_ranked_passage, a_turn


def a_golden(**fields) -> GoldenConversation:
    """Return an answerable question."""
    defaults = {
        "id": "g",
        "conversation_id": "g",
        "start": question_after((), "How do I reschedule a class?", locale="en"),
        "gold": ("KB1",),
        "topic": Topic.ANSWERABLE,
        "label": "ANSWER",
    }
    return GoldenConversation(**{**defaults, **fields})


def a_trial(*found: str, outcome: Outcome | None = None, best: float | None = None, **golden) -> Trial:
    """Return a golden conversation's turn that found these articles."""
    ranked = tuple(
        a_ranked_passage(found=a_found_passage(passage=a_passage(article_id=article))) for article in found
    )
    turn = a_turn(a_handoff() if outcome is None else outcome, ranked=ranked, best_cosine=best, support=1.0)
    return Trial(golden=a_golden(**golden), turn=turn)


def a_search(*articles: str, score: float = 0.7, threshold: float | None = 0.5, **golden) -> Retrieved:
    """Return what a strategy found for an answerable question."""
    return Retrieved(golden=a_golden(**golden), articles=articles, score=score, threshold=threshold)


def an_unanswerable_search(*articles: str, score: float = 0.3, **fields) -> Retrieved:
    """Return what a strategy found for a question that no article answers."""
    return a_search(
        *articles, **{"score": score, "gold": (), "topic": Topic.NEAR, "label": "NO_KB_NEAR", **fields}
    )
