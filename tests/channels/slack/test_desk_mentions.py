"""Whom a message mentions, and their names beside their ids."""

import pytest

from bot.channels.slack.desk_mentions import MOST_NAMED, mentioned, with_names
from bot.channels.slack.mrkdwn import from_mrkdwn

BOT = "U0BOT"


def an_event(text: object, **fields) -> dict[str, object]:
    return {"event": {"text": text, **fields}}


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        pytest.param(an_event("Hello"), (), id="nobody"),
        pytest.param(an_event("<@U1> and <@W2>, <@U1>"), ("U1", "W2"), id="two, one of them twice"),
        pytest.param(an_event(f"<@{BOT}> <@U1>"), ("U1",), id="the bot too"),
        pytest.param(an_event("<@U1|anna>"), (), id="with a name"),
        pytest.param(
            an_event(None, message={"text": "<@U1>"}, previous_message={"text": "<@U2>"}), ("U1", "U2"), id="an edit"
        ),
        pytest.param(an_event("".join(f"<@U{n}>" for n in range(99))), tuple(f"U{n}" for n in range(MOST_NAMED)), id="many"),
        pytest.param({}, (), id="no event"),
    ],
)  # fmt: skip
def test_whom_a_message_mentions(event, expected):
    assert mentioned(event, bot_user=BOT) == expected


@pytest.mark.parametrize("name", ["Anna", "A <b> & C", "A|B"])
def test_a_name_is_read_as_it_is(name):
    named = with_names(an_event("Ask <@U1>, not <@U2>"), {"U1": name})

    event = named["event"]
    assert isinstance(event, dict)
    assert from_mrkdwn(event["text"], {}) == f"Ask @{name}, not @someone"


def test_both_versions_of_an_edit_are_named():
    before = an_event(None, message={"text": "<@U1>", "ts": "1.1"}, previous_message={"text": "<@U1>?"})

    assert with_names(before, {"U1": "Anna"}) == an_event(
        None, message={"text": "<@U1|Anna>", "ts": "1.1"}, previous_message={"text": "<@U1|Anna>?"}
    )
