"""Whether something that came in from Slack is about a conversation: by its id, or by one of its places."""

import json

import pytest

from bot.core.slack_rows import is_about
from tests.builders import CONVERSATION
from tests.slack_rows import a_payload, a_place

DIRECT = a_place(channel="D1", thread_ts="")
PRESSED = {
    "team": {"id": "T1"},
    "channel": {"id": "C1", "name": "support"},
    "message": {"ts": "3.000100", "thread_ts": "1.000100"},
    "actions": [{"action_id": "candor_claim", "value": "none"}],
}
EDITED = {
    "team_id": "T1",
    "event": {"channel": "C1", "ts": "9.0", "message": {"ts": "3.0", "thread_ts": "1.000100", "text": "x"}},
}


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(a_payload(a_place()), id="a reply in its thread"),
        pytest.param(a_payload(a_place(thread_ts=""), ts="1.000100"), id="what began its thread"),
        pytest.param(a_payload(DIRECT), id="a direct message"),
        pytest.param(json.dumps(PRESSED), id="a button in its thread"),
        pytest.param(json.dumps(EDITED), id="an edit in its thread"),
        pytest.param('{"view": {"private_metadata": "c1:3:7"}}', id="a form that names it"),
        pytest.param('{"actions": [{"value": "{\\"conversation\\": \\"c1\\"}"}]}', id="a button's value"),
        pytest.param("c1, cut off in the mid", id="no JSON that names it"),
    ],
)
def test_what_names_a_conversation_or_comes_from_its_place_is_about_it(payload):
    assert is_about(payload, CONVERSATION, (DIRECT, a_place()))


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(a_payload(a_place(thread_ts="8.0")), id="another thread"),
        pytest.param(a_payload(a_place(channel="C2")), id="another channel"),
        pytest.param(a_payload(a_place(team="T2")), id="another team"),
        pytest.param(a_payload(a_place(channel="D1", thread_ts="8.0")), id="a thread beside direct messages"),
        pytest.param('{"view": {"private_metadata": "c12:3:7"}}', id="a longer id"),
        pytest.param('{"view": {"private_metadata": "abc1"}}', id="an id that ends alike"),
        pytest.param("no json", id="no JSON"),
        pytest.param("", id="what was done"),
    ],
)
def test_anything_else_is_not(payload):
    assert not is_about(payload, CONVERSATION, (DIRECT, a_place()))
