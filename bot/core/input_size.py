"""Keeps what a model is given within a number of tokens: the oldest messages go first, then the passages that fit least.

The count is an estimate that needs no tokenizer and is rather too high than too low.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace
from itertools import dropwhile

from bot.core.conversation import Role
from bot.core.prompt import AnswerRequest, Evidence

ASCII_PER_TOKEN = 3.0  # English has about four characters to a token
BYTES_PER_TOKEN = (
    2.0  # of other letters: about one token for a Chinese character of three bytes, two letters of Cyrillic
)
PER_TEXT = 30  # labels and marks around each passage and message
INSTRUCTIONS = 2_000  # the fixed part of a request, tools included


def estimated_tokens(text: str) -> int:
    """Estimate how many tokens *text* is."""
    plain = len(text.encode("ascii", errors="ignore"))
    other = len(text.encode(errors="replace")) - plain
    return math.ceil(plain / ASCII_PER_TOKEN + other / BYTES_PER_TOKEN)


def input_tokens(request: AnswerRequest) -> int:
    """Estimate the question, the evidence and the history of *request* together."""
    passages = (f"{p.found.title}\n{p.found.passage.text}" for p in request.evidence.passages)
    texts = (request.question, *passages, *(m.text for m in request.history))
    return tokens_of(texts)


def tokens_of(texts: Iterable[str]) -> int:
    """Estimate several texts together, with the marks around each."""
    return sum(PER_TEXT + estimated_tokens(text) for text in texts)


def within_input(request: AnswerRequest, limit: int) -> AnswerRequest:
    """Return *request* with at most *limit* tokens by the estimate.

    Messages leave from the oldest on, and the first stays one of the customer's; then passages leave from the worst on, and the
    best one stays. A question that is too long by itself
    keeps its end, where a customer who writes several messages in a row has come to by now.
    """
    while input_tokens(request) > limit and request.history:
        later = dropwhile(lambda m: m.role is not Role.CUSTOMER, request.history[1:])
        request = replace(request, history=tuple(later))
    while input_tokens(request) > limit and len(request.evidence.passages) > 1:
        request = replace(request, evidence=_without_worst(request.evidence))
    over = input_tokens(request) - limit
    return replace(request, question=_end_of(request.question, over)) if over > 0 else request


def _without_worst(evidence: Evidence) -> Evidence:
    return replace(evidence, passages=evidence.passages[:-1])


def _end_of(text: str, fewer: int) -> str:
    """Return the end of *text* that has at least so many tokens fewer; never nothing of a text."""
    room = max(1, estimated_tokens(text) - fewer)
    start = bisect_left(range(len(text)), -room, key=lambda i: -estimated_tokens(text[i:]))
    return text[min(start, len(text) - 1) :]
