"""What a customer can do in the widget, on the demo page, in Chromium."""

import pytest
from playwright.async_api import expect

from bot.channels.widget.throttle import Throttle
from tests.browser.widget_page import WidgetPage
from tests.channels.rig import GENEROUS, running_rig
from tests.channels.scripted import answering

pytestmark = pytest.mark.browser


async def test_the_widget_says_at_once_that_it_is_a_program(widget):
    await widget.open()

    await expect(
        widget.frame.get_by_role("heading", name="Parlato help — Automated assistant")
    ).to_be_visible()
    await expect(widget.messages.first).to_contain_text("automated assistant")


async def test_a_question_is_answered_with_steps_and_a_link_to_the_article(widget):
    await widget.open()
    await widget.say("How do I reschedule a class?")

    answer = widget.messages.nth(2)
    await expect(answer.locator("li").first).to_have_text("Open My lessons.")
    link = answer.get_by_role("link", name="How to Reschedule a Lesson")
    await expect(link).to_have_attribute("href", "/articles/KB000003")
    await expect(link).to_have_attribute("target", "_blank")
    await expect(link).to_have_attribute("rel", "noopener noreferrer nofollow")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Can I bring my dog to the lesson?", "I found no article about this"),
        ("I want to talk to a person", "A person from our team will read this"),
    ],
)
async def test_the_demo_pages_questions_hand_over_and_say_so(page, widget, question, said):
    await page.get_by_role("button", name=question).click()

    await expect(widget.messages.nth(1)).to_have_text(f"You{question}")
    await expect(widget.frame.locator(".notice")).to_contain_text(said)
    await expect(widget.state).to_contain_text("You are in the queue for a person")
    await expect(widget.button("A person has been asked")).to_be_disabled()


async def test_what_the_composer_invites_to_write_fits_the_state(widget):
    await widget.open()
    await expect(widget.composer).to_have_attribute("placeholder", "Ask a question…")

    await widget.button("Talk to a person").click()

    await expect(widget.composer).to_have_attribute("placeholder", "Add something for our team…")


async def test_the_button_asks_for_a_person(widget):
    await widget.open()
    await widget.button("Talk to a person").click()

    await expect(widget.messages.nth(1)).to_contain_text("I would like to talk to a person")
    await expect(widget.frame.locator(".notice")).to_be_visible()


async def test_verified_blocks_show_while_the_answer_is_being_written(rig, widget):
    rig.turns.may_finish.clear()
    await widget.open()
    await widget.say("How do I reschedule a class?")

    draft = widget.frame.locator(".draft")
    await expect(draft).to_contain_text("Pick a new time")
    await expect(widget.frame.locator(".progress")).to_have_text("Writing…")
    rig.turns.may_finish.set()
    await expect(draft).to_be_hidden()
    await expect(widget.messages).to_have_count(3)


async def test_a_long_answer_is_shown_from_its_beginning(rig, widget):
    rig.turns.script = lambda message: answering("**The beginning**", *["Word by word. " * 40] * 5)
    await widget.open()
    await widget.say("Tell me everything")
    await widget.button("Yes").wait_for(state="attached")

    await expect(widget.messages.nth(2).get_by_text("The beginning")).to_be_in_viewport(ratio=1)


async def test_an_offered_reply_can_be_tapped(widget):
    await widget.open()
    await widget.say("I have to change something")
    await widget.button("More than 24 hours").click()

    await expect(widget.messages.nth(3)).to_contain_text("More than 24 hours")
    await expect(widget.button("Less")).to_have_count(0)


async def test_an_answer_that_did_not_help_goes_to_a_person(widget):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await widget.button("No").click()

    await expect(widget.frame.locator(".notice")).to_contain_text("Sorry that this did not help")
    await expect(widget.button("No")).to_have_count(0)


async def test_a_reload_keeps_the_conversation(page, widget):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.messages).to_have_count(3)
    said = await widget.messages.all_inner_texts()

    await page.reload()
    await widget.open()

    await expect(widget.messages).to_have_count(3)
    assert await widget.messages.all_inner_texts() == said


async def test_a_reload_in_the_middle_of_an_answer_shows_it_again(rig, page, widget):
    rig.turns.may_finish.clear()
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.frame.locator(".draft")).to_contain_text("Pick a new time")

    await page.reload()
    await widget.open()

    await expect(widget.frame.locator(".draft")).to_contain_text("Pick a new time")
    rig.turns.may_finish.set()
    await expect(widget.messages).to_have_count(3)


async def test_two_tabs_show_the_same_conversation(page, widget):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.messages).to_have_count(3)
    tab = await page.context.new_page()
    await tab.goto(page.url)
    other = WidgetPage(tab)
    await other.open()

    await other.say("I want to talk to a person")

    await expect(widget.messages).to_have_count(5)
    await expect(other.messages).to_have_count(5)


async def test_what_is_written_offline_is_sent_once_when_the_line_is_back(page, widget):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.messages).to_have_count(3)
    await page.context.set_offline(True)
    await widget.say("I want to talk to a person")
    await expect(widget.state).to_contain_text("No connection")
    await expect(widget.messages.nth(3)).to_contain_text("Sending…")

    await page.context.set_offline(False)

    await expect(widget.messages).to_have_count(5)
    await expect(widget.state).to_contain_text("You are in the queue")
    await expect(widget.messages.nth(3)).not_to_contain_text("Sending…")


async def test_news_that_come_while_it_is_closed_are_counted(rig, widget):
    rig.turns.may_finish.clear()
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.frame.locator(".draft")).to_be_visible()
    await widget.button("Close chat").click()
    rig.turns.may_finish.set()

    await expect(widget.launcher).to_have_accessible_name("Open chat with our help assistant, 1 unread")


async def test_a_customers_markup_is_plain_text(widget):
    await widget.open()
    await widget.say("<b>bold</b> [x](https://a.example)")

    await expect(widget.messages.nth(1)).to_contain_text("<b>bold</b> [x](https://a.example)")


async def test_who_writes_too_fast_is_told_so_and_keeps_the_text(page):
    async with running_rig(throttle=Throttle(messages="1/10 minutes", local_sessions=GENEROUS)) as rig:
        await page.goto(rig.url)
        widget = WidgetPage(page)
        await widget.open()
        await widget.say("How do I reschedule a class?")
        await expect(widget.messages).to_have_count(3)
        await widget.say("And cancel one?")

        await expect(widget.alert).to_contain_text("Please wait")
        await expect(widget.composer).to_have_value("And cancel one?")
        await expect(widget.messages).to_have_count(3)


async def test_a_line_that_the_server_cuts_is_taken_up_again(rig, widget):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.messages).to_have_count(3)
    rig.live.close()

    await widget.say("I want to talk to a person")

    await expect(widget.messages).to_have_count(5)
    await expect(widget.state).to_contain_text("You are in the queue")


async def test_a_conversation_that_the_server_erased_begins_anew(rig, widget):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.messages).to_have_count(3)
    rig.store._records.clear()

    await widget.say("I want to talk to a person")

    await expect(widget.frame.locator(".notice")).to_be_visible()
    await expect(widget.messages).to_have_count(3)
