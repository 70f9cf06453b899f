"""Getting into the console in a real browser: the invitation's page, the sign-in form, and what each tells whom."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from tests.channels.console.door import EMAIL, PASSWORD, Door, opened_door
from tests.waiting import wait_until

pytestmark = pytest.mark.browser
SHOW_THE_FORM = """async (options) => {
  const { signIn } = await import('/console/static/x/sign-in.js');
  signIn(document.querySelector('main'), options).then((session) => (window.session = session));
}"""


@pytest_asyncio.fixture(loop_scope="session")
async def door() -> AsyncIterator[Door]:
    async with opened_door() as opened:
        yield opened


@pytest.fixture
def live_server(door: Door) -> str:
    """The address of the service under test."""
    return door.url


async def _axe(page: Page) -> list[str]:
    found = await Axe().run(page)
    return [f"{v['id']}: {v['nodes'][0]['html']}" for v in found.response["violations"]]


async def _sign_in_form(page: Page, door: Door, notice: str = "") -> None:
    """Show the form where nothing else is."""
    await page.goto(f"{door.url}/console/join")
    await expect(page.get_by_role("alert")).to_have_count(1)
    await page.evaluate(SHOW_THE_FORM, {"notice": notice})
    await page.get_by_label("E-mail address").wait_for()


async def test_an_invitation_sets_a_password_and_its_secret_is_in_no_address_and_no_log(page, door, capsys):
    token = await door.invite()
    asked = []
    page.on("request", lambda request: asked.append(request.url))

    await page.goto(f"{door.url}/console/join#{token}")
    password = page.get_by_label("Choose a password")
    await expect(password).to_be_focused()
    assert page.url == f"{door.url}/console/join"
    await password.fill(PASSWORD)
    await password.press("Enter")
    await page.wait_for_url("**/console")

    cookie = (await page.context.cookies())[0]
    assert (cookie["name"], cookie["httpOnly"], cookie["secure"]) == ("__Host-candor", True, True)
    assert await page.evaluate("document.cookie") == ""
    logged = capsys.readouterr().out + " ".join(asked)
    assert [secret for secret in (token, cookie["value"], PASSWORD) if secret in logged] == []


async def test_a_poor_password_is_explained_at_its_field(page, door):
    await page.goto(f"{door.url}/console/join#{await door.invite()}")
    password = page.get_by_label("Choose a password")

    for written, said in (("short", "fewer than 12 characters"), ("maria lopez 1234", "easy to guess")):
        await password.fill(written)
        await page.get_by_role("button", name="Set password").click()
        await expect(page.locator("#password-error")).to_contain_text(said)
        await expect(password).to_be_focused()
        await expect(password).to_have_attribute("aria-invalid", "true")


@pytest.mark.parametrize(("fragment", "said"), [("", "incomplete"), ("#unknown", "used up, too old")])
async def test_a_link_that_cannot_be_used_says_so(page, door, fragment, said):
    await page.goto(f"{door.url}/console/join{fragment}")

    await expect(page.get_by_role("alert")).to_contain_text(said)
    await expect(page.get_by_role("link", name="Sign in")).to_be_visible()


async def test_a_server_that_cannot_be_reached_leaves_the_link_to_be_tried_again(page, door):
    token = await door.invite()
    await page.route("**/invitation/look", lambda route: route.abort())
    await page.goto(f"{door.url}/console/join#{token}")
    await expect(page.get_by_role("alert")).to_contain_text("cannot be reached")

    await page.unroute("**/invitation/look")
    await page.get_by_role("button", name="Try again").click()

    await expect(page.get_by_label("Choose a password")).to_be_visible()


async def test_signing_in_gives_the_session_and_leaves_nothing_behind(page, door):
    await door.join()
    await _sign_in_form(page, door, "Your session has ended.")

    await expect(page.get_by_role("status")).to_have_text("Your session has ended.")
    await page.get_by_label("E-mail address").fill(f" {EMAIL}")
    await page.get_by_label("Password", exact=True).fill("wrong")
    await page.keyboard.press("Enter")
    await expect(page.locator("#password-error")).to_contain_text("do not fit together")
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.keyboard.press("Enter")

    await wait_until(lambda: page.evaluate("Boolean(window.session)"), deadline_s=20)
    session = await page.evaluate("window.session")
    assert (session["agent"]["name"], await page.inner_text("main")) == ("Maria Lopez", "")


async def test_empty_fields_are_named_and_nothing_is_sent(page, door):
    await _sign_in_form(page, door)

    await page.get_by_role("button", name="Sign in").click()

    await expect(page.get_by_role("alert").filter(has_text="Enter your")).to_have_count(2)
    await expect(page.get_by_label("E-mail address")).to_be_focused()
    assert door.passwords.compared == []


async def test_a_password_can_be_looked_at(page, door):
    await _sign_in_form(page, door)
    password = page.get_by_label("Password", exact=True)

    await page.get_by_role("button", name="Show password").click()
    await expect(password).to_have_attribute("type", "text")
    await page.get_by_role("button", name="Hide password").click()
    await expect(password).to_have_attribute("type", "password")


async def test_password_managers_find_what_they_look_for(page, door):
    await _sign_in_form(page, door)
    signing_in = await page.eval_on_selector_all("input", "all => all.map((one) => one.autocomplete)")
    await page.goto(f"{door.url}/console/join#{await door.invite()}")
    await page.get_by_label("Choose a password").wait_for()
    joining = await page.eval_on_selector_all("input", "all => all.map((one) => one.autocomplete)")

    assert signing_in == ["username", "current-password"]
    assert joining == ["username", "new-password"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_and_a_phone_is_wide_enough(page, door, scheme):
    await page.emulate_media(color_scheme=scheme)
    await page.set_viewport_size({"width": 320, "height": 640})
    await page.goto(f"{door.url}/console/join#{await door.invite()}")
    await page.get_by_role("button", name="Set password").click()
    found = await _axe(page)
    await _sign_in_form(page, door, "Your session has ended.")
    await page.get_by_role("button", name="Sign in").click()
    found += await _axe(page)

    assert found == []
    assert await page.evaluate("document.documentElement.scrollWidth") == 320
