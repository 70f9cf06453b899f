"""Voyage through its real client, against a local server: what is asked, what comes back, and what each failure becomes."""

import json
import math
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.adapters.voyage.opening import Surroundings, VoyageAccess, opened_voyage
from bot.errors import EmbedderKeyRejected, RetrievalUnavailable
from tests.vendors.local_server import resets, sends
from tests.vendors.voyage_server import breaks_off, embeds, refuses, rejects_key, scores, voyage_server

EXAMPLE = Path(__file__).with_name("voyage_requests.example.json")
TEXTS = ("Open My Lessons.", "Payments are returned.")
RATE_LIMIT = refuses(429, "rate limit")


class Rig:
    """Voyage and the waits that it asked for; waiting takes no time, but the clock goes on."""

    def __init__(self):
        self.clock = ManualClock()

    @asynccontextmanager
    async def opened(self, url, **fields):
        around = Surroundings(monotonic_s=self.clock.monotonic_s, sleep=self.clock.sleep, jitter=lambda: 1.0)
        access = {"api_key": "key-1", "base_url": url, "model": "voyage-4", "dimension": 1024, **fields}
        async with opened_voyage(VoyageAccess(**access), around, chunker="c1") as voyage:
            yield voyage


@pytest.fixture
def rig():
    return Rig()


async def embedded(rig, *replies, texts=TEXTS, **fields):
    async with voyage_server(*replies) as server, rig.opened(server.url, **fields) as voyage:
        return await voyage.embedder.embed_queries(texts), server


async def refusal(rig, *replies, **fields):
    async with voyage_server(*replies) as server, rig.opened(server.url, **fields) as voyage:
        with pytest.raises(RetrievalUnavailable) as refused:
            await voyage.embedder.embed_queries(TEXTS)
        return refused.value, server


@pytest.mark.parametrize("reply", [embeds(), embeds(as_lists=True)], ids=["base64", "lists"])
async def test_each_text_has_a_unit_vector(rig, reply):
    vectors, _ = await embedded(rig, reply)

    assert [len(vector) for vector in vectors] == [1024, 1024]
    assert all(math.hypot(*vector) == pytest.approx(1, abs=1e-12) for vector in vectors)


async def test_the_requests_are_those_of_the_example(rig):
    """The example is for readers: what leaves the house, in full. The key goes in a header of its own."""
    async with (
        voyage_server(embeds(), embeds(), scores(0.2, 0.9)) as server,
        rig.opened(server.url, rerank_model="rerank-2.5") as voyage,
    ):
        await voyage.embedder.embed_queries(["How do I reschedule?"])
        await voyage.embedder.embed_passages(TEXTS)
        await voyage.reranker.rerank("How do I reschedule?", TEXTS)

    sent = [{"path": path, "body": body} for path, body in server.requests]
    assert sent == json.loads(EXAMPLE.read_text(encoding="utf-8"))
    assert {headers["Authorization"] for headers in server.headers} == {"Bearer key-1"}


async def test_requests_share_a_connection(rig):
    async with voyage_server() as server, rig.opened(server.url) as voyage:
        for _ in range(3):
            await voyage.embedder.embed_queries(TEXTS)

    assert len(server.connections) == 1


async def test_another_dimension_is_asked_for_and_belongs_to_the_fingerprint(rig):
    async with voyage_server() as server, rig.opened(server.url, dimension=256) as voyage:
        (vector,) = await voyage.embedder.embed_queries(["a"])

        assert (len(vector), server.bodies[0]["output_dimension"]) == (256, 256)
        assert str(voyage.embedder.fingerprint) == "voyage/voyage-4:query+document/256/unit/c1"


async def test_an_answer_out_of_order_is_put_in_order(rig):
    assert (await embedded(rig, embeds(backwards=True)))[0] == (await embedded(rig))[0]


