"""A conversation in the console: replies and notes never mix, and nothing that was typed is lost."""

import asyncio

import pytest
from playwright.async_api import Request, expect

from bot.core.conversation import Role
from tests.channels.console.door import PASSWORD

pytestmark = pytest.mark.browser


async def _said_by_agents(office, conversation) -> list[str]:
    snapshot = await office.store.snapshot(conversation, after=0)
    return [message.text for message in snapshot.messages if message.role is Role.AGENT]


async def test_a_claim_opens_the_composer_and_a_reply_reaches_the_customer(console, office):
    conversation = await office.waiting()
    await console.open(conversation)
    await expect(console.reply).to_have_attribute("readonly", "")
    await expect(console.page.locator("#reply-hint")).to_have_text("Claim this conversation to reply.")

    await console.button("Claim").click()
    await expect(console.reply).to_be_focused()
    await console.reply.fill("Hello, I am a person.")
    await console.reply.press("Control+Enter")

    await expect(console.reply).to_have_value("")
    await expect(console.log).to_contain_text("Hello, I am a person.")
    await expect(console.log.locator(".agent")).to_contain_text("Maria Lopez")
    assert await _said_by_agents(office, conversation) == ["Hello, I am a person."]


async def test_a_note_is_never_sent_as_a_reply(console, office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await console.open(conversation)
    asked: list[str] = []
    console.page.on("request", lambda request: asked.append(_path(request)))

    await console.page.keyboard.press("n")
    await expect(console.note).to_be_focused()
    await expect(console.page.get_by_text("Only your team sees this.")).to_be_visible()
    await console.note.fill("They were rude last time.")
    await console.note.press("Control+Enter")

    await expect(console.side).to_contain_text("They were rude last time.")
    await expect(console.log).not_to_contain_text("rude")
    assert [path for path in asked if path.endswith(("/reply", "/draft"))] == []
    assert await _said_by_agents(office, conversation) == []


def _path(request: Request) -> str:
    return request.url.partition("?")[0]


async def test_a_lost_claim_keeps_the_text_and_offers_to_claim_again(console, office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await console.open(conversation)
    await console.reply.fill("Almost done")

    office.clock.advance(121_000)
    await console.button("Send reply").click()
    await expect(console.problem).to_contain_text("your claim ran out")
    await expect(console.reply).to_have_value("Almost done")
    await console.button("Claim again").click()
    await expect(console.problem).to_be_empty()
    await console.reply.press("Control+Enter")

    await expect(console.log).to_contain_text("Almost done")
    assert await _said_by_agents(office, conversation) == ["Almost done"]


async def test_what_was_begun_is_there_after_a_reload_and_in_another_tab(console, office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await console.open(conversation)

    async with console.page.expect_response("**/draft"):
        await console.reply.fill("Half a sent")
    await console.page.reload()
    await expect(console.reply).to_have_value("Half a sent")
    await console.page.evaluate("sessionStorage.clear()")
    await console.page.reload()
    await expect(console.reply).to_have_value("Half a sent")


async def test_who_is_signed_out_signs_in_again_and_loses_nothing(console, office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await console.open(conversation)
    await console.reply.fill("Still here")
    await console.page.context.clear_cookies()

    await console.button("Send reply").click()
    await console.page.get_by_label("E-mail address").fill("maria@shop.example")
    await console.page.locator("#password").fill(PASSWORD)
    await console.page.locator("#password").press("Enter")

    await expect(console.log).to_contain_text("Still here")
    await expect(console.reply).to_have_value("")
    assert await _said_by_agents(office, conversation) == ["Still here"]


async def test_typing_and_reading_are_seen(console, office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    said = await maria.reply(conversation, "Which device?")
    await console.open(conversation)
    await expect(console.log).to_contain_text("Which device?")

    await office.customers.typing(conversation)
    await expect(console.page.locator(".progress")).to_contain_text("is typing")
    await office.customers.read(conversation, said.body["message"]["seq"])
    await expect(console.log.locator(".agent")).to_contain_text("Seen")
    await office.say(conversation, "A tablet")
    await expect(console.log).to_contain_text("A tablet")
    await expect(console.page.locator(".progress")).to_be_empty()


async def test_a_customer_who_wrote_again_is_read_before_the_end(console, office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await console.open(conversation)
    await console.button("Resolve…").click()
    await console.page.get_by_label("Question answered").check()
    dialog = console.page.get_by_role("dialog", name="Resolve this conversation")

    await office.say(conversation, "One more thing")
    await dialog.get_by_role("button", name="Resolve").click()
    await expect(console.problem).to_contain_text("The customer has written again.")
    await console.button("Resolve…").click()
    await console.page.get_by_label("Question answered").check()
    await dialog.get_by_role("button", name="Resolve").click()

    await expect(console.page.locator(".facts")).to_contain_text("Resolved")
    await expect(console.said).to_have_text("Resolved.")


async def test_the_running_answer_is_seen_and_taken_over(console, office):
    conversation = await office.open()
    office.turns.may_finish.clear()
    await console.open(conversation)
    saying = asyncio.create_task(office.say(conversation, "How do I reschedule?"))

    await expect(console.page.locator(".draft")).to_contain_text("Open My lessons.")
    await expect(console.page.locator(".draft")).to_contain_text("Automated assistant")
    await console.button("Take over").click()
    await expect(console.page.locator(".draft")).to_be_hidden()
    office.turns.may_finish.set()
    await saying

    await expect(console.page.locator(".facts")).to_contain_text("Claimed by you")
    await expect(console.log.locator(".bot")).to_contain_text("This answer was interrupted")


async def test_a_wrong_answer_and_a_gap_are_marked_and_unmarked(console, office):
    conversation = await office.open()
    await office.say(conversation, "How do I reschedule?")
    await console.open(conversation)

    await console.button("Wrong answer").click()
    await console.side.get_by_label("Remark").fill("That menu is gone")
    await console.button("Mark as wrong").click()
    await expect(console.log).to_contain_text("Marked wrong by Maria Lopez: That menu is gone")
    await console.button("Take the mark away").click()
    await expect(console.log).not_to_contain_text("Marked wrong")

    await console.button("Knowledge gap").click()
    await console.button("Mark").click()
    await expect(console.button("Knowledge gap")).to_have_attribute("aria-pressed", "true")
