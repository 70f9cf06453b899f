"""Agents, their invitations and sessions: one account per address, one use per invitation, nothing for who is disabled."""

import asyncio
from dataclasses import replace

import pytest

from bot.adapters.memory.accounts import MemoryAccountStore
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.mongo.accounts import MongoAccountStore
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.sqlite.accounts import SqliteAccountStore
from bot.core.accounts import Agent, AgentRole, Invitation, Session
from bot.core.conversation import AgentId
from bot.errors import InputRejected
from tests.builders import NOON_MS

ANNA = AgentId("anna")
BEN = AgentId("ben")
NOBODY = AgentId("nobody")


def an_agent(id=ANNA, **fields):
    defaults = {"email": f"{id}@example.org", "name": id.title(), "role": AgentRole.AGENT}
    return Agent(id=id, created_ms=NOON_MS, **{**defaults, **fields})


def an_invitation(digest="i1", agent=ANNA, **fields):
    return replace(Invitation(digest=digest, agent=agent, expires_ms=NOON_MS + 10), **fields)


def a_session(digest="s1", agent=ANNA, **fields):
    session = Session(digest=digest, agent=agent, csrf="c", created_ms=NOON_MS, expires_ms=NOON_MS + 10)
    return replace(session, **fields)


@pytest.fixture
def empty(store, request):
    if isinstance(store, MemoryConversationStore):
        return MemoryAccountStore()
    if isinstance(store, MongoConversationStore):
        return MongoAccountStore(store.database)
    return SqliteAccountStore(request.getfixturevalue("database"))


@pytest.fixture
async def accounts(empty):
    for agent in (an_agent(BEN), an_agent(ANNA)):
        await empty.add_agent(agent)
    return empty


async def test_agents_come_back_whole_by_their_address(accounts):
    carla = an_agent(AgentId("carla"), role=AgentRole.ADMIN, password_hash="h", disabled_ms=NOON_MS)
    await accounts.add_agent(carla)

    assert await accounts.agents() == (an_agent(ANNA), an_agent(BEN), carla)
    assert await accounts.agent(carla.id) == carla
    assert await accounts.agent(NOBODY) is None


@pytest.mark.parametrize("email", ["ÄNNE@Example.org", "änne@example.ORG", "A\u0308nne@example.org"])
async def test_an_address_is_one_whatever_its_case(accounts, email):
    anne = an_agent(AgentId("anne"), email="Änne@example.org")
    await accounts.add_agent(anne)

    with pytest.raises(InputRejected, match="email"):
        await accounts.add_agent(an_agent(AgentId("other"), email=email))

    assert await accounts.agent_by_email(email) == anne
    assert await accounts.agent_by_email("anne@example.org") is None
    assert await accounts.agent(AgentId("other")) is None


async def test_of_many_who_take_one_address_at_once_one_gets_it(empty):
    wanted = [an_agent(AgentId(f"a{n}"), email="desk@example.org") for n in range(20)]

    results = await asyncio.gather(*(empty.add_agent(agent) for agent in wanted), return_exceptions=True)

    assert [type(result) for result in results].count(InputRejected) == 19
    assert len(await empty.agents()) == 1


async def test_of_fifty_uses_of_one_invitation_one_wins(accounts):
    await accounts.invite(an_invitation())

    used = await asyncio.gather(*(accounts.accept("i1", f"hash {n}", now_ms=NOON_MS) for n in range(50)))

    (winner,) = [agent for agent in used if agent is not None]
    assert await accounts.agent(ANNA) == winner
    assert winner.password_hash == f"hash {used.index(winner)}"


async def test_an_invitation_names_its_agent_until_it_is_used(accounts):
    await accounts.invite(an_invitation())

    assert await accounts.invited("i1", now_ms=NOON_MS) == an_agent(ANNA)
    assert await accounts.invited("i2", now_ms=NOON_MS) is None
    await accounts.accept("i1", "hash", now_ms=NOON_MS)
    assert await accounts.invited("i1", now_ms=NOON_MS) is None


async def test_an_invitation_that_is_too_old_does_nothing(accounts):
    await accounts.invite(an_invitation(expires_ms=NOON_MS + 10))

    assert await accounts.invited("i1", now_ms=NOON_MS + 9) is not None
    assert await accounts.invited("i1", now_ms=NOON_MS + 10) is None
    assert await accounts.accept("i1", "hash", now_ms=NOON_MS + 10) is None
    assert await accounts.agent(ANNA) == an_agent(ANNA)


