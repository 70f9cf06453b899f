"""What every embedder promises: the twin of tests, the one on this machine, and Voyage through its client and a local server."""

import math
from collections.abc import AsyncIterator

import pytest

from bot.adapters.local_embedder import LocalEmbedder
from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.embedder import HashEmbedder
from bot.adapters.voyage.opening import Surroundings, VoyageAccess, opened_voyage
from bot.model_ports import Embedder
from tests.vendors.voyage_server import voyage_server

PASSAGE = "How to Reschedule a Lesson\nOpen My Lessons and choose Reschedule for the lesson."
OTHER = "Payments\nA tutor who cancels gives the money back within five days."
QUESTION = "How do I reschedule a lesson?"


@pytest.fixture
async def voyage() -> AsyncIterator[Embedder]:
    clock = ManualClock()
    around = Surroundings(monotonic_s=clock.monotonic_s, sleep=clock.sleep, jitter=lambda: 1.0)
    async with voyage_server() as server:
        access = VoyageAccess(api_key="k", base_url=server.url, model="voyage-4", dimension=1024)
        async with opened_voyage(access, around, chunker="test") as opened:
            yield opened.embedder


@pytest.fixture(params=["memory", "local", "voyage"])
async def embedder(request: pytest.FixtureRequest, voyage: Embedder) -> AsyncIterator[Embedder]:
    if request.param == "local":
        local = LocalEmbedder.open(chunker="test")
        yield local
        local.close()
    else:
        yield HashEmbedder() if request.param == "memory" else voyage


async def test_each_text_has_a_unit_vector_of_the_fingerprints_dimension(embedder: Embedder):
    vectors = [*await embedder.embed_passages([PASSAGE, OTHER]), *await embedder.embed_queries([QUESTION])]

    assert {len(vector) for vector in vectors} == {embedder.fingerprint.dimension}
    assert [math.hypot(*vector) for vector in vectors] == pytest.approx([1.0] * 3, abs=1e-3)


async def test_vectors_come_in_the_order_of_their_texts(embedder: Embedder):
    forth = await embedder.embed_passages([PASSAGE, OTHER])
    back = await embedder.embed_passages([OTHER, PASSAGE])

    for one, same in zip(forth, back[::-1], strict=True):
        assert one == pytest.approx(same, abs=1e-6)


async def test_a_question_is_nearest_to_the_passage_on_it(embedder: Embedder):
    (question,) = await embedder.embed_queries([QUESTION])
    on_it, other = await embedder.embed_passages([PASSAGE, OTHER])

    assert math.dist(question, on_it) < math.dist(question, other)


async def test_a_text_asked_for_twice_has_its_vector_twice(embedder: Embedder):
    first, second, third = await embedder.embed_queries([QUESTION, "What does it cost?", QUESTION])

    assert first == third != second


async def test_no_text_has_no_vector(embedder: Embedder):
    assert await embedder.embed_queries([]) == ()
    assert await embedder.embed_passages([]) == ()


def test_a_longer_text_has_more_tokens_and_a_passage_fits(embedder: Embedder):
    assert 0 < embedder.count_tokens("a") < embedder.count_tokens(QUESTION) < embedder.count_tokens(PASSAGE)
    assert embedder.count_tokens(PASSAGE) <= embedder.token_limit
