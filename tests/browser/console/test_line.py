"""The console's socket: it comes back by itself, asks for what it missed and nothing else, and says when it is cut off."""

import json

import pytest
from playwright.async_api import WebSocketRoute, expect

pytestmark = pytest.mark.browser


class Exchange:
    """Stands between the console and the server: keeps what the page sends, and cuts lines."""

    def __init__(self) -> None:
        self.lines: list[WebSocketRoute] = []
        self.sent: list[dict[str, object]] = []
        self.is_out = False

    def connect(self, line: WebSocketRoute) -> None:
        self.lines.append(line)
        if self.is_out:
            line.on_message(lambda _: None)
            return
        server = line.connect_to_server()

        def forward(text: str | bytes) -> None:
            self.sent.append(json.loads(text))
            server.send(text)

        line.on_message(forward)


async def test_a_cut_line_is_taken_up_where_it_was(console, office, maria):
    exchange = Exchange()
    await console.page.route_web_socket("**/console/v1/socket", exchange.connect)
    conversation = await office.waiting("person, first")
    await maria.claim(conversation)
    await console.open(conversation)
    await expect(console.rows).to_have_count(1)

    await exchange.lines[0].close(code=1012)
    await office.say(conversation, "While you were away")
    await expect(console.log).to_contain_text("While you were away")
    await expect(console.log.locator("desk-message")).to_have_count(3)
    watched = [frame for frame in exchange.sent if frame["type"] == "watch"]
    assert (watched[-1]["after"], len(exchange.lines)) == (2, 2)


async def test_who_is_cut_off_is_told_and_told_again_when_it_is_over(console, office):
    await console.show()
    await expect(console.page.locator(".offline:not(.late-sync)")).to_be_empty()

    await console.page.context.set_offline(True)
    await expect(console.page.locator(".offline:not(.late-sync)")).to_contain_text("No connection")
    await console.page.context.set_offline(False)
    await office.waiting()
    await expect(console.rows).to_have_count(1)
    await expect(console.page.locator(".offline:not(.late-sync)")).to_be_empty()


async def test_without_sockets_plain_requests_bring_the_news(console, office):
    await console.page.clock.install()

    async def refuse(line: WebSocketRoute) -> None:
        await line.close(code=1013)

    await console.page.route_web_socket("**/console/v1/socket", refuse)
    await console.show()
    await office.waiting()

    for _ in range(8):
        await console.page.clock.run_for(8_000)
    await expect(console.rows).to_have_count(1)


async def test_a_reply_is_shown_though_the_line_is_dead(console, office, maria):
    exchange = Exchange()
    exchange.is_out = True
    await console.page.route_web_socket("**/console/v1/socket", exchange.connect)
    conversation = await office.waiting()
    await maria.claim(conversation)
    await console.open(conversation)

    await console.reply.fill("Can you read this?")
    await console.reply.press("Control+Enter")

    await expect(console.log).to_contain_text("Can you read this?")
