"""The queue in the console: live, sorted, filtered, and worked without a mouse."""

import pytest
from playwright.async_api import Route, expect

pytestmark = pytest.mark.browser


async def test_who_waits_appears_without_a_reload_and_with_the_reason_in_words(console, office):
    await console.show()
    await expect(console.page.get_by_text("Nobody is waiting")).to_be_visible()

    await office.waiting("I want to talk to a person, please")

    await expect(console.rows).to_have_count(1)
    await expect(console.rows).to_contain_text("The customer asked for a person")
    await expect(console.rows).to_contain_text("I want to talk to a person, please")
    await expect(console.rows).to_contain_text("unclaimed")
    await expect(console.page).to_have_title("(1) Queue · Candor desk")
    await expect(console.said).to_have_text("A customer waits for a person: the customer asked for a person.")


async def test_the_longest_wait_comes_first_and_its_time_ticks(console, office):
    await office.waiting("person, early")
    office.clock.advance(11 * 60_000)
    await office.waiting("person, late")
    await console.show()

    await expect(console.rows.nth(0)).to_contain_text("person, early")
    await expect(console.rows.nth(0)).to_contain_text("waiting 11:0")
    await expect(console.rows.nth(0)).to_contain_text("Late")
    shown = console.rows.nth(1).locator("time")
    await expect(shown).not_to_have_text(await shown.inner_text())


async def test_filters_narrow_the_queue_to_whose_and_why(console, office, maria, ben):
    mine, bens = await office.waiting("person, mine"), await office.waiting("person, not mine")
    await office.waiting("Do you sell tea?")
    await maria.claim(mine)
    await ben.claim(bens)
    await console.show()
    await expect(console.rows).to_have_count(3)

    await console.page.get_by_text("Mine", exact=True).click()
    await expect(console.rows).to_contain_text(["person, mine"])
    await console.page.get_by_text("Unclaimed", exact=True).click()
    await expect(console.rows).to_contain_text(["Do you sell tea?"])
    await console.page.get_by_label("Reason").select_option(label="The customer asked for a person (2)")
    await expect(console.rows).to_have_count(0)
    await expect(console.page.get_by_text("No conversation fits this filter.")).to_be_visible()
    await console.page.get_by_text("All", exact=True).click()
    await expect(console.rows).to_have_count(2)


async def test_the_queue_is_worked_with_the_keyboard_alone(console, office):
    await office.waiting("person one")
    office.clock.advance(1_000)
    await office.waiting("person two")
    await console.show()
    await expect(console.rows).to_have_count(2)
    keys = console.page.keyboard

    for key in ("j", "j", "k", "ArrowDown", "Enter"):
        await keys.press(key)
    await expect(console.heading).to_be_focused()
    await expect(console.log).to_contain_text("person two")
    await keys.press("c")
    await expect(console.reply).to_be_focused()
    await expect(console.page.locator(".facts")).to_contain_text("Claimed by you")
    await keys.press("Tab")
    await keys.press("q")
    await expect(console.row("person two").get_by_role("link")).to_be_focused()


async def test_a_question_mark_tells_the_keys_and_letters_rest_while_somebody_writes(console, office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await console.open(conversation)

    await console.reply.fill("")
    await console.reply.press_sequentially("jq?c")
    await expect(console.reply).to_have_value("jq?c")
    await console.heading.focus()
    await console.page.keyboard.press("?")
    await expect(console.page.get_by_role("dialog", name="Keyboard help")).to_contain_text(
        "next conversation"
    )
    await console.page.keyboard.press("Escape")
    await expect(console.heading).to_be_focused()


async def test_who_loses_the_race_is_told_who_won(console, office, ben):
    conversation = await office.waiting()
    await console.show()

    async def lose(route: Route) -> None:
        await ben.claim(conversation)
        await route.continue_()

    await console.page.route("**/claim", lose)
    await console.page.get_by_role("button", name="Claim Customer").click()

    await expect(console.page.get_by_role("alert")).to_contain_text(["Ben Okri has already claimed it."])
    await expect(console.rows).to_contain_text("with Ben Okri")


async def test_a_claimed_customer_who_still_waits_raises_an_alarm_by_word(console, office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await console.show()
    await expect(console.rows).to_contain_text("with you")

    for _ in range(6):
        office.clock.advance(110_000)
        await office.desk.renew(maria.agent)

    await expect(console.rows).to_contain_text("Customer still waits")
    await expect(console.said).to_contain_text("has waited 10 minutes for your answer")
