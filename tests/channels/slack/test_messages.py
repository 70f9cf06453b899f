"""What a customer sees in Slack: the bot's words formatted, everybody else's as they are, and what the widget has to press."""

from dataclasses import replace

import pytest

from bot.channels.slack.actions import ButtonValue
from bot.channels.slack.messages import to_customer
from bot.core.conversation import Kind, Source
from tests.builders import CONVERSATION, a_bot_message
from tests.channels.slack.reading import buttons_in, texts_in
from tests.channels.slack.specimens import ANSWER, ASK, HOSTILE, LONG, REPLY, TO


def test_an_answer_is_followed_by_its_articles_and_by_what_can_be_pressed():
    shown = to_customer(ANSWER, TO, last=True)

    sources = "*From our articles*\n• <https://help.example/moving|Moving &amp; cancelling &lt;lessons&gt;>"
    assert any(text.startswith(sources) for text in texts_in(shown))
    assert list(buttons_in(shown)) == ["candor_helped", "candor_not_helped", "candor_person"]


def test_an_article_without_an_address_of_its_own_is_read_at_ours():
    own = replace(ANSWER, sources=(Source(id="a2", title="Two", url="/articles/a2"),))

    assert "*From our articles*\n• <https://candor.example/articles/a2|Two>" in texts_in(to_customer(own, TO))
    assert "*From our articles*\n• Two" in texts_in(to_customer(own, replace(TO, site="")))


def test_options_are_buttons_that_say_what_they_are_about():
    pressed = buttons_in(to_customer(ASK, TO, last=True))

    assert list(pressed) == ["candor_option:0", "candor_option:1", "candor_person"]
    value = ButtonValue.from_value(pressed["candor_option:1"]["value"])
    assert value == ButtonValue(conversation=CONVERSATION, seq=2, text="It is next week")


def test_an_option_that_asks_for_a_person_is_not_there_twice():
    offer = replace(ASK, options=(TO.text("offer_person"),))

    assert list(buttons_in(to_customer(offer, TO, last=True))) == ["candor_person"]


def test_an_option_that_has_no_room_on_its_button_is_written_out():
    option = "It is " + "very " * 30 + "late"
    shown = to_customer(replace(ASK, options=(option, "No")), TO, last=True)

    assert f"1. {option}\n2. No" in texts_in(shown)
    assert ButtonValue.from_value(buttons_in(shown)["candor_option:0"]["value"]).text == option


def test_what_could_not_be_looked_up_can_be_tried_again():
    refusal = replace(ANSWER, sources=(), reason="records_unavailable")

    pressed = buttons_in(to_customer(refusal, TO, last=True))

    assert list(pressed) == ["candor_retry"]
    value = ButtonValue.from_value(pressed["candor_retry"]["value"])
    assert value == ButtonValue(conversation=CONVERSATION, seq=2, text="Try again")


@pytest.mark.parametrize(
    ("message", "how"),
    [
        (ANSWER, {}),
        (ANSWER, {"last": True, "chosen": "Yes"}),
        (replace(ANSWER, reason="no_evidence"), {"last": True}),
        (REPLY, {"last": True}),
        (replace(REPLY, kind=Kind.TOMBSTONE), {"last": True}),
    ],
    ids=["not the last", "pressed", "handoff", "agent", "deleted"],
)
def test_there_is_nothing_to_press_where_nothing_would_come_of_it(message, how):
    assert buttons_in(to_customer(message, TO, **how)) == {}


def test_what_was_pressed_is_said():
    assert "You chose: It is next week" in texts_in(to_customer(ASK, TO, last=True, chosen="It is next week"))


def test_who_was_helped_is_thanked():
    shown = to_customer(ANSWER, TO, last=True, chosen=TO.text("helped_yes"))

    assert texts_in(shown)[-1] == TO.text("thanks_for_feedback")


def test_an_interrupted_answer_says_so_and_asks_for_no_verdict():
    shown = to_customer(replace(ANSWER, interrupted=True), TO, last=True)

    assert TO.text("interrupted") in texts_in(shown)
    assert list(buttons_in(shown)) == ["candor_person"]


def test_an_agent_is_named_and_their_text_stays_as_it_is():
    shown = to_customer(replace(REPLY, text=HOSTILE), TO, agent="Lena *V*")

    assert texts_in(shown)[0] == "*Lena \u2217V\u2217 from our team*"
    assert shown[0].blocks[1]["text"] == {
        "type": "plain_text",
        "text": f"\u2068{HOSTILE}\u2069",
        "emoji": False,
    }


def test_a_long_answer_is_parted_with_its_words_in_order():
    shown = to_customer(a_bot_message(LONG * 2), TO, last=True)

    assert len(shown) == 2
    assert " ".join(texts_in(shown)).split() == (LONG * 2).split()
    assert [bool(buttons_in((part,))) for part in shown] == [False, True]


def test_a_deleted_message_says_only_that():
    assert texts_in(to_customer(replace(REPLY, kind=Kind.TOMBSTONE), TO)) == ["This message was deleted."]
