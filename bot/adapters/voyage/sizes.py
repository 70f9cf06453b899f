"""How much of a text Voyage reads, and how many texts go into one request, without a tokenizer. Pure.

The client's own `count_tokens` downloads one from a model hub. Voyage's tokenizers divide a text's bytes and never make
two tokens of one byte, so the number of UTF-8 bytes is a safe upper bound: about four times too high for English.
Nothing is cut silently should it ever fail, because requests forbid truncation.
"""

from collections.abc import Iterator, Sequence

# The shortest context among the models that Voyage still names: 16,000 tokens (voyage-law-2, voyage-code-2), else 32,000.
TOKEN_LIMIT = 16_000
SPECIAL_TOKENS = 64  # what is put around a text, the words that `input_type` stands for included
BATCH_TEXTS = 128  # the client's own VOYAGE_EMBED_BATCH_SIZE; the service takes 1,000
BATCH_BYTES = 100_000  # below the lowest limit of tokens in one request, 120,000 for the large models


def token_bound(text: str) -> int:
    """Return a number of tokens that *text* surely does not exceed."""
    return size_of(text) + SPECIAL_TOKENS


def size_of(text: str) -> int:
    """Return the number of bytes that *text* has when it is sent."""
    return len(text.encode("utf-8", "replace"))


def sendable(text: str) -> str:
    """Return *text* without halves of surrogate pairs, which are no text to Voyage."""
    return text.encode("utf-8", "replace").decode()


def batches(texts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield *texts* in order, in batches within both limits; a text that exceeds them goes alone."""
    batch: list[str] = []
    room = BATCH_BYTES
    for text in texts:
        size = token_bound(text)
        if batch and (len(batch) == BATCH_TEXTS or size > room):
            yield tuple(batch)
            batch, room = [], BATCH_BYTES
        batch.append(text)
        room -= size
    if batch:
        yield tuple(batch)
