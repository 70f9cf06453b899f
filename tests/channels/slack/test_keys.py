"""What makes two deliveries one: keys of ids, and effects that several events may have (FAULTS SL2, SL3)."""

import json

import pytest

from bot.channels.slack.keys import AT_ONCE_MS, action_id, inbox_row, kind_of, lane, payload_of
from bot.core.slack_rows import InboxKind
from tests.channels.slack.payloads_sent import (
    a_deletion,
    a_message,
    a_press,
    a_submission,
    an_edit,
    an_event,
)

NOW_MS = 1_000


def row_of(payload):
    kind = kind_of(payload)
    assert kind is not None
    return inbox_row(kind, payload, now_ms=NOW_MS)


def test_a_row_keeps_all_that_came_and_is_due_elsewhere_after_a_while():
    row = row_of(an_event(a_message(text="Grüße 👋")))

    assert payload_of(row) == an_event(a_message(text="Grüße 👋"))
    assert (row.kind, row.received_ms, row.due_ms) == (InboxKind.EVENT, NOW_MS, NOW_MS + AT_ONCE_MS)
    assert (row.attempts, row.error) == (0, None)


@pytest.mark.parametrize(
    ("payload", "key"),
    [
        (an_event(event_id="Ev9"), "T1:Ev9"),
        ({**an_event(event_id="Ev9"), "team_id": None, "enterprise_id": "E1"}, "E1:Ev9"),
        (a_press(), "action:T1:U1:3.1:candor_claim"),
        (a_press("candor_option:3"), "action:T1:U1:3.1:candor_option:3"),
        ({**a_press(), "team": None}, "action:T1:U1:3.1:candor_claim"),
        (a_submission(), "view:T1:V1:h1"),
    ],
)
def test_a_key_is_made_of_the_ids(payload, key):
    assert row_of(payload).key == key


@pytest.mark.parametrize(
    ("event", "effect"),
    [
        pytest.param(a_message(), "T1:C1:1.1", id="message"),
        pytest.param({**a_message(), "type": "app_mention"}, "T1:C1:1.1", id="the same as a mention"),
        pytest.param(a_message(subtype="file_share"), "T1:C1:1.1", id="with a file"),
        pytest.param(a_message(subtype="thread_broadcast"), "T1:C1:1.1", id="broadcast"),
        pytest.param(an_edit(), "T1:C1:1.1:edit:2.0", id="edit"),
        pytest.param(an_edit(edited=None), "T1:C1:1.1:edit:2.1", id="unfurl"),
        pytest.param(a_deletion(), "T1:C1:1.1:delete", id="deletion"),
        pytest.param(an_edit(subtype="tombstone"), "T1:C1:1.1:delete", id="deletion of a thread's first"),
        pytest.param(a_message(subtype="channel_join"), None, id="nothing that was said"),
        pytest.param(a_message(subtype=["?"]), None, id="no subtype at all"),
        pytest.param({"type": "reaction_added", "ts": "1.1", "channel": "C1"}, None, id="another event"),
    ],
)
def test_what_an_event_is_about_is_its_effect(event, effect):
    assert row_of(an_event(event)).effect == effect


def test_what_is_pressed_and_sent_has_no_other_effect():
    assert row_of(a_press()).effect is None
    assert row_of(a_submission()).effect is None


@pytest.mark.parametrize(
    "payload",
    [
        an_event(event_id=""),
        an_event(event_id="Ev\ud800"),
        an_event(event_id="Ev\x00"),
        an_event(event_id="E" * 256),
        an_event(event_id=7),
        an_event(team_id={"id": "T1"}),
        {**a_press(), "actions": []},
        {**a_press(), "actions": [None]},
        {**a_press(), "actions": {"action_id": "candor_claim"}},
        {**a_press(), "user": "U1"},
        {**a_submission(), "view": None},
    ],
)
def test_without_the_ids_that_slack_sends_there_is_no_row(payload):
    assert row_of(payload) is None


@pytest.mark.parametrize("kind", ["view_closed", "url_verification", "", None, [], {}, 1])
def test_nobody_listens_to_anything_else(kind):
    assert kind_of({"type": kind}) is None


def test_half_a_character_is_kept_as_a_question_mark():
    """JSON may spell it and no store can hold it."""
    sent = json.loads(r'{"text": "\ud83d\udc4b \ud800"}')
    row = row_of(an_event(a_message(**sent)))

    assert row.payload.encode()
    assert payload_of(row) == an_event(a_message(text="👋 ?"))


def test_what_is_nested_beyond_reason_is_no_row():
    deep: list[object] = []
    for _ in range(5_000):
        deep = [deep]

    assert row_of(an_event(a_message(blocks=deep))) is None


@pytest.mark.parametrize(
    ("event", "way"),
    [
        (a_message(), "C1:1.1"),
        (a_message(ts="1.9", thread_ts="1.1"), "C1:1.1"),
        (an_edit(ts="1.9", thread_ts="1.1"), "C1:1.1"),
        (a_deletion(), "C1:1.1"),
        (a_message(channel="D1", thread_ts="1.1"), "D1"),
    ],
)
def test_what_belongs_to_one_thread_is_worked_on_in_one_lane(event, way):
    assert lane(row_of(an_event(event))) == way


def test_a_button_has_a_lane_of_its_own():
    row = row_of(a_press())

    assert lane(row) == row.key


def test_the_button_is_named():
    assert action_id(a_press("candor_reply")) == "candor_reply"
    assert action_id(an_event()) == ""