async def test_many_texts_go_in_several_requests_and_come_back_in_order(rig):
    texts = [f"article {number}" for number in range(300)]

    vectors, server = await embedded(rig, texts=texts)
    near_the_seam, _ = await embedded(rig, texts=texts[126:130])

    assert [len(body["input"]) for body in server.bodies] == [128, 128, 44]
    assert (len(vectors), vectors[126:130]) == (300, near_the_seam)


async def test_half_a_surrogate_pair_is_no_text_and_is_replaced(rig):
    _, server = await embedded(rig, texts=["a\ud83d"])

    assert server.bodies[0]["input"] == ["a?"]


async def test_no_text_asks_for_nothing(rig):
    vectors, server = await embedded(rig, texts=[])

    assert (vectors, server.requests) == ((), [])


NONSENSE = {
    "fewer vectors": (embeds(lambda v: v[:1]), "returned 1 vectors for 2 texts"),
    "more vectors": (embeds(lambda v: [*v, v[0]]), "returned 3 vectors for 2 texts"),
    "no vector": (embeds(lambda _: []), "returned 0 vectors for 2 texts"),
    "other dimension": (embeds(lambda v: [one[:512] for one in v]), "returned 512 dimensions instead of 1024"),
    "NaN": (embeds(lambda v: [[math.nan, *one[1:]] for one in v]), "of length nan instead of 1"),
    "NaN in a list": (embeds(lambda v: [[math.nan, *one[1:]] for one in v], as_lists=True), "of length nan"),
    "infinity": (embeds(lambda v: [[math.inf, *one[1:]] for one in v]), "of length inf instead of 1"),
    "zero vector": (embeds(lambda v: [[0.0] * len(one) for one in v]), "of length 0 instead of 1"),
    "wrong norm": (embeds(lambda v: [[2 * n for n in one] for one in v]), "of length 2 instead of 1"),
    "one text twice": (embeds(indexes=[0, 0]), "does not say which text"),
    "other model": (embeds(model="voyage-3.5"), "with the model 'voyage-3.5' instead of 'voyage-4'"),
    "words for numbers": (
        sends('{"model": "voyage-4", "data": [{"index": 0, "embedding": ["0.1"]}]}', "application/json"),
        "has not the form of an answer; check VOYAGE_BASE_URL",
    ),
    "HTML": (sends("<html><b>Sign in</b></html>"), "cannot be read (APIError 200)"),
    "text": (sends("hello", "text/plain"), "cannot be read (AttributeError)"),
    "broken JSON": (sends('{"data": [', "application/json"), "cannot be read (APIError 200)"),
    "other JSON": (sends('{"ok": true}', "application/json"), "cannot be read (AttributeError)"),
    "a list": (sends("[1]", "application/json"), "cannot be read (AttributeError)"),
    "no base64": (
        sends('{"model": "voyage-4", "data": [{"index": 0, "embedding": "AAA"}]}', "application/json"),
        "cannot be read (Error)",
    ),
    "bad request": (refuses(400), "check VOYAGE_MODEL, VOYAGE_DIMENSION and VOYAGE_BASE_URL"),
    "malformed": (refuses(422), "(MalformedRequestError 422)"),
    "nothing there": (sends("<html>", status=404), "(APIError 404)"),
    "a long wait": (refuses(429, retry_after="3600"), "rate limit is reached; try again later (RateLimitError 429)"),
    "a wait until a date": (refuses(429, retry_after="Fri, 31 Dec 1999 23:59:59 GMT"), "rate limit"),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "said"), NONSENSE.values(), ids=NONSENSE)
async def test_what_will_not_pass_fails_at_once(rig, reply, said):
    failure, server = await refusal(rig, reply)

    assert said in str(failure)
    assert (len(server.requests), rig.clock.slept) == (1, [])


@pytest.mark.parametrize("reply", [rejects_key(), refuses(403)], ids=["wrong", "not for this model"])
async def test_a_rejected_key_is_named(rig, reply):
    failure, server = await refusal(rig, reply)

    assert isinstance(failure, EmbedderKeyRejected)
    assert str(failure).startswith("Voyage rejects VOYAGE_API_KEY (")
    assert len(server.requests) == 1


