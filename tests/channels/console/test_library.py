"""The queue, colleagues, search and canned replies over HTTP."""

import pytest

from bot.core.accounts import AgentRole
from bot.core.desk import ALARM_MS, LATE_MS
from bot.service.canned import MOST

HELLO = {"title": "Greeting", "text": "Hello, how can I help?", "locale": "en"}


async def test_the_queue_lists_who_waits_longest_first(office, maria):
    first = await office.waiting()
    office.clock.advance(60_000)
    second = await office.waiting("Do you sell gift cards?")

    queue = (await maria.read("queue")).body

    assert [row["conversation"] for row in queue["rows"]] == [first, second]
    assert queue["now"] == office.clock.now_ms()
    assert queue["rows"][0]["waiting_since"] == queue["now"] - 60_000


async def test_a_row_says_all_that_an_agent_chooses_by(office, maria):
    conversation = await office.waiting("I want to talk to a person")
    await maria.claim(conversation)

    (row,) = (await maria.read("queue")).body["rows"]

    assert row["customer"].startswith("Customer ")
    assert row["customer"].removeprefix("Customer ").lower() not in conversation
    assert (row["channel"], row["locale"], row["state"], row["episode"]) == ("widget", "en", "claimed", 1)
    assert (row["agent"]["name"], row["mine"]) == ("Maria Lopez", True)
    assert (row["reason"], row["first_line"]) == ("customer_asked", "I want to talk to a person")
    assert (row["alarm"], row["late"], row["contact"]) == (False, False, None)


async def test_mine_is_each_readers_own(office, maria, ben):
    await maria.claim(await office.waiting())

    rows = [(await page.read("queue")).body["rows"][0]["mine"] for page in (maria, ben)]

    assert rows == [True, False]


async def test_the_address_that_a_customer_left_is_in_the_row(office, maria):
    conversation = await office.waiting()
    await office.say(conversation, "Write to eva@home.example please")
    before = (await maria.read("queue")).body["rows"][0]["contact"]
    await office.say(conversation, "No, better eva@work.example")
    await office.say(conversation, "Thank you")

    after = (await maria.read("queue")).body["rows"][0]["contact"]

    assert (before, after) == ("eva@home.example", "eva@work.example")


async def test_who_waits_too_long_is_late_and_after_a_claim_alarming(office, maria):
    conversation = await office.waiting()
    office.clock.advance(LATE_MS)
    unclaimed = (await maria.read("queue")).body["rows"][0]
    await maria.claim(conversation)
    claimed = (await maria.read("queue")).body["rows"][0]
    office.clock.advance(ALARM_MS)
    ignored = (await maria.read("queue")).body["rows"][0]

    told = [(row["late"], row["alarm"]) for row in (unclaimed, claimed, ignored)]
    assert told == [(True, False), (False, False), (False, True)]


async def test_colleagues_are_those_who_can_sign_in(office, maria, ben):
    await office.hire("Cleo Marsh", AgentRole.CONTENT)
    await office.accounts.store.set_disabled(ben.agent, disabled_ms=1)

    async with maria.socket():
        agents = (await maria.read("agents")).body["agents"]

    assert [(agent["name"], agent["role"], agent["here"]) for agent in agents] == [
        ("Cleo Marsh", "content", False),
        ("Maria Lopez", "agent", True),
    ]


async def test_past_conversations_are_found_by_their_words(office, maria):
    conversation = await office.waiting("Do you sell gift cards?")
    await office.waiting()

    (found,) = (await maria.read("search?q=gift")).body["found"]

    assert (found["conversation"], found["seq"], found["state"]) == (conversation, 1, "queued")
    assert "gift" in found["excerpt"]


@pytest.mark.parametrize("query", ["", "?q=", "?q=%20"])
async def test_a_search_for_nothing_finds_nothing(office, maria, query):
    await office.waiting()

    answer = await maria.read(f"search{query}")

    assert (answer.status, answer.body) == (200, {"found": []})


async def test_a_search_for_a_whole_letter_is_refused(maria):
    answer = await maria.read(f"search?q={'a' * 201}")

    assert (answer.status, answer.code) == (400, "input_rejected")


async def test_a_canned_reply_is_kept_changed_and_removed(office, maria):
    writer = await office.hire("Cleo Marsh", AgentRole.CONTENT)

    kept = await writer.ask("PUT", "canned/hello", HELLO)
    await writer.ask("PUT", "canned/hello", HELLO | {"title": " Short \n greeting "})
    listed = (await maria.read("canned")).body["canned"]
    await writer.ask("DELETE", "canned/hello")

    assert kept.body == {"id": "hello", **HELLO}
    assert listed == [{"id": "hello", **HELLO, "title": "Short greeting"}]
    assert (await maria.read("canned")).body["canned"] == []


BAD_CANNED = {
    "no title": HELLO | {"title": " \n"},
    "no text": HELLO | {"text": "\u0000"},
    "long text": HELLO | {"text": "a" * 4_001},
    "a region": HELLO | {"locale": "en-US"},
    "one field more": HELLO | {"id": "other"},
}


@pytest.mark.parametrize("body", BAD_CANNED.values(), ids=BAD_CANNED)
async def test_a_canned_reply_that_nobody_could_use_is_refused(office, body):
    writer = await office.hire("Cleo Marsh", AgentRole.CONTENT)

    answer = await writer.ask("PUT", "canned/hello", body)

    assert (answer.status, answer.code) == (400, "input_rejected")


async def test_there_is_an_end_to_canned_replies(office):
    writer = await office.hire("Cleo Marsh", AgentRole.CONTENT)
    for number in range(MOST):
        await writer.ask("PUT", f"canned/c{number}", HELLO)

    one_more = await writer.ask("PUT", "canned/one-more", HELLO)
    changed = await writer.ask("PUT", "canned/c1", HELLO)

    assert (one_more.status, changed.status) == (400, 200)
