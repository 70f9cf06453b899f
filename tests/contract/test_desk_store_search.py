"""The search over past conversations: by words, over what customers could see, and whatever is typed into it."""

import pytest

from bot.core.conversation import ConversationId
from bot.core.notes import Note
from tests.builders import CONVERSATION, NOON_MS, a_bot_message, a_handoff, a_revision
from tests.contract.scene import Scene

HARMLESS = [
    "",
    " \n\t",
    "…!? -- *** ''",
    '"',
    '""',
    '"""*',
    "foo OR bar*",
    "NOT",
    "NEAR(card lost, 2)",
    "text:card {text} : card",
    "^card + lost",
    "(((((",
    "card\x00lost\x00",
    "\ud800",
    "\U0001f600",
    "card " + "z" * 4_000,
    "ab " * 1_333,
    " ".join(f"q{n}" for n in range(900)),
    '"' * 4_000,
]


async def a_conversation_with(store, *texts, name="c1", at_ms=NOON_MS):
    scene = await Scene.open(store, ConversationId(name))
    for n, text in enumerate(texts):
        await scene.customer_writes(text, channel_message_id=f"m{n}", at_ms=at_ms + n)
    return scene


async def found(desk, text, *, limit=9):
    return [(one.conversation.id, one.seq) for one in await desk.search(text, limit=limit)]


async def test_a_search_finds_the_newest_message_of_each_conversation_newest_first(desk, store):
    await a_conversation_with(store, "cards", name="c", at_ms=NOON_MS)
    await a_conversation_with(store, "my card", "the card again", "thanks", name="a", at_ms=NOON_MS + 100)
    await a_conversation_with(store, "a card", name="b", at_ms=NOON_MS + 900)
    await a_conversation_with(store, "discard", name="d", at_ms=NOON_MS + 950)

    assert await found(desk, "card") == [("b", 1), ("a", 2), ("c", 1)]
    assert await found(desk, "card", limit=2) == [("b", 1), ("a", 2)]


async def test_what_is_found_comes_with_its_conversation_and_time(desk, store):
    scene = await a_conversation_with(store, "my card is lost")

    (one,) = await desk.search("lost", limit=9)

    assert one.conversation == await scene.state()
    assert (one.seq, one.at_ms, one.excerpt) == (1, NOON_MS, "my card is lost")


@pytest.mark.parametrize(
    "text",
    [
        "CARD",
        "card lost",
        "lost card",
        "los",
        "cafe",
        "CAFÉ",
        "uber",
        "r-h11",
        "bob@mail.org",
        "^card\x00 + lost!",
    ],
)
async def test_each_word_has_to_begin_a_word_of_the_message_whatever_its_case_and_accents(desk, store, text):
    await a_conversation_with(store, "The card from Café Über (R-H11) is lost, write to bob@mail.org")

    assert await found(desk, text) == [(CONVERSATION, 1)]


@pytest.mark.parametrize("text", ["card stolen", "ost", "h11-r", "mail@bob", "c a r d z"])
async def test_a_word_that_begins_none_of_the_message_finds_nothing(desk, store, text):
    await a_conversation_with(store, "The card from Café Über (R-H11) is lost, write to bob@mail.org")

    assert await found(desk, text) == []


async def test_words_have_to_stand_in_one_message(desk, store):
    await a_conversation_with(store, "my card", "it is lost")

    assert await found(desk, "card lost") == []


async def test_what_the_bot_and_agents_said_is_found_too(desk, store):
    scene = await a_conversation_with(store, "help")
    await scene.bot_settles(
        await scene.turn_begins(), a_handoff(), messages=[a_bot_message("Somebody comes")]
    )
    await scene.agent_claims()
    await scene.agent_replies("Have you tried turning it off?")

    assert await found(desk, "somebody") == [(CONVERSATION, 2)]
    assert await found(desk, "tried") == [(CONVERSATION, 3)]


async def test_what_was_shown_of_an_interrupted_answer_is_found(desk, store):
    scene = await a_conversation_with(store, "help")
    await scene.bot_shows(await scene.turn_begins(), "Open My Lessons.")
    await scene.customer_writes("wait", at_ms=NOON_MS + 9)

    assert await found(desk, "lessons") == [(CONVERSATION, 2)]


async def test_internal_notes_are_never_found(desk, store):
    scene = await a_conversation_with(store, "help")
    await store.add_note(scene.id, Note(seq=0, author="anna", text="canary", at_ms=NOON_MS))

    assert await found(desk, "canary") == []


@pytest.mark.parametrize("text", HARMLESS, ids=range(len(HARMLESS)))
async def test_nothing_that_is_typed_is_an_error(desk, store, text):
    await a_conversation_with(store, "I cannot hear the teacher")

    assert await found(desk, text) == []


async def test_the_excerpt_of_a_long_message_is_about_what_was_found(desk, store):
    await a_conversation_with(store, f"{'before ' * 300}<b>needle</b>\n{'after ' * 300}")

    (one,) = await desk.search("needle", limit=9)

    assert one.excerpt.startswith("… before")
    assert "before <b>needle</b> after" in one.excerpt
    assert one.excerpt.endswith(" …")
    assert len(one.excerpt) <= 164


async def test_only_what_stands_is_found_and_it_is_shown_where_it_was_first_said(desk, store):
    scene = await a_conversation_with(store, "my card is 4242", "mi name is Al", "thanks")
    await store.receive(a_revision("m0", None), at_ms=NOON_MS + 5)
    await store.receive(a_revision("m1", "my name is Al", revision="1"), at_ms=NOON_MS + 6)
    await store.receive(a_revision("m1", "my name is Alma", revision="2"), at_ms=NOON_MS + 7)

    assert await found(desk, "card") == await found(desk, "mi name") == []
    assert await found(desk, "alma") == [(scene.id, 2)]
    assert [one.at_ms for one in await desk.search("name", limit=9)] == [NOON_MS + 7]
