"""A customer who asks for a person, the agent who helps, and how it ends; whatever was not acknowledged is done again."""

from collections.abc import Mapping
from dataclasses import dataclass

import aiohttp

from bot.core.conversation import Status
from tests.faults.agents import Agent
from tests.faults.customers import Customer
from tests.faults.knowledge import FOR_A_PERSON
from tests.faults.processes import Machine, Service
from tests.faults.soundness import agents_said, assert_sound
from tests.waiting import wait_until

LARGEST_SEQ = 2**53 - 1
REPLY = "Hello, I am a person."
SETTLED_WITHIN_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """How an agent lets a conversation go, and whose it is then."""

    move: str
    status: Status
    body: Mapping[str, object]


RELEASE = End(move="release", status=Status.QUEUED, body={})
RETURN = End(move="return", status=Status.BOT, body={})
RESOLVE = End(move="resolve", status=Status.RESOLVED, body={"code": "answered", "seen": LARGEST_SEQ})


def transfer(to: Agent) -> End:
    return End(move="transfer", status=Status.CLAIMED, body={"to": to.id})


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskLife:
    """One conversation from the question to the end."""

    machine: Machine
    customer: Customer
    agent: Agent
    end: End
    message_id: str

    async def live(self, service: Service, address: str, *, again: bool = False) -> bool:
        """Go through all of it, or as far as the process lives; whether it lived to the end."""
        conversation = self.customer.conversation
        return (
            await self._asked(address)
            and await self._settled(service, summed_up=not again)
            and await self.agent.move(address, conversation, "claim")
            and await self.agent.reply(address, conversation, REPLY, message_id=self.message_id)
            and await self.agent.stay(address)
            and await self.agent.move(address, conversation, self.end.move, **self.end.body)
            and await self._settled(service, summed_up=not again)
        )

    async def is_claimed(self, service: Service, address: str) -> bool:
        """Go as far as the claim; whether that was acknowledged."""
        return (
            await self._asked(address)
            and await self._settled(service, summed_up=True)
            and await self.agent.move(address, self.customer.conversation, "claim")
        )

    async def is_taken_by(self, colleague: Agent, address: str) -> bool:
        """Let another agent claim it; whether that was acknowledged."""
        return await colleague.claim(address, self.customer.conversation)

    async def assert_taken_by(self, colleague: Agent, address: str) -> None:
        """Check that the first claim ended once, and the second is the one that counts."""
        await self.customer.is_told(address)
        await assert_sound(self.machine.kept, self.customer)
        async with self.machine.kept.stored() as store:
            state = await store.conversation(self.customer.conversation)
            audit = await store.audit(self.customer.conversation)
        assert (state.status, state.agent) == (Status.CLAIMED, colleague.id)
        assert [row.what for row in audit] == ["opened", "handoff", "claimed", "lease_expired", "claimed"]

    async def assert_ended(self, address: str) -> None:
        """Check that everything is there once, in its order, and that the end is the one that was wanted."""
        await self.customer.is_told(address)
        turns = await assert_sound(self.machine.kept, self.customer)
        assert len(turns) == 1
        said = await agents_said(self.machine.kept, self.customer.conversation)
        assert said == [(self.agent.acknowledged[self.message_id], REPLY)]
        async with self.machine.kept.stored() as store:
            assert (await store.conversation(self.customer.conversation)).status is self.end.status

    async def _asked(self, address: str) -> bool:
        try:
            asked = await self.customer.say(address, FOR_A_PERSON, message_id=self.message_id)
            await self.customer.is_told(address)
        except aiohttp.ClientError:
            return False
        return asked

    async def _settled(self, service: Service, *, summed_up: bool) -> bool:
        """Wait until the handoff is told; False when the process died before.

        A summary that is written beside it must not be taken for what the agent does. Of a handoff whose process died it comes later.
        """
        conversation = self.customer.conversation if summed_up else None

        def settled() -> bool:
            return service.has_ended or self.machine.kept.is_quiet(conversation)

        await wait_until(settled, deadline_s=SETTLED_WITHIN_S, every_s=0.02)
        return not service.has_ended
