"""What every reader of recorded traffic promises: each settled turn with its question, marks, replies and citations."""

import math
from dataclasses import replace

import pytest

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.erasure import MemoryErasure
from bot.adapters.memory.traffic import MemoryTraffic
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.mongo.erasure import MongoErasure
from bot.adapters.mongo.traffic import MongoTraffic
from bot.adapters.sqlite.erasure import SqliteErasure
from bot.adapters.sqlite.traffic import SqliteTraffic
from bot.core.conversation import AgentId, ConversationId, Kind, Source, TurnId
from bot.core.customers import Customer, Subject
from bot.core.desk import Mark, MarkKind
from bot.core.knowledge import ArticleId, IndexState
from bot.core.outcome import Ask, Courtesy, CourtesyKind, ReasonCode, Triage
from bot.core.revisions import agents_revision
from bot.core.traffic import MARKED_TEXTS, MOST_REPLIES, AgentReply, GapMark, QuestionTurn
from bot.core.turn import IndexSeen, RetrievalQuery
from bot.traffic_ports import TrafficReads
from tests.builders import (
    CONVERSATION,
    NOON_MS,
    a_found_passage,
    a_handoff,
    a_passage,
    a_ranked_passage,
    a_revision,
    an_answer,
)
from tests.contract.scene import ANNA, Scene

SINCE, UNTIL = NOON_MS, NOON_MS + 1_000
AT_ONCE = 3  # turns in a slice
SPAN = {"since_ms": SINCE, "until_ms": UNTIL}


@pytest.fixture
def traffic(store, customers, desk, request) -> TrafficReads:
    if isinstance(store, MemoryConversationStore):
        return MemoryTraffic(store, customers, desk)
    if isinstance(store, MongoConversationStore):
        return MongoTraffic(store.database, at_once=AT_ONCE)
    return SqliteTraffic(request.getfixturevalue("database"), at_once=AT_ONCE)


@pytest.fixture
def erasure(store, customers, request):
    if isinstance(store, MemoryConversationStore):
        return MemoryErasure(store, customers)
    if isinstance(store, MongoConversationStore):
        return MongoErasure(store.database)
    return SqliteErasure(request.getfixturevalue("database"))


def a_query(own: str) -> RetrievalQuery:
    return RetrievalQuery(text=f"window of {own}", bare=own, own=own, used=(1,))


def ranked(*articles: str):
    return tuple(
        a_ranked_passage(found=a_found_passage(passage=a_passage(article_id=ArticleId(article))))
        for article in articles
    )


def a_mark(scene, **fields) -> Mark:
    mark = Mark(conversation=scene.id, kind=MarkKind.KNOWLEDGE_GAP, seq=0, agent=ANNA, at_ms=SINCE)
    return replace(mark, **fields)


async def settles(
    scene, outcome, *, at_ms=SINCE, text="Is there a wheelchair ramp?", kind=Kind.TEXT, turn=None, **fields
):
    turn = turn or f"{scene.id}-{at_ms}"
    await scene.customer_writes(text, at_ms=at_ms, kind=kind, channel_message_id=turn)
    start = await scene.turn_begins()
    covers = tuple(message.seq for message in start.unanswered)
    await scene.bot_settles(start, outcome, turn=turn, settled_ms=at_ms, covers=covers, **fields)


async def turns_of(traffic, **span) -> tuple[QuestionTurn, ...]:
    turns: tuple[QuestionTurn, ...] = await traffic.question_turns(**(SPAN | {"limit": 100} | span))
    return turns


async def test_a_turn_comes_with_its_question_and_all_that_the_gate_saw(traffic, scene):
    seen = {"best_cosine": 0.41, "threshold": 0.5}
    await settles(
        scene,
        a_handoff(triage=Triage.NEAR_MISS),
        query=a_query("Is there a ramp?"),
        ranked=ranked("KB7", "KB7", "KB3"),
        index=IndexSeen(state=IndexState.READY, fingerprint="model-1", generation="g1"),
        **seen,
    )

    expected = QuestionTurn(
        conversation=CONVERSATION, turn=TurnId(f"{CONVERSATION}-{SINCE}"), asker=CONVERSATION, settled_ms=SINCE,
        locale="en", texts=("Is there a wheelchair ramp?",), outcome="handoff", own="Is there a ramp?",
        reason=ReasonCode.NO_EVIDENCE, triage=Triage.NEAR_MISS, fingerprint="model-1", articles=("KB7", "KB3"), **seen,
    )  # fmt: skip
    assert await turns_of(traffic) == (expected,)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        pytest.param(an_answer(), ("answer", None, False, ("KB000003",)), id="an answer"),
        pytest.param(Ask(text="", offer=True), ("ask", None, True, ()), id="an offer to rephrase"),
        pytest.param(
            Ask(text="Which?", sources=(Source(id="KB1", title="T", url=""),)),
            ("ask", None, False, ("KB1",)),
            id="a question",
        ),
        pytest.param(
            Courtesy(kind=CourtesyKind.THANKS), ("courtesy", None, False, ()), id="a fixed sentence"
        ),
        pytest.param(
            a_handoff(ReasonCode.CUSTOMER_ASKED), ("handoff", "customer_asked", False, ()), id="a handoff"
        ),
    ],
)
async def test_every_way_to_end_is_read(traffic, scene, outcome, expected):
    await settles(scene, outcome)

    (turn,) = await turns_of(traffic)

    assert (turn.outcome, turn.reason, turn.offer, turn.cited) == expected


