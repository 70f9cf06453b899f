"""A configuration is TOML with a policy's numbers; whatever is wrong with it names the file, the key and the remedy."""

import tomllib
from pathlib import Path

import pytest

from bot.core.policy import RankingPolicy, RetrievalPolicy, TurnPolicy
from bot.errors import Misconfigured
from bot.evaluation.configuration import RANGES, numbers_of, read_configuration

WHOLE = """
gate_threshold = 0.5
bot_enabled = true
retrieval_enabled = false
offer_before_handoff = true
kb_locale = "de"
answer_history = 4
max_input_tokens = 4000
[retrieval]
window_messages = 3
told_words = 10
window_weight = 1
gate_window_weight = 0.9
gate_disagreement = 0.1
bare_question_words = 2
bare_reply_words = 0
answering_words = 3
told_weight = 0
stands_alone = 0.7
stands_out = 0.1
limit = 5
[ranking]
lexical_weight = 0.5
title_weight = 0
similarity_weight = 0.5
freshness_weight = 0.5
freshness_days = 30
undated_freshness = 0
close_margin = 0.2
rival_margin = 0.3
max_articles = 1
max_passages = 2
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "new.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_an_empty_file_is_the_defaults(tmp_path):
    assert read_configuration(written(tmp_path, "")).policy == TurnPolicy()


def test_what_the_file_says_is_what_the_turn_gets(tmp_path):
    policy = read_configuration(written(tmp_path, WHOLE)).policy

    defaults = dict(numbers_of(TurnPolicy()))
    assert [key for key, value in numbers_of(policy) if value == defaults[key]] == ["bot_enabled"]
    told = tomllib.loads(WHOLE)
    assert policy.retrieval == RetrievalPolicy(**told["retrieval"])
    assert policy.ranking == RankingPolicy(**told["ranking"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gate_treshold = 1", "gate_treshold: there is no such key; did you mean gate_threshold?"),
        ("window_weight = 1", "window_weight: there is no such key; write it below [retrieval]"),
        (
            "[ranking]\nx = 1",
            "ranking.x: there is no such key; known are lexical_weight, title_weight",
        ),
        ("[rank]\nmax_articles = 1", "rank: there is no such key; did you mean ranking?"),
        ("deadlines = 1", "deadlines: a replay has no clock to run against"),
        (
            "gate_threshold = 'high'",
            "gate_threshold: input should be a valid number; write a number from -1 to 1",
        ),
        ("gate_threshold = true", "gate_threshold: input should be a valid number"),
        ("bot_enabled = 1", "bot_enabled: input should be a valid boolean; write true or false"),
        ("kb_locale = 1", "kb_locale: input should be a valid string; write a text in quotes"),
        ("[ranking]\nmax_articles = 1.5", "ranking.max_articles: input should be a valid integer"),
        ("retrieval = 3", "retrieval: input should be an object; write [retrieval] and its keys below it"),
        ("gate_threshold = 1.5", "gate_threshold: 1.5 is out of range; write a number from -1 to 1"),
        ("gate_threshold = nan", "gate_threshold: nan is out of range"),
        (
            "[retrieval]\nwindow_messages = 0",
            "window_messages: 0 is out of range; write a number from 1 to 40",
        ),
        ("gate_threshold", "is not TOML"),
    ],
)
def test_what_is_wrong_is_named_with_its_remedy(tmp_path, text, said):
    file = written(tmp_path, text)

    with pytest.raises(Misconfigured) as refused:
        read_configuration(file)

    assert str(refused.value).startswith(f"{file}: ")
    assert said in str(refused.value)


def test_everything_that_is_wrong_is_said_at_once(tmp_path):
    file = written(tmp_path, "gate_threshold = 'x'\nfoo = 1\n[ranking]\nmax_articles = 'y'")

    with pytest.raises(Misconfigured) as refused:
        read_configuration(file)

    assert [part.split(":")[1].strip() for part in str(refused.value).split(f"; {file}")] != []
    assert all(key in str(refused.value) for key in ("foo", "gate_threshold", "ranking.max_articles"))


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(Misconfigured, match=r"none.toml: cannot be read .*; name a UTF-8 file of TOML"):
        read_configuration(tmp_path / "none.toml")


def test_every_number_has_a_range_that_its_default_is_in():
    values = dict(numbers_of(TurnPolicy()))
    numbers = {key: value for key, value in values.items() if type(value) in (int, float)}

    assert numbers.keys() | {"gate_threshold"} == RANGES.keys()
    assert [key for key in numbers if not RANGES[key][0] <= float(str(numbers[key])) <= RANGES[key][1]] == []
