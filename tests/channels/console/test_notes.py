"""Internal notes reach every agent, and nothing that a customer can ask for or is sent."""

import json

from bot.core.accounts import AgentRole

GOSSIP = "He shouted at us last week"


async def _note(page, conversation, *, text: str = GOSSIP, id: str = "n1"):
    return await page.do(conversation, "note", client_message_id=id, text=text)


async def test_a_note_is_read_by_every_agent(office, maria, ben):
    conversation = await office.waiting()

    kept = await _note(maria, conversation)
    again = await _note(maria, conversation)

    (note,) = (await ben.view(conversation)).body["notes"]
    assert kept.body["note"] == again.body["note"] == note
    assert (note["author"], note["automated"], note["summary"]) == ("Maria Lopez", False, False)
    assert note["text"] == GOSSIP


async def test_a_note_id_that_comes_with_another_text_is_a_conflict(office, maria):
    conversation = await office.waiting()
    await _note(maria, conversation)

    answer = await _note(maria, conversation, text="Something else")

    assert (answer.status, answer.code) == (409, "message_conflict")


async def test_two_agents_notes_may_have_the_same_id(office, maria, ben):
    conversation = await office.waiting()
    await _note(maria, conversation)
    await _note(ben, conversation, text="I remember")

    notes = (await maria.view(conversation)).body["notes"]

    assert [(note["author"], note["seq"]) for note in notes] == [("Maria Lopez", 1), ("Ben Okri", 2)]


async def test_no_note_is_in_what_the_widget_reads(office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await _note(maria, conversation)
    await maria.reply(conversation, "How can I help?")

    read = await _widget_reads(office, conversation)

    assert "How can I help?" in read
    assert GOSSIP not in read


async def test_no_note_is_sent_to_the_widget(office, maria):
    conversation = await office.waiting()
    token = office.tokens.issue(conversation)
    frames = []
    async with office.http.ws_connect(f"{office.url}/widget/v1/socket", headers={"Origin": office.url}) as ws:
        await ws.send_json({"type": "auth", "token": token, "after": 0})
        frames.append(await ws.receive_json(timeout=5))
        await _note(await office.hire("Cleo Marsh", AgentRole.CONTENT), conversation)
        await maria.claim(conversation)
        await maria.reply(conversation, "How can I help?")
        while "How can I help?" not in json.dumps(frames[-1]):
            frames.append(await ws.receive_json(timeout=5))

    assert GOSSIP not in json.dumps(frames)


async def _widget_reads(office, conversation) -> str:
    """All that the conversation's own token opens: its events, and its session."""
    bearer = {"Authorization": f"Bearer {office.tokens.issue(conversation)}", "Origin": office.url}
    texts = []
    for method, path in [("GET", "events?after=0"), ("POST", "sessions")]:
        url = f"{office.url}/widget/v1/{path}"
        async with office.http.request(method, url, headers=bearer, json={}) as response:
            assert response.status == 200
            texts.append(await response.text())
    return " ".join(texts)
