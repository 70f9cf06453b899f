"""Questions are embedded once, a few at a time, and what is not asked about any more is forgotten."""

import asyncio

import pytest

from bot.adapters.memory.embedder import HashEmbedder
from bot.errors import RetrievalUnavailable
from bot.service.gap_vectors import BATCH_CHARACTERS, BATCH_TEXTS, RememberedVectors, batches
from tests.service.stand_ins import ScriptedEmbedder


@pytest.fixture
def embedder():
    return ScriptedEmbedder(HashEmbedder())


async def test_a_text_is_embedded_once(embedder):
    vectors = RememberedVectors(embedder)

    first = await vectors.embed_queries(["a ramp", "a lift", "a ramp"])
    second = await vectors.embed_queries(["a lift", "stairs"])

    assert embedder.embedded == ["a ramp", "a lift", "stairs"]
    assert (first[0], first[1]) == (first[2], second[0])


async def test_vectors_are_those_of_the_embedder(embedder):
    vectors = RememberedVectors(embedder)

    (remembered,), (own,) = await vectors.embed_queries(["a ramp"]), await embedder.embed_queries(["a ramp"])

    assert remembered == pytest.approx(own, abs=1e-6)
    assert await vectors.embed_passages(["a ramp"]) == (own,)
    assert (vectors.fingerprint, vectors.token_limit) == (embedder.fingerprint, embedder.token_limit)
    assert vectors.count_tokens("a ramp") == embedder.count_tokens("a ramp")


async def test_what_was_embedded_before_a_failure_stays_known(embedder):
    vectors = RememberedVectors(embedder)
    texts = [f"text {n}" for n in range(BATCH_TEXTS + 1)]
    embedder.at_embed.skips = 1
    embedder.at_embed.fails = RetrievalUnavailable("down")
    with pytest.raises(RetrievalUnavailable):
        await vectors.embed_queries(texts)
    embedder.at_embed.fails = None

    await vectors.embed_queries(texts)

    assert embedder.embedded.count("text 0") == 1


async def test_what_is_not_kept_is_forgotten(embedder):
    vectors = RememberedVectors(embedder)
    await vectors.embed_queries(["a ramp", "a lift"])

    vectors.keep(["a lift"])
    await vectors.embed_queries(["a ramp", "a lift"])

    assert embedder.embedded == ["a ramp", "a lift", "a ramp"]


async def test_a_turn_waits_for_one_batch_and_not_for_all_questions():
    embedder = _OneThread()
    questions = [f"question {n}" for n in range(5 * BATCH_TEXTS)]
    all_of_them = asyncio.create_task(RememberedVectors(embedder).embed_queries(questions))
    await embedder.began.wait()

    turn = asyncio.create_task(embedder.embed_queries(["a customer's turn"]))
    embedder.goes_on.set()
    await asyncio.gather(all_of_them, turn)

    assert embedder.embedded.index("a customer's turn") <= 2 * BATCH_TEXTS


class _OneThread(HashEmbedder):
    """Embeds one text after the other in the order in which they were asked for, as the service's does; waits in the first."""

    def __init__(self) -> None:
        super().__init__()
        self.began, self.goes_on = asyncio.Event(), asyncio.Event()
        self._turn = asyncio.Lock()

    async def embed_queries(self, texts):
        async with self._turn:
            self.began.set()
            await self.goes_on.wait()
            return await super().embed_queries(texts)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([1] * (BATCH_TEXTS + 1), [BATCH_TEXTS, 1], id="many short ones"),
        pytest.param([BATCH_CHARACTERS, 1], [1, 1], id="a long one alone"),
        pytest.param([BATCH_CHARACTERS + 1], [1], id="a very long one"),
        pytest.param([BATCH_CHARACTERS // 2] * 3, [2, 1], id="two halves"),
    ],
)
def test_a_batch_holds_up_a_turn_for_a_moment_only(sizes, expected):
    texts = ["x" * size for size in sizes]

    found = list(batches(texts))

    assert [len(batch) for batch in found] == expected
    assert [text for batch in found for text in batch] == texts
