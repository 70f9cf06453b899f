"""Presses and forms as Slack sends them; whatever is none of ours is refused and breaks nothing."""

import pytest

from bot.channels.slack.actions import Action, ButtonValue, Callback
from bot.channels.slack.desk_presses import to_press, to_submission
from bot.core.slack_rows import Place
from bot.errors import InputRejected
from tests.builders import CONVERSATION

VALUE = ButtonValue(conversation=CONVERSATION, spell=1, seq=4)


def a_press(**fields):
    action = {"action_id": Action.CLAIM, "value": VALUE.to_value(), "action_ts": "1750000000.123456"}
    body = {
        "type": "block_actions",
        "team": {"id": "T1"},
        "user": {"id": "U1", "team_id": "T1"},
        "channel": {"id": "C1"},
        "container": {"message_ts": "5.5", "channel_id": "C1"},
        "message": {"ts": "5.5"},
        "actions": [action],
        "trigger_id": "t1",
    }
    return body | fields


def a_submission(**fields):
    view = {
        "id": "V1", "callback_id": Callback.REPLY, "private_metadata": VALUE.to_value(),
        "state": {"values": {"b": {"a": {"value": "Hello"}}}},
    }  # fmt: skip
    return {"type": "view_submission", "team": {"id": "T1"}, "user": {"id": "U1"}, "view": view} | fields


def test_a_press_says_who_did_what_where_and_when():
    press = to_press(a_press())

    assert (press.user, press.action, press.value, press.trigger) == ("U1", Action.CLAIM, VALUE, "t1")
    assert press.place == Place(team="T1", channel="C1")
    assert press.at_ms == 1_750_000_000_123


@pytest.mark.parametrize(
    ("fields", "thread_ts"),
    [
        pytest.param({"message": {"ts": "5.5", "thread_ts": "5.5"}}, "", id="a card with a thread"),
        pytest.param({"message": {"ts": "6.6", "thread_ts": "5.5"}}, "5.5", id="a message of the thread"),
        pytest.param(
            {"message": None, "container": {"message_ts": "6.6", "thread_ts": "5.5"}}, "5.5", id="a whisper"
        ),
        pytest.param({"team": None}, "", id="an app of a whole organisation"),
    ],
)
def test_whoever_presses_is_told_where_they_look(fields, thread_ts):
    assert to_press(a_press(**fields)).place == Place(team="T1", channel="C1", thread_ts=thread_ts)


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"actions": []}, id="nothing pressed"),
        pytest.param({"actions": "all"}, id="no list"),
        pytest.param({"actions": [{"action_id": "other", "value": VALUE.to_value()}]}, id="another's button"),
        pytest.param(
            {"actions": [{"action_id": Action.CLAIM, "value": "x", "action_ts": "1.1"}]}, id="no value"
        ),
        pytest.param(
            {"actions": [{"action_id": Action.CLAIM, "value": VALUE.to_value(), "action_ts": "now"}]},
            id="no time",
        ),
        pytest.param({"user": {}}, id="nobody"),
    ],
)
def test_what_is_no_press_of_ours_is_refused(fields):
    with pytest.raises(InputRejected):
        to_press(a_press(**fields))


def test_a_form_says_who_filled_in_what():
    submission = to_submission(a_submission())

    assert (submission.user, submission.callback, submission.view) == ("U1", Callback.REPLY, "V1")
    assert submission.value == VALUE
    assert submission.values == {"b": {"a": {"value": "Hello"}}}


@pytest.mark.parametrize(
    "fields", [{"view": None}, {"view": {"callback_id": "other"}}, {"view": {"callback_id": Callback.REPLY}}]
)
def test_what_is_no_form_of_ours_is_refused(fields):
    with pytest.raises(InputRejected):
        to_submission(a_submission(**fields))
