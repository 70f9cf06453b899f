"""The customer store on MongoDB: who a customer is stands in the conversation's own document, and is written with its version.

A verified subject's document names the conversation that was last given to it and is replaced under a version too, so that of many
that are given at once all go on with the same.
"""

from collections.abc import Iterable
from typing import Any

from bot.adapters.mongo.database import Document, MongoDatabase
from bot.adapters.mongo.documents import to_conversation
from bot.adapters.mongo.keeping import CONVERSATIONS, Keeping, Kept
from bot.core.conversation import Conversation, ConversationId
from bot.core.customers import Customer, Page, Profile, Subject, first_profile, latest_open
from bot.errors import StoreUnavailable

_ATTEMPTS = 60
_LATEST = [("created_ms", -1), ("_id", -1)]


class MongoCustomerStore:
    """Who customers are and where they write."""

    def __init__(self, database: MongoDatabase) -> None:
        self._database = database
        self._keeping = Keeping(database=database)

    async def profile(self, conversation: ConversationId) -> Profile:
        return (await self._keeping.read(conversation)).profile or Profile()

    async def save_profile(
        self,
        conversation: ConversationId,
        customer: Customer,
        page: Page | None = None,
        *,
        identity_ms: int = 0,
    ) -> None:
        def decide(kept: Kept) -> Profile:
            if kept.profile is not None:
                return kept.profile.renewed(customer, page, identity_ms=identity_ms)
            last_seq = kept.record.state.last_seq
            return first_profile(customer, page, identity_ms=identity_ms, last_seq=last_seq)

        await self._keeping.write_profile(conversation, decide)

    async def settle(
        self,
        conversation: ConversationId,
        customer: Customer,
        page: Page | None = None,
        *,
        identity_ms: int = 0,
    ) -> ConversationId:
        chosen = conversation
        if customer.subject is not None:
            chosen = await self._given(conversation, customer.subject)
        await self.save_profile(chosen, customer, page, identity_ms=identity_ms)
        return chosen

    async def conversations_of(self, subject: Subject) -> tuple[Conversation, ...]:
        found = await self._database.find(CONVERSATIONS, {"profile.subject": subject}, order=_LATEST)
        return tuple(map(to_conversation, found))

    async def sign_out(self, conversation: ConversationId, *, at_ms: int) -> tuple[ConversationId, ...]:
        subject = (await self.profile(conversation)).customer.subject
        if subject is None:
            await self._keeping.write_profile(conversation, _signed_out)
            return (conversation,)
        theirs = tuple(state.id for state in await self.conversations_of(subject))
        voided = [await self._keeping.write_profile(one, _signed_out) for one in theirs]
        latest_ms = max(at_ms, *(profile.identity_ms for profile in voided))
        await self._database.update(
            "sign_outs", {"_id": subject}, {"$max": {"at_ms": latest_ms}}, upsert=True
        )
        return theirs

    async def signed_out_ms(self, subject: Subject) -> int:
        found: Any = await self._database.find_one("sign_outs", {"_id": subject})
        return 0 if found is None else int(found["at_ms"])

    async def _given(self, conversation: ConversationId, subject: Subject) -> ConversationId:
        """Return the subject's open conversation, or *conversation*, which is then everybody's answer."""
        for _ in range(_ATTEMPTS):
            given: Any = await self._database.find_one("subjects", {"_id": subject})
            theirs = {state.id for state in await self.conversations_of(subject)}
            if given is not None:
                theirs.add(ConversationId(given["conversation"]))
            chosen = latest_open(await self._latest_first(theirs)) or conversation
            if given is not None and given["conversation"] == chosen:
                return chosen
            version = 1 if given is None else int(given["version"]) + 1
            document: Document = {"_id": subject, "conversation": chosen, "version": version}
            if await self._database.put("subjects", document, version=version):
                return chosen
        raise StoreUnavailable(f"a customer's conversations were given by others {_ATTEMPTS} times in a row")

    async def _latest_first(self, ids: Iterable[ConversationId]) -> tuple[Conversation, ...]:
        found = await self._database.find(CONVERSATIONS, {"_id": {"$in": sorted(ids)}}, order=_LATEST)
        return tuple(map(to_conversation, found))


def _signed_out(kept: Kept) -> Profile:
    return (kept.profile or Profile()).signed_out()
