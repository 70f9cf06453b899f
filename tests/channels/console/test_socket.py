"""The console's socket: who may open it, what it tells of the queue and of the conversation in view, and when it is closed."""

import asyncio
from functools import partial

import aiohttp
import pytest

from bot.channels.console.socket import RECHECK_S
from bot.core.conversation import CLAIM_LEASE_MS
from bot.core.desk import ALARM_MS, LATE_MS
from bot.service.live import QUEUE_LIMIT, Changed, Progressed, Step
from tests.channels.console.office import UNKNOWN, CountingAccountStore
from tests.channels.rig import close_code
from tests.waiting import wait_until


def _looked_again(store: CountingAccountStore, before: int) -> bool:
    return store.looks > before


async def _refused_status(page) -> int:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        async with page.connect():
            pass
    return refused.value.status


async def test_another_site_cannot_open_it(maria):
    maria.origin = "https://elsewhere.example"

    assert await _refused_status(maria) == 403


async def test_who_is_not_signed_in_cannot_open_it(maria):
    maria.cookie = "forged"

    assert await _refused_status(maria) == 401


async def test_it_begins_with_the_whole_queue(office, maria):
    conversation = await office.waiting()

    async with maria.socket() as line:
        assert line.queue["type"] == "queue"
        assert line.queue["now"] == office.clock.now_ms()
        assert [row["conversation"] for row in line.queue["rows"]] == [conversation]


async def test_a_handoff_appears_in_every_open_console(office, maria, ben):
    async with maria.socket() as hers, ben.socket() as his:
        conversation = await office.waiting("Do you sell gift cards?")

        rows = [await line.row(state="queued") for line in (hers, his)]

    assert [row["conversation"] for row in rows] == [conversation] * 2
    assert rows[0]["reason"] == "no_evidence"


async def test_a_claim_is_mine_in_one_console_and_hers_in_the_other(office, maria, ben):
    await office.waiting()
    async with maria.socket() as hers, ben.socket() as his:
        await maria.claim(hers.queue["rows"][0]["conversation"])

        rows = [await line.row(state="claimed") for line in (hers, his)]

    assert [row["mine"] for row in rows] == [True, False]
    assert rows[1]["agent"] == {"id": maria.agent, "name": "Maria Lopez"}


