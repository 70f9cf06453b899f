"""The forms of agents: what they show, and how what was filled in is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.slack import modals
from bot.channels.slack.actions import ButtonValue, Callback
from bot.core.desk import Resolution
from bot.errors import InputRejected
from tests.channels.slack.reading import blocks_of
from tests.channels.slack.specimens import LONG, VALUE
from tests.vendors.slack_limits import problems_of


def reply(**fields):
    return modals.reply_form(VALUE, **{"customer": "Anna", "wrote": "Is it on?", "text": "", **fields})


def test_a_reply_begins_with_what_the_customer_wrote_and_the_agents_draft():
    form = reply(text="Dear Anna,")

    said, quoted, field = blocks_of(form)
    assert said["text"]["text"] == "The newest message in the conversation with *Anna*"
    assert quoted["text"]["text"] == "Is it on?"
    assert field["element"]["initial_value"] == "Dear Anna,"


def test_a_form_says_what_it_is_about_when_it_comes_back():
    form = reply()

    assert form["callback_id"] == Callback.REPLY
    assert ButtonValue.from_value(form["private_metadata"]) == VALUE


def test_a_long_draft_is_cut_to_what_a_field_takes_and_says_so():
    field = blocks_of(reply(text=LONG))[-1]

    assert field["element"]["initial_value"] == LONG[: modals.LONGEST_REPLY]
    assert field["hint"]["text"].startswith("Your draft is longer than this field")


def test_every_resolution_can_be_chosen():
    field = blocks_of(modals.resolve_form(VALUE, customer="Anna"))[-1]["element"]

    assert [option["value"] for option in field["options"]] == list(Resolution)


@given(st.text(max_size=5_000), st.text(max_size=5_000), st.text(max_size=200))
def test_forms_keep_to_the_limits_whatever_they_are_filled_with(text, wrote, name):
    assert problems_of(reply(text=text, wrote=wrote, customer=name)) == []
    assert problems_of(modals.resolve_form(VALUE, customer=name)) == []


def test_what_was_filled_in_is_read():
    typed = {modals.REPLY_BLOCK: {modals.INPUT: {"value": " Yes. "}}}
    chosen = {modals.RESOLUTION_BLOCK: {modals.INPUT: {"selected_option": {"value": "spam"}}}}

    assert modals.written(typed) == " Yes. "
    assert modals.resolved_as(chosen) is Resolution.SPAM


@pytest.mark.parametrize(
    "filled",
    [
        None,
        [],
        {},
        {"x": 1},
        {"candor_reply_text": {"candor_input": {"value": " "}}},
        {"candor_resolution": {"candor_input": {"selected_option": {"value": "x"}}}},
    ],
)
def test_what_is_not_filled_in_is_refused(filled):
    for read in (modals.written, modals.resolved_as):
        with pytest.raises(InputRejected):
            read(filled)
