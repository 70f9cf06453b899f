"""The customer store in dictionaries, over the in-memory conversations. No method waits for anything but those, so each is atomic."""

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

    async def sign_out(self, conversation: ConversationId, *, at_ms: int) -> None:
        subject = (await self.profile(conversation)).customer.subject
        theirs = [] if subject is None else [state.id for state in await self.conversations_of(subject)]
        voided = [self._profiles.get(one, Profile()) for one in theirs or [conversation]]
        for one, before in zip(theirs or [conversation], voided, strict=True):
            self._profiles[one] = before.signed_out()
        if subject is not None:
            signed = (before.identity_ms for before in voided)
            self._sign_outs[subject] = max(self._sign_outs.get(subject, 0), at_ms, *signed)

    async def signed_out_ms(self, subject: Subject) -> int:
        return self._sign_outs.get(subject, 0)
