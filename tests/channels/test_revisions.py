"""SL7: what an agent edited or deleted, as the customer's browser is told of it: by its seq, and never with the old text."""

import json

import pytest

from tests.channels.rig import running_rig
from tests.channels.staff import Staff, claim, reply, revise

OLD = "my direct line is 555-0199"


@pytest.fixture
async def rig():
    async with running_rig(standings=Staff().standings) as running:
        yield running


@pytest.fixture
async def customer(rig):
    customer = await rig.open()
    await customer.say("I want to talk to a person")
    await claim(rig, customer.conversation)
    await reply(rig, customer.conversation, OLD)
    return customer


async def test_a_browser_that_has_the_message_is_told_what_it_says_now(rig, customer):
    async with customer.socket() as ws:
        before = await ws.receive_json(timeout=5)
        await revise(rig, customer.conversation, "write to us")
        told = await ws.receive_json(timeout=5)

    sent = before["events"][-1]
    assert (sent["text"], sent["revises"]) == (OLD, None)
    assert (told["type"], told["text"], told["revises"], told["agent"]) == (
        "message",
        "write to us",
        sent["seq"],
        "Ana",
    )


@pytest.mark.parametrize("text", ["write to us", None], ids=["edited", "deleted"])
async def test_a_browser_that_comes_later_never_gets_the_old_text(rig, customer, text):
    await revise(rig, customer.conversation, "call 555-0199", revision="1")
    await revise(rig, customer.conversation, text, revision="2")

    _, body = await customer.events()
    async with customer.socket() as ws:
        snapshot = await ws.receive_json(timeout=5)

    events = body["events"]
    assert snapshot["events"] == events
    assert "555-0199" not in json.dumps(body)
    assert [e["text"] for e in events[-3:]] == [text or ""] * 3
    assert [e["seq"] for e in events] == list(range(1, len(events) + 1))


async def test_a_transcript_has_what_stands(rig, customer):
    await revise(rig, customer.conversation, "write to us")

    url = f"{rig.url}/widget/v1/transcript"
    async with rig.http.get(url, headers=customer.bearer) as response:
        text = await response.text()

    assert "write to us" in text
    assert OLD not in text
