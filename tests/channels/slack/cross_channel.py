"""Candor whole, between a local Slack, a customer's browser and an agent's console: all over HTTP, with a clock that a test moves on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import aiohttp
from pydantic import SecretStr

from bot.adapters.argon2_passwords import Argon2Passwords
from bot.adapters.system_clock import SystemClock
from bot.channels.console.guard import COOKIE
from bot.channels.slack.actions import Action
from bot.channels.web import serving
from bot.core.accounts import AgentRole
from bot.core.conversation import AgentId, Conversation, ConversationId
from bot.core.desk import QueueRow
from bot.service.accounts import Accounts
from bot.service.inviting import Inviting
from bot.service_wiring import Candor
from bot.settings import Settings
from bot.turn_wiring import Parts
from bot.wiring import opened
from tests.channels.console.door import PASSWORD
from tests.vendors.slack_pushes import SIGNING_SECRET
from tests.vendors.slack_server import BOT_TOKEN, DESK, SlackServer, slack_server
from tests.vendors.slack_transcripts import buttons, shown_text
from tests.waiting import wait_until

WAIT_S = 15.0  # Slack is told about one thing a second


class MovableClock(SystemClock):
    """Real time, and what a test has added to it."""

    ahead_ms = 0

    def now_ms(self) -> int:
        return super().now_ms() + self.ahead_ms

    def monotonic_s(self) -> float:
        return super().monotonic_s() + self.ahead_ms / 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the service answered."""

    status: int
    body: dict[str, object]

    @property
    def said(self) -> str:
        """Return the sentence of a refusal."""
        error = self.body.get("error")
        return str(error["message"]) if isinstance(error, dict) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The running service, as anybody's browser reaches it."""

    url: str
    http: aiohttp.ClientSession

    async def ask(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        data = {} if body is None else {"json": body}
        sent = {"Origin": self.url} | {name.replace("_", "-"): value for name, value in headers.items()}
        async with self.http.request(method, self.url + path, headers=sent, **data) as response:
            return Answer(status=response.status, body=await response.json())


@dataclass(slots=True, kw_only=True)
class Browser:
    """A customer in the widget."""

    site: Site
    token: str
    conversation: ConversationId
    said: int = 0

    async def says(self, text: str) -> None:
        self.said += 1
        body = {"client_message_id": f"m{self.said}", "text": text}
        answer = await self._ask("POST", "messages", body)
        assert answer.status < 300, answer

    async def reads(self) -> list[str]:
        """Return the texts that the widget shows, oldest first; what was edited as it is now."""
        answer = await self._ask("GET", "events?after=0")
        events = answer.body["events"]
        assert isinstance(events, list)
        return [one["text"] for one in events if one["type"] == "message" and one["revises"] is None]

    async def sees(self, text: str) -> None:
        async def shown() -> bool:
            return text in await self.reads()

        await wait_until(shown, deadline_s=WAIT_S)

    async def misses(self, text: str) -> None:
        async def gone() -> bool:
            return text not in await self.reads()

        await wait_until(gone, deadline_s=WAIT_S)

    async def _ask(self, method: str, path: str, body: object = None) -> Answer:
        return await self.site.ask(method, f"/widget/v1/{path}", body, Authorization=f"Bearer {self.token}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Console:
    """An agent who has signed in to the console."""

    site: Site
    agent: AgentId
    cookie: str
    csrf: str

    async def does(self, conversation: ConversationId, what: str, **body: object) -> Answer:
        path = f"/console/v1/conversations/{conversation}/{what}"
        return await self._ask("POST", path, body)

    async def reads(self, conversation: ConversationId) -> list[str]:
        answer = await self._ask("GET", f"/console/v1/conversations/{conversation}?after=0")
        messages = answer.body["messages"]
        assert isinstance(messages, list)
        return [message["text"] for message in messages]

    async def sees(self, conversation: ConversationId, text: str) -> None:
        async def shown() -> bool:
            return text in await self.reads(conversation)

        await wait_until(shown, deadline_s=WAIT_S)

    async def _ask(self, method: str, path: str, body: object = None) -> Answer:
        return await self.site.ask(
            method, path, body, Cookie=f"{COOKIE}={self.cookie}", X_Candor_CSRF=self.csrf
        )


@dataclass(slots=True, kw_only=True)
class Whole:
    """The service and everybody around it."""

    candor: Candor
    slack: SlackServer
    site: Site
    clock: MovableClock
    hired: int = field(default=0)

    async def browser(self) -> Browser:
        """Let a customer come to the widget for the first time."""
        answer = await self.site.ask("POST", "/widget/v1/sessions", {})
        token, conversation = answer.body["token"], answer.body["conversation"]
        return Browser(site=self.site, token=str(token), conversation=ConversationId(str(conversation)))

    async def hire(self, name: str, email: str = "") -> Console:
        """Add an agent, and sign in; who has the address of a Slack user is that user."""
        store = self.candor.desk.agents
        accounts = Accounts(store=store, passwords=Argon2Passwords(), clock=self.clock)
        address = email or f"{name.lower()}@shop.example"
        invited = await Inviting(store=store, clock=self.clock).add(address, name=name, role=AgentRole.AGENT)
        begun = await accounts.accept(invited.secret, PASSWORD)
        csrf = begun.signed_in.session.csrf
        return Console(site=self.site, agent=invited.agent.id, cookie=begun.secret, csrf=csrf)

    async def queued(self) -> ConversationId:
        """Return the only conversation that is with people, when there is one."""
        rows: tuple[QueueRow, ...] = await wait_until(self.candor.agents.queue, deadline_s=WAIT_S)
        return rows[0].conversation.id

    async def card(self) -> str:
        """Return the `ts` of the card in the desk's channel, when there is one."""

        def posted() -> list[str]:
            cards = [one for one in self.slack.posted(DESK) if Action.CLAIM in buttons(one)]
            return [str(one["ts"]) for one in cards]

        return (await wait_until(posted, deadline_s=WAIT_S))[-1]

    async def shows(self, channel: str, text: str, *, thread: str = "") -> None:
        """Wait until something is read in a channel or thread."""
        await wait_until(
            lambda: any(text in line for line in self.slack.transcript(channel, thread)), deadline_s=WAIT_S
        )

    async def whispers(self, user: str, text: str) -> None:
        """Wait until somebody alone is told something."""

        def told() -> bool:
            return any(text in shown_text(whisper) for whisper in self.slack.whispered(user))

        await wait_until(told, deadline_s=WAIT_S)

    async def passes(self, ms: int) -> None:
        """Let time go by without a sign of life, and the sweep come round."""
        self.clock.ahead_ms += ms
        await self.candor.agents.expire_leases()

    async def state(self, conversation: ConversationId) -> Conversation:
        return await self.candor.store.conversation(conversation)


@asynccontextmanager
async def whole_service(data_dir: Path) -> AsyncIterator[Whole]:
    """Start Slack, and Candor as `serve` does it, with its desk in Slack's channel."""
    clock = MovableClock()

    def with_clock(parts: Parts) -> Parts:
        return replace(parts, clock=clock)

    async with slack_server() as slack:
        slack.workspace.now = lambda: clock.now_ms() / 1000
        settings = Settings(
            data_dir=data_dir,
            slack_bot_token=SecretStr(BOT_TOKEN),
            slack_signing_secret=SecretStr(SIGNING_SECRET),
            slack_handoff_channel=DESK,
            slack_base_url=slack.api_url,
        )
        async with (
            opened(settings, wrap=with_clock) as candor,
            serving(candor.web, host="127.0.0.1", port=0) as url,
            aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http,
        ):
            slack.app_url = url
            yield Whole(candor=candor, slack=slack, site=Site(url=url, http=http), clock=clock)
            await slack.pushes.settled()
