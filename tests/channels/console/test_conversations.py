"""One conversation over HTTP: what an agent sees of it, each move, and what is said when a move is refused."""

import pytest

from bot.core.conversation import CLAIM_LEASE_MS, Status
from tests.channels.console.office import UNKNOWN


async def test_a_view_shows_who_said_what_and_why_the_bot_gave_up(office, maria):
    conversation = await office.waiting("Do you sell gift cards?")

    view = (await maria.view(conversation)).body

    assert [(m["role"], m["automated"], m["turn"] is not None) for m in view["messages"]] == [
        ("customer", False, False),
        ("bot", True, True),
    ]
    assert (view["state"], view["agent"], view["mine"]) == ("queued", None, False)
    assert view["handoffs"][0]["reason"] == "no_evidence"
    assert view["handoffs"][0]["reason_text"] == view["row"]["reason_text"] != "no_evidence"
    assert view["row"]["first_line"] == "Do you sell gift cards?"


async def test_only_the_bots_text_is_ever_html(office, maria):
    conversation = await office.waiting("<b>person</b>")
    await maria.claim(conversation)
    await maria.reply(conversation, "**not bold**")

    messages = (await maria.view(conversation)).body["messages"]

    assert [(m["role"], m["html"] is None) for m in messages] == [
        ("customer", True),
        ("bot", False),
        ("agent", True),
    ]
    assert messages[0]["text"] == "<b>person</b>"


async def test_cursors_leave_out_what_the_page_has(office, maria):
    conversation = await office.waiting()
    for number in (1, 2):
        await maria.do(conversation, "note", client_message_id=f"n{number}", text=f"Note {number}")

    view = (await maria.view(conversation, "?after=1&notes_after=1")).body

    assert [message["seq"] for message in view["messages"]] == [2]
    assert [note["text"] for note in view["notes"]] == ["Note 2"]


async def test_a_claim_says_who_has_it_and_in_which_epoch(office, maria):
    conversation = await office.waiting()

    claimed = await maria.claim(conversation)

    assert claimed.status == 200
    assert claimed.body == {
        "state": "claimed",
        "epoch": 2,
        "agent": {"id": maria.agent, "name": "Maria Lopez"},
        "mine": True,
    }


async def test_the_second_to_claim_is_told_who_was_first(office, maria, ben):
    conversation = await office.waiting()
    await maria.claim(conversation)

    refused = await ben.claim(conversation)

    assert (refused.status, refused.code) == (409, "claim_refused")
    assert refused.body["error"]["message"] == "Maria Lopez has already claimed it."


async def test_an_agent_takes_over_from_the_bot_and_gives_back(office, maria):
    conversation = await office.open()
    await office.say(conversation, "How do I reschedule a class?")

    taken = await maria.claim(conversation)
    row = (await maria.view(conversation)).body["row"]
    returned = await maria.do(conversation, "return")

    assert (taken.body["state"], row["reason_text"]) == ("claimed", "Taken over by an agent")
    assert (returned.body["state"], returned.body["agent"], returned.body["mine"]) == ("bot", None, False)


async def test_a_reply_comes_back_as_it_is_stored_and_once(office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)

    first = await maria.reply(conversation, " Hello! ")
    again = await maria.reply(conversation, " Hello! ")
    other = await maria.reply(conversation, "Something else")

    assert first.body["message"] == again.body["message"]
    assert first.body["message"]["agent"] == "Maria Lopez"
    assert first.body["message"]["text"] == "Hello!"
    assert (other.status, other.code) == (409, "message_conflict")


