"""One customer in the widget and two agents in their consoles, on the real service: who speaks when, and who is told what."""

import asyncio
from dataclasses import dataclass

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Route, expect

from bot.core.conversation import Role
from tests.browser.console.console_page import ConsolePage, console_for
from tests.browser.whole_desk import WholeDesk, opened_desk
from tests.browser.widget_page import WidgetPage
from tests.faults.knowledge import FOR_A_PERSON, QUESTION, make_knowledge

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

ANSWER = "Support is open from 8 to 20 on workdays."
CUSTOMER_ASKED = "The customer asked for a person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The three browsers, and the service that they share."""

    desk: WholeDesk
    customer: WidgetPage
    maria: ConsolePage
    ben: ConsolePage

    @property
    def agents(self) -> tuple[ConsolePage, ConsolePage]:
        return self.maria, self.ben

    async def ask_for_a_person(self) -> None:
        await self.customer.say(FOR_A_PERSON)
        await expect(self.customer.state).to_contain_text("You are number 1 in the queue")

    async def claimed(self) -> None:
        """Let Maria have the conversation, and look at it."""
        await self.ask_for_a_person()
        await self.maria.rows.get_by_role("link").click()
        await self.maria.button("Claim").click()
        await expect(self.customer.state).to_contain_text("Maria Lopez has joined")


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory):
    return make_knowledge(tmp_path_factory.mktemp("knowledge"))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def desk(knowledge):
    async with opened_desk(knowledge) as running:
        yield running


@pytest.fixture
def live_server(desk):
    """Put the real service in the scripted one's place."""
    return desk.url


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def consoles(browser: Browser, desk: WholeDesk):
    """Two agents, each in a browser of their own."""
    opened = [await console_for(browser, await desk.hire(name)) for name in ("Maria Lopez", "Ben Okri")]
    yield opened
    for console in opened:
        await console.page.context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def scene(desk, widget, consoles):
    """Everybody at the beginning: the agents look at an empty queue, the customer has opened the widget."""
    maria, ben = consoles
    for console in consoles:
        await console.show()
        await expect(console.rows).to_have_count(0)
    await widget.open()
    yield Scene(desk=desk, customer=widget, maria=maria, ben=ben)
    await desk.finish_all(maria.agent)
    for console in consoles:
        await console.page.unroute_all()


async def _race(scene: Scene) -> tuple[ConsolePage, ConsolePage]:
    """Let both agents press Claim at once; return who won and who lost."""
    both = asyncio.Barrier(2)

    async def hold(route: Route) -> None:
        await both.wait()
        await route.continue_()

    async def claim(console: ConsolePage) -> bool:
        await console.page.route("**/claim", hold)
        async with console.page.expect_response("**/claim") as answered:
            await console.page.get_by_role("button", name="Claim Customer").click()
        return (await answered.value).ok

    won = await asyncio.gather(*map(claim, scene.agents))
    assert sorted(won) == [False, True]
    return scene.agents if won[0] else (scene.ben, scene.maria)


def _name(scene: Scene, console: ConsolePage) -> str:
    return "Maria Lopez" if console is scene.maria else "Ben Okri"


async def _resolve(console: ConsolePage) -> None:
    await console.button("Resolve…").click()
    dialog = console.page.get_by_role("dialog", name="Resolve this conversation")
    await dialog.get_by_label("Question answered").check()
    await dialog.get_by_role("button", name="Resolve").click()
    await expect(console.said).to_have_text("Resolved.")


async def _reply(console: ConsolePage, text: str) -> None:
    await console.reply.fill(text)
    await console.reply.press("Control+Enter")
    await expect(console.log).to_contain_text(text)


async def test_both_see_who_waits_and_of_two_who_claim_at_once_one_is_told_who_was_first(scene):
    await scene.ask_for_a_person()
    for console in scene.agents:
        await expect(console.rows).to_contain_text("The customer asked for a person")
        await expect(console.rows).to_contain_text("unclaimed")

    winner, loser = await _race(scene)

    name = _name(scene, winner)
    await expect(loser.page.get_by_role("alert")).to_contain_text([f"{name} has already claimed it."])
    await expect(loser.rows).to_contain_text(f"with {name}")
    await expect(winner.rows).to_contain_text("with you")
    await expect(scene.customer.state).to_contain_text(f"{name} has joined")


async def test_from_a_handoff_to_the_end_and_back_to_the_bot(scene):
    customer, maria = scene.customer, scene.maria
    await scene.claimed()
    await _reply(maria, "Hello, I am a person.")
    await expect(customer.messages.last).to_contain_text("Hello, I am a person.")
    await expect(customer.messages.last.locator(".author")).to_have_text("Maria Lopez")

    await maria.button("Return to assistant").click()
    await customer.say(QUESTION)
    await expect(customer.messages.last).to_contain_text(ANSWER)
    await customer.say(FOR_A_PERSON)
    await maria.button("Claim").click()
    await expect(customer.state).to_contain_text("Maria Lopez has joined")
    await _resolve(maria)

    await expect(customer.state).to_have_text("This conversation is closed. Write to open it again.")
    await expect(maria.rows).to_have_count(0)
    await customer.say(QUESTION)
    await expect(customer.messages.last).to_contain_text(ANSWER)
    await expect(maria.page.locator(".facts")).to_contain_text("With the assistant")
    await customer.button("Yes").click()
    await expect(maria.log).to_contain_text("Yes, this helped")


