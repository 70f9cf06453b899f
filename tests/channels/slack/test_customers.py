"""Customers ask in Slack: the same turn, the same reasons and the same sentences as everywhere."""

import asyncio

import pytest

from bot.core.conversation import Kind, Role, Status
from bot.core.outcome import ReasonCode
from bot.core.prompt import Asked
from bot.core.revisions import revised
from bot.errors import RetrievalUnavailable
from tests.channels.slack.customer_rig import DM, Customers
from tests.service.rig import QUESTION, REPLIES, UNCOVERED
from tests.service.shelf import RESCHEDULE
from tests.vendors.slack_faults import refuses
from tests.vendors.slack_people import MENTION
from tests.vendors.slack_server import AGENT, CUSTOMER, DESK, HELP
from tests.vendors.slack_transcripts import pings
from tests.waiting import wait_until


async def test_a_question_in_a_direct_message_is_answered_there_with_its_source(customers: Customers):
    await customers.says()

    (answer,) = customers.shown(DM)
    assert "Open My Lessons" in answer
    assert f"{RESCHEDULE.title} ({RESCHEDULE.url})" in answer


async def test_a_mention_is_answered_in_its_thread(customers: Customers):
    ts = await customers.mentions()

    (answer,) = customers.shown(HELP, ts)
    assert "Open My Lessons" in answer
    assert [m.text for m in await customers.messages(HELP, ts) if m.role is Role.CUSTOMER] == [QUESTION]


async def test_the_two_events_of_a_mention_are_one_message(customers: Customers):
    ts = await customers.mentions()

    kinds = [push.event["type"] for push in customers.slack.pushes.told if push.event.get("ts") == ts]
    assert sorted(kinds) == ["app_mention", "message"]
    assert len(await customers.messages(HELP, ts)) == 2


async def test_a_bare_yes_in_the_thread_finds_what_it_replies_to(customers: Customers):
    customers.rig.answerer.script = (
        Asked(text="Is it less than 24 hours before?", options=("Less", "More")),
    )
    ts = await customers.mentions()
    customers.rig.answerer.script = None

    await customers.says("yes", channel=HELP, thread_ts=ts)

    assert [s.id for s in (await customers.messages(HELP, ts))[-1].sources] == [RESCHEDULE.id]
    assert RESCHEDULE.title in customers.shown(HELP, ts)[-1]


async def test_who_asks_for_a_person_is_handed_over(customers: Customers):
    await customers.says("I want to talk to a person")

    assert await customers.reasons() == [ReasonCode.CUSTOMER_ASKED]
    assert customers.shown() == [REPLIES.handoff(ReasonCode.CUSTOMER_ASKED, "en")]
    assert "Ana Customer" in customers.sending.cards()[0]


async def test_an_outage_is_never_told_as_missing_content(customers: Customers):
    customers.rig.embedder.at_embed.fails = RetrievalUnavailable("connection refused")

    await customers.says()

    assert await customers.reasons() == [ReasonCode.RETRIEVAL_UNAVAILABLE]
    assert customers.shown() == [REPLIES.handoff(ReasonCode.RETRIEVAL_UNAVAILABLE, "en")]


async def test_what_no_article_covers_is_said_as_in_the_widget(customers: Customers):
    await customers.says(UNCOVERED)

    assert await customers.reasons() == [ReasonCode.NO_EVIDENCE]
    assert customers.shown() == [REPLIES.handoff(ReasonCode.NO_EVIDENCE, "en")]


async def test_a_file_without_a_word_is_handed_over_as_what_cannot_be_read(customers: Customers):
    await customers.says("", subtype="file_share", files=[{"id": "F1", "name": "bill.pdf"}])

    (said, _) = await customers.messages()
    assert (said.kind, said.text) == (Kind.FILE, "bill.pdf")
    assert await customers.reasons() == [ReasonCode.UNSUPPORTED_MESSAGE]


async def test_words_with_a_file_are_answered_and_whoever_reads_on_learns_of_the_file(customers: Customers):
    ts = await customers.says(QUESTION, subtype="file_share", files=[{"id": "F1", "name": "bill.pdf"}])

    asked, sent, answer = await customers.messages()
    assert (asked.kind, sent.kind, sent.text) == (Kind.TEXT, Kind.FILE, "bill.pdf")
    assert answer.sources
    assert await customers.reasons() == []

    await customers.deletes(DM, ts)
    assert [m.text for m in revised(await customers.messages()) if m.role is Role.CUSTOMER] == []


async def test_too_long_a_message_is_refused_aloud_and_opens_nothing(customers: Customers):
    await customers.says("x" * 10_000)

    assert customers.whispers() == [REPLIES.text("too_long", "en", limit="4,000")]
    assert (customers.shown(), customers.opened()) == ([], [])


