"""What is said in Slack is there once, whatever became of the call that said it (FAULTS SL10, R-S15)."""

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest
from aiohttp import web

from bot.channels.slack.finding import metadata_of
from bot.channels.slack.outcomes import UNTOLD_WAIT_S, Unsaid
from bot.channels.slack.rendering import Rendered
from bot.channels.slack.speaking import IN_FLIGHT_MS, digest_of
from bot.core.slack_rows import SlackPost
from bot.errors import NotDelivered
from tests.channels.slack.sending_rig import HOME, Sending, a_sending
from tests.vendors.slack_faults import Effect, breaks, drops, garbles, hangs, limits, refuses, waits_for
from tests.vendors.slack_server import AGENT, DESK
from tests.waiting import wait_until

HELLO = Rendered(text="Hello")


@pytest.fixture
async def sending(slack):
    return await a_sending(slack)


async def say(sending: Sending, key: str = "k1", rendered: Rendered = HELLO) -> str:
    return await sending.speaking.say(key, sending.id, HOME, rendered)


async def say_in_the_end(sending: Sending, key: str = "k1") -> str:
    """Try again as long as it takes, as the outbox does."""
    for _ in range(5):
        try:
            return await say(sending, key)
        except NotDelivered as failure:
            sending.rig.clock.advance(int(failure.wait_s * 1000) + 1_000)
    raise AssertionError("never said")


async def test_a_key_is_said_once(sending):
    first = await say(sending)

    assert await say(sending, rendered=Rendered(text="Other")) == first
    assert sending.cards() == ["Candor: Hello"]


async def test_a_post_carries_its_key_and_unfurls_nothing(sending):
    await say(sending)

    (sent,) = sending.server.called("chat.postMessage")
    assert sent["metadata"] == metadata_of("k1", sending.id)
    assert (sent["unfurl_links"], sent["unfurl_media"]) == (False, False)


@pytest.mark.parametrize("after", [True, False], ids=["it was stored", "it was not"])
@pytest.mark.parametrize("fault", [drops, garbles, hangs])
async def test_of_a_post_whose_outcome_was_lost_one_is_visible(sending, fault, after):
    sending.timeout_s = 1
    sending.restart()
    sending.server.fails("chat.postMessage", fault(after=after))

    await say_in_the_end(sending)

    assert sending.cards() == ["Candor: Hello"]


async def test_a_failure_of_slacks_own_may_have_posted_it_so_it_is_looked_for(sending):
    sending.server.fails("chat.postMessage", breaks(500))

    await say_in_the_end(sending)

    assert len(sending.server.called("conversations.history")) == 1
    assert sending.cards() == ["Candor: Hello"]


async def test_what_slack_refused_is_posted_anew_without_looking(sending):
    sending.server.fails("chat.postMessage", limits("1"))

    await say_in_the_end(sending)

    assert sending.server.called("conversations.history") == []
    assert sending.cards() == ["Candor: Hello"]


async def test_a_post_that_may_be_under_way_is_not_made_again(sending):
    begun = SlackPost(key="k1", conversation=sending.id, place=HOME, begun_ms=sending.rig.clock.now_ms())
    await sending.rig.store.open_conversation(await sending.rig.state())
    await sending.store.begin_post(begun)

    with pytest.raises(NotDelivered) as refused:
        await say(sending)

    assert refused.value.wait_s == IN_FLIGHT_MS / 1000
    assert sending.cards() == []


async def test_a_process_that_died_before_it_posted_leaves_it_to_the_next(sending):
    begun = SlackPost(key="k1", conversation=sending.id, place=HOME, begun_ms=sending.rig.clock.now_ms())
    await sending.store.begin_post(begun)
    sending.rig.clock.advance(IN_FLIGHT_MS)

    await say(sending)

    assert sending.cards() == ["Candor: Hello"]


async def test_a_lost_post_is_found_on_a_later_page(sending):
    sending.server.fails("chat.postMessage", drops(after=True))
    with pytest.raises(NotDelivered):
        await say(sending)
    for number in range(150):
        await sending.server.says(AGENT, DESK, f"Chatter {number}")
    sending.rig.clock.advance(IN_FLIGHT_MS)

    await say(sending)

    assert sending.cards().count("Candor: Hello") == 1
    assert len(sending.server.called("conversations.history")) == 2


async def test_nothing_is_posted_again_while_it_cannot_be_looked_for(sending):
    sending.server.fails("chat.postMessage", drops(after=True))
    sending.server.fails("conversations.history", refuses("missing_scope"))
    with pytest.raises(NotDelivered):
        await say(sending)
    sending.rig.clock.advance(IN_FLIGHT_MS)

    with pytest.raises(Unsaid, match="missing_scope"):
        await say(sending)

    assert sending.cards() == ["Candor: Hello"]


