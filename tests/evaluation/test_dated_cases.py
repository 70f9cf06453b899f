"""The golden questions that dates decide: an outdated article must lose to the current one, and an old canonical one must not be buried.

`stale_winner`: an article that nobody superseded matches better than the current one on its topic. `buried_canonical`: the right
article is old, and a fresh one is only close. Every question counts as asked on the day that its row names.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from bot.adapters.extractive import ExtractiveAnswerer
from bot.adapters.system_clock import SystemClock
from bot.core.policy import RankingPolicy, TurnPolicy
from bot.evaluation.golden import GoldenConversation, read_golden
from bot.evaluation.known_queries import KnownQueries
from bot.evaluation.moment import asked_at
from bot.evaluation.strategies import Strategy, retrieved
from bot.knowledge_wiring import opened_knowledge
from bot.service.answering import Answering
from bot.settings import Settings
from bot.turn_wiring import Parts, answering, language

pytestmark = pytest.mark.timeout(300)

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
STALE_WINNER, BURIED_CANONICAL = "stale_winner", "buried_canonical"
# Two articles on trial lessons, and the customer's cancelling beside the tutor's: titles on one topic, about different things.
STILL_BURIED = {"s510"}


@pytest.fixture(scope="module")
def data_dir(synced_sample, tmp_path_factory) -> Path:
    copied: Path = tmp_path_factory.mktemp("dated") / "data"
    copytree(synced_sample, copied)
    return copied


async def wrong_at_rank_1(data_dir: Path, **ranking: float) -> dict[str, set[str]]:
    """Return the dated cases of each kind whose first article is not gold."""
    policy = TurnPolicy(ranking=replace(RankingPolicy(), **ranking))
    spoken = language()
    async with opened_knowledge(Settings(data_dir=data_dir)) as knowledge:
        parts = Parts(
            index=knowledge.index,
            embedder=KnownQueries(knowledge.embedder, knowledge.writer),
            answerer=ExtractiveAnswerer(spoken.replies, spoken.rules),
            clock=SystemClock(),
        )
        return await _wrong(dated_cases(), answering(parts, spoken, policy))


async def _wrong(cases: Mapping[str, Iterable[GoldenConversation]], steps: Answering) -> dict[str, set[str]]:
    wrong: dict[str, set[str]] = {kind: set() for kind in cases}
    for kind, golden in ((kind, one) for kind, every in cases.items() for one in every):
        retrieving = asked_at(steps, golden.asked_ms).retrieving
        found = await retrieved(golden, Strategy.BLENDED, retrieving, can_abstain=steps.can_abstain)
        if found is None or found.articles[0] not in golden.gold:
            wrong[kind].add(golden.id)
    return wrong


def dated_cases() -> dict[str, list[GoldenConversation]]:
    every = [one for half in ("dev", "test") for one in read_golden(GOLDEN / f"{half}.jsonl")]
    return {kind: [one for one in every if one.tag == kind] for kind in (STALE_WINNER, BURIED_CANONICAL)}


async def test_no_outdated_article_wins_and_no_canonical_one_is_buried_at_the_shipped_weights(data_dir):
    wrong = await wrong_at_rank_1(data_dir)

    assert wrong[STALE_WINNER] == set()
    assert wrong[BURIED_CANONICAL] <= STILL_BURIED


async def test_the_cases_need_freshness_and_bear_only_so_much_of_it(data_dir):
    shipped = await wrong_at_rank_1(data_dir)
    without = await wrong_at_rank_1(data_dir, freshness_weight=0.0, similarity_weight=1.0)
    too_much = await wrong_at_rank_1(data_dir, freshness_weight=0.5, similarity_weight=0.5)

    assert len(without[STALE_WINNER]) >= len(shipped[STALE_WINNER]) + 4
    assert len(too_much[BURIED_CANONICAL]) > len(shipped[BURIED_CANONICAL])
