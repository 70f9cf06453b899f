"""The agents' room says who did what, and shows what people wrote as they wrote it."""

import pytest

from bot.channels.slack.room import COLLEAGUE, note_to_room, to_room
from bot.core.conversation import Kind, Role
from bot.core.notes import BOT, Note, summary_key
from tests.builders import a_bot_message, a_message
from tests.channels.slack.reading import texts_in
from tests.channels.slack.specimens import ASK, HOSTILE, SHORT


@pytest.mark.parametrize(
    ("message", "texts"),
    [
        (a_message("Is it *on*?"), ["*Anna* wrote", "Is it *on*?"]),
        (a_message("Lessons", kind=Kind.CATEGORY), ["*Anna* chose a topic", "Lessons"]),
        (a_message("a.pdf", kind=Kind.FILE), ["*Anna* sent a file", "a.pdf"]),
        (a_message("Help", kind=Kind.PERSON_REQUEST), ["*Anna* asked for a person", "Help"]),
        (a_message("yes", kind=Kind.FEEDBACK), ["*Anna* says that the answer helped"]),
        (a_message("no", kind=Kind.FEEDBACK), ["*Anna* says that the answer did not help"]),
        (a_message("", kind=Kind.TOMBSTONE), ["*Anna* deleted a message"]),
        (a_message("So?", revises=1), ["*Anna* changed a message, which now says", "So?"]),
        (a_bot_message("It **is**."), ["*The bot* told the customer", "It *is*."]),
        (a_message("It is.", role=Role.AGENT), ["*Lena* replied to the customer", "It is."]),
    ],
)
def test_a_message_says_whose_it_is_and_what_they_did(message, texts):
    assert texts_in(to_room(message, customer="Anna", agent="Lena")) == texts


def test_what_the_bot_offered_is_listed():
    shown = to_room(ASK, customer="Anna", agent=None)

    assert texts_in(shown)[-1] == "Offered: It is tomorrow · It is next week"


def test_what_the_bot_answered_from_is_named():
    shown = to_room(SHORT, customer="Anna", agent=None)

    titles = "Moving &amp; cancelling &lt;lessons&gt; · An article without an address of its own"
    assert texts_in(shown)[-1] == f"Articles: {titles}"


def test_an_agent_whose_name_is_not_known_is_a_colleague():
    shown = to_room(a_message(role=Role.AGENT), customer="Anna", agent=None)

    assert texts_in(shown)[0] == f"*{COLLEAGUE}* replied to the customer"


def test_hostile_names_and_texts_mention_nobody():
    (shown,) = to_room(a_message(HOSTILE), customer=HOSTILE, agent=None)

    mrkdwn = [str(block) for block in shown.blocks if "'mrkdwn'" in str(block)]
    assert all("<!" not in text and "<@" not in text for text in (*mrkdwn, shown.text))


def test_a_note_is_marked_as_what_no_customer_sees():
    note = Note(seq=1, author="lena", text="She is *right*.", at_ms=1)

    shown = texts_in(note_to_room(note, author="Lena"))

    assert shown == ["*Lena* noted (internal, the customer does not see it)", "She is *right*."]


def test_a_summary_is_the_bots():
    note = Note(seq=1, author=BOT, text="Asked: x", at_ms=1, key=summary_key(3))

    assert texts_in(note_to_room(note, author="Bot"))[0].startswith("*The bot* summed up")
