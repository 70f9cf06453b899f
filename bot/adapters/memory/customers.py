"""The customer store in dictionaries, over the in-memory conversations. No method waits for anything but those, so each is atomic."""

from collections.abc import Iterable

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.core.conversation import Conversation, ConversationId
from bot.core.customers import Customer, Page, Profile, Subject, first_profile, latest_open


class MemoryCustomerStore:
    """Who customers are, as long as the process lives."""

    def __init__(self, conversations: MemoryConversationStore) -> None:
        self._conversations = conversations
        self._profiles: dict[ConversationId, Profile] = {}
        self._sign_outs: dict[Subject, int] = {}

    async def profile(self, conversation: ConversationId) -> Profile:
        await self._conversations.conversation(conversation)
        return self._profiles.get(conversation, Profile())

    async def save_profile(
        self,
        conversation: ConversationId,
        customer: Customer,
        page: Page | None = None,
        *,
        identity_ms: int = 0,
    ) -> None:
        last_seq = (await self._conversations.conversation(conversation)).last_seq
        before = self._profiles.get(conversation)
        self._profiles[conversation] = (
            first_profile(customer, page, identity_ms=identity_ms, last_seq=last_seq)
            if before is None
            else before.renewed(customer, page, identity_ms=identity_ms)
        )

    async def settle(
        self,
        conversation: ConversationId,
        customer: Customer,
        page: Page | None = None,
        *,
        identity_ms: int = 0,
    ) -> ConversationId:
        theirs = () if customer.subject is None else await self.conversations_of(customer.subject)
        chosen = latest_open(theirs) or conversation
        await self.save_profile(chosen, customer, page, identity_ms=identity_ms)
        return chosen

    async def conversations_of(self, subject: Subject) -> tuple[Conversation, ...]:
        theirs = [
            state
            for state in self._conversations.states()
            if self._profiles.get(state.id, Profile()).customer.subject == subject
        ]
        return tuple(sorted(theirs, key=lambda state: state.created_ms)[::-1])

    async def sign_out(self, conversation: ConversationId, *, at_ms: int) -> tuple[ConversationId, ...]:
        subject = (await self.profile(conversation)).customer.subject
        if subject is None:
            self._void((conversation,))
            return (conversation,)
        theirs = tuple(state.id for state in await self.conversations_of(subject))
        signed = (profile.identity_ms for profile in self._void(theirs))
        self._sign_outs[subject] = max(self._sign_outs.get(subject, 0), at_ms, *signed)
        return theirs

    async def signed_out_ms(self, subject: Subject) -> int:
        return self._sign_outs.get(subject, 0)

    def _void(self, conversations: Iterable[ConversationId]) -> list[Profile]:
        voided = {one: self._profiles.get(one, Profile()).signed_out() for one in conversations}
        self._profiles.update(voided)
        return list(voided.values())
