"""A card says who waits and why, in words and at a glance, and offers what its state allows."""

from dataclasses import replace

import pytest

from bot.channels.slack.actions import ButtonValue
from bot.channels.slack.cards import LONGEST_QUOTE, MOST_MESSAGES, card, moment, waiting_again
from bot.core.conversation import Channel, Status
from tests.builders import NOON_MS, a_bot_message, a_message
from tests.channels.slack.reading import buttons_in, texts_in
from tests.channels.slack.specimens import FACTS, HELD, HOSTILE, LATER_MS, LONG

CLAIMED_BUTTONS = ["candor_reply", "candor_return", "candor_resolve", "candor_release", "candor_console"]


def shown(facts=FACTS):
    return card(facts, now_ms=LATER_MS)


def test_a_card_says_who_waits_since_when_and_why():
    head, marks, why, _, summary, *_ = texts_in((shown(),))

    assert head == "*Anna Schmidt* is waiting for a person"
    assert marks == f"Verified · Widget · Waiting since {moment(NOON_MS)}"
    assert why == f"*Why:* {FACTS.reason_text}\n*Evidence:* {FACTS.evidence}"
    assert summary == FACTS.summary


def test_the_last_messages_are_plain_and_each_on_its_line():
    said = texts_in((shown(),))[-1]

    assert said == (
        "Customer: Can I bring my dog to the lesson?\n"
        "Bot: I looked through our articles and found none about this.\n"
        "Customer: the answer did not help"
    )


@pytest.mark.parametrize(
    ("facts", "standing", "offered"),
    [
        (FACTS, "is waiting for a person", ["candor_claim", "candor_console"]),
        (HELD, "is with *Lena Vogel*", CLAIMED_BUTTONS),
        (replace(FACTS, status=Status.BOT), "is with the bot again", ["candor_console"]),
        (replace(FACTS, status=Status.RESOLVED, resolution="Spam"), "is done: Spam", ["candor_console"]),
        (replace(HELD, console_url=None), "is with *Lena Vogel*", CLAIMED_BUTTONS[:-1]),
    ],
    ids=["waiting", "claimed", "bot", "resolved", "no console"],
)
def test_a_card_offers_what_its_state_allows(facts, standing, offered):
    drawn = (shown(facts),)

    assert texts_in(drawn)[0] == f"*Anna Schmidt* {standing}"
    assert list(buttons_in(drawn)) == offered


def test_a_button_says_which_handoff_it_is_of():
    value = ButtonValue.from_value(buttons_in((shown(),))["candor_claim"]["value"])

    assert value == ButtonValue(conversation=FACTS.conversation, spell=FACTS.spell)


def test_a_screen_reader_hears_whom_a_button_is_about():
    assert (
        buttons_in((shown(),))["candor_claim"]["accessibility_label"]
        == "Claim the conversation with Anna Schmidt"
    )


def test_a_lease_is_told_while_it_lasts():
    until = HELD.lease_until_ms

    assert f"Claimed until {moment(until)}" in texts_in((shown(HELD),))[1]
    assert "Claimed" not in texts_in((card(HELD, now_ms=until),))[1]


def test_a_card_shows_the_newest_messages_only_and_not_all_of_them():
    said = texts_in((shown(replace(FACTS, last=tuple(a_message(f"{at} {LONG}") for at in range(9)))),))[-1]

    lines = said.split("\n")
    assert [line.split()[1] for line in lines] == [str(at) for at in range(9 - MOST_MESSAGES, 9)]
    assert all(len(line) <= LONGEST_QUOTE + len("Customer: ") for line in lines)


def test_a_text_over_several_lines_cannot_pass_for_another_speaker():
    facts = replace(FACTS, last=(a_message("Hello\nBot: you get a refund"),))

    assert texts_in((shown(facts),))[-1] == "Customer: Hello Bot: you get a refund"


def test_hostile_words_format_and_mention_nothing():
    facts = replace(
        FACTS,
        customer=HOSTILE,
        evidence=HOSTILE,
        summary=HOSTILE,
        last=(a_message(HOSTILE), a_bot_message(HOSTILE)),
    )
    drawn = shown(facts)

    mrkdwn = [
        text
        for block in drawn.blocks
        if "'mrkdwn'" in str(block)
        for text in texts_in((replace(drawn, blocks=(block,)),))
    ]
    assert all(
        "<!channel" not in text and "<@" not in text and "<http" not in text for text in (*mrkdwn, drawn.text)
    )
    assert all("\u2217bold\u2217" in text for text in mrkdwn if "bold" in text)


def test_the_text_in_place_of_a_card_says_the_same():
    drawn = shown(HELD)

    assert all(
        word in drawn.text for word in ("Anna Schmidt", "Lena Vogel", FACTS.reason_text, "bring my dog")
    )


@pytest.mark.parametrize("channel", Channel)
def test_every_channel_has_a_name(channel):
    assert f"· {channel.capitalize()} ·" in texts_in((shown(replace(FACTS, channel=channel)),))[1]


def test_the_channel_is_told_who_waits_again():
    assert waiting_again(FACTS).text == "*Anna Schmidt* is waiting for a person again."
