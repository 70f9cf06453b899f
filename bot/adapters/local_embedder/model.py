"""The sentence model itself: token ids in, a unit vector out, one text at a time (larger batches are slower here).

A text beyond the model's limit is embedded in several windows whose vectors are averaged by their number of tokens.
The model would cut it silently, and the end of a joined retrieval query is the customer's newest message.
"""

import os
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Protocol

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import BertWordPieceTokenizer

from bot.adapters.local_embedder.locate import ModelFiles
from bot.adapters.local_embedder.windows import split_evenly
from bot.errors import Misconfigured

TOKEN_LIMIT = 256
_SPECIAL_TOKENS = 2
_KNOWN_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_ERRORS_ONLY = 3
_REMEMBERED_TEXTS = 256

Floats = NDArray[np.float32]


class _Session(Protocol):
    def run(self, names: None, feed: Mapping[str, NDArray[np.int64]]) -> Sequence[Floats]: ...


class SentenceModel:
    """An ONNX sentence encoder with its WordPiece tokenizer. Safe to call from several threads."""

    def __init__(self, files: ModelFiles) -> None:
        self._tokenizer = _tokenizer(files)
        # Half a millisecond for a full window, and a text is counted several times before it is embedded.
        self._token_ids = lru_cache(maxsize=_REMEMBERED_TEXTS)(self._tokenize)
        self._start = self._special_id("[CLS]", files)
        self._end = self._special_id("[SEP]", files)
        self._session, self._inputs = _session(files)
        self.dimension = self._measured_dimension(files)

    def count_tokens(self, text: str) -> int:
        return len(self._token_ids(text)) + _SPECIAL_TOKENS

    def embed(self, text: str) -> list[float]:
        """Return the unit vector of *text*, of all of it."""
        windows = split_evenly(self._token_ids(text), TOKEN_LIMIT - _SPECIAL_TOKENS)
        if len(windows) == 1:
            return _floats(self._window_vector(windows[0]))
        weighted = [self._window_vector(window) * len(window) for window in windows]
        return _floats(_unit(np.sum(weighted, axis=0)))

    def _tokenize(self, text: str) -> Sequence[int]:
        # Half a surrogate pair is not text to the tokenizer.
        encodable = text.encode("utf-8", "replace").decode()
        ids: list[int] = self._tokenizer.encode(encodable, add_special_tokens=False).ids
        return ids

    def _window_vector(self, ids: Sequence[int]) -> Floats:
        tokens = np.array([[self._start, *ids, self._end]], dtype=np.int64)
        # One text at a time: nothing is padding, so the attention mask is all ones and the mean is over every token.
        mask, types = np.ones_like(tokens), np.zeros_like(tokens)
        values = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": types}
        hidden = self._session.run(None, {name: values[name] for name in self._inputs})[0]
        return _unit(hidden[0].mean(axis=0))

    def _special_id(self, token: str, files: ModelFiles) -> int:
        found: int | None = self._tokenizer.token_to_id(token)
        if found is None:
            raise Misconfigured(
                f"{files.vocabulary}: {token} is missing; it must be a BERT WordPiece vocabulary"
            )
        return found

    def _measured_dimension(self, files: ModelFiles) -> int:
        try:
            return len(self.embed("a"))
        except Exception as exc:
            raise Misconfigured(
                f"{files.model}: it does not embed text, {exc}; use a BERT sentence encoder"
            ) from exc


def _unit(vector: Floats) -> Floats:
    length = np.linalg.norm(vector)
    return vector / length if length > 0 else vector  # a zero vector stays one: the embedder's check names it


def _floats(vector: Floats) -> list[float]:
    return [float(number) for number in vector.tolist()]


@cache
def _tokenizer(files: ModelFiles) -> BertWordPieceTokenizer:
    try:
        return BertWordPieceTokenizer(os.fspath(files.vocabulary), lowercase=True)
    except Exception as exc:
        raise Misconfigured(f"{files.vocabulary}: it cannot be read as a vocabulary, {exc}") from exc


@cache  # safe to share, and what takes the time and the memory
def _session(files: ModelFiles) -> tuple[_Session, frozenset[str]]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # the embedder's own threads run texts side by side
    options.inter_op_num_threads = 1
    options.log_severity_level = _ERRORS_ONLY
    try:
        session = onnxruntime.InferenceSession(
            os.fspath(files.model), options, providers=["CPUExecutionProvider"]
        )
    except Exception as exc:
        raise Misconfigured(f"{files.model}: it cannot be loaded as an ONNX model, {exc}") from exc
    inputs = frozenset(one.name for one in session.get_inputs())
    if not inputs <= _KNOWN_INPUTS:
        raise Misconfigured(f"{files.model}: it wants {sorted(inputs)}; use a BERT sentence encoder")
    return session, inputs
