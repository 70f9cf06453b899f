"""A customer's browser over HTTP: it keeps its token, remembers what was acknowledged, and sends again what was not."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp

from bot.core.conversation import ConversationId
from tests.waiting import wait_until

SETTLED_WITHIN_S = 60.0


@dataclass(slots=True, kw_only=True)
class Customer:
    """One conversation; `sent` are texts by message id, `acknowledged` seqs, `seen` what reading by cursor gave."""

    http: aiohttp.ClientSession
    token: str
    conversation: ConversationId
    sent: dict[str, str] = field(default_factory=dict)
    acknowledged: dict[str, int] = field(default_factory=dict)
    seen: list[tuple[int, str]] = field(default_factory=list)

    @classmethod
    async def open(cls, http: aiohttp.ClientSession, address: str) -> "Customer":
        url = f"{address}/widget/v1/sessions"
        async with http.post(url, json={}, headers={"Origin": address}) as response:
            session = await response.json()
            assert response.status == 201, session
        return cls(http=http, token=session["token"], conversation=ConversationId(session["conversation"]))

    async def say(self, address: str, text: str, *, message_id: str) -> bool:
        """Send a message; whether it was acknowledged."""
        self.sent[message_id] = text
        body = {"client_message_id": message_id, "text": text}
        headers = {"Origin": address, **self.bearer}
        try:
            async with self.http.post(
                f"{address}/widget/v1/messages", json=body, headers=headers
            ) as response:
                receipt = await response.json()
        except aiohttp.ClientError:
            return False
        assert response.status in {200, 202}, receipt
        assert self.acknowledged.setdefault(message_id, receipt["seq"]) == receipt["seq"]
        return True

    async def say_again(self, address: str, *, all_of_it: bool = False) -> None:
        """Send what was not acknowledged, or everything: an acknowledgement can be lost on its way."""
        for message_id, text in self.sent.items():
            if all_of_it or message_id not in self.acknowledged:
                assert await self.say(address, text, message_id=message_id)

    async def read(self, address: str) -> bool:
        """Read what is new since the last reading; whether the bot still owes something."""
        after = str(self.seen[-1][0] if self.seen else 0)
        url = f"{address}/widget/v1/events"
        async with self.http.get(url, params={"after": after}, headers=self.bearer) as response:
            snapshot = await response.json()
            assert response.status == 200, snapshot
        assert not snapshot["reset"]
        self.seen += [(event["seq"], event["text"]) for event in snapshot["events"]]
        return bool(snapshot["answering"])

    async def watch(self, address: str) -> None:
        """Read again and again until the process is gone."""

        async def gone() -> bool:
            try:
                await self.read(address)
            except aiohttp.ClientError:
                return True
            return False

        await wait_until(gone, deadline_s=SETTLED_WITHIN_S, every_s=0.02)

    async def is_told(self, address: str) -> None:
        """Read until nothing is owed."""

        async def settled() -> bool:
            return not await self.read(address)

        await wait_until(settled, deadline_s=SETTLED_WITHIN_S, every_s=0.02)

    @asynccontextmanager
    async def socket(self, address: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        """Hold a socket open from what was read last."""
        url = f"{address}/widget/v1/socket"
        async with self.http.ws_connect(url, headers={"Origin": address}) as ws:
            after = self.seen[-1][0] if self.seen else 0
            await ws.send_json({"type": "auth", "token": self.token, "after": after})
            yield ws

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}
