"""What is written in a card's thread: a note, unless its author has the conversation and marked it with >> (FAULTS SL8, R-S12, R-S13)."""

from collections.abc import AsyncIterator

import pytest

from bot.channels.slack.actions import Action, ButtonValue
from bot.channels.slack.desk_thread import to_customer_text
from bot.channels.slack.desk_wording import CHANGED_SINCE, NO_FILES, NO_TEXT, NOT_MARKED, SENT
from bot.channels.slack.hints import closed, no_thread, not_yours, unknown_thread
from bot.core.conversation import AgentId, Role, Status
from bot.core.desk import Resolution
from tests.builders import CONVERSATION
from tests.channels.slack.desk_rig import MAX, ZOE, DeskRig, read, running_desk
from tests.vendors.slack_server import AGENT, DESK, OTHER_AGENT

LONG = 900_000


@pytest.fixture
async def rig() -> AsyncIterator[DeskRig]:
    async with running_desk() as running:
        yield running


async def brought_to(rig: DeskRig, status: Status, owner: AgentId | None) -> None:
    """Hand the conversation over and bring it where a test wants it; *owner* is who has, or had, it last."""
    await rig.hands_over()
    if owner is not None:
        await rig.agents.claim(CONVERSATION, owner, lease_ms=LONG)
    if status is Status.BOT:
        await rig.agents.return_to_bot(CONVERSATION, owner or MAX)
    if status is Status.RESOLVED:
        await rig.agents.resolve(CONVERSATION, owner or MAX, Resolution.ANSWERED, seen=100)
    await rig.settled()


