"""The bare "yes" (DESIGN §2.1): a short reply is understood with the question it replies to, on the real articles."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from bot.core.asking import question_after
from bot.core.conversation import Message, TurnId
from bot.core.turn import Turn
from bot.evaluation.golden import read_history
from bot.evaluation.trials import Trial, outcome_word
from bot.settings import Settings
from bot.turn_wiring import answering, language, opened_parts, turn_policy
from tests.terminal.command_line import CommandLine, said, write_lines

pytestmark = pytest.mark.timeout(300)

MORE, LESS = "KB000003", "KB000060"
SEED = (
    said("customer", "How do I reschedule a class?"),
    said("bot", "Is it less than 24 hours before your lesson?"),
)
REPLIES = {
    "no its more than 24 hours": MORE,
    "yes": LESS,
    "no": MORE,
    "less": LESS,
    "more than a day": MORE,
    "nope": MORE,
    "yeah less": LESS,
    "more than 24h": MORE,
    "within 24 hours": LESS,
    "no, more": MORE,
    "it is": LESS,
    "it's in 3 hours": LESS,
    "next week": MORE,
    "over a day away": MORE,
    "less than a day": LESS,
}


@pytest.fixture(scope="module")
def turns(synced_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Turn]:
    """Return the turn that each reply comes to after the seed."""
    file = write_lines(tmp_path_factory.mktemp("seed") / "history.jsonl", *SEED)
    return asyncio.run(_asked(Settings(data_dir=synced_sample), read_history(file)))


async def _asked(settings: Settings, history: tuple[Message, ...]) -> Mapping[str, Turn]:
    spoken = language()
    async with opened_parts(settings, spoken) as parts:
        steps = answering(parts, spoken, turn_policy(settings))
        return {
            reply: await steps.settle(
                question_after(history, reply, locale="en"), TurnId(reply), capped=None, show=_nothing
            )
            for reply in REPLIES
        }


async def _nothing(_texts: Sequence[str]) -> None:
    """Show nothing."""


@pytest.mark.parametrize(("reply", "article"), REPLIES.items())
def test_a_short_reply_is_answered_from_the_article_that_it_chooses(turns, reply, article):
    turn = turns[reply]

    evidence = [(p.found.article_id, round(p.found.cosine, 3)) for p in turn.ranked[:3]], turn.threshold
    assert outcome_word(turn) == "answered", evidence
    assert answered_from(turn) == (article,), evidence


def answered_from(turn: Turn) -> tuple[str, ...]:
    return Trial(golden=None, turn=turn).answered_from


def test_the_window_is_what_is_searched_with(turns):
    query = turns["yes"].query

    assert query.text == "\n".join([*(str(line["text"]) for line in SEED), "yes"])
    assert (query.bare, query.used, query.dropped) == ("yes", (1, 2, 3), ())


def test_alone_the_reply_does_not_find_enough_to_answer_from(sample: CommandLine):
    """A, B and C: the reply alone, with what it replies to, and the question alone."""
    reply = "no its more than 24 hours"
    window = "\n".join([*(str(line["text"]) for line in SEED), reply])

    alone, with_window, question = sample.json("inspect", reply, window, str(SEED[0]["text"]))

    assert (alone["passes"], with_window["passes"], question["passes"]) == (False, True, True)
    assert alone["passages"][0]["cosine"] < with_window["passages"][0]["cosine"]
    assert with_window["passages"][0]["article_id"] == MORE
