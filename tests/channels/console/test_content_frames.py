"""What the content page may ask for: bounded, and refused in a sentence that names the field, the problem and the remedy."""

import json

import pytest

from bot.channels.bodies import parse
from bot.channels.console.content_frames import (
    DAYS,
    MOST_MESSAGES,
    DecisionBody,
    TryBody,
    to_span,
    to_status,
    to_tag,
    to_threshold,
    to_words,
)
from bot.core.conversation import Role
from bot.core.knowledge import ArticleStatus
from bot.errors import InputRejected

ASKED = {"role": "customer", "text": "Where is my refund?"}


def tried(**fields) -> TryBody:
    return parse(TryBody, json.dumps({"messages": [ASKED], **fields}))


def test_a_conversation_is_read_as_who_wrote_what():
    body = tried(messages=[ASKED, {"role": "bot", "text": "Which one?"}, ASKED], locale="en")

    assert body.said == (
        (Role.CUSTOMER, "Where is my refund?"),
        (Role.BOT, "Which one?"),
        (Role.CUSTOMER, "Where is my refund?"),
    )


BAD_TRIES = {
    "nothing": {"messages": []},
    "too many": {"messages": [ASKED] * (MOST_MESSAGES + 1)},
    "nobody's": {"messages": [{"role": "sweep", "text": "Hello"}]},
    "too long": {"messages": [{"role": "customer", "text": "a" * 1_501}]},
    "a region": {"locale": "en-US"},
    "one field more": {"kept": True},
}


@pytest.mark.parametrize("fields", BAD_TRIES.values(), ids=BAD_TRIES)
def test_what_is_no_conversation_is_refused(fields):
    with pytest.raises(InputRejected):
        tried(**fields)


def test_a_decision_keeps_one_article_or_both():
    kept = parse(DecisionBody, '{"decision": "supersede", "keep": "KB1"}')
    distinct = parse(DecisionBody, '{"decision": "distinct"}')

    assert (kept.keep, distinct.keep) == ("KB1", None)


@pytest.mark.parametrize(
    "raw",
    [
        '{"decision": "supersede"}',
        '{"decision": "supersede", "keep": ""}',
        '{"decision": "distinct", "keep": "KB1"}',
        '{"decision": "delete"}',
        "[]",
    ],
)
def test_what_is_no_decision_is_refused(raw):
    with pytest.raises(InputRejected):
        parse(DecisionBody, raw)


def test_without_a_wish_there_are_defaults():
    asked = (to_span(None, most=366), to_words(None), to_status(None), to_tag(None), to_threshold(None))

    assert asked == (DAYS, "", None, "", None)


def test_a_wish_is_read():
    asked = (to_span("7", most=366), to_words(" gift card "), to_status("draft"), to_threshold("0.45"))

    assert asked == (7, "gift card", ArticleStatus.DRAFT, 0.45)


@pytest.mark.parametrize("raw", ["", "0", "367", "-1", "7.5", "\u0667", "1e2"])
def test_what_is_no_number_of_days_is_refused_with_the_longest(raw):
    with pytest.raises(InputRejected, match=r"days.*1 to 366"):
        to_span(raw, most=366)


@pytest.mark.parametrize("raw", ["nan", "inf", "1.01", "-1.01", "half", "\u0660.5", "0.1234567890123", "0x1"])
def test_what_is_no_cosine_is_refused(raw):
    with pytest.raises(InputRejected, match=r"threshold.*from -1 to 1"):
        to_threshold(raw)


def test_an_unknown_status_is_refused_with_those_there_are():
    with pytest.raises(InputRejected, match=r"status.*draft, active, superseded, retired"):
        to_status("published")


def test_words_and_tags_have_an_end():
    with pytest.raises(InputRejected, match=r"q.*201"):
        to_words("a" * 201)
    with pytest.raises(InputRejected, match=r"tag.*101"):
        to_tag("a" * 101)
