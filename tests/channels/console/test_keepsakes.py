"""What customers leave beside their messages, before agents: images, which no page ever runs, and ratings."""

import pytest

from bot.core.accounts import AgentRole
from bot.core.conversation import ConversationId
from tests.channels.console.office import UNKNOWN, Office, Page

PNG = b"\x89PNG\r\n\x1a\n<script>alert(1)</script>"
NAME = "Quittung für <b>.png"


async def send(office: Office, conversation: ConversationId, *, id: str = "f1", content: bytes = PNG) -> None:
    """Let the customer send an image as the widget does."""
    headers = {
        "Origin": office.url,
        "Authorization": f"Bearer {office.tokens.issue(conversation, epoch=0)}",
        "Content-Type": "image/png",
        "X-Candor-Message-Id": id,
        "X-Candor-File-Name": "Quittung%20f%C3%BCr%20%3Cb%3E.png",
    }
    url = f"{office.url}/widget/v1/attachments"
    async with office.http.post(url, data=content, headers=headers) as response:
        assert response.status == 202, await response.text()


async def rate(office: Office, conversation: ConversationId, score: int, *, id: str = "r1") -> None:
    await office.ratings.rate(conversation, message_id=id, score=score, comment="<i>Quick</i>")


async def image(page: Page, conversation: ConversationId, seq: object):
    """Read an image as the console's page does: its status, headers and bytes."""
    url = f"{page.office.url}/console/v1/conversations/{conversation}/attachments/{seq}"
    async with page.office.http.get(url, headers=page.headers) as response:
        return response.status, response.headers, await response.read()


async def test_an_agent_sees_that_an_image_came_and_reads_it_byte_for_byte(office, maria):
    conversation = await office.waiting()
    await send(office, conversation)

    (message,) = [m for m in (await maria.view(conversation)).body["messages"] if m["kind"] == "file"]
    status, _, content = await image(maria, conversation, message["seq"])

    assert message["attachment"] == {"media_type": "image/png", "size": len(PNG)}
    assert (message["text"], message["html"]) == (NAME, None)
    assert (status, content) == (200, PNG)


async def test_an_image_is_never_a_page_of_ours(office, maria):
    conversation = await office.waiting()
    await send(office, conversation)

    _, headers, _ = await image(maria, conversation, 3)

    assert headers["Content-Type"] == "image/png"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert headers["Content-Disposition"] == (
        "attachment; filename*=UTF-8''Quittung%20f%C3%BCr%20%3Cb%3E.png"
    )


@pytest.mark.parametrize("role", AgentRole)
async def test_whoever_works_at_the_desk_may_look(office, role):
    conversation = await office.waiting()
    await send(office, conversation)
    page = await office.hire("Olga Berg", role)

    assert (await image(page, conversation, 3))[0] == 200


async def test_nobody_else_may_not_even_its_customer(office, maria):
    conversation = await office.waiting()
    await send(office, conversation)
    maria.cookie = "none"

    assert (await image(maria, conversation, 3))[0] == 401


@pytest.mark.parametrize(("seq", "status"), [(1, 404), (2, 404), (4, 404), (0, 404), ("x", 400), (-1, 400)])
async def test_a_message_without_an_image_has_none(office, maria, seq, status):
    conversation = await office.waiting()
    await send(office, conversation)

    assert (await image(maria, conversation, seq))[0] == status


async def test_an_image_is_found_in_its_own_conversation_only(office, maria):
    conversation, other = await office.waiting(), await office.waiting()
    await send(office, conversation)

    assert (await image(maria, other, 3))[0] == 404
    assert (await image(maria, UNKNOWN, 3))[0] == 404


async def test_agents_see_how_each_episode_was_rated(office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await maria.do(conversation, "resolve", code="answered", seen=1)

    await rate(office, conversation, 1)
    await rate(office, conversation, 4, id="r2")

    (rating,) = (await maria.view(conversation)).body["ratings"]
    assert (rating["episode"], rating["score"], rating["comment"]) == (1, 4, "<i>Quick</i>")


async def test_a_rating_reaches_the_console_that_looks_and_the_numbers(office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await maria.do(conversation, "resolve", code="answered", seen=1)
    async with maria.socket() as line:
        assert (await line.watch(conversation))["ratings"] == []

        await rate(office, conversation, 4)

        assert (await line.next("conversation"))["ratings"][0]["score"] == 4
    assert (await maria.read("numbers")).body["today"]["satisfaction"] == {"count": 1, "mean": 4.0}
