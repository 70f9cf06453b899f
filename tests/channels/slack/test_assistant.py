"""The assistant's view from its opening to the feedback: prompts, title, status, and an answer that appears block by block."""

import pytest

from bot.channels.slack.actions import Action
from bot.channels.slack.assistant import to_opened
from bot.core.categories import Categories
from bot.core.conversation import DID_NOT_HELP, Kind
from bot.core.outcome import ReasonCode
from bot.errors import ModelUnavailable
from tests.channels.slack.customer_rig import DM, Customers
from tests.service.rig import QUESTION, REPLIES
from tests.service.stand_ins import Point
from tests.service.test_showing_blocks import COMPLETE, FIRST, SECOND
from tests.vendors.slack_faults import refuses
from tests.vendors.slack_server import CUSTOMER
from tests.vendors.slack_transcripts import buttons, shown_text
from tests.waiting import wait_until


def statuses(customers: Customers) -> list[str]:
    return [one["status"] for one in customers.slack.called("assistant.threads.setStatus")]


async def test_opening_suggests_topics_and_opens_no_conversation(customers: Customers, thread):
    (suggested,) = customers.slack.called("assistant.threads.setSuggestedPrompts")

    assert [one["message"] for one in suggested["prompts"]] == [
        "Lessons",
        "Payments",
        "Account",
        "Technical help",
    ]
    assert (suggested["title"], suggested["thread_ts"]) == (REPLIES.text("topics", "en"), thread)
    assert customers.opened() == []


async def test_opening_the_bots_messages_suggests_topics_above_them(customers: Customers):
    await customers.slack.opens_messages(CUSTOMER)
    await customers.settled()

    (shown,) = customers.slack.workspace.prompts
    assert shown["prompts"][0] == {"title": "Lessons", "message": "Lessons"}
    assert "thread_ts" not in shown


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"tab": "home", "channel": "D1", "user": "U1"},
        {"tab": "messages", "user": "U1"},
        {"assistant_thread": {"channel_id": "D1", "user_id": "U1"}},
        {"assistant_thread": "thread"},
    ],
)
def test_what_is_no_opening_suggests_nothing(event):
    assert to_opened({"team_id": "T1", "event": event}) is None


async def test_without_topics_nothing_is_suggested(customers: Customers):
    customers.side.view.categories = Categories()

    await customers.slack.opens_messages(CUSTOMER)
    await customers.settled()

    assert customers.slack.workspace.prompts == []


async def test_a_thread_that_never_settles_is_followed_only_so_long(customers: Customers, thread):
    customers.side.view.followed_s = 0.05
    held = customers.rig.index.at_search = Point(waits=True)

    await customers.slack.says(CUSTOMER, DM, QUESTION, thread_ts=thread)
    await held.reached.wait()
    await wait_until(lambda: statuses(customers) == [REPLIES.text("is_searching", "en"), ""])
    held.opened.set()
    await customers.settled()

    assert len(customers.below(thread)) == 1


async def test_an_erased_conversation_is_followed_no_further(customers: Customers, thread):
    held = customers.rig.index.at_search = Point(waits=True)
    await customers.slack.says(CUSTOMER, DM, QUESTION, thread_ts=thread)
    await held.reached.wait()
    conversation = await customers.conversation(DM, thread)

    customers.rig.store.erase(conversation, at_ms=0)
    customers.rig.live.forget(conversation)
    await wait_until(lambda: customers.side.view.is_idle)
    held.opened.set()
    await customers.settled()

    assert customers.below(thread) == []


async def test_topics_are_suggested_in_the_customers_language(customers: Customers):
    customers.slack.workspace.people[CUSTOMER]["locale"] = "fr-FR"

    await customers.slack.opens_assistant(CUSTOMER)
    await customers.settled()

    (suggested,) = customers.slack.called("assistant.threads.setSuggestedPrompts")
    assert suggested["prompts"][0]["title"] == "Cours"


