"""How many texts and bytes go into one request to Voyage, and that a count of tokens is never too low."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.voyage.sizes import BATCH_BYTES, BATCH_TEXTS, TOKEN_LIMIT, batches, sendable, token_bound
from bot.core.chunking import TokenLimit, passages_of
from tests.knowledge_builders import an_article


@pytest.mark.parametrize(
    ("texts", "sizes"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param(["a"] * (BATCH_TEXTS + 1), [BATCH_TEXTS, 1], id="by count"),
        pytest.param(["a" * (BATCH_BYTES // 2)] * 3, [1, 1, 1], id="by bytes, what is put around a text included"),
        pytest.param(["a" * (BATCH_BYTES // 3)] * 3, [2, 1], id="two fit"),
        pytest.param(["語" * (BATCH_BYTES // 6)] * 3, [1, 1, 1], id="by bytes, not by letters"),
        pytest.param(["a", "a" * BATCH_BYTES * 2, "b"], [1, 1, 1], id="a huge one goes alone"),
    ],
)  # fmt: skip
def test_batches_keep_within_both_limits(texts, sizes):
    assert [len(batch) for batch in batches(texts)] == sizes


@given(st.lists(st.text(max_size=60), max_size=300))
def test_batches_hold_every_text_once_and_in_order(texts):
    assert [text for batch in batches(texts) for text in batch] == texts


@given(st.text())
def test_a_count_is_at_least_the_number_of_bytes(text):
    assert token_bound(text) > len(sendable(text).encode())


def test_the_longest_passages_fit():
    body = (
        "## 見出し\n\n"
        + "注文は二十四時間以内に変更できます。" * 2_000
        + "\n\n"
        + "|a|b|\n|-|-|\n"
        + "|👩‍🚀|x|\n" * 500
    )
    limit = TokenLimit(tokens=TOKEN_LIMIT, count=token_bound)

    passages = passages_of(an_article(title="予約" * 200, body=body), limit)

    assert max(token_bound(passage.embedded_text) for passage in passages) <= TOKEN_LIMIT
    assert max(len(passage.text) for passage in passages) > 700
