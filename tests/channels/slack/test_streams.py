"""Streams that fail: whatever Slack does, the customer ends up with one whole answer, which is the stored one."""

import asyncio
from dataclasses import replace

import pytest

from bot.channels.slack.rendering import Rendered
from bot.channels.slack.streams import stream_key, streamed
from bot.core.conversation import Message, TurnId
from bot.core.slack_rows import SlackPost
from bot.service.live import DraftShown
from tests.channels.slack.customer_rig import DM, Customers
from tests.channels.slack.sending_rig import DIRECT
from tests.service.rig import QUESTION, REPLIES
from tests.service.stand_ins import Point
from tests.service.test_old_articles import DAY_MS, NOTICE, never_synced_again
from tests.service.test_showing_blocks import COMPLETE, FIRST, SECOND
from tests.vendors.slack_faults import breaks, drops, garbles, limits, refuses, waits_for
from tests.vendors.slack_server import CUSTOMER
from tests.waiting import wait_until

FAULTS = {
    "refused": refuses("internal_error"),
    "too much": limits("1"),
    "too much, who knows how long": limits(None),
    "broken": breaks(),
    "plain text": breaks(200, "ok", "text/plain"),
    "garbled": garbles(),
    "garbled after": garbles(after=True),
    "dropped": drops(),
    "dropped after": drops(after=True),
    "no scope": refuses("missing_scope"),
    "ended by Slack": refuses("message_not_in_streaming_state"),
    "gone": refuses("message_not_found"),
    "too long": refuses("msg_too_long"),
    "unheard of": refuses("a_code_of_tomorrow"),
}
METHODS = ("chat.startStream", "chat.appendStream", "chat.stopStream", "chat.update", "chat.delete")


async def stored(customers: Customers, thread: str) -> Message:
    return (await customers.messages(DM, thread))[-1]


def is_whole(shown: str) -> bool:
    return shown.startswith(f"{FIRST.text}\n\n{SECOND.text}\n") and shown.count(FIRST.text) == 1


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
@pytest.mark.parametrize("method", METHODS)
async def test_one_whole_answer_whichever_call_fails(customers: Customers, thread, method, fault):
    customers.slack.fails(method, fault)

    await customers.streams(thread)

    (answer,) = customers.below(thread)
    assert is_whole(answer)
    assert customers.slack.workspace.streams == {}


@pytest.mark.parametrize("fault", ["broken", "dropped after", "unheard of", "gone"])
async def test_a_stream_that_neither_stops_nor_changes_is_replaced(customers: Customers, thread, fault):
    customers.slack.fails("chat.stopStream", FAULTS[fault])
    customers.slack.fails("chat.update", refuses("cant_update_message"))

    await customers.streams(thread)

    (answer,) = customers.below(thread)
    assert is_whole(answer)


async def test_a_process_that_dies_leaves_a_stream_that_the_next_one_ends(customers: Customers, thread):
    held = Point(waits=True)
    customers.rig.answerer.script = (FIRST, held)
    await customers.slack.says(CUSTOMER, DM, QUESTION, thread_ts=thread)
    await wait_until(lambda: customers.below(thread))
    await customers.dies()

    customers.rig.answerer.script = (FIRST, SECOND, COMPLETE)
    await customers.rig.turns.run(await customers.conversation(DM, thread))
    await customers.settled()

    interrupted, answer = customers.below(thread)
    assert REPLIES.text("interrupted", "en") in interrupted
    assert is_whole(answer)
    assert customers.slack.workspace.streams == {}


async def test_another_process_waits_for_a_stream_that_may_just_begin(customers: Customers, thread):
    moment = asyncio.Event()
    customers.slack.fails("chat.startStream", waits_for(moment))
    customers.rig.answerer.script = (FIRST, SECOND, COMPLETE)
    held = customers.rig.store.at_commit = Point(waits=True)
    await customers.slack.says(CUSTOMER, DM, QUESTION, thread_ts=thread)
    await wait_until(lambda: customers.slack.called("chat.startStream"))
    held.opened.set()
    await customers.rig.idle()

    customers.restarts()
    await customers.sending.told()
    early = customers.below(thread)
    moment.set()
    await customers.settled()

    assert early == []
    (answer,) = customers.below(thread)
    assert is_whole(answer)


@pytest.mark.parametrize("asks_again", [False, True], ids=["nothing owed", "the next turn owed"])
async def test_no_stream_begins_once_its_turn_has_ended(customers: Customers, thread, asks_again):
    await customers.says(QUESTION, thread_ts=thread)
    turn = (await stored(customers, thread)).turn
    held = customers.rig.index.at_search = Point(waits=asks_again)
    await customers.slack.says(CUSTOMER, DM, QUESTION, thread_ts=thread)
    await wait_until(lambda: held.calls)
    started = len(customers.slack.called("chat.startStream"))
    (place,) = await customers.threads()

    await customers.side.view.streams.show(place, DraftShown(turn=turn, position=0, text="Late"))

    assert len(customers.slack.called("chat.startStream")) == started
    held.opened.set()
    await customers.settled()
    assert not any("Late" in answer for answer in customers.below(thread))


async def test_a_stream_is_not_joined_in_the_middle(customers: Customers, thread):
    await customers.says(QUESTION, thread_ts=thread)
    started = len(customers.slack.called("chat.startStream"))
    (place,) = await customers.threads()

    await customers.side.view.streams.show(place, DraftShown(turn=TurnId("late"), position=1, text="Late"))

    assert len(customers.slack.called("chat.startStream")) == started


async def test_an_answer_of_several_messages_is_posted(customers: Customers, thread):
    await customers.streams(thread)
    message = await stored(customers, thread)
    conversation = await customers.conversation(DM, thread)
    kept = SlackPost(
        key=stream_key(conversation, TurnId("t")),
        conversation=conversation,
        place=DIRECT,
        begun_ms=0,
        ts="1.0",
        digest="shown",
    )
    await customers.sending.store.begin_post(kept)

    parts = (Rendered(text="one"), Rendered(text="two"))
    ended = await customers.side.view.streams.finish(conversation, replace(message, turn=TurnId("t")), parts)

    assert (ended, await customers.sending.store.post(kept.key)) == (None, None)


async def test_an_answer_is_not_streamed_before_a_notice_that_belongs_before_it(customers: Customers, thread):
    never_synced_again(customers.rig)
    customers.rig.clock.advance(8 * DAY_MS)

    await customers.streams(thread)

    notice, answer = customers.below(thread)
    assert notice.startswith(NOTICE)
    assert is_whole(answer)


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        ("See [the page](https://help.example/a) and **save**.", "See the page and **save**."),
        ("![](https://evil.example/x.png)", ""),
        ("[a](javascript:alert) <!channel>", "a &lt;!channel&gt;"),
        ("1 < 2 & [x]", "1 &lt; 2 &amp; [x]"),
    ],
)
def test_a_stream_links_nowhere_and_pings_nobody(block, shown):
    assert streamed(block) == shown