async def test_a_reply_after_the_claim_ran_out_is_kept_as_a_draft(office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    office.clock.advance(CLAIM_LEASE_MS)

    late = await maria.reply(conversation, "Sorry for the wait")

    assert (late.status, late.code) == (409, "claim_lost")
    assert "claim ran out" in late.body["error"]["message"]
    assert "kept as a draft" in late.body["error"]["message"]
    assert (await maria.view(conversation)).body["my_draft"] == "Sorry for the wait"


async def test_a_reply_to_a_colleagues_conversation_names_the_colleague(office, maria, ben):
    conversation = await office.waiting()
    await maria.claim(conversation)

    refused = await ben.reply(conversation)

    assert (refused.status, refused.code) == (409, "claim_lost")
    assert refused.body["error"]["message"].startswith("Maria Lopez has this conversation now.")


async def test_resolving_over_an_unread_message_is_refused(office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await office.say(conversation, "One more thing")

    refused = await maria.do(conversation, "resolve", code="answered", seen=1)
    resolved = await maria.do(conversation, "resolve", code="answered", seen=3)

    assert (refused.status, refused.code) == (409, "customer_wrote")
    assert (resolved.status, resolved.body["state"]) == (200, "resolved")


async def test_a_transferred_conversation_is_the_colleagues(office, maria, ben):
    conversation = await office.waiting()
    await maria.claim(conversation)

    given = await maria.do(conversation, "transfer", to=ben.agent)
    late = await maria.do(conversation, "release")

    assert (given.body["agent"]["name"], given.body["mine"]) == ("Ben Okri", False)
    assert (late.status, late.code) == (409, "claim_lost")


async def test_nobody_can_be_given_a_conversation_who_is_not_there(office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)

    refused = await maria.do(conversation, "transfer", to="nobody")

    assert (refused.status, refused.code) == (400, "input_rejected")


async def test_a_released_conversation_waits_again(office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)

    released = await maria.do(conversation, "release")

    assert (released.body["state"], released.body["mine"]) == ("queued", False)


async def test_a_resolved_conversation_cannot_be_claimed(office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await maria.do(conversation, "resolve", code="spam", seen=2)

    refused = await maria.claim(conversation)

    assert (refused.status, refused.code) == (409, "refused")
    assert await office.status(conversation) is Status.RESOLVED


async def test_a_draft_is_the_agents_own(office, maria, ben):
    conversation = await office.waiting()

    kept = await maria.ask("PUT", f"conversations/{conversation}/draft", {"text": "Dear …"})

    assert kept.status == 200
    assert (await maria.view(conversation)).body["my_draft"] == "Dear …"
    assert (await ben.view(conversation)).body["my_draft"] == ""


async def test_a_wrong_answer_is_marked_and_unmarked(office, maria):
    conversation = await office.open()
    await office.say(conversation, "How do I reschedule a class?")

    marked = await maria.do(conversation, "marks", kind="wrong_answer", seq=2, remark="That is the old way")
    twice = await maria.do(conversation, "marks", kind="wrong_answer", seq=2)
    unmarked = await maria.ask("DELETE", f"conversations/{conversation}/marks/wrong_answer/2")

    assert marked.body["mark"]["remark"] == "That is the old way"
    assert twice.body["mark"] == marked.body["mark"]
    assert unmarked.status == 200
    assert (await maria.view(conversation)).body["marks"] == []


@pytest.mark.parametrize("body", [{"kind": "wrong_answer", "seq": 1}, {"kind": "knowledge_gap", "seq": 1}])
async def test_a_mark_on_what_it_does_not_fit_is_refused(office, maria, body):
    conversation = await office.waiting()

    refused = await maria.do(conversation, "marks", **body)

    assert (refused.status, refused.code) == (400, "input_rejected")


@pytest.mark.parametrize("mark", ["praise/2", "wrong_answer/x", "wrong_answer/-1"])
async def test_a_mark_that_cannot_be_is_not_taken_back(office, maria, mark):
    conversation = await office.waiting()

    refused = await maria.ask("DELETE", f"conversations/{conversation}/marks/{mark}")

    assert (refused.status, refused.code) == (400, "input_rejected")


async def test_the_history_is_told_in_words(office, maria, ben):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await maria.do(conversation, "transfer", to=ben.agent)
    await ben.do(conversation, "resolve", code="done_for_customer", seen=2)

    rows = (await maria.read(f"conversations/{conversation}/history")).body["rows"]

    told = [(row["who"], row["what"], row["detail_text"]) for row in rows]
    assert told[0] == ("Customer", "opened", "")
    assert told[-3:] == [
        ("Maria Lopez", "claimed", ""),
        ("Maria Lopez", "transferred", "Ben Okri"),
        ("Ben Okri", "resolved", "Done for the customer"),
    ]
    assert all(row["what_text"] != row["what"] for row in rows)


async def test_a_conversation_that_is_not_there_is_unknown(maria):
    asked = [
        await maria.view(UNKNOWN),
        await maria.read(f"conversations/{UNKNOWN}/history"),
        await maria.claim(UNKNOWN),
        await maria.reply(UNKNOWN),
        await maria.do(UNKNOWN, "note", client_message_id="n1", text="Hm"),
        await maria.do(UNKNOWN, "marks", kind="knowledge_gap"),
        await maria.ask("PUT", f"conversations/{UNKNOWN}/draft", {"text": "Hm"}),
    ]

    assert [(answer.status, answer.code) for answer in asked] == [(404, "conversation_unknown")] * len(asked)


@pytest.mark.parametrize("id", ["a%20b", "a.b", "x" * 65, "%00", "ä"])
async def test_an_id_that_cannot_be_one_is_not_looked_for(maria, id):
    answer = await maria.read(f"conversations/{id}")

    assert (answer.status, answer.code) == (404, "not_found")
