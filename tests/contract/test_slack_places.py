"""Which thread is which conversation, what was posted there and who is which agent, on every store."""

import asyncio

import pytest

from bot.core.conversation import AgentId, ConversationId
from bot.core.slack_rows import Side
from bot.errors import ConversationUnknown
from tests.builders import CONVERSATION, NOON_MS
from tests.contract.scene import Scene
from tests.slack_rows import a_person, a_place, a_post, a_thread

OTHER = ConversationId("c2")


async def test_a_place_is_bound_once_for_each_side(slack, scene, store):
    await Scene.open(store, OTHER)
    theirs, desks = a_thread(), a_thread(side=Side.DESK, user="", spell=3)

    assert await slack.bind(theirs) is theirs
    assert await slack.bind(desks) is desks

    assert await slack.bind(a_thread(conversation=OTHER, user="UBO")) == theirs
    assert await slack.thread(a_place(), Side.CUSTOMER) == theirs
    assert await slack.thread(a_place(), Side.DESK) == desks


@pytest.mark.parametrize("other", [{"team": "T2"}, {"channel": "C2"}, {"thread_ts": ""}])
async def test_another_place_is_nothing_yet(slack, scene, other):
    await slack.bind(a_thread())

    assert await slack.thread(a_place(**other), Side.CUSTOMER) is None


async def test_of_twenty_that_bind_a_place_at_once_all_get_the_same(slack, store):
    for n in range(20):
        await Scene.open(store, ConversationId(f"n{n}"))
    threads = [a_thread(conversation=ConversationId(f"n{n}")) for n in range(20)]

    bound = await asyncio.gather(*map(slack.bind, threads))

    assert len(set(bound)) == 1
    assert [given is thread for given, thread in zip(bound, threads, strict=True)].count(True) == 1


async def test_a_conversation_that_is_not_there_has_no_threads_and_no_posts(slack, scene):
    with pytest.raises(ConversationUnknown):
        await slack.bind(a_thread(conversation=OTHER))
    with pytest.raises(ConversationUnknown):
        await slack.begin_post(a_post(conversation=OTHER))

    assert (await slack.threads_of(OTHER), await slack.posts_of(OTHER)) == ((), ())
    assert await slack.thread(a_place(), Side.CUSTOMER) is None


async def test_a_conversation_has_its_customers_thread_and_the_desks_by_spell(slack, scene):
    threads = [
        a_thread(side=Side.DESK, user="", place=a_place(thread_ts=f"{spell}.0"), spell=spell)
        for spell in (12, 3)
    ]
    for thread in (*threads, a_thread()):
        await slack.bind(thread)

    assert await slack.threads_of(CONVERSATION) == (a_thread(), threads[1], threads[0])
    assert await slack.threads_of(OTHER) == ()


async def test_cursors_go_forward_and_never_back(slack, scene):
    await slack.bind(a_thread())
    await slack.shown(a_thread(), seq=4)
    await slack.shown(a_thread(), seq=2, note=7)
    await slack.shown(a_thread(), note=6)

    assert await slack.thread(a_place(), Side.CUSTOMER) == a_thread(shown_seq=4, shown_note=7)


async def test_of_many_that_move_a_cursor_at_once_the_furthest_counts(slack, scene):
    await slack.bind(a_thread())

    await asyncio.gather(*(slack.shown(a_thread(), seq=n % 7, note=n % 5) for n in range(20)))

    assert await slack.thread(a_place(), Side.CUSTOMER) == a_thread(shown_seq=6, shown_note=4)


async def test_a_cursor_of_what_a_place_is_not_moves_nothing(slack, scene):
    await slack.bind(a_thread())

    await slack.shown(a_thread(conversation=OTHER), seq=9, note=9)
    await slack.shown(a_thread(side=Side.DESK), seq=9, note=9)

    assert await slack.thread(a_place(), Side.CUSTOMER) == a_thread()


async def test_a_post_is_begun_once_and_then_known_by_its_place(slack, scene):
    post = a_post()
    assert await slack.begin_post(post) is post
    again = await slack.begin_post(post)
    assert (again == post, again is post) == (True, False)

    await slack.posted(post.key, ts="5.000200", digest="d1")

    known = a_post(ts="5.000200", digest="d1")
    assert await slack.post(post.key) == known
    assert await slack.post_at("C1", "5.000200") == known
    assert await slack.begin_post(post) == known
    assert (await slack.post_at("C2", "5.000200"), await slack.post_at("C1", "6.0")) == (None, None)


async def test_of_twenty_that_begin_a_post_at_once_one_makes_it(slack, scene):
    posts = [a_post(begun_ms=NOON_MS + n) for n in range(20)]

    begun = await asyncio.gather(*map(slack.begin_post, posts))

    assert len(set(begun)) == 1
    assert [given is post for given, post in zip(begun, posts, strict=True)].count(True) == 1


async def test_a_post_whose_outcome_is_not_known_is_at_no_place(slack, scene):
    await slack.begin_post(a_post())

    assert await slack.post_at("C1", "") is None


async def test_a_post_that_is_dropped_may_be_begun_anew(slack, scene):
    await slack.begin_post(a_post())
    await slack.drop_post("m:c1:2:0")
    await slack.drop_post("never")
    await slack.posted("m:c1:2:0", ts="5.0", digest="d")

    assert await slack.post("m:c1:2:0") is None
    new = a_post(begun_ms=NOON_MS + 9)
    assert await slack.begin_post(new) is new


async def test_a_conversations_posts_come_in_the_order_in_which_they_were_begun(slack, scene, store):
    await Scene.open(store, OTHER)
    for key, begun_ms in (("b", 2), ("a", 2), ("c", 1)):
        await slack.begin_post(a_post(key, begun_ms=begun_ms))
    await slack.begin_post(a_post("other", conversation=OTHER))

    assert [post.key for post in await slack.posts_of(CONVERSATION)] == ["c", "a", "b"]


async def test_a_person_is_who_was_linked_last(slack):
    await slack.link(a_person(agent=AgentId("bo")))
    await slack.link(a_person())

    assert await slack.person("T1", "UANNA") == a_person()
    assert (await slack.person("T2", "UANNA"), await slack.person("T1", "UBO")) == (None, None)
    assert await slack.person_of(AgentId("bo")) is None


async def test_of_an_agents_users_the_first_is_told(slack):
    for team, user in (("T2", "U1"), ("T1", "U9"), ("T1", "U2")):
        await slack.link(a_person(team=team, user=user))

    assert await slack.person_of(AgentId("anna")) == a_person(user="U2")
