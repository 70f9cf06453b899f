"""A configuration to replay: a TOML file with the numbers that decisions depend on; what it leaves out has its default.

A configuration stands alone: no setting of the environment changes it, so that two machines compare the same things.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from bot.core.policy import RankingPolicy, RetrievalPolicy, TurnPolicy
from bot.errors import Misconfigured

_POLICY = TypeAdapter(TurnPolicy)
_TABLES: Mapping[str, type] = {"retrieval": RetrievalPolicy, "ranking": RankingPolicy}
_WITHOUT_EFFECT = frozenset({"deadlines"})
_LEAVE_OUT = "a replay has no clock to run against; leave it out"

# Both ends belong to the range. A replayed turn reads at most 40 messages, as a turn of the service does.
RANGES: Mapping[str, tuple[float, float]] = {
    "gate_threshold": (-1, 1),
    "answer_history": (0, 40),
    "max_input_tokens": (100, 1_000_000),
    "retrieval.window_messages": (1, 40),
    "retrieval.told_words": (1, 1_000),
    "retrieval.window_weight": (0, 1),
    "retrieval.gate_window_weight": (0, 1),
    "retrieval.gate_disagreement": (0, 2),
    "retrieval.bare_question_words": (0, 100),
    "retrieval.answering_words": (0, 100),
    "retrieval.stands_out": (0, 2),
    "retrieval.told_weight": (0, 1),
    "retrieval.stands_alone": (-1, 1),
    "retrieval.bare_reply_words": (0, 100),
    "retrieval.limit": (1, 1_000),
    "ranking.lexical_weight": (0, 1),
    "ranking.title_weight": (0, 1),
    "ranking.similarity_weight": (0, 1),
    "ranking.freshness_weight": (0, 1),
    "ranking.freshness_days": (1, 36_500),
    "ranking.undated_freshness": (0, 1),
    "ranking.close_margin": (0, 2),
    "ranking.rival_margin": (0, 2),
    "ranking.max_articles": (1, 100),
    "ranking.max_passages": (1, 100),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What a file says, and what reports call it."""

    name: str
    policy: TurnPolicy


def read_configuration(path: Path) -> Configuration:
    """Read a configuration; Misconfigured names the file and every wrong key with its remedy. An empty file is the defaults."""
    given = _parsed(path)
    problems = list(_unknown(given))
    policy = _policy({k: v for k, v in given.items() if k not in _WITHOUT_EFFECT}, problems)
    if policy is None or problems:
        raise Misconfigured("; ".join(f"{path}: {problem}" for problem in problems))
    return Configuration(name=str(path), policy=policy)


def numbers_of(policy: TurnPolicy) -> Iterator[tuple[str, object]]:
    """Yield the key and the value of everything that a configuration can say."""
    for name in _keys(TurnPolicy, without=_WITHOUT_EFFECT):
        value = getattr(policy, name)
        if is_dataclass(value):
            yield from ((f"{name}.{inner.name}", getattr(value, inner.name)) for inner in fields(value))
        else:
            yield name, value


def _parsed(path: Path) -> Mapping[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as exc:
        raise Misconfigured(f"{path}: cannot be read ({exc}); name a UTF-8 file of TOML") from exc
    except tomllib.TOMLDecodeError as exc:
        raise Misconfigured(f"{path}: is not TOML ({exc}); write `key = value` lines") from exc


def _unknown(given: Mapping[str, object]) -> Iterator[str]:
    yield from _unknown_in(given, TurnPolicy, prefix="")
    for name, table in _TABLES.items():
        inner = given.get(name)
        if isinstance(inner, dict):
            yield from _unknown_in(inner, table, prefix=f"{name}.")


def _unknown_in(given: Mapping[str, object], kind: type, *, prefix: str) -> Iterator[str]:
    known = _keys(kind, without=_WITHOUT_EFFECT)
    for key in given:
        if key in _WITHOUT_EFFECT and not prefix:
            yield f"{key}: {_LEAVE_OUT}"
        elif key not in known:
            yield f"{prefix}{key}: there is no such key; {_suggestion(key, known, prefix=prefix)}"


def _suggestion(key: str, known: tuple[str, ...], *, prefix: str) -> str:
    table = next((name for name, kind in _TABLES.items() if key in _keys(kind)), None)
    if table is not None and not prefix:
        return f"write it below [{table}]"
    near = get_close_matches(key, known, n=1)
    return f"did you mean {prefix}{near[0]}?" if near else f"known are {', '.join(known)}"


def _policy(given: Mapping[str, object], problems: list[str]) -> TurnPolicy | None:
    """Return the policy, or None after adding what is wrong to *problems*.

    It goes through JSON, from which pydantic makes even strictly a policy that does not exist yet.
    """
    try:
        policy = _POLICY.validate_json(json.dumps(given, default=str), strict=True)
    except ValidationError as exc:
        problems.extend(_wrong_type(".".join(map(str, e["loc"])), e["msg"]) for e in exc.errors())
        return None
    problems.extend(problem for key, value in numbers_of(policy) if (problem := _out_of_range(key, value)))
    return policy


def _wrong_type(key: str, message: str) -> str:
    return f"{key}: {message[:1].lower()}{message[1:]}; write {_wanted(key)}"


def _out_of_range(key: str, value: object) -> str | None:
    if key not in RANGES or not isinstance(value, int | float):
        return None
    lowest, highest = RANGES[key]
    if lowest <= value <= highest:
        return None
    return f"{key}: {value} is out of range; write {_wanted(key)}"


def _wanted(key: str) -> str:
    if key in _TABLES:
        return f"[{key}] and its keys below it"
    if key in RANGES:
        return "a number from {:g} to {:g}".format(*RANGES[key])
    return (
        "true or false" if isinstance(dict(numbers_of(TurnPolicy())).get(key), bool) else "a text in quotes"
    )


def _keys(kind: type, *, without: frozenset[str] = frozenset()) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.name not in without)
