"""What Slack leaves behind is handed out with its conversation and goes with it, on every store."""

import asyncio

import pytest

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.erasure import MemoryErasure
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.mongo.erasure import MongoErasure
from bot.adapters.sqlite.erasure import SqliteErasure
from bot.core.conversation import ConversationId
from bot.core.slack_rows import Side
from bot.errors import ConversationUnknown
from bot.privacy_ports import Erasure
from tests.builders import CONVERSATION, NOON_MS
from tests.contract.scene import Scene
from tests.slack_rows import a_payload, a_person, a_place, a_post, a_thread, an_inbox_row

OTHER = ConversationId("c2")
ELSEWHERE = a_place(thread_ts="7.000100")


@pytest.fixture
def erasure(store, customers, slack, request) -> Erasure:
    if isinstance(store, MemoryConversationStore):
        return MemoryErasure(store, customers, slack)
    if isinstance(store, MongoConversationStore):
        return MongoErasure(store.database)
    return SqliteErasure(request.getfixturevalue("database"))


@pytest.fixture
async def shown(slack, store, scene) -> None:
    """Two conversations in Slack, each with a thread and a post."""
    await Scene.open(store, OTHER)
    await slack.bind(a_thread())
    await slack.begin_post(a_post())
    await slack.bind(a_thread(conversation=OTHER, place=ELSEWHERE))
    await slack.begin_post(a_post("other", conversation=OTHER, place=ELSEWHERE))


async def erase(erasure: Erasure) -> None:
    await erasure.erase((CONVERSATION,), who="operator", at_ms=NOON_MS)


async def test_threads_and_posts_are_handed_out(shown, erasure):
    found = await erasure.everything(CONVERSATION)

    assert [one["user"] for one in found["slack_threads"]] == ["UANA"]
    assert [one["key"] for one in found["slack_posts"]] == ["m:c1:2:0"]


async def test_threads_and_posts_go_with_their_conversation_alone(shown, slack, erasure):
    await slack.link(a_person())

    await erase(erasure)

    assert (await slack.threads_of(CONVERSATION), await slack.posts_of(CONVERSATION)) == ((), ())
    assert (len(await slack.threads_of(OTHER)), len(await slack.posts_of(OTHER))) == (1, 1)
    assert await slack.person("T1", "UANNA") == a_person()


async def test_a_place_whose_conversation_was_erased_may_be_another(shown, slack, erasure):
    await erase(erasure)
    assert await slack.thread(a_place(), Side.CUSTOMER) is None

    new = a_thread(conversation=OTHER)

    assert await slack.bind(new) is new
    await slack.shown(a_thread(), seq=9)
    assert await slack.thread(a_place(), Side.CUSTOMER) == new


async def test_nobody_works_on_what_came_in_of_it_any_more(shown, slack, erasure):
    await slack.keep(an_inbox_row("waits"))
    await slack.keep(an_inbox_row("dead"))
    await slack.died("dead", at_ms=NOON_MS, error="KeyError")
    await slack.keep(an_inbox_row("form", payload='{"view": {"private_metadata": "{\\"c\\": \\"c1\\"}"}}'))
    await slack.keep(an_inbox_row("another", payload=a_payload(ELSEWHERE)))

    await erase(erasure)

    assert [row.key for row in await slack.inbox_due(now_ms=NOON_MS, limit=9)] == ["another"]
    assert (await slack.dead_letters(), await slack.revive("dead", due_ms=NOON_MS)) == ((), False)
    assert await slack.keep(an_inbox_row("waits")) is False


async def test_what_is_bound_while_it_is_erased_is_gone_too(shown, slack, erasure):
    """A place is bound to nothing, or to a conversation that is there."""
    places = [a_place(thread_ts=f"{n}.5") for n in range(5)]
    binding = [slack.bind(a_thread(place=place)) for place in places]
    posting = [slack.begin_post(a_post(f"p{n}")) for n in range(5)]

    await asyncio.gather(erase(erasure), *binding, *posting, return_exceptions=True)

    assert [await slack.thread(place, Side.CUSTOMER) for place in places] == [None] * 5
    assert await slack.posts_of(CONVERSATION) == ()
    with pytest.raises(ConversationUnknown):
        await slack.bind(a_thread())
