"""Decisions on MongoDB that cross another decision, or a publish: in the end the passages carry what the last word makes of them."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest

from bot.adapters.mongo.catalogue import MongoArticleCatalogue
from bot.adapters.mongo.knowledge import MongoKnowledgeWriter
from bot.adapters.mongo.knowledge_build import settle_as_decided, standings_of
from bot.adapters.mongo.knowledge_documents import passages_in
from bot.core.content import Decision, DecisionKind, PairKey
from bot.core.indexing import statuses_in_force
from tests.adapters.atlas_rig import AtlasRig, StoppedForPeople, atlas_rig
from tests.knowledge_builders import a_check, a_run

MOST_COMMANDS = 40
DECISION = Decision(
    key=PairKey("KB0 KB1"), kind=DecisionKind.SUPERSEDED, loser="KB0", winner="KB1", who="ana", at_ms=1
)


@pytest.fixture
async def rig() -> AsyncIterator[AtlasRig]:
    async with atlas_rig() as rig:
        rig.publish("KB0", "KB1")
        yield rig


def decides(rig: AtlasRig, *decisions: Decision) -> None:
    """Let somebody else's decisions be all that there are."""
    state = rig.state.change(lambda before: replace(before, decisions=decisions))
    settle_as_decided(rig.state, rig.live or "", token=state.token)


def require_settled(rig: AtlasRig) -> None:
    """Require that each passage carries the status that articles and decisions make of it."""
    state, live = rig.state.read(), rig.live or ""
    in_force = statuses_in_force(standings_of(rig.blocking, state, live))
    carried = {one["article_id"]: one["status"] for one in rig.blocking.find(passages_in(live), {})}
    assert carried == {article: str(in_force[article]) for article in carried}


OTHERS: dict[str, Callable[[AtlasRig], object]] = {
    "another decision": lambda rig: decides(rig, replace(DECISION, loser="KB1", winner="KB0")),
    "no decision": decides,
    "a publish": lambda rig: rig.publish("KB0", "KB1"),
}


@pytest.mark.parametrize("other", OTHERS)
async def test_a_decision_that_is_crossed_before_any_command(rig, other):
    for number in range(1, MOST_COMMANDS):
        decides(rig)
        database = StoppedForPeople(rig.waiting, number, lambda: OTHERS[other](rig))

        await MongoArticleCatalogue(database).decide(DECISION)

        require_settled(rig)
        if not database.was_stopped:
            assert await rig.found() == ["KB1#0"]
            return
    pytest.fail("it never ended")


async def test_a_publish_that_a_decision_crosses_before_any_command(rig):
    for number in range(1, MOST_COMMANDS * 2):
        decides(rig)
        build = rig.begin("KB0", "KB1")
        database = rig.stopped_before(number, lambda: decides(rig, DECISION))
        writer = MongoKnowledgeWriter(database, monotonic_s=rig.clock.monotonic_s)

        writer.publish(rig.token(), build, a_run(), a_check())

        require_settled(rig)
        if not database.was_stopped:
            assert await rig.found() == ["KB0#0", "KB1#0"]
            return
        assert await rig.found() == ["KB1#0"]
    pytest.fail("it never ended")