async def test_a_suggested_topic_is_scaffolding_and_no_question(customers: Customers, thread):
    await customers.says("Payments", thread_ts=thread)

    assert (await customers.messages(DM, thread))[0].kind is Kind.CATEGORY
    assert customers.below(thread)[0].startswith(REPLIES.text("category", "en"))


async def test_a_thread_is_called_by_its_first_question(customers: Customers, thread):
    await customers.says(QUESTION, thread_ts=thread)
    await customers.says("And when is it free?", thread_ts=thread)

    assert [one["title"] for one in customers.slack.called("assistant.threads.setTitle")] == [QUESTION]


async def test_the_status_says_what_the_bot_does_and_goes_in_the_end(customers: Customers, thread):
    searching = customers.rig.index.at_search = Point(waits=True)
    writing = Point(waits=True)
    customers.rig.answerer.script = (writing, FIRST, COMPLETE)
    await customers.slack.says(CUSTOMER, DM, QUESTION, thread_ts=thread)

    await wait_until(lambda: statuses(customers) == [REPLIES.text("is_searching", "en")])
    searching.opened.set()
    await wait_until(lambda: statuses(customers)[-1] == REPLIES.text("is_writing", "en"))
    writing.opened.set()
    await customers.settled()

    assert statuses(customers)[2:] == [""]


async def test_verified_blocks_appear_one_by_one(customers: Customers, thread):
    early = await customers.streams(thread)

    assert early == [FIRST.text]
    (answer,) = customers.below(thread)
    assert answer.startswith(f"{FIRST.text}\n\n{SECOND.text}")


async def test_the_stream_becomes_the_very_message_that_a_post_would_be(customers: Customers, thread):
    await customers.streams(thread)
    customers.rig.answerer.script = (FIRST, SECOND, COMPLETE)
    await customers.says(QUESTION)

    stream, post = customers.slack.posted(DM, thread)[-1], customers.slack.posted(DM)[-1]
    assert shown_text(stream) == shown_text(post)
    assert buttons(stream) == buttons(post)
    assert (len(customers.slack.called("chat.stopStream")), customers.slack.workspace.streams) == (1, {})


async def test_what_is_pressed_under_a_streamed_answer_changes_it(customers: Customers, thread):
    await customers.streams(thread)

    await customers.presses(DM, str(customers.slack.posted(DM, thread)[-1]["ts"]), Action.HELPED)

    assert (
        REPLIES.text("you_chose", "en", option=REPLIES.text("helped_yes", "en")) in customers.below(thread)[0]
    )


async def test_feedback_under_a_streamed_answer_counts(customers: Customers, thread):
    await customers.says(QUESTION, thread_ts=thread)

    await customers.presses(DM, str(customers.slack.posted(DM, thread)[-1]["ts"]), Action.NOT_HELPED)

    assert (await customers.messages(DM, thread))[2].text == DID_NOT_HELP
    assert customers.below(thread)[-1].startswith(REPLIES.text("what_was_missing", "en"))


async def test_what_was_shown_before_a_handoff_stays_and_the_reason_follows(customers: Customers, thread):
    await customers.streams(thread, ModelUnavailable("refused"))

    interrupted, told = customers.below(thread)
    assert interrupted.startswith(FIRST.text)
    assert REPLIES.text("interrupted", "en") in interrupted
    assert told == REPLIES.handoff(ReasonCode.MODEL_UNAVAILABLE, "en")


@pytest.mark.parametrize("method", ["setStatus", "setTitle", "setSuggestedPrompts"])
async def test_nothing_depends_on_what_stands_beside_the_messages(customers: Customers, method):
    customers.slack.fails(f"assistant.threads.{method}", *[refuses("invalid_thread_ts")] * 3)
    thread = await customers.slack.opens_assistant(CUSTOMER)

    await customers.says(QUESTION, thread_ts=thread)

    assert len(customers.below(thread)) == 1


async def test_nothing_is_streamed_outside_of_the_view(customers: Customers):
    await customers.says()
    await customers.mentions()

    assert customers.slack.called("chat.startStream") == []