async def test_a_bare_mention_is_asked_what_it_wants(customers: Customers):
    await customers.says(MENTION, channel=HELP)

    assert customers.whispers() == [REPLIES.text("nothing_said", "en")]
    assert customers.slack.whispered(CUSTOMER)[0].get("thread_ts") is None  # else Slack shows it to nobody
    assert [state.last_seq for state in customers.opened()] == [0]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<!channel> help", "@channel help"),
        ("<@U1> help", "@someone help"),
        ("<http://evil.example|bank>", "bank (http://evil.example)"),
        ("&lt;!channel&gt;", "<!channel>"),
        ("\u202egnp.exe", "\u202egnp.exe"),
    ],
)
async def test_what_a_customer_writes_is_plain_text_and_pings_nobody(customers: Customers, written, read):
    await customers.says(written)

    assert (await customers.messages())[0].text == read
    everything = [m for place in (DM, DESK) for m in customers.slack.workspace.channel(place).in_order()]
    assert [pings(m) for m in everything if m.get("bot_id")] == [[] for m in everything if m.get("bot_id")]


@pytest.mark.parametrize(
    "fields", [{"bot_id": "B9"}, {"subtype": "bot_message", "bot_id": "B8"}, {"subtype": "channel_join"}]
)
async def test_no_other_bot_and_no_workflow_is_answered(customers: Customers, fields):
    ts = await customers.mentions()

    await customers.says(QUESTION, channel=HELP, thread_ts=ts, **fields)
    await customers.says(f"{MENTION} {QUESTION}" if "bot_id" in fields else QUESTION, channel=HELP, **fields)

    assert len(customers.opened()) == 1
    assert len(await customers.messages(HELP, ts)) == 2


async def test_a_customer_is_known_by_name_and_spoken_to_in_their_language(customers: Customers):
    customers.slack.workspace.people[CUSTOMER]["locale"] = "de-DE"

    await customers.says("Ich möchte mit einem Menschen sprechen")

    state = await customers.state()
    profile = await customers.profiles.profile(state.id)
    assert (profile.customer.subject, profile.customer.name) == (f"slack:T0CANDOR:{CUSTOMER}", "Ana Customer")
    assert state.locale == "de"
    assert customers.shown() == [REPLIES.handoff(ReasonCode.CUSTOMER_ASKED, "de")]


async def test_who_cannot_be_read_is_answered_without_a_name(customers: Customers):
    customers.slack.fails("users.info", refuses("missing_scope"))

    await customers.says()

    profile = await customers.profiles.profile(await customers.conversation())
    assert profile.customer.name is None
    assert "Open My Lessons" in customers.shown()[0]


async def test_many_messages_at_once_open_one_conversation(customers: Customers):
    texts = [f"{QUESTION} {number}" for number in range(5)]

    await asyncio.gather(*(customers.slack.says(CUSTOMER, DM, text) for text in texts))
    await customers.settled()

    said = [m.text for m in await customers.messages() if m.role is Role.CUSTOMER]
    assert sorted(said) == texts
    assert len(await customers.threads()) == 1


async def test_two_processes_open_one_conversation_for_one_place(customers: Customers):
    place = (await _bound(customers)).place
    await customers.rig.store.conversation((await customers.side.places.opened(place, CUSTOMER)).conversation)

    used, unused = customers.opened()
    assert (await customers.conversation(), used.last_seq > 0, unused.last_seq) == (used.id, True, 0)


async def test_a_resolved_conversation_is_reopened_by_the_next_message(customers: Customers):
    await customers.says("I want to talk to a person")
    customers.rig.conversation = await customers.conversation()
    await customers.sending.desk.claim()
    await customers.sending.desk.resolve()

    await customers.says()

    state = await customers.state()
    assert (state.status, state.episode) == (Status.BOT, 2)
    assert "Open My Lessons" in customers.shown()[-1]


async def test_what_is_said_while_a_conversation_is_erased_opens_another(customers: Customers):
    await customers.says()
    erased = await customers.conversation()
    customers.rig.store.erase(erased, at_ms=0)
    await customers.slack.says(CUSTOMER, DM, QUESTION)
    await wait_until(lambda: customers.receiver.is_idle)

    customers.sending.store._threads.clear()
    customers.rig.clock.advance(900_000)
    await customers.receiver.take_due()
    await customers.settled()

    assert await customers.conversation() != erased
    assert len(await customers.messages()) == 2


async def test_an_agent_may_ask_like_everybody(customers: Customers):
    ts = await customers.mentions(user=AGENT)

    profile = await customers.profiles.profile(await customers.conversation(HELP, ts))
    assert profile.customer.name == "Max Agent"


async def _bound(customers: Customers):
    await customers.says()
    (thread,) = await customers.threads()
    return thread
