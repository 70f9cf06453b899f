"""Everything that we show in Slack keeps to Slack's documented limits, says in words what it shows, and is JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.slack.messages import to_customer
from bot.channels.slack.rendering import LONGEST_FALLBACK, LONGEST_MESSAGE, MOST_BLOCKS
from bot.channels.slack.room import to_room
from bot.core.conversation import Role
from tests.builders import a_bot_message, a_message
from tests.channels.slack.reading import buttons_in, texts_in
from tests.channels.slack.specimens import TO, Specimen, specimens
from tests.vendors.slack_limits import problems_of

SPECIMENS = specimens()
OPTIONS = st.lists(st.text(min_size=1, max_size=200), max_size=40, unique=True).map(tuple)


@pytest.mark.parametrize("specimen", SPECIMENS.values(), ids=SPECIMENS)
def test_everything_that_is_shown_keeps_to_the_limits(specimen: Specimen):
    sent = [{"text": message.text, "blocks": list(message.blocks)} for message in specimen.messages]
    forms = [specimen.form] if specimen.form is not None else []

    for shown in (*sent, *forms):
        assert problems_of(json.loads(json.dumps(shown))) == []


@pytest.mark.parametrize("specimen", SPECIMENS.values(), ids=SPECIMENS)
def test_every_message_can_be_read_without_its_blocks(specimen: Specimen):
    for message in specimen.messages:
        assert message.text.strip()
        assert len(message.text.encode()) <= LONGEST_FALLBACK


@pytest.mark.parametrize("specimen", SPECIMENS.values(), ids=SPECIMENS)
def test_every_button_is_read_out_in_words(specimen: Specimen):
    for button in buttons_in(specimen.messages).values():
        assert any(character.isalpha() for character in button["text"]["text"])
        assert 0 < len(button["accessibility_label"]) <= 75


@pytest.mark.parametrize("line", ["\u05d0", "\u2068" * 40, "\u202e👍", "> x", "&"], ids=ascii)
def test_many_short_lines_keep_to_the_limits(line: str):
    text = "\n".join([line] * 1_900)

    for message in (
        *to_customer(a_bot_message(text), TO),
        *to_room(a_message(text), customer="A", agent=None),
    ):
        assert problems_of({"text": message.text, "blocks": list(message.blocks)}) == []


def test_many_long_options_keep_to_the_limits():
    asked = a_bot_message("Which?", options=tuple(f"{at} {'<option> ' * 30}" for at in range(60)))

    for message in (*to_customer(asked, TO, last=True), *to_room(asked, customer="A", agent=None)):
        assert problems_of({"text": message.text, "blocks": list(message.blocks)}) == []


@given(st.text(max_size=20_000), OPTIONS, st.text(max_size=300))
def test_no_text_breaks_a_limit(text: str, options: tuple[str, ...], name: str):
    said = a_bot_message(text, options=options)
    shown = (
        *to_customer(said, TO, last=True),
        *to_customer(a_message(text, role=Role.AGENT), TO, agent=name),
        *to_room(said, customer=name, agent=name),
    )

    for message in shown:
        assert problems_of({"text": message.text, "blocks": list(message.blocks)}) == []
        assert len(message.text.encode()) <= LONGEST_FALLBACK


@given(
    st.lists(st.text(st.sampled_from("ab. \n\u202e\u05d0👍"), min_size=1, max_size=3_000), max_size=12).map(
        "\n".join
    )
)
def test_what_an_agent_writes_arrives_whole_and_in_order(text: str):
    shown = to_customer(a_message(text, role=Role.AGENT), TO)

    said = "".join(texts_in(shown)[1:]).translate({0x2068: None, 0x2069: None})
    assert "".join(said.split()) == "".join(text.split()) or said == "—"
    assert all(len(message.blocks) <= MOST_BLOCKS for message in shown)
    assert all(sum(map(len, texts_in((message,)))) <= LONGEST_MESSAGE for message in shown)
