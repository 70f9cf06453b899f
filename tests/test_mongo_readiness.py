"""What `/readyz` says of a vector index that cannot be believed: each fault has a sentence of its own (FAULTS R-D3, M1)."""

from collections.abc import AsyncIterator, Callable

import pytest

from bot.adapters.extractive import ExtractiveAnswerer
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.embedder import HashEmbedder
from bot.adapters.mongo.passages import MongoPassageIndex
from bot.channels.health import Detail
from bot.checks_wiring import checks_of
from bot.errors import IndexNotReady
from bot.settings import Settings
from bot.turn_wiring import Parts, language
from tests.adapters.atlas_rig import AtlasRig, atlas_rig


@pytest.fixture
async def rig() -> AsyncIterator[AtlasRig]:
    async with atlas_rig() as rig:
        rig.publish("KB1")
        yield rig


async def knowledge_base(rig: AtlasRig) -> Detail:
    spoken = language()
    parts = Parts(
        index=rig.index,
        embedder=HashEmbedder(),
        answerer=ExtractiveAnswerer(spoken.replies, spoken.rules),
        clock=rig.clock,
    )
    return await checks_of(Settings(), MemoryConversationStore(), parts).by_name()["knowledge_base"]()


def in_state(status: str) -> Callable[[AtlasRig], None]:
    def become(rig: AtlasRig) -> None:
        rig.vectors.status = status

    return become


def of_three_dimensions(rig: AtlasRig) -> None:
    vector, *filters = rig.vectors.definition["fields"]
    rig.vectors.definition = {"fields": [{**vector, "numDimensions": 3}, *filters]}


def of_another_model(rig: AtlasRig) -> None:
    rig.index = MongoPassageIndex(rig.waiting, fingerprint="local/other", clock=rig.clock)


FAULTS: dict[str, Callable[[AtlasRig], None]] = {
    "missing: the vector index 'vectors' is not there": lambda rig: rig.front.indexes.clear(),
    "building: the vector index 'vectors' is being built (PENDING)": in_state("PENDING"),
    "failed: the vector index 'vectors' is in state FAILED": in_state("FAILED"),
    "stale: the vector index 'vectors' answers with what it had (STALE)": in_state("STALE"),
    "mismatched: the vector index 'vectors' has 3 dimensions, but its passages have 2": of_three_dimensions,
    "mismatched: the passages were embedded as local/test": of_another_model,
}


@pytest.mark.parametrize("said", FAULTS)
async def test_readiness_tells_the_faults_of_an_index_apart(rig, said):
    FAULTS[said](rig)

    with pytest.raises(IndexNotReady) as unready:
        await knowledge_base(rig)

    assert str(unready.value).startswith(f"the passage index is {said}")


async def test_an_index_that_can_be_searched_makes_ready(rig):
    assert (await knowledge_base(rig))["passages"] == 1