PASSING = {
    "rate limit": (RATE_LIMIT, "rate limit is reached"),
    "failure": (refuses(500), "Voyage fails (ServerError 500)"),
    "gateway": (sends("<html>", status=502), "Voyage fails (ServiceUnavailableError 502)"),
    "unknown failure": (sends("<html>", status=520), "Voyage fails (APIError 520)"),
    "reset": (resets(), "cannot be reached, or broke the connection (APIConnectionError)"),
}


@pytest.mark.parametrize(("reply", "said"), PASSING.values(), ids=PASSING)
async def test_what_may_pass_is_tried_twice_more(rig, reply, said):
    failure, server = await refusal(rig, reply)

    assert said in str(failure)
    assert (len(server.requests), rig.clock.slept) == (3, [0.5, 1.0])


@pytest.mark.filterwarnings("ignore:The 'warn' method:DeprecationWarning")  # the client's own
async def test_an_answer_that_breaks_off_is_tried_again(rig):
    vectors, server = await embedded(rig, breaks_off(), embeds())

    assert (len(vectors), len(server.requests)) == (2, 2)


@pytest.mark.parametrize("failures", [1, 2])
async def test_a_failure_that_passes_is_not_noticed(rig, failures):
    vectors, _ = await embedded(rig, *[refuses(503)] * failures, embeds())

    assert len(vectors) == 2


async def test_a_wait_that_fits_is_obeyed(rig):
    await embedded(rig, refuses(429, retry_after="3.5"), embeds())

    assert rig.clock.slept == [3.5]


async def test_a_server_that_is_not_there_is_named(rig):
    async with voyage_server() as server:
        gone = server.url
    async with rig.opened(gone) as voyage:
        with pytest.raises(RetrievalUnavailable, match="cannot be reached"):
            await voyage.embedder.embed_queries(TEXTS)


@pytest.mark.parametrize("reply", [sends("<html>secret words"), refuses(400, "secret words"), rejects_key()])
async def test_a_failure_repeats_neither_the_answer_nor_the_key(rig, reply):
    failure, _ = await refusal(rig, reply)

    assert "secret" not in str(failure)
    assert "key-1" not in str(failure)


async def test_texts_are_scored_in_their_own_order(rig):
    async with voyage_server(scores(0.2, 0.9)) as server, rig.opened(server.url, rerank_model="r") as voyage:
        assert await voyage.reranker.rerank("How?", TEXTS) == (0.2, 0.9)


async def test_without_texts_nobody_is_asked_for_scores(rig):
    async with voyage_server() as server, rig.opened(server.url, rerank_model="r") as voyage:
        assert await voyage.reranker.rerank("How?", []) == ()

    assert server.requests == []


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        pytest.param(scores(0.2), "1 scores for 2 texts", id="fewer"),
        pytest.param(scores(0.2, math.nan), "not finite", id="NaN"),
        pytest.param(scores(0.2, 0.3, indexes=[1, 1]), "does not say which text", id="one text twice"),
        pytest.param(scores(0.2, 0.3, model="rerank-2"), "instead of 'rerank-2.5'", id="other model"),
        pytest.param(scores(0.2, 0.3, indexes=[0, 7]), "does not say which text", id="a text that was not sent"),
        pytest.param(rejects_key(), "rejects VOYAGE_API_KEY", id="key"),
    ],
)  # fmt: skip
async def test_scores_that_cannot_be_believed_are_refused(rig, reply, said):
    async with voyage_server(reply) as server, rig.opened(server.url, rerank_model="rerank-2.5") as voyage:
        with pytest.raises(RetrievalUnavailable) as refused:
            await voyage.reranker.rerank("How?", TEXTS)

    assert said in str(refused.value)


async def test_without_a_model_nothing_is_reranked(rig):
    async with rig.opened("http://127.0.0.1:9") as voyage:
        assert voyage.reranker is None