async def test_the_bot_is_silent_while_a_person_has_the_conversation(scene):
    await scene.claimed()
    conversation = await scene.desk.conversation()
    before = await scene.desk.said(conversation, Role.BOT)

    for number in range(3):
        await scene.customer.say(f"{QUESTION} {number}")
        await expect(scene.maria.log).to_contain_text(f"{QUESTION} {number}")
    await _reply(scene.maria, "From 8 to 20.")

    assert await scene.desk.said(conversation, Role.BOT) == before
    assert len(await scene.desk.candor.store.turns(conversation)) == 1


async def test_what_was_asked_of_a_person_is_answered_by_the_bot_that_gets_it_back(scene):
    await scene.claimed()
    await scene.customer.say(QUESTION)
    await expect(scene.maria.log).to_contain_text(QUESTION)

    await scene.maria.button("Return to assistant").click()

    await expect(scene.customer.messages.last).to_contain_text(ANSWER)
    await expect(scene.customer.messages.last.locator(".author")).to_have_text("Assistant")
    await expect(scene.maria.log).to_contain_text(ANSWER)


async def test_each_side_sees_that_the_other_writes_and_has_read(scene):
    await scene.claimed()
    await scene.customer.composer.press_sequentially("My invoice")
    await expect(scene.maria.page.locator(".progress")).to_contain_text("is typing")
    await scene.customer.composer.press("Enter")
    await expect(scene.customer.messages.last).to_contain_text("Seen")

    await scene.maria.reply.press_sequentially("Which one?")
    await expect(scene.customer.frame.get_by_text("Maria Lopez is writing…")).to_be_visible()
    await scene.maria.reply.press("Control+Enter")

    await expect(scene.customer.frame.get_by_text("Maria Lopez is writing…")).to_be_hidden()
    await expect(scene.maria.log.locator(".agent")).to_contain_text("Seen")


async def test_a_note_never_reaches_the_widget(scene):
    await scene.claimed()
    await scene.maria.tab("Notes")
    await scene.maria.note.fill("They were rude last time.")
    await scene.maria.button("Add note").click()
    await expect(scene.maria.side).to_contain_text("They were rude last time.")
    await _reply(scene.maria, "One moment.")
    await expect(scene.customer.messages.last).to_contain_text("One moment.")

    await scene.customer.page.reload()
    await expect(scene.customer.messages.last).to_contain_text("One moment.")
    await expect(scene.customer.frame.locator("body")).not_to_contain_text("rude")


async def test_the_conversation_of_a_browser_that_died_is_anybodys_again_with_what_was_begun(scene, browser):
    await scene.claimed()
    conversation = await scene.desk.conversation()
    dying = await console_for(browser, scene.maria.agent)
    await dying.open(conversation)
    async with dying.page.expect_response("**/draft"):
        await dying.reply.fill("I looked it up.")
    await dying.page.context.close()

    await scene.desk.pass_leases()

    await expect(scene.ben.rows).to_contain_text("unclaimed")
    await expect(scene.customer.state).to_contain_text("You are number 1 in the queue")
    back = await console_for(browser, scene.maria.agent)
    await back.open(conversation)
    await back.button("Claim").click()
    await expect(back.reply).to_have_value("I looked it up.")
    await back.page.context.close()


async def test_a_reply_that_comes_after_the_claim_has_passed_is_refused_and_kept(scene):
    await scene.claimed()
    on_its_way, may_go_on = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        on_its_way.set()
        await may_go_on.wait()
        await route.continue_()

    await scene.maria.page.route("**/reply", hold)
    await scene.maria.reply.fill("Almost too late")
    await scene.maria.reply.press("Control+Enter")
    await on_its_way.wait()
    await scene.desk.pass_leases()
    await scene.ben.page.get_by_role("button", name="Claim Customer").click()
    await expect(scene.customer.state).to_contain_text("Ben Okri has joined")
    may_go_on.set()

    await expect(scene.maria.problem).to_contain_text("Ben Okri")
    await expect(scene.maria.reply).to_have_value("Almost too late")
    conversation = await scene.desk.conversation()
    assert await scene.desk.said(conversation, Role.AGENT) == []
    assert await scene.desk.kept_draft(conversation, scene.maria.agent) == "Almost too late"


async def test_a_restart_loses_nothing_on_either_side(scene):
    await scene.claimed()
    await _reply(scene.maria, "Before the restart")
    await scene.desk.stop()
    await scene.customer.say("While it was away")
    await scene.maria.reply.fill("Written while it was away")
    await scene.maria.button("Send reply").click()
    await expect(scene.maria.problem).to_contain_text("What you wrote is still here; please try again.")

    await scene.desk.start()

    await expect(scene.maria.log).to_contain_text("While it was away")
    await scene.maria.button("Send reply").click()
    await expect(scene.customer.messages.last).to_contain_text("Written while it was away")
    await expect(scene.ben.rows).to_contain_text("with Maria Lopez")
    said = await scene.desk.said(await scene.desk.conversation(), Role.AGENT)
    assert said == ["Before the restart", "Written while it was away"]
