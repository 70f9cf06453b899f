"""The erasure port over the in-memory stores. What other twins keep beside a conversation cannot be reached once it is gone."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.customers import MemoryCustomerStore
from bot.adapters.memory.slack import MemorySlackStore
from bot.core.conversation import Conversation, ConversationId, Role, Status
from bot.core.erasure import Erased, FoundBy, Trace, names_address


class MemoryErasure:
    """Finds and removes what the process holds of people."""

    def __init__(
        self,
        conversations: MemoryConversationStore,
        customers: MemoryCustomerStore,
        slack: MemorySlackStore | None = None,
    ) -> None:
        self._conversations = conversations
        self._customers = customers
        self._slack = MemorySlackStore(conversations) if slack is None else slack

    async def traces_of(self, person: str) -> tuple[Trace, ...]:
        found = [(state, await self._found_by(state, person)) for state in self._conversations.states()]
        traces = [
            Trace(conversation=state.id, by=by, created_ms=state.created_ms, messages=state.last_seq)
            for state, by in found
            if by is not None
        ]
        return tuple(sorted(traces, key=lambda trace: (-trace.created_ms, trace.conversation)))

    async def everything(self, conversation: ConversationId) -> Mapping[str, object]:
        seen = await self._conversations.snapshot(conversation, after=0)
        return {
            "conversations": [asdict(seen.conversation)],
            "messages": [asdict(message) for message in seen.messages],
            "slack_threads": [asdict(thread) for thread in await self._slack.threads_of(conversation)],
            "slack_posts": [asdict(post) for post in await self._slack.posts_of(conversation)],
        }

    async def erase(
        self, conversations: Sequence[ConversationId], *, who: str, at_ms: int
    ) -> tuple[ConversationId, ...]:
        there = [one for one in dict.fromkeys(conversations) if self._conversations.erase(one, at_ms=at_ms)]
        for one in there:
            self._slack.forget(one)
        return tuple(there)

    async def erase_again(self, *, at_ms: int) -> tuple[ConversationId, ...]:
        return ()  # there are no backups of a process

    async def erased(self, *, after: int) -> tuple[Erased, ...]:
        return tuple(one for one in self._conversations.erased() if one.number > after)

    async def erasure_of(self, conversation: ConversationId) -> Erased | None:
        found = (one for one in self._conversations.erased() if one.conversation == conversation)
        return next(found, None)

    async def idle(self, *, since_ms: int, limit: int) -> tuple[ConversationId, ...]:
        active = {state.id: await self._last_active_ms(state) for state in self._conversations.states()}
        idle = [
            (state.created_ms, state.id)
            for state in self._conversations.states()
            if state.status in (Status.BOT, Status.RESOLVED) and active[state.id] < since_ms
        ]
        return tuple(conversation for _, conversation in sorted(idle))[:limit]

    async def reduce_evidence(self, *, settled_before_ms: int, limit: int) -> int:
        return self._conversations.reduce(settled_before_ms=settled_before_ms, limit=limit)

    async def scrub(self, *, copying: bool) -> None:
        return

    async def _last_active_ms(self, state: Conversation) -> int:
        messages = (await self._conversations.snapshot(state.id, after=0)).messages
        return max(state.created_ms, state.owned_since_ms, *(message.at_ms for message in messages))

    async def _found_by(self, state: Conversation, person: str) -> FoundBy | None:
        customer = (await self._customers.profile(state.id)).customer
        if customer.subject == person:
            return FoundBy.SUBJECT
        if "@" not in person:
            return None
        if (customer.email or "").lower() == person.lower():
            return FoundBy.EMAIL
        if customer.verified:
            return None
        messages = (await self._conversations.snapshot(state.id, after=0)).messages
        written = (m.text for m in messages if m.role is Role.CUSTOMER)
        return FoundBy.WRITTEN if any(names_address(text, person) for text in written) else None
