"""A stream that ends badly, over the real store: what was shown stays and is marked, and a person is told of in one sentence."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.conversation import Message, Role, Status
from bot.core.outcome import ReasonCode
from bot.core.prompt import Abstained, Asked, Block, Finished, Stop
from bot.core.truth import is_truthful
from bot.errors import ModelUnavailable
from tests.builders import a_conversation, a_customer_message
from tests.core.test_promises import PROMISES
from tests.service.faults import finding_each, quoted
from tests.service.rig import QUESTION, REPLIES, a_rig, reason_of
from tests.sqlite_file import new_file

FIRST = quoted("Open My Lessons and choose Reschedule.")
COMPLETE = Finished(stop=Stop.COMPLETE)
ENDS = {
    "breaks off": ((ModelUnavailable("reset"),), ReasonCode.MODEL_UNAVAILABLE),
    "is cut off": ((Finished(stop=Stop.CUT_OFF),), ReasonCode.MODEL_UNAVAILABLE),
    "is refused": ((Finished(stop=Stop.REFUSED),), ReasonCode.MODEL_UNAVAILABLE),
    "has no end": ((), ReasonCode.MODEL_UNAVAILABLE),
    "invents": ((quoted("It costs 99 EUR."), COMPLETE), ReasonCode.UNGROUNDED_DRAFT),
    "drops a limit": ((quoted("It is free."), COMPLETE), ReasonCode.UNGROUNDED_DRAFT),
    "states without a source": ((Block(text="Trust me."), COMPLETE), ReasonCode.UNGROUNDED_DRAFT),
    "gives up": ((Abstained(why="no more"),), ReasonCode.MODEL_ABSTAINED),
    "promises a person": ((Block(text="An agent is on the way."), COMPLETE), ReasonCode.MODEL_ABSTAINED),
    "asks with an invention": ((Asked(text="Is it $9?"),), ReasonCode.UNGROUNDED_DRAFT),
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteConversationStore]:
    database = SqliteDatabase.open(new_file(tmp_path / "candor.db"))
    yield SqliteConversationStore(database)
    database.close()


async def told(store, script, *, locale="en") -> tuple[Message, ...]:
    """Run one streamed turn over *store*; return what the bot said, after checking the record."""
    rig = await a_rig()
    finding_each(cosine=0.9)(rig)
    rig.answerer.script = script
    turns = replace(rig.turns, store=store)
    opened = await store.open_conversation(a_conversation(locale=locale))
    await store.receive(a_customer_message(QUESTION, conversation=opened.id), at_ms=rig.clock.now_ms())
    turn = await turns.run(opened.id)
    assert turn is not None
    assert is_truthful(turn)
    assert (await store.turns(opened.id)) == (turn,)
    snapshot = await store.snapshot(opened.id, after=0)
    assert snapshot.draft == ()
    assert (snapshot.conversation.status is Status.QUEUED) is (reason_of(turn) is not None)
    assert [row.reason for row in await store.handoffs(opened.id)] == [r for r in [reason_of(turn)] if r]
    return tuple(message for message in snapshot.messages if message.role is Role.BOT)


@pytest.mark.parametrize(("end", "reason"), ENDS.values(), ids=ENDS)
async def test_what_was_shown_stays_marked_and_one_sentence_follows(store, end, reason):
    before, handoff = await told(store, (FIRST, *end))

    assert (before.text, before.interrupted, before.reason) == (FIRST.text, True, None)
    assert (handoff.text, handoff.reason) == (REPLIES.handoff(reason, "en"), reason)
    assert before.seq < handoff.seq


@pytest.mark.parametrize(("end", "reason"), ENDS.values(), ids=ENDS)
async def test_nothing_but_that_sentence_is_told_when_nothing_was_shown(store, end, reason):
    (handoff,) = await told(store, end)

    assert (handoff.text, handoff.interrupted) == (REPLIES.handoff(reason, "en"), False)


async def test_a_whole_stream_is_kept_as_one_answer(store):
    (answer,) = await told(store, (FIRST, quoted("It is free until 24 hours before."), COMPLETE))

    assert answer.text == f"{FIRST.text}\n\nIt is free until 24 hours before."
    assert not answer.interrupted


@pytest.mark.parametrize(
    ("locale", "promise"), [(lang, text) for lang, texts in PROMISES.items() for text in texts[:3]]
)
async def test_a_promise_of_a_person_becomes_a_handoff_in_the_customers_language(store, locale, promise):
    (handoff,) = await told(store, (quoted(promise), COMPLETE), locale=locale)

    assert handoff.text == REPLIES.handoff(ReasonCode.MODEL_ABSTAINED, locale)
