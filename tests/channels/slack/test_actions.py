"""What a button carries comes back as it was, and whatever somebody else has put there is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.slack.actions import Action, ButtonValue, action_of
from bot.core.conversation import ConversationId
from bot.errors import InputRejected

COUNTS = st.integers(min_value=0, max_value=2**53 - 1)
VALUES = st.builds(
    ButtonValue,
    conversation=st.text(min_size=1, max_size=60).map(ConversationId),
    spell=COUNTS,
    seq=COUNTS,
    text=st.text(max_size=200),
)


@given(VALUES)
def test_what_a_button_carries_comes_back(value):
    assert ButtonValue.from_value(value.to_value()) == value


def test_a_button_carries_no_more_than_it_can():
    value = ButtonValue(conversation=ConversationId("c1"), text="👍" * 1_000)

    with pytest.raises(InputRejected):
        value.to_value()


@given(
    st.text() | st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists).map(json.dumps)
)
def test_anything_else_is_refused(raw):
    with pytest.raises(InputRejected):
        ButtonValue.from_value(raw)


@pytest.mark.parametrize(
    "read",
    [
        {},
        {"c": ""},
        {"c": 1},
        {"c": "c1", "e": -1},
        {"c": "c1", "e": True},
        {"c": "c1", "s": "1"},
        {"c": "c1", "s": 1.5},
        {"c": "c1", "s": 2**53},
        {"c": "c1", "t": None},
    ],
)
def test_a_field_of_another_type_is_refused(read):
    with pytest.raises(InputRejected):
        ButtonValue.from_value(json.dumps(read))


def test_nesting_without_end_is_refused():
    with pytest.raises(InputRejected):
        ButtonValue.from_value("[" * 100_000)


@pytest.mark.parametrize(
    ("action_id", "action"),
    [("candor_claim", Action.CLAIM), ("candor_option:3", Action.OPTION), ("claim", None), ("", None)],
)
def test_an_action_is_known_whatever_number_follows_it(action_id, action):
    assert action_of(action_id) is action
