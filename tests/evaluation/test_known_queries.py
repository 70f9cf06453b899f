"""No query is embedded twice, whichever run asks for it, and a passage of the same text is not mistaken for it."""

from bot.adapters.memory.embedder import HashEmbedder
from bot.adapters.memory.knowledge import MemoryKnowledgeWriter
from bot.core.indexing import passage_digest
from bot.evaluation.known_queries import KnownQueries


async def test_vectors_are_the_embedders_own_in_order():
    embedder = HashEmbedder()
    texts = ("reschedule", "refund", "reschedule")

    found = await KnownQueries(embedder, MemoryKnowledgeWriter()).embed_queries(texts)

    assert found == await embedder.embed_queries(texts)


async def test_a_later_run_embeds_nothing():
    kept, embedder = MemoryKnowledgeWriter(), HashEmbedder()
    first = await KnownQueries(HashEmbedder(), kept).embed_queries(("reschedule", "refund"))

    second = await KnownQueries(embedder, kept).embed_queries(("refund", "reschedule"))

    assert second == first[::-1]
    assert embedder.embedded == []


async def test_only_what_is_new_is_embedded():
    embedder = HashEmbedder()
    known = KnownQueries(embedder, MemoryKnowledgeWriter())
    await known.embed_queries(("reschedule",))

    await known.embed_queries(("reschedule", "refund"))

    assert embedder.embedded == ["reschedule", "refund"]


async def test_a_passage_of_the_same_text_has_a_vector_of_its_own():
    kept, embedder = MemoryKnowledgeWriter(), HashEmbedder()
    (passage,) = await embedder.embed_passages(("another text",))
    kept.remember_vectors(str(embedder.fingerprint), {passage_digest("refund"): passage})

    (found,) = await KnownQueries(embedder, kept).embed_queries(("refund",))

    assert found != passage
