"""Erasure: who is found, what is gone, what nobody can bring back, and what time alone takes away."""

import asyncio
from dataclasses import replace

import pytest

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.erasure import MemoryErasure
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.mongo.erasure import MongoErasure
from bot.adapters.sqlite.erasure import SqliteErasure
from bot.core.audit import Change
from bot.core.conversation import ConversationId
from bot.core.customers import Customer, Subject
from bot.core.erasure import FoundBy, names_address
from bot.core.knowledge import IndexState
from bot.core.outcome import ReasonCode
from bot.core.truth import is_truthful
from bot.core.turn import IndexSeen, RetrievalQuery, Stage, StageRecord, StageStatus
from bot.errors import ConversationUnknown
from bot.privacy_ports import Erasure
from tests.builders import CONVERSATION, NOON_MS, a_conversation, a_handoff, a_ranked_passage
from tests.contract.scene import Scene

OTHER = ConversationId("c2")
LATER_MS = NOON_MS + 1_000_000


@pytest.fixture
def erasure(store, customers, request) -> Erasure:
    if isinstance(store, MemoryConversationStore):
        return MemoryErasure(store, customers)
    if isinstance(store, MongoConversationStore):
        return MongoErasure(store.database)
    return SqliteErasure(request.getfixturevalue("database"))


async def erase(erasure: Erasure, *conversations: ConversationId, at_ms: int = LATER_MS):
    return await erasure.erase(conversations, who="operator", at_ms=at_ms)


async def test_an_erased_conversation_is_unknown_to_every_method(store, scene: Scene, erasure):
    await scene.customer_writes()
    read, start = await scene.state(), await scene.turn_begins()

    assert await erase(erasure, CONVERSATION, CONVERSATION) == (CONVERSATION,)

    late = (
        lambda: scene.customer_writes("hello?"),
        lambda: scene.bot_shows(start, "Open"),
        lambda: scene.bot_settles(start),
        lambda: store.change(read, read, Change(who="anna", what="moved", at_ms=LATER_MS)),
        lambda: store.begin_turn(CONVERSATION, history=5, turns_since_ms=0),
        lambda: store.snapshot(CONVERSATION, after=0),
        lambda: store.audit(CONVERSATION),
        lambda: store.open_conversation(a_conversation()),
    )  # fmt: skip
    for write in late:
        with pytest.raises(ConversationUnknown):
            await write()


async def test_its_announcements_are_told_to_nobody(store, scene: Scene, erasure):
    await scene.bot_hands_over(a_handoff())
    assert await store.outbox(limit=5) != ()

    await erase(erasure, CONVERSATION)

    assert await store.outbox(limit=5) == ()
    assert await store.unanswered(received_before_ms=LATER_MS) == ()


async def test_erasing_twice_or_what_never_was_changes_nothing(scene: Scene, erasure):
    await erase(erasure, CONVERSATION)

    assert await erase(erasure, CONVERSATION, OTHER) == ()
    assert [one.conversation for one in await erasure.erased(after=0)] == [CONVERSATION]


async def test_erasures_are_numbered_in_order(store, scene: Scene, erasure):
    await Scene.open(store, OTHER)
    await erase(erasure, CONVERSATION)
    await erase(erasure, OTHER, at_ms=LATER_MS + 1)

    first, second = await erasure.erased(after=0)

    assert (first.conversation, second.conversation, second.at_ms) == (CONVERSATION, OTHER, LATER_MS + 1)
    assert await erasure.erased(after=first.number) == (second,)
    assert await erasure.erasure_of(OTHER) == second
    assert await erasure.erasure_of(ConversationId("never")) is None


async def test_a_person_is_found_by_subject_by_address_and_by_what_they_wrote(store, erasure, customers):
    for number, customer in enumerate(
        (
            Customer(subject=Subject("u-1"), email="Ana@shop.example"),
            Customer(subject=Subject("u-2"), email="bo@shop.example"),
        )
    ):
        await store.open_conversation(
            a_conversation(id=ConversationId(f"v{number}"), created_ms=NOON_MS + number)
        )
        await customers.save_profile(ConversationId(f"v{number}"), customer)
    written = await Scene.open(store, ConversationId("w"))
    await written.customer_writes("Write to ana@shop.example.")
    unlike = await Scene.open(store, ConversationId("x"))
    await unlike.customer_writes("Write to diana@shop.example, or to ana@shop.example.org")

    by_address = await erasure.traces_of("ana@SHOP.example")
    by_subject = await erasure.traces_of("u-1")

    assert [(t.conversation, t.by, t.messages) for t in by_address] == [
        ("v0", FoundBy.EMAIL, 0),
        ("w", FoundBy.WRITTEN, 1),
    ]
    assert [(t.conversation, t.by) for t in by_subject] == [("v0", FoundBy.SUBJECT)]
    assert await erasure.traces_of("nobody") == ()