async def test_what_is_finished_is_gone_once(office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    async with maria.socket() as line:
        await maria.do(conversation, "resolve", code="answered", seen=2)
        assert (await line.next("gone"))["conversation"] == conversation

        office.live.publish(conversation, Changed())

        assert await line.is_quiet()


async def test_a_conversation_that_the_bot_has_is_no_row(office, maria):
    async with maria.socket() as line:
        await office.say(await office.open(), "How do I reschedule a class?")

        assert await line.is_quiet()


async def test_a_row_that_is_the_same_is_not_sent_again(office, maria):
    conversation = await office.waiting()
    async with maria.socket() as line:
        for _ in range(QUEUE_LIMIT + 10):
            office.live.publish(conversation, Changed())

        assert await line.is_quiet()


async def test_a_row_grows_late_and_alarming_by_time_alone(office, maria):
    conversation = await office.waiting()
    async with maria.socket() as line:
        office.clock.advance(LATE_MS)
        late = await line.row(late=True)
        await maria.claim(conversation)
        await line.row(state="claimed", late=False)
        office.clock.advance(ALARM_MS)
        alarm = await line.row(alarm=True)

    assert (late["conversation"], alarm["conversation"]) == (conversation, conversation)


async def test_a_watched_conversation_is_told_from_the_cursors_on(office, maria):
    conversation = await office.waiting()
    for number in (1, 2):
        await maria.do(conversation, "note", client_message_id=f"n{number}", text=f"Note {number}")

    async with maria.socket() as line:
        view = await line.watch(conversation, after=1, notes_after=1)

    assert (view["conversation"], view["state"]) == (conversation, "queued")
    assert [message["seq"] for message in view["messages"]] == [2]
    assert [note["seq"] for note in view["notes"]] == [2]


async def test_what_happens_in_view_is_told_once_and_in_order(office, maria):
    conversation = await office.waiting()
    async with maria.socket() as line:
        await line.watch(conversation)
        await office.say(conversation, "Are you there?")
        said = await line.next("conversation")
        await maria.claim(conversation)
        claimed = await line.next("conversation")
        await maria.reply(conversation, "Yes!")
        replied = await line.next("conversation")

    told = [[m["text"] for m in view["messages"]] for view in (said, claimed, replied)]
    assert told == [["Are you there?"], [], ["Yes!"]]
    assert [view["mine"] for view in (said, claimed, replied)] == [False, True, True]


async def test_a_reconnecting_console_gets_what_it_missed(office, maria):
    conversation = await office.waiting()
    async with maria.socket() as line:
        had = await line.watch(conversation)
    await office.say(conversation, "Are you there?")

    async with maria.socket() as line:
        missed = await line.watch(conversation, after=had["messages"][-1]["seq"])

    assert [message["text"] for message in missed["messages"]] == ["Are you there?"]


async def test_a_running_answer_is_seen_block_by_block(office, maria):
    conversation = await office.open()
    office.turns.may_finish.clear()
    async with maria.socket() as line:
        await line.watch(conversation)
        asking = asyncio.create_task(office.say(conversation, "How do I reschedule a class?"))
        step = await line.next("progress", step="searching")
        block = await line.next("draft", position=1)
        office.turns.may_finish.set()
        await asking
        answer = await line.next("conversation", state="bot", draft=[])

    assert step["conversation"] == block["conversation"] == conversation
    assert "<ol>" in block["html"]
    assert answer["messages"][-1]["turn"] == block["turn"]


async def test_old_steps_of_a_settled_turn_are_not_told(office, maria):
    conversation = await office.waiting()
    async with maria.socket() as line:
        await line.watch(conversation)
        office.live.publish(conversation, Progressed(step=Step.SEARCHING))

        assert await line.is_quiet()


async def test_the_customers_typing_and_reading_are_told(office, maria):
    conversation = await office.waiting()
    async with maria.socket() as line:
        await line.watch(conversation)
        await office.customers.typing(conversation)
        await office.customers.read(conversation, 2)

        typing, read = await line.next("typing"), await line.next("read")

    assert typing == {"type": "typing", "conversation": conversation, "by": "customer"}
    assert read == {"type": "read", "conversation": conversation, "seq": 2}


async def test_only_the_conversation_in_view_is_told(office, maria):
    first, second = await office.waiting(), await office.waiting()
    async with maria.socket() as line:
        await line.watch(first)
        await line.watch(second)
        await office.customers.typing(first)
        await office.customers.typing(second)
        assert (await line.next("typing"))["conversation"] == second
        await line.send("unwatch")
        assert await line.is_quiet()
        await office.customers.typing(second)

        assert await line.is_quiet()


async def test_a_conversation_that_is_not_there_is_gone(maria):
    async with maria.socket() as line:
        await line.send("watch", conversation=UNKNOWN)
        assert (await line.next("gone"))["conversation"] == UNKNOWN
        await line.send("typing", conversation=UNKNOWN)
        await line.send("read", conversation=UNKNOWN, seq=1)

        assert await line.is_quiet()


async def test_the_customer_sees_that_the_agent_types_and_has_read(office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    with office.live.watch(conversation) as customer:
        events = customer.events()
        async with maria.socket() as line:
            await line.send("typing", conversation=conversation)
            await line.send("read", conversation=conversation, seq=2)
            told = [await anext(events), await anext(events)]

    assert [(type(event).__name__, event.by) for event in told] == [("Typed", "agent"), ("ReadUpTo", "agent")]


async def test_signs_of_life_keep_a_claim_and_silence_loses_it(office, maria, ben):
    conversation = await office.waiting()
    await maria.claim(conversation)
    async with maria.socket() as line:
        for _ in range(3):
            office.clock.advance(CLAIM_LEASE_MS - 1_000)
            assert await line.is_quiet()
        assert (await ben.claim(conversation)).status == 409
    office.clock.advance(CLAIM_LEASE_MS)

    assert (await ben.claim(conversation)).status == 200


async def test_who_signs_out_hears_nothing_more(office, maria):
    async with maria.socket() as line:
        await maria.ask("DELETE", "session")
        office.clock.advance(int(RECHECK_S * 1000))

        assert await close_code(line.ws) == 4401


async def test_a_sign_of_life_after_signing_out_closes_at_once(office, maria):
    async with maria.socket() as line:
        await office.accounts.store.set_disabled(maria.agent, disabled_ms=1)
        await line.send("alive")

        assert await close_code(line.ws) == 4401


async def test_a_session_that_goes_on_keeps_its_socket(office, maria):
    async with maria.socket() as line:
        for _ in range(3):
            looks = office.account_store.looks
            office.clock.advance(int(RECHECK_S * 1000))
            await wait_until(partial(_looked_again, office.account_store, looks))

        assert await line.is_quiet()