async def test_a_record_with_a_number_that_is_none_is_read_all_the_same(traffic, scene):
    await settles(scene, an_answer(), threshold=math.nan, best_cosine=0.7, query=a_query("a ramp?"))

    (turn,) = await turns_of(traffic)

    assert (turn.own, turn.best_cosine, turn.cited) == ("a ramp?", 0.7, ("KB000003",))
    assert await traffic.citations(since_ms=SINCE) == {"KB000003": 1}


async def test_what_was_typed_and_what_was_said_of_an_answer_come_apart(traffic, scene):
    await settles(scene, an_answer(), at_ms=SINCE)
    await settles(scene, a_handoff(), at_ms=SINCE + 1, text="no", kind=Kind.FEEDBACK)

    first, second = await turns_of(traffic)

    assert (first.texts, first.verdict) == (("Is there a wheelchair ramp?",), None)
    assert (second.texts, second.verdict) == ((), False)


async def test_a_question_outlives_the_evidence_of_its_turn(traffic, scene, erasure):
    await settles(scene, a_handoff(), query=a_query("a ramp?"), ranked=ranked("KB7"), best_cosine=0.4)
    await erasure.reduce_evidence(settled_before_ms=UNTIL, limit=10)

    (turn,) = await turns_of(traffic)

    assert (turn.own, turn.question) == (None, "Is there a wheelchair ramp?")
    assert (turn.searched, turn.articles) == (True, ("KB7",))


async def test_turns_of_a_span_come_oldest_first_and_of_too_many_the_newest(traffic, store):
    for name, at_ms in (("a", SINCE - 1), ("b", UNTIL - 1), ("c", SINCE), ("d", UNTIL), ("e", SINCE + 5)):
        await settles(await Scene.open(store, ConversationId(name)), a_handoff(), at_ms=at_ms)

    assert [turn.conversation for turn in await turns_of(traffic)] == ["c", "e", "b"]
    assert [turn.conversation for turn in await turns_of(traffic, limit=2)] == ["e", "b"]
    assert await turns_of(traffic, limit=0) == ()