@pytest.mark.parametrize("marker", ["", ">>", "&gt;&gt; ", " &gt;&gt;", "&gt; ", "&gt;&gt;&gt; "])
@pytest.mark.parametrize(
    ("status", "owner"),
    [
        pytest.param(Status.CLAIMED, MAX, id="own"),
        pytest.param(Status.CLAIMED, ZOE, id="another's"),
        pytest.param(Status.QUEUED, None, id="nobody's"),
        pytest.param(Status.BOT, MAX, id="the bot's"),
        pytest.param(Status.RESOLVED, MAX, id="resolved"),
    ],
)
async def test_only_the_owners_marked_message_reaches_the_customer(rig: DeskRig, marker, status, owner):
    await brought_to(rig, status, owner)

    await rig.writes(AGENT, f"{marker}Look at this")

    is_sent = marker.strip() in (">>", "&gt;&gt;") and (status, owner) == (Status.CLAIMED, MAX)
    assert await rig.sent() == (["Look at this"] if is_sent else [])
    quoting = {"&gt; ": "> ", "&gt;&gt;&gt; ": ">>> "}.get(marker, "")
    assert await rig.noted() == ([] if is_sent else [("max", f"{quoting}Look at this")])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Look at this", None, id="plain"),
        pytest.param(">>Hello", "Hello", id="marked"),
        pytest.param("  >>  Hello\nAna ", "Hello\nAna", id="with space around"),
        pytest.param("> Hello", None, id="a quotation"),
        pytest.param(">>> Hello", None, id="a quotation of many lines"),
        pytest.param("Hello >> Ana", None, id="in the middle"),
        pytest.param(">>", "", id="nothing else"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_what_of_a_message_is_for_the_customer(text, expected):
    assert to_customer_text(text) == expected


@pytest.mark.parametrize(
    "text",
    ["&gt; &gt; Hello", "*&gt;&gt; Hello*", "\u200b&gt;&gt; Hello", "\uff1e\uff1e Hello", "\u00bb Hello"],
)
async def test_who_nearly_marked_a_message_is_told_that_it_stayed_inside(rig: DeskRig, text):
    await rig.claimed()

    await rig.writes(AGENT, text)

    assert (await rig.sent(), len(await rig.noted())) == ([], 1)
    assert rig.whispers(AGENT) == [NOT_MARKED]


@pytest.mark.parametrize("text", ["Hello", "&gt; Hello", "&gt;&gt;&gt; Hello", "a &gt;&gt; b"])
async def test_a_note_is_kept_without_a_word(rig: DeskRig, text):
    await rig.claimed()

    await rig.writes(AGENT, text)

    assert (len(await rig.noted()), rig.whispers(AGENT)) == (1, [])


async def test_a_reply_from_the_thread_is_shown_there_once_and_answers_what_was_shown(rig: DeskRig):
    await rig.claimed()

    await rig.writes(AGENT, "&gt;&gt; On its way &amp; soon there")

    (message,) = [m for m in await rig.messages() if m.role is Role.AGENT]
    assert (message.text, message.author) == ("On its way & soon there", MAX)
    assert (await rig.state()).waiting_since_ms is None
    assert sum("On its way" in line for line in rig.slack.transcript(DESK, await rig.card())) == 1


async def test_a_customers_message_is_shown_in_the_thread(rig: DeskRig):
    card = await rig.claimed()

    await rig.says("It is <!channel> urgent")

    assert any("It is <!channel> urgent" in line for line in rig.slack.transcript(DESK, card))


async def test_another_agents_reply_is_offered_to_be_sent_by_taking_over(rig: DeskRig):
    await rig.hands_over()

    await rig.writes(AGENT, "&gt;&gt; On its way")

    value = ButtonValue(conversation=CONVERSATION, seq=1)
    assert rig.whispers(AGENT) == [read(not_yours(None, value))]
    assert await rig.draft(MAX) == "On its way"


async def test_taking_over_sends_exactly_what_was_refused_and_once(rig: DeskRig):
    await rig.hands_over()
    await rig.writes(AGENT, "&gt;&gt; On its *way*\n" + "and on " * 400)
    offer = rig.last_whisper(AGENT)

    for _ in range(2):
        await rig.presses(AGENT, Action.TAKE_OVER, on=offer)

    (sent,) = await rig.sent()
    assert sent == "On its *way*\n" + ("and on " * 400).strip()
    assert (await rig.state()).agent == MAX
    assert rig.whispers(AGENT)[1:] == [SENT, SENT]
    assert await rig.draft(MAX) == ""


@pytest.mark.parametrize("is_deleted", [True, False], ids=["deleted", "edited"])
async def test_what_was_changed_since_it_was_refused_is_not_sent_by_taking_over(rig: DeskRig, is_deleted):
    await rig.hands_over()
    ts = await rig.writes(AGENT, "&gt;&gt; You owe us 10")
    offer = rig.last_whisper(AGENT)
    await (rig.slack.deletes(DESK, ts) if is_deleted else rig.slack.edits(DESK, ts, "&gt;&gt; We owe you 10"))
    await rig.settled()

    await rig.presses(AGENT, Action.TAKE_OVER, on=offer)

    assert await rig.sent() == []
    assert rig.whispers(AGENT)[-1] == CHANGED_SINCE


async def test_who_cannot_take_over_is_told_who_has_it_and_nothing_is_sent(rig: DeskRig):
    await rig.claimed(ZOE)
    await rig.writes(AGENT, "&gt;&gt; On its way")

    await rig.presses(AGENT, Action.TAKE_OVER, on=rig.last_whisper(AGENT))

    assert "*Zoe* has this conversation" in rig.whispers(AGENT)[0]
    assert rig.whispers(AGENT)[1].startswith("Already claimed by Zoe.")
    assert await rig.sent() == []
    assert await rig.noted() == [("max", "On its way")]


async def test_an_event_that_comes_four_times_is_one_reply(rig: DeskRig):
    await rig.claimed()
    await rig.writes(AGENT, "&gt;&gt; On its way")

    for retry in (1, 2, 3):
        await rig.slack.pushes.deliver(rig.slack.pushes.told[-1], retry=retry)
    await rig.settled()

    assert await rig.sent() == ["On its way"]


async def test_a_reply_whose_work_is_done_again_after_another_took_over_is_still_sent_once(rig: DeskRig):
    await rig.claimed()
    ts = await rig.writes(AGENT, "&gt;&gt; On its way")
    await rig.agents.release(CONVERSATION, MAX)
    await rig.agents.claim(CONVERSATION, ZOE)

    await rig.again(ts)

    assert await rig.sent() == ["On its way"]
    assert rig.whispers(AGENT) == []


@pytest.mark.parametrize("fails", [1, 2, 3])
async def test_a_reply_that_comes_while_the_store_is_down_is_sent_when_it_is_back(rig: DeskRig, fails):
    await rig.claimed()
    rig.kept.fails = fails

    await rig.writes(AGENT, "&gt;&gt; On its way", thread=await rig.card())
    for _ in range(fails):
        rig.clock.advance(60_000)
        await rig.receiver.take_due()
        await rig.settled()

    assert await rig.sent() == ["On its way"]


async def test_what_was_refused_is_not_sent_by_a_repeat_after_its_author_has_claimed(rig: DeskRig):
    await rig.hands_over()
    ts = await rig.writes(AGENT, "&gt;&gt; On its way")
    await rig.agents.claim(CONVERSATION, MAX)

    await rig.again(ts)

    assert await rig.sent() == []
    assert len(rig.whispers(AGENT)) == 2


async def test_a_reply_after_the_end_is_a_note_and_its_author_is_told(rig: DeskRig):
    await brought_to(rig, Status.RESOLVED, MAX)

    await rig.writes(AGENT, "&gt;&gt; One more thing")

    assert await rig.noted() == [("max", "One more thing")]
    assert rig.whispers(AGENT) == [read(closed())]


async def test_a_reply_in_a_thread_of_no_conversation_is_told_to_its_author(rig: DeskRig):
    await rig.hands_over()
    root = await rig.slack.says(OTHER_AGENT, DESK, "Lunch?")

    await rig.writes(AGENT, "Yes", thread=root)
    await rig.writes(AGENT, "&gt;&gt; Yes", thread=root)

    assert rig.whispers(AGENT) == [read(unknown_thread())]
    assert await rig.noted() == []


async def test_another_bots_message_in_the_thread_is_neither_a_note_nor_sent(rig: DeskRig):
    await rig.claimed()

    await rig.writes(AGENT, "&gt;&gt; Bought it", bot_id="B0OTHER")
    await rig.writes(AGENT, "&gt;&gt; Joined", subtype="channel_join")

    assert (await rig.sent(), await rig.noted()) == ([], [])


async def test_a_post_of_the_owner_lets_the_claim_live_on(rig: DeskRig):
    await rig.claimed()
    rig.clock.advance(600_000)

    await rig.writes(AGENT, "I am looking into it")

    assert (await rig.state()).lease_until_ms == rig.clock.now_ms() + LONG


async def test_a_post_of_a_colleague_does_not(rig: DeskRig):
    await rig.claimed()
    until_ms = (await rig.state()).lease_until_ms

    await rig.writes(OTHER_AGENT, "Shall I?")

    assert (await rig.state()).lease_until_ms == until_ms


async def test_files_stay_in_slack_and_their_author_is_told(rig: DeskRig):
    await rig.claimed()
    files = [{"name": "label.pdf"}]

    await rig.writes(AGENT, "&gt;&gt; See", subtype="file_share", files=files)
    await rig.writes(AGENT, "&gt;&gt;", subtype="file_share", files=files)
    await rig.writes(AGENT, "For us", subtype="file_share", files=files)

    assert (await rig.sent(), rig.whispers(AGENT)) == (["See"], [NO_FILES, NO_TEXT])
    assert await rig.noted() == [("max", "For us\n(file in Slack: label.pdf)")]


async def test_a_reply_that_is_too_long_is_said_to_be(rig: DeskRig):
    await rig.claimed()

    await rig.writes(AGENT, "&gt;&gt;" + "a" * 4_001)

    (told,) = rig.whispers(AGENT)
    assert "4,001 characters" in told
    assert await rig.sent() == []


async def test_who_is_mentioned_is_named_to_who_reads_it_elsewhere(rig: DeskRig):
    await rig.claimed()

    await rig.writes(AGENT, f"<@{OTHER_AGENT}> knows, or <@U0CUSTOMER>?")
    await rig.writes(AGENT, f"&gt;&gt; <@{OTHER_AGENT}> will help, <@U0NOBODY> too")

    assert await rig.noted() == [("max", "@Zoe Agent knows, or @Ana Customer?")]
    assert await rig.sent() == ["@Zoe Agent will help, @someone too"]


async def test_a_reply_beside_the_cards_is_not_lost_without_a_word(rig: DeskRig):
    await rig.claimed()

    await rig.slack.says(AGENT, DESK, "&gt;&gt; On its way")
    await rig.slack.says(AGENT, DESK, "Lunch?")
    await rig.settled()

    assert (await rig.sent(), await rig.noted()) == ([], [])
    assert rig.whispers(AGENT) == [read(no_thread())]
