"""The widget's server on a real socket, over the in-memory store and a scripted bot."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import aiohttp
from aiohttp import web

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.customers import MemoryCustomerStore
from bot.adapters.memory.knowledge import MemoryKnowledgeWriter
from bot.adapters.memory.passages import MemoryPassageIndex
from bot.channels.articles.routes import Articles
from bot.channels.health import Health
from bot.channels.proxies import Proxies
from bot.channels.web import serving, web_application
from bot.channels.widget.routes import Widget
from bot.channels.widget.standing import Standings
from bot.channels.widget.throttle import Throttle
from bot.channels.widget.tokens import SessionTokens
from bot.core.conversation import ConversationId
from bot.core.knowledge import Article, Passage
from bot.ports import PassageIndex
from bot.service.arrivals import Arrivals
from bot.service.customer import CustomerService
from bot.service.live import LiveHub
from tests.channels.identity_tokens import signed, some_claims
from tests.channels.scripted import ScriptedTurns
from tests.channels.widgets import a_demo, a_widget, keeping_images, keeping_names
from tests.knowledge_builders import publish_articles, toward

KEY = "a-key-for-tests-of-thirty-two-bytes-or-more"
FINGERPRINT = "local/test"
GENEROUS = "100000/1 second"


@dataclass(slots=True, kw_only=True)
class Rig:
    """A running server, what lies behind it, and an HTTP client that behaves like its own page."""

    url: str
    http: aiohttp.ClientSession
    store: MemoryConversationStore
    clock: ManualClock
    tokens: SessionTokens
    live: LiveHub
    turns: ScriptedTurns
    widget: Widget
    knowledge: MemoryKnowledgeWriter
    index: MemoryPassageIndex

    def publish(self, article: Article, *passages: Passage) -> None:
        """Put *article* in place of what the knowledge base held."""
        written = (article, [(one, toward(0)) for one in passages])
        publish_articles(self.knowledge, FINGERPRINT, [written])

    async def open(self, **body: object) -> "Customer":
        """Open a conversation as a browser that comes for the first time."""
        status, session = await self.post("sessions", body)
        assert status == 201, session
        return self.customer(session)

    def customer(self, session: Mapping[str, str]) -> "Customer":
        """Return the browser that got this answer."""
        return Customer(
            rig=self, token=session["token"], conversation=ConversationId(session["conversation"])
        )

    async def post(self, path: str, body: Mapping[str, object]) -> tuple[int, dict[str, object]]:
        """Post as a browser without a token."""
        async with self.http.post(f"{self.url}/widget/v1/{path}", json=body) as response:
            return response.status, await response.json()

    def identity(self, **claims: object) -> str:
        """Return what the site signs of Ana at this moment."""
        return signed(some_claims(self.clock.now_ms() // 1000, **claims))


@dataclass(slots=True, kw_only=True)
class Customer:
    """One browser's side of a conversation."""

    rig: Rig
    token: str
    conversation: ConversationId

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def post(self, path: str, body: Mapping[str, object]) -> tuple[int, dict[str, object]]:
        url = f"{self.rig.url}/widget/v1/{path}"
        async with self.rig.http.post(url, json=body, headers=self.bearer) as response:
            return response.status, await response.json()

    async def say(self, text: str, *, message_id: str = "m1") -> tuple[int, dict[str, object]]:
        return await self.post("messages", {"client_message_id": message_id, "text": text})

    async def events(self, after: str = "0") -> tuple[int, dict[str, object]]:
        url = f"{self.rig.url}/widget/v1/events"
        async with self.rig.http.get(url, params={"after": after}, headers=self.bearer) as response:
            return response.status, await response.json()

    @asynccontextmanager
    async def socket(self, *, after: int = 0) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        async with self.rig.http.ws_connect(f"{self.rig.url}/widget/v1/socket") as ws:
            await ws.send_json({"type": "auth", "token": self.token, "after": after})
            yield ws


def application(widget: Widget, index: PassageIndex) -> web.Application:
    return web_application(
        widget=widget,
        articles=Articles(read=index.article),
        health=Health(checks={}, metrics=lambda: b""),
    )


@asynccontextmanager
async def running_rig(
    *,
    throttle: Throttle | None = None,
    origins: frozenset[str] = frozenset(),
    proxies: Proxies | None = None,
    standings: Standings | None = None,
    identity_required: bool = False,
    keeps_images: bool = False,
    offered: Mapping[str, object] | None = None,
    has_demo: bool = False,
    port: int = 0,
) -> AsyncIterator[Rig]:
    """Start the server; a port that was used before is the way to restart it at the same address."""
    clock, store, live = ManualClock(), MemoryConversationStore(), LiveHub()
    tokens = SessionTokens([KEY], clock=clock)
    turns = ScriptedTurns(store=store, clock=clock, live=live)
    arrivals = Arrivals(
        customers=CustomerService(store=store, turns=turns, clock=clock, live=live),
        store=MemoryCustomerStore(store),
        identity_required=identity_required,
    )
    offers = keeping_images(store, arrivals) if keeps_images else keeping_names(arrivals)
    offers = replace(offers, **(offered or {}))
    widget = a_widget(
        store, arrivals, tokens, origins=origins, throttle=throttle, proxies=proxies, standings=standings, offers=offers,
        demo=a_demo(clock) if has_demo else None,
    )  # fmt: skip
    knowledge = MemoryKnowledgeWriter()
    index = MemoryPassageIndex(knowledge, fingerprint=FINGERPRINT)
    app = application(widget, index)
    async with (
        serving(app, host="127.0.0.1", port=port) as url,
        aiohttp.ClientSession(headers={"Origin": url}) as http,
    ):
        rig = Rig(
            url=url, http=http, store=store, clock=clock, tokens=tokens, live=live, turns=turns, widget=widget,
            knowledge=knowledge, index=index,
        )  # fmt: skip
        yield rig
        turns.may_finish.set()
        await asyncio.gather(*turns.tasks)


async def close_code(ws: aiohttp.ClientWebSocketResponse) -> int | None:
    """Read to the end, and return the code with which the server closed."""
    while (await ws.receive(timeout=10)).type is aiohttp.WSMsgType.TEXT:
        pass
    code: int | None = ws.close_code
    return code