async def test_everything_is_handed_out_until_it_is_erased(scene: Scene, erasure):
    await scene.customer_writes("my words")

    found = await erasure.everything(CONVERSATION)

    assert [message["text"] for message in found["messages"]] == ["my words"]
    await erase(erasure, CONVERSATION)
    with pytest.raises(ConversationUnknown):
        await erasure.everything(CONVERSATION)


async def test_idle_is_where_nothing_has_happened_and_nobody_waits(store, erasure):
    for name, created_ms in (
        ("old", NOON_MS),
        ("older", NOON_MS - 5),
        ("wrote", NOON_MS),
        ("waits", NOON_MS),
        ("new", LATER_MS),
    ):
        await store.open_conversation(a_conversation(id=ConversationId(name), created_ms=created_ms))
    await Scene(store, ConversationId("wrote")).customer_writes(at_ms=LATER_MS)
    await Scene(store, ConversationId("waits")).bot_hands_over(a_handoff(), turn="t9")

    assert await erasure.idle(since_ms=LATER_MS, limit=5) == ("older", "old")
    assert await erasure.idle(since_ms=LATER_MS, limit=1) == ("older",)
    assert await erasure.idle(since_ms=NOON_MS, limit=5) == ("older",)


async def test_who_was_resolved_lately_is_not_idle(scene: Scene, erasure):
    await scene.bot_hands_over(a_handoff())
    await scene.agent_claims()
    await scene.agent_resolves()
    owned_ms = (await scene.state()).owned_since_ms

    assert await erasure.idle(since_ms=owned_ms, limit=5) == ()
    assert await erasure.idle(since_ms=LATER_MS, limit=5) == (CONVERSATION,)


async def test_old_evidence_is_reduced_once_and_stays_truthful(store, scene: Scene, erasure):
    worked = [StageRecord(name=stage, status=StageStatus.OK, ms=1) for stage in (Stage.EMBED, Stage.SEARCH)]
    gate = StageRecord(name=Stage.EVIDENCE_GATE, status=StageStatus.STOPPED, ms=1)
    await scene.bot_hands_over(
        a_handoff(ReasonCode.NO_EVIDENCE),
        stages=(*worked, gate),
        query=RetrievalQuery(text="my words", bare="my words", own="my words", used=(1,)),
        ranked=(a_ranked_passage(0.3),),
        index=IndexSeen(state=IndexState.READY, calibrated=True),
        best_cosine=0.3,
        threshold=0.5,
    )
    (before,) = await store.turns(CONVERSATION)

    assert await erasure.reduce_evidence(settled_before_ms=before.settled_ms, limit=5) == 0
    assert await erasure.reduce_evidence(settled_before_ms=before.settled_ms + 1, limit=5) == 1
    assert await erasure.reduce_evidence(settled_before_ms=LATER_MS, limit=5) == 0

    (after,) = await store.turns(CONVERSATION)
    assert (after.query, [r.found.passage.text for r in after.ranked]) == (None, [""])
    assert replace(after, query=before.query, ranked=before.ranked) == before
    assert is_truthful(before)
    assert is_truthful(after)


async def test_a_message_and_an_erasure_that_come_at_once_leave_nothing(store, scene: Scene, erasure):
    writes = [scene.customer_writes(f"now {number}") for number in range(5)]

    await asyncio.gather(erase(erasure, CONVERSATION), *writes, return_exceptions=True)

    with pytest.raises(ConversationUnknown):
        await store.snapshot(CONVERSATION, after=0)


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("ana@x.example", True),
        ("(ANA@X.EXAMPLE)", True),
        ("mail ana@x.example.", True),
        ("diana@x.example", False),
        ("j.ana@x.example", False),
        ("ana@x.example.org", False),
        ("ana@x.examples", False),
    ],
)
def test_an_address_is_named_whole(text, is_named):
    assert names_address(text, "ana@x.example") is is_named