async def test_posts_to_one_channel_keep_their_order_and_pace(sending):
    gate = asyncio.Event()
    sending.server.fails("chat.postMessage", waits_for(gate))
    said = [asyncio.create_task(say(sending, f"k{n}", Rendered(text=f"{n}"))) for n in range(5)]
    await wait_until(lambda: sending.server.called("chat.postMessage"))

    gate.set()
    await asyncio.gather(*said)

    assert sending.cards() == [f"Candor: {n}" for n in range(5)]
    at = [call.at_s for call in sending.server.calls]
    assert [later - earlier for earlier, later in pairwise(at)] == [1.0] * 4


async def test_blocks_that_slack_does_not_take_cost_the_looks_only(sending):
    broken = Rendered(text="Hello", blocks=({"type": "nonsense"},))

    await say(sending, rendered=broken)

    assert sending.cards() == ["Candor: Hello"]


async def test_a_change_is_made_once_and_again_when_its_outcome_was_lost(sending):
    await say(sending)
    sending.server.fails("chat.update", drops(after=True))
    with pytest.raises(NotDelivered):
        await sending.speaking.change("k1", Rendered(text="Hello again"))

    for _ in range(2):
        await sending.speaking.change("k1", Rendered(text="Hello again"))

    assert sending.cards() == ["Candor: Hello again"]
    assert [sent["parse"] for sent in sending.server.called("chat.update")] == ["none", "none"]


async def test_a_post_whose_outcome_is_unknown_is_taken_back_too(sending):
    sending.server.fails("chat.postMessage", drops(after=True))
    with pytest.raises(NotDelivered):
        await say(sending)
    sending.rig.clock.advance(IN_FLIGHT_MS)

    await sending.speaking.remove("k1")

    assert sending.cards() == []


@pytest.mark.parametrize("code", ["message_not_found", "cant_update_message", "edit_window_closed"])
async def test_what_cannot_be_changed_any_more_holds_nothing_up(sending, code):
    await say(sending)
    sending.server.fails("chat.update", refuses(code))

    await sending.speaking.change("k1", Rendered(text="Hello again"))

    assert sending.health.troubles == ()


async def test_a_whisper_reaches_one_person_and_never_fails(sending):
    await sending.speaking.whisper(HOME, AGENT, HELLO)
    sending.server.fails("chat.postEphemeral", refuses("channel_not_found"), breaks(500))

    for _ in range(2):
        await sending.speaking.whisper(HOME, AGENT, HELLO)

    assert [whisper["text"] for whisper in sending.server.whispered(AGENT)] == ["Hello"]


async def test_without_a_word_on_how_long_a_usual_wait_is_kept(sending):
    sending.server.fails("chat.postMessage", limits(None))

    with pytest.raises(Unsaid) as refused:
        await say(sending)

    assert refused.value.wait_s == UNTOLD_WAIT_S


async def test_a_whisper_to_somebody_who_has_left_the_channel_is_no_alarm(sending):
    sending.server.fails("chat.postEphemeral", refuses("user_not_in_channel"))

    await sending.speaking.whisper(HOME, AGENT, HELLO)

    assert sending.health.troubles == ()


class LookedTooEarly:
    """The store as a process saw it that looked before another one began the same post."""

    def __init__(self, store) -> None:
        self._store = store

    async def post(self, key):
        return None

    async def begin_post(self, post):
        return await self._store.begin_post(post)


async def test_of_two_processes_that_begin_a_post_in_the_same_moment_one_makes_it(sending):
    """SL10: their rows are equal, so that only which of the two is stored tells them apart."""
    at_ms = sending.rig.clock.now_ms()
    begun = SlackPost(key="k1", conversation=sending.id, place=HOME, begun_ms=at_ms, digest=digest_of(HELLO))
    await sending.store.begin_post(begun)
    late = replace(sending.speaking, store=LookedTooEarly(sending.store))

    with pytest.raises(NotDelivered):
        await late.say("k1", sending.id, HOME, HELLO)

    assert sending.cards() == []


async def forgetful(_request: web.Request, effect: Effect) -> web.StreamResponse:
    """Post it, and leave out of the answer that it is in a thread."""
    answer = effect()
    return web.json_response({**answer, "message": {"text": "Hello"}})


async def test_what_is_below_a_deleted_message_is_taken_back_from_the_channel(sending):
    ts = await sending.server.says(AGENT, DESK, "Hi")
    await sending.server.deletes(DESK, ts)

    with pytest.raises(Unsaid, match="thread_not_found"):
        await sending.speaking.say("k1", sending.id, replace(HOME, thread_ts=ts), HELLO)

    assert (sending.cards(), await sending.store.post("k1")) == ([], None)


async def test_what_is_in_its_thread_stays_though_slack_does_not_say_so(sending):
    thread = replace(HOME, thread_ts=await sending.server.says(AGENT, DESK, "Hi"))
    sending.server.fails("chat.postMessage", forgetful)

    await sending.speaking.say("k1", sending.id, thread, HELLO)

    assert sending.server.transcript(DESK, thread.thread_ts)[1:] == ["Candor: Hello"]
