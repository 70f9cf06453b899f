"""The console and the widget on one real server, over the memory stores and a scripted bot: agents and customers before it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC

import aiohttp
from aiohttp import web

from bot.adapters.memory.accounts import MemoryAccountStore
from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.customers import MemoryCustomerStore
from bot.adapters.memory.desk import MemoryDeskStore
from bot.adapters.memory.passwords import MemoryPasswords
from bot.adapters.memory.traffic import MemoryTraffic
from bot.channels.console.guard import COOKIE, Guard
from bot.channels.console.routes import Console
from bot.channels.web import answer_in_json, serving
from bot.channels.websockets import MAX_FRAME_BYTES
from bot.channels.widget.routes import Widget
from bot.channels.widget.throttle import Throttle
from bot.channels.widget.tokens import SessionTokens
from bot.core.accounts import Agent, AgentRole, Session
from bot.core.conversation import AgentId, Channel, ConversationId, Status
from bot.core.desk_numbers import Calendar
from bot.core.inbound import CustomerMessage
from bot.core.policy import TurnPolicy
from bot.errors import StoreUnavailable
from bot.service.accounts import Accounts
from bot.service.arrivals import Arrivals
from bot.service.customer import CustomerService
from bot.service.desk import DeskService
from bot.service.inviting import Inviting
from bot.service.live import LiveHub
from bot.service.numbers import Numbers
from bot.service.rating import RatingService
from bot.service.suggesting import Suggesting
from bot.traffic_ports import TrafficReads
from tests.builders import a_revision
from tests.channels.console.content_services import content_services
from tests.channels.console.door import PASSWORD, Answer
from tests.channels.scripted import ScriptedTurns
from tests.channels.widgets import a_widget, keeping_images
from tests.service.rig import REPLIES, RULES
from tests.service.shelf import ARTICLES, Shelf

UNKNOWN = ConversationId("nobody-opened-this-one")
TICK_S = 0.01


class ScriptedDeskStore(MemoryDeskStore):
    """Fails when it is told to."""

    fails = False

    async def claims_of(self, agent: AgentId) -> tuple[ConversationId, ...]:
        if self.fails:
            raise StoreUnavailable("claims")
        return await super().claims_of(agent)


class Unobserved:
    """An observer that nobody looks at."""

    def outbox_seen(self, *, oldest_s: float, waiting: int) -> None:
        return

    def queue_seen(self, *, waiting: int, claimed: int, longest_s: float) -> None:
        return


class CountingAccountStore(MemoryAccountStore):
    """Counts how often a session was looked at."""

    looks = 0

    async def session(self, digest: str, *, now_ms: int) -> tuple[Session, Agent] | None:
        self.looks += 1
        return await super().session(digest, now_ms=now_ms)


@dataclass(slots=True, kw_only=True)
class Office:
    """A running server and what lies behind it."""

    url: str
    http: aiohttp.ClientSession
    store: MemoryConversationStore
    desk_store: ScriptedDeskStore
    account_store: CountingAccountStore
    accounts: Accounts
    clock: ManualClock
    live: LiveHub
    turns: ScriptedTurns
    customers: CustomerService
    arrivals: Arrivals
    desk: DeskService
    ratings: RatingService
    tokens: SessionTokens
    console: Console
    _said: int = field(default=0)

    async def hire(self, name: str, role: AgentRole = AgentRole.AGENT) -> "Page":
        """Add an agent, and sign in."""
        inviting = Inviting(store=self.accounts.store, clock=self.clock)
        invited = await inviting.add(
            f"{name.split(maxsplit=1)[0].lower()}@shop.example", name=name, role=role
        )
        begun = await self.accounts.accept(invited.secret, PASSWORD)
        return Page(
            office=self,
            agent=invited.agent.id,
            cookie=begun.secret,
            csrf=begun.signed_in.session.csrf,
            origin=self.url,
        )

    async def open(self) -> ConversationId:
        return (await self.customers.open(channel=Channel.WIDGET, locale="en")).id

    async def say(self, conversation: ConversationId, text: str) -> None:
        """Let the customer write, and the bot settle what it owes."""
        self._said += 1
        said = CustomerMessage(
            conversation=conversation,
            channel=Channel.WIDGET,
            channel_message_id=f"m{self._said}",
            text=text,
        )
        await self.customers.receive(said)
        await asyncio.gather(*self.turns.tasks)

    async def revise(self, conversation: ConversationId, text: str | None) -> None:
        """Let the customer edit what was said last, or without a text delete it."""
        await self.customers.receive(a_revision(f"m{self._said}", text, conversation=conversation))
        await asyncio.gather(*self.turns.tasks)

    async def waiting(self, text: str = "I want to talk to a person") -> ConversationId:
        """Open a conversation whose customer waits in the queue."""
        conversation = await self.open()
        await self.say(conversation, text)
        assert await self.status(conversation) is Status.QUEUED
        return conversation

    async def status(self, conversation: ConversationId) -> Status:
        return (await self.store.conversation(conversation)).status


@dataclass(slots=True, kw_only=True)
class Page:
    """One agent's browser, with the console open."""

    office: Office
    agent: AgentId
    cookie: str
    csrf: str
    origin: str

    async def ask(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Ask as the console does; a header given as an empty text is left out."""
        given = {**self.headers, "X-Candor-CSRF": self.csrf} | headers
        sent = {name: value for name, value in given.items() if value}
        url = f"{self.office.url}/console/v1/{path}"
        data: Mapping[str, object] = {} if body is None else {"json": body}
        async with self.office.http.request(method, url, headers=sent, **data) as response:
            found = await response.json() if response.content_type == "application/json" else {}
            return Answer(status=response.status, body=found, headers=dict(response.headers))

    async def read(self, path: str) -> Answer:
        return await self.ask("GET", path)

    async def view(self, conversation: ConversationId, query: str = "") -> Answer:
        return await self.read(f"conversations/{conversation}{query}")

    async def do(self, conversation: ConversationId, move: str, **body: object) -> Answer:
        """Make one of the moves of a conversation."""
        return await self.ask("POST", f"conversations/{conversation}/{move}", body)

    async def claim(self, conversation: ConversationId) -> Answer:
        return await self.do(conversation, "claim")

    async def reply(
        self, conversation: ConversationId, text: str = "Hello!", *, id: str = "r1", seen: int = 99
    ) -> Answer:
        return await self.do(conversation, "reply", client_message_id=id, text=text, seen=seen)

    @property
    def headers(self) -> dict[str, str]:
        return {"Origin": self.origin, "Cookie": f"{COOKIE}={self.cookie}"}

    def at(self, url: str) -> "Page":
        """Return the same browser on another server."""
        return replace(self, office=replace(self.office, url=url), origin=url)

    def connect(self):
        """Open the socket, and say nothing yet."""
        return self.office.http.ws_connect(f"{self.office.url}/console/v1/socket", headers=self.headers)

    @asynccontextmanager
    async def socket(self) -> AsyncIterator["Line"]:
        async with self.connect() as ws:
            await ws.send_json({"type": "hello"})
            yield Line(ws=ws, queue=await ws.receive_json(timeout=5))


@dataclass(slots=True, kw_only=True)
class Line:
    """An open socket; `queue` is the frame with which the server began."""

    ws: aiohttp.ClientWebSocketResponse
    queue: Mapping[str, object]

    async def send(self, type: str, **fields: object) -> None:
        await self.ws.send_json({"type": type, **fields})

    async def watch(self, conversation: ConversationId, **cursors: int):
        """Look at a conversation, and return the frame that says what it holds."""
        await self.send("watch", conversation=conversation, **cursors)
        return await self.next("conversation")

    async def next(self, type: str, **wanted: object):
        """Return the next frame of a type that holds what is wanted; others are passed over."""
        for _ in range(50):
            frame = await self.ws.receive_json(timeout=5)
            if frame["type"] == type and wanted.items() <= frame.items():
                return frame
        raise AssertionError(f"no {type} frame")

    async def row(self, **wanted: object):
        """Return the next row of the queue that holds what is wanted."""
        for _ in range(50):
            row = (await self.next("row"))["row"]
            if wanted.items() <= row.items():
                return row
        raise AssertionError(f"no row with {wanted}")

    async def is_quiet(self):
        """Whether the server has nothing more to say: its answer to a sign of life is the next frame."""
        await self.send("alive")
        return (await self.ws.receive_json(timeout=5))["type"] == "alive"


def _console(desk: DeskService, accounts: Accounts, clock: ManualClock, traffic: TrafficReads) -> Console:
    shelf = Shelf.holding(ARTICLES)
    return Console(
        desk=desk,
        guard=Guard(accounts=accounts),
        accounts=accounts.store,
        replies=REPLIES,
        clock=clock,
        numbers=Numbers(
            desk=desk.desk,
            clock=clock,
            observer=Unobserved(),
            calendar=Calendar(zone=UTC),
            ratings=desk.ratings,
        ),
        suggesting=Suggesting(
            index=shelf.index, embedder=shelf.embedder, rules=RULES, policy=TurnPolicy(), clock=clock
        ),
        content=content_services(shelf, traffic, clock),
        tick_s=TICK_S,
    )


def _application(console: Console, widget: Widget) -> web.Application:
    app = web.Application(middlewares=[answer_in_json], client_max_size=MAX_FRAME_BYTES)
    app.add_routes([*console.routes(), *widget.routes()])
    return app


@asynccontextmanager
async def opened_office() -> AsyncIterator[Office]:
    """Start the server."""
    clock, store, live = ManualClock(), MemoryConversationStore(), LiveHub()
    account_store = CountingAccountStore()
    accounts = Accounts(store=account_store, passwords=MemoryPasswords(), clock=clock)
    customer_store = MemoryCustomerStore(store)
    desk_store = ScriptedDeskStore(store, customer_store)
    turns = ScriptedTurns(store=store, clock=clock, live=live)
    customers = CustomerService(store=store, turns=turns, clock=clock, live=live, marks=desk_store)
    tokens = SessionTokens(["a-key-for-tests-of-thirty-two-bytes-or-more"], clock=clock)
    arrivals = Arrivals(customers=customers, store=customer_store)
    offers = keeping_images(store, arrivals)
    widget = a_widget(store, arrivals, tokens, throttle=Throttle(), offers=offers)
    desk = DeskService(
        store=store, desk=desk_store, colleagues=accounts.store, turns=turns, replies=REPLIES, clock=clock, live=live,
        ratings=widget.ratings.ratings, attachments=offers.files.attachments,
    )  # fmt: skip
    console = _console(desk, accounts, clock, MemoryTraffic(store, customer_store, desk_store))
    app = _application(console, widget)
    async with (
        serving(app, host="127.0.0.1", port=0) as url,
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http,
    ):
        yield Office(
            url=url, http=http, store=store, desk_store=desk_store, account_store=account_store, accounts=accounts,
            clock=clock, live=live, turns=turns, customers=customers, arrivals=arrivals, desk=desk,
            ratings=widget.ratings, tokens=tokens, console=console,
        )  # fmt: skip
        live.close()
        turns.may_finish.set()
        await asyncio.gather(*turns.tasks)