async def test_a_new_invitation_takes_the_place_of_the_earlier_one_of_its_agent(accounts):
    for digest, agent in (("i1", ANNA), ("i2", BEN), ("i3", ANNA)):
        await accounts.invite(an_invitation(digest, agent))

    invited = [await accounts.invited(digest, now_ms=NOON_MS) for digest in ("i1", "i2", "i3")]

    assert invited == [None, an_agent(BEN), an_agent(ANNA)]


async def test_a_new_password_ends_the_sessions_of_its_agent_alone(accounts):
    for digest, agent in (("s1", ANNA), ("s2", ANNA), ("s3", BEN)):
        await accounts.begin_session(a_session(digest, agent))
    await accounts.invite(an_invitation())

    await accounts.accept("i1", "hash", now_ms=NOON_MS)

    found = [await accounts.session(digest, now_ms=NOON_MS) for digest in ("s1", "s2", "s3")]
    assert found == [None, None, (a_session("s3", BEN), an_agent(BEN))]


async def test_a_session_lasts_until_its_end(accounts):
    await accounts.begin_session(a_session(expires_ms=NOON_MS + 10))

    assert await accounts.session("s1", now_ms=NOON_MS + 9) == (a_session(), an_agent(ANNA))
    assert await accounts.session("s1", now_ms=NOON_MS + 10) is None
    assert await accounts.session("s2", now_ms=NOON_MS) is None


async def test_a_session_that_is_ended_is_gone_and_ending_it_again_is_harmless(accounts):
    await accounts.begin_session(a_session("s1"))
    await accounts.begin_session(a_session("s2"))

    for _ in range(2):
        await accounts.end_session("s1")

    assert await accounts.session("s1", now_ms=NOON_MS) is None
    assert await accounts.session("s2", now_ms=NOON_MS) is not None


async def test_a_new_session_forgets_those_that_have_run_out(accounts):
    await accounts.begin_session(a_session("old"))
    await accounts.begin_session(a_session("new", created_ms=NOON_MS + 10, expires_ms=NOON_MS + 20))

    assert await accounts.session("old", now_ms=NOON_MS) is None
    assert await accounts.session("new", now_ms=NOON_MS + 10) is not None


async def test_a_disabled_agent_has_neither_sessions_nor_invitations_even_when_it_is_let_in_again(accounts):
    await accounts.begin_session(a_session())
    await accounts.invite(an_invitation())

    for disabled_ms in (NOON_MS, None):
        await accounts.set_disabled(ANNA, disabled_ms=disabled_ms)

        assert await accounts.session("s1", now_ms=NOON_MS) is None
        assert await accounts.accept("i1", "hash", now_ms=NOON_MS) is None
        assert await accounts.agent(ANNA) == an_agent(ANNA, disabled_ms=disabled_ms)


async def test_what_is_given_to_a_disabled_agent_does_not_let_it_in(accounts):
    await accounts.set_disabled(ANNA, disabled_ms=NOON_MS)
    await accounts.begin_session(a_session())
    await accounts.invite(an_invitation())

    assert await accounts.session("s1", now_ms=NOON_MS) is None
    assert await accounts.invited("i1", now_ms=NOON_MS) is None
    assert await accounts.accept("i1", "hash", now_ms=NOON_MS) is None


async def test_a_stronger_hash_of_the_same_password_leaves_sessions_alone(accounts):
    await accounts.invite(an_invitation())
    await accounts.accept("i1", "hash", now_ms=NOON_MS)
    await accounts.begin_session(a_session())

    await accounts.rehash(ANNA, "stronger", was="hash")

    stronger = an_agent(ANNA, password_hash="stronger")
    assert await accounts.session("s1", now_ms=NOON_MS) == (a_session(), stronger)
    assert await accounts.agent(BEN) == an_agent(BEN)


async def test_a_stronger_hash_never_brings_back_a_password_that_was_changed_meanwhile(accounts):
    await accounts.invite(an_invitation())
    await accounts.accept("i1", "new", now_ms=NOON_MS)

    await accounts.rehash(ANNA, "stronger", was="old")

    assert await accounts.agent(ANNA) == an_agent(ANNA, password_hash="new")


async def test_an_agent_that_is_not_there_is_left_alone(accounts):
    await accounts.rehash(NOBODY, "hash", was="old")
    await accounts.set_disabled(NOBODY, disabled_ms=NOON_MS)

    assert await accounts.agents() == (an_agent(ANNA), an_agent(BEN))