@pytest.mark.parametrize("count", [AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, 2 * AT_ONCE])
async def test_nothing_is_lost_or_doubled_where_slices_meet(traffic, store, count):
    names = [ConversationId(f"c{place}") for place in range(count)]
    for place, name in enumerate(names):
        await settles(await Scene.open(store, name), an_answer(), at_ms=SINCE + place // 2, turn=f"t{place}")

    turns = await turns_of(traffic)

    assert [turn.turn for turn in turns] == [f"t{place}" for place in range(count)]
    assert [turn.texts for turn in turns] == [("Is there a wheelchair ramp?",)] * count
    assert await traffic.citations(since_ms=SINCE) == {"KB000003": count}


async def test_a_customer_whom_the_site_vouches_for_is_the_same_in_every_conversation(
    traffic, store, customers
):
    for name in ("a", "b"):
        scene = await Scene.open(store, ConversationId(name))
        await customers.save_profile(scene.id, Customer(subject=Subject("ada")))
        await settles(scene, a_handoff())

    assert [turn.asker for turn in await turns_of(traffic)] == ["ada", "ada"]


async def test_a_mark_comes_with_what_the_customer_had_typed_last(traffic, scene, desk):
    for place in range(MARKED_TEXTS + 2):
        await scene.customer_writes(f"text {place}", at_ms=SINCE + place)
    await scene.customer_writes("no", at_ms=SINCE + 20, kind=Kind.FEEDBACK, channel_message_id="f")
    await scene.customer_writes("afterwards", at_ms=SINCE + 40)
    await desk.add_mark(a_mark(scene, at_ms=SINCE + 30, remark="ramps"))

    expected = GapMark(
        conversation=scene.id, asker=scene.id, locale="en", agent=ANNA, at_ms=SINCE + 30,
        asked_ms=SINCE + MARKED_TEXTS + 1, remark="ramps", texts=("text 2", "text 3", "text 4", "text 5"),
    )  # fmt: skip
    assert await traffic.gap_marks(**SPAN) == (expected,)


async def test_only_marks_of_a_gap_and_of_the_span_are_read(traffic, scene, desk):
    await desk.add_mark(a_mark(scene, at_ms=SINCE + 30))
    await desk.add_mark(a_mark(scene, kind=MarkKind.WRONG_ANSWER))

    assert len(await traffic.gap_marks(**SPAN)) == 1
    assert await traffic.gap_marks(since_ms=SINCE + 31, until_ms=UNTIL) == ()
    assert await traffic.gap_marks(since_ms=SINCE, until_ms=SINCE + 30) == ()


async def test_a_marked_conversation_in_which_nothing_was_typed_has_no_texts(traffic, scene, desk):
    await desk.add_mark(a_mark(scene))

    (mark,) = await traffic.gap_marks(**SPAN)

    assert (mark.texts, mark.asked_ms) == ((), SINCE)


async def test_what_agents_wrote_to_customers_comes_by_conversation(traffic, store):
    scene, silent = await Scene.open(store), await Scene.open(store, ConversationId("silent"))
    await settles(scene, a_handoff())
    await settles(silent, a_handoff())
    await scene.agent_claims()
    await scene.agent_replies("There is one at the back.", id="r1", at_ms=SINCE + 10)
    await scene.agent_replies("Ring the bell.", id="r2", at_ms=SINCE + 20)

    replies = await traffic.agents_replies([scene.id, silent.id, ConversationId("unknown")])

    assert {c: [(r.text, r.agent, r.at_ms) for r in said] for c, said in replies.items()} == {
        scene.id: [("There is one at the back.", ANNA, SINCE + 10), ("Ring the bell.", ANNA, SINCE + 20)]
    }
    assert isinstance(replies[scene.id][0], AgentReply)


async def test_what_was_edited_reads_as_it_does_now_and_what_was_deleted_is_gone(traffic, scene, desk, store):
    for name, at_ms in (("a", SINCE), ("b", SINCE + 1), ("c", SINCE + 2)):
        await scene.customer_writes(name, channel_message_id=name, at_ms=at_ms)
    await desk.add_mark(a_mark(scene, at_ms=SINCE + 10))
    await store.receive(a_revision("a", "a as it is now"), at_ms=SINCE + 20)
    await store.receive(a_revision("b", None), at_ms=SINCE + 21)

    (mark,) = await traffic.gap_marks(**SPAN)

    assert (mark.texts, mark.asked_ms) == (("a as it is now", "c"), SINCE + 2)


async def test_a_question_that_was_edited_is_asked_once_as_it_reads_now(traffic, scene, store):
    await settles(scene, an_answer(), text="Is there a rmap?", turn="m1")
    await store.receive(a_revision("m1", "Is there a ramp?"), at_ms=SINCE + 5)
    start = await scene.turn_begins()
    covers = tuple(message.seq for message in start.unanswered)
    await scene.bot_settles(start, a_handoff(), turn="t2", settled_ms=SINCE + 5, covers=covers)

    assert [turn.texts for turn in await turns_of(traffic)] == [(), ("Is there a ramp?",)]


async def test_what_agents_edited_stands_in_its_place(traffic, scene):
    await settles(scene, a_handoff())
    await scene.agent_claims()
    sent = [(await scene.agent_replies(text, id=text)).messages[-1] for text in ("Troot?", "Oops", "Bye")]
    for edit in (
        agents_revision(sent[0], "Trout?", revision="1"),
        agents_revision(sent[1], None, revision="1"),
    ):
        read = await scene.state()
        await scene.changes(read, read, edit, what="edited")

    said = (await traffic.agents_replies([scene.id]))[scene.id]

    assert [(r.text, r.seq) for r in said] == [("Trout?", sent[0].seq), ("Bye", sent[2].seq)]


async def test_of_an_endless_conversation_the_first_replies_come(traffic, scene):
    await settles(scene, a_handoff())
    await scene.agent_claims()
    for place in range(MOST_REPLIES + 1):
        await scene.agent_replies(f"reply {place}", id=f"r{place}", agent=AgentId("anna"))

    replies = await traffic.agents_replies([scene.id])

    assert [reply.text for reply in replies[scene.id]] == [f"reply {place}" for place in range(MOST_REPLIES)]


async def test_citations_are_counted_once_for_each_answer_since_then(traffic, store):
    twice = an_answer(sources=(*an_answer().sources, *an_answer().sources))
    for name, at_ms in (("a", SINCE - 1), ("b", SINCE), ("c", UNTIL + 9)):
        await settles(await Scene.open(store, ConversationId(name)), twice, at_ms=at_ms)
    await settles(await Scene.open(store, ConversationId("d")), a_handoff())

    assert await traffic.citations(since_ms=SINCE) == {"KB000003": 2}


async def test_what_was_erased_is_gone_from_every_read(traffic, scene, desk, erasure):
    await settles(scene, an_answer())
    await settles(scene, a_handoff(), at_ms=SINCE + 1)
    await scene.agent_claims()
    await scene.agent_replies()
    await desk.add_mark(a_mark(scene))
    await erasure.erase([scene.id], who="operator", at_ms=UNTIL)

    assert await turns_of(traffic) == ()
    assert await traffic.gap_marks(**SPAN) == ()
    assert await traffic.agents_replies([scene.id]) == {}
    assert await traffic.citations(since_ms=0) == {}
