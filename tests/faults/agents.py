"""An agent's console over HTTP: it repeats what was not acknowledged, under the same id, and remembers what was."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from bot.adapters.memory.passwords import MemoryPasswords
from bot.adapters.system_clock import SystemClock
from bot.channels.console.guard import COOKIE, CSRF_HEADER
from bot.core.accounts import AgentRole
from bot.core.conversation import AgentId, ConversationId
from bot.service.accounts import Accounts
from bot.service.inviting import Inviting
from bot.settings import Settings
from bot.store_wiring import opened_stores
from tests.channels.console.door import PASSWORD

LARGEST_SEQ = 2**53 - 1


@dataclass(slots=True, kw_only=True)
class Agent:
    """One signed-in browser; `acknowledged` are the seqs of replies by their id."""

    http: aiohttp.ClientSession
    id: AgentId
    cookie: str
    csrf: str
    acknowledged: dict[str, int] = field(default_factory=dict)

    @classmethod
    async def hire(cls, http: aiohttp.ClientSession, place: Path | Settings, name: str) -> "Agent":
        """Add an agent to the data of a service, whether it runs or not."""
        settings = place if isinstance(place, Settings) else Settings(data_dir=place)
        clock = SystemClock()
        async with opened_stores(settings) as stores:
            accounts = Accounts(store=stores.accounts, passwords=MemoryPasswords(), clock=clock)
            inviting = Inviting(store=stores.accounts, clock=clock)
            invited = await inviting.add(f"{name}@shop.example", name=name, role=AgentRole.AGENT)
            begun = await accounts.accept(invited.secret, PASSWORD)
        return cls(http=http, id=invited.agent.id, cookie=begun.secret, csrf=begun.signed_in.session.csrf)

    async def claim(self, address: str, conversation: ConversationId) -> bool:
        """Claim, or hold on to it; whether that was acknowledged."""
        return await self._do(address, conversation, "claim", {}) is not None

    async def reply(self, address: str, conversation: ConversationId, text: str, *, message_id: str) -> bool:
        """Say something; whether it was acknowledged, which gives a message one place for good."""
        body = {"client_message_id": message_id, "text": text, "seen": LARGEST_SEQ}
        answer = await self._do(address, conversation, "reply", body)
        if answer is None:
            return False
        seq = answer["message"]["seq"]
        assert self.acknowledged.setdefault(message_id, seq) == seq
        return True

    async def move(self, address: str, conversation: ConversationId, move: str, **body: object) -> bool:
        """Do something with the conversation; False when the process was gone. What is done already may be refused."""
        return await self._do(address, conversation, move, body, may_be_refused=True) is not None

    async def stay(self, address: str) -> bool:
        """Give a sign of life; whether it was acknowledged."""
        try:
            async with self.socket(address) as ws:
                await ws.send_json({"type": "alive"})
                while (frame := await ws.receive()).type is aiohttp.WSMsgType.TEXT:
                    if frame.json()["type"] == "alive":
                        return True
        except (aiohttp.ClientError, TypeError):  # a socket that ends has no frame to give
            return False
        return False

    async def queue(self, address: str):
        """Return the rows as this agent sees them."""
        url = f"{address}/console/v1/queue"
        async with self.http.get(url, headers=self._headers(address)) as response:
            assert response.status == 200, await response.text()
            return (await response.json())["rows"]

    @asynccontextmanager
    async def socket(self, address: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        """Hold the console's socket open, from the frame with the queue on."""
        url = f"{address}/console/v1/socket"
        async with self.http.ws_connect(url, headers=self._headers(address)) as ws:
            await ws.send_json({"type": "hello"})
            assert (await ws.receive_json(timeout=30))["type"] == "queue"
            yield ws

    async def _do(
        self,
        address: str,
        conversation: ConversationId,
        move: str,
        body: object,
        *,
        may_be_refused: bool = False,
    ):
        url = f"{address}/console/v1/conversations/{conversation}/{move}"
        try:
            async with self.http.post(url, json=body, headers=self._headers(address)) as response:
                answer = await response.json()
        except aiohttp.ClientError:
            return None
        assert response.status == 200 or (may_be_refused and response.status == 409), answer
        return answer

    def _headers(self, address: str) -> dict[str, str]:
        return {"Origin": address, "Cookie": f"{COOKIE}={self.cookie}", CSRF_HEADER: self.csrf}
