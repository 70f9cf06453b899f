"""What a customer edits or deletes changes in its place before the agent, who reads in the history that it was."""

import pytest
from playwright.async_api import expect

pytestmark = pytest.mark.browser


async def test_an_edit_and_then_a_deletion_change_the_message_in_its_place(console, office):
    conversation = await office.waiting("I want to talk to a person, my card is 4242")
    await console.open(conversation)
    first = console.log.locator("desk-message.customer")
    await expect(first).to_contain_text("4242")

    await office.revise(conversation, "I want to talk to a person")
    await expect(first.locator(".bubble")).not_to_contain_text("4242")
    await expect(first.locator(".quiet")).to_have_text("edited")

    await office.revise(conversation, None)
    await expect(first.locator(".bubble")).to_have_text("This message was deleted.")
    await expect(first).to_have_count(1)
