"""Signing in and out, invitations, and what of a secret is kept."""

import asyncio
from dataclasses import dataclass

import pytest

from bot.adapters.memory.accounts import MemoryAccountStore
from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.passwords import MemoryPasswords
from bot.core.accounts import INVITATION_MS, SESSION_MS, AgentRole
from bot.errors import AccessRefused, InputRejected
from bot.service.accounts import NOT_SIGNED_IN, Accounts, digest_of
from bot.service.inviting import Inviting

EMAIL, PASSWORD = "maria@shop.example", "correct horse battery staple"


@dataclass(kw_only=True)
class Rig:
    store: MemoryAccountStore
    passwords: MemoryPasswords
    clock: ManualClock
    accounts: Accounts
    inviting: Inviting

    async def join(self, email: str = EMAIL, password: str = PASSWORD):
        """An agent who is invited and has set a password."""
        invited = await self.inviting.add(email, name="Maria Lopez", role=AgentRole.AGENT)
        return await self.accounts.accept(invited.secret, password)


@pytest.fixture
def rig() -> Rig:
    store, passwords, clock = MemoryAccountStore(), MemoryPasswords(), ManualClock()
    return Rig(
        store=store,
        passwords=passwords,
        clock=clock,
        accounts=Accounts(store=store, passwords=passwords, clock=clock),
        inviting=Inviting(store=store, clock=clock),
    )


async def test_an_invited_agent_sets_a_password_and_is_signed_in(rig):
    invited = await rig.inviting.add(f" {EMAIL}", name="Maria  Lopez", role=AgentRole.CONTENT)
    seen = await rig.accounts.look(invited.secret)

    begun = await rig.accounts.accept(invited.secret, PASSWORD)

    assert (seen.email, seen.name, seen.role) == (EMAIL, "Maria Lopez", AgentRole.CONTENT)
    assert begun.signed_in == await rig.accounts.session(begun.secret)
    assert begun.signed_in.agent.id == invited.agent.id


async def test_an_address_is_read_without_regard_to_case(rig):
    joined = await rig.join()

    begun = await rig.accounts.sign_in(" MARIA@Shop.Example ", PASSWORD)

    assert begun.signed_in.agent == joined.signed_in.agent


async def test_each_refusal_says_the_same_and_costs_the_same(rig):
    await rig.join()
    await rig.inviting.add("new@shop.example", name="New", role=AgentRole.AGENT)
    await rig.join("gone@shop.example")
    await rig.inviting.disable("gone@shop.example")
    rig.passwords.compared.clear()

    for email, password in (
        (EMAIL, "wrong"),
        ("nobody@shop.example", PASSWORD),
        ("new@shop.example", PASSWORD),
        ("gone@shop.example", PASSWORD),
    ):
        with pytest.raises(AccessRefused) as refused:
            await rig.accounts.sign_in(email, password)
        assert str(refused.value) == NOT_SIGNED_IN

    assert rig.passwords.compared == [f"1:{PASSWORD}", None, None, f"1:{PASSWORD}"]


async def test_only_digests_of_secrets_are_kept(rig):
    invited = await rig.inviting.add(EMAIL, name="Maria", role=AgentRole.AGENT)
    begun = await rig.accounts.accept(invited.secret, PASSWORD)
    link = await rig.inviting.invite(EMAIL)

    kept = repr((rig.store._sessions, rig.store._invitations))

    assert digest_of(begun.secret) in kept
    assert [s for s in (begun.secret, link.secret) if s in kept or s in repr((begun, link))] == []


async def test_each_sign_in_has_a_new_secret_and_ends_the_old_cookies_session(rig):
    joined = await rig.join()

    again = await rig.accounts.sign_in(EMAIL, PASSWORD, old=joined.secret)
    elsewhere = await rig.accounts.sign_in(EMAIL, PASSWORD)

    assert len({joined.secret, again.secret, elsewhere.secret}) == 3
    assert await rig.accounts.session(joined.secret) is None
    assert await rig.accounts.session(again.secret) is not None


async def test_a_refused_sign_in_leaves_the_session_that_there_was(rig):
    joined = await rig.join()

    with pytest.raises(AccessRefused):
        await rig.accounts.sign_in(EMAIL, "wrong", old=joined.secret)

    assert await rig.accounts.session(joined.secret) is not None


async def test_a_session_ends_with_the_working_day_or_with_a_sign_out(rig):
    joined = await rig.join()
    other = await rig.accounts.sign_in(EMAIL, PASSWORD)

    await rig.accounts.sign_out(other.secret)
    assert await rig.accounts.session(other.secret) is None
    rig.clock.advance(SESSION_MS - 1)
    assert await rig.accounts.session(joined.secret) is not None
    rig.clock.advance(1)
    assert await rig.accounts.session(joined.secret) is None


@pytest.mark.parametrize("secret", ["", "x", "x" * 10_000, "\udcff", "🦊"])
async def test_what_is_no_secret_of_ours_opens_nothing(rig, secret):
    await rig.join()

    assert await rig.accounts.session(secret) is None


async def test_disabling_an_agent_ends_the_sessions_and_the_invitation(rig):
    joined = await rig.join()
    link = await rig.inviting.invite(EMAIL)

    await rig.inviting.disable(EMAIL)

    assert await rig.accounts.session(joined.secret) is None
    with pytest.raises(AccessRefused):
        await rig.accounts.look(link.secret)
    with pytest.raises(InputRejected, match="disabled account; enable it first"):
        await rig.inviting.invite(EMAIL)


async def test_an_enabled_agent_signs_in_with_the_old_password(rig):
    joined = await rig.join()
    await rig.inviting.disable(EMAIL)

    await rig.inviting.enable(EMAIL)

    assert await rig.accounts.session(joined.secret) is None
    await rig.accounts.sign_in(EMAIL, PASSWORD)


async def test_an_invitation_works_once_even_when_it_is_used_twice_at_the_same_moment(rig):
    invited = await rig.inviting.add(EMAIL, name="Maria", role=AgentRole.AGENT)

    used = await asyncio.gather(
        *(rig.accounts.accept(invited.secret, f"{PASSWORD} {n}") for n in range(5)), return_exceptions=True
    )

    assert [type(one).__name__ for one in used].count("NewSession") == 1
    assert [type(one).__name__ for one in used].count("AccessRefused") == 4


async def test_an_invitation_is_too_old_after_three_days_or_a_newer_one(rig):
    old = await rig.inviting.add(EMAIL, name="Maria", role=AgentRole.AGENT)
    new = await rig.inviting.invite(EMAIL)

    with pytest.raises(AccessRefused):
        await rig.accounts.look(old.secret)
    rig.clock.advance(INVITATION_MS)
    with pytest.raises(AccessRefused):
        await rig.accounts.accept(new.secret, PASSWORD)


async def test_a_poor_password_leaves_the_invitation_to_be_used(rig):
    invited = await rig.inviting.add(EMAIL, name="Maria Lopez", role=AgentRole.AGENT)

    with pytest.raises(InputRejected, match="easy to guess"):
        await rig.accounts.accept(invited.secret, "maria lopez 2026")

    await rig.accounts.accept(invited.secret, PASSWORD)


async def test_a_new_password_ends_the_sessions_of_the_old_one(rig):
    joined = await rig.join()
    link = await rig.inviting.invite(EMAIL)

    await rig.accounts.accept(link.secret, "zugvogel kauft seife")

    assert await rig.accounts.session(joined.secret) is None
    with pytest.raises(AccessRefused):
        await rig.accounts.sign_in(EMAIL, PASSWORD)


async def test_a_hash_that_is_outdated_is_made_again_at_the_next_sign_in(rig):
    await rig.join()
    rig.passwords.strength = 2

    await rig.accounts.sign_in(EMAIL, PASSWORD)

    agent = await rig.store.agent_by_email(EMAIL)
    assert agent.password_hash == f"2:{PASSWORD}"


@pytest.mark.parametrize("strength", [1, 2])
async def test_a_sign_in_that_a_new_password_overtakes_opens_nothing(rig, strength):
    await rig.join()
    link = await rig.inviting.invite(EMAIL)
    rig.passwords.strength = strength
    rig.passwords.meanwhile = lambda: rig.accounts.accept(link.secret, "zugvogel kauft seife")

    with pytest.raises(AccessRefused):
        await rig.accounts.sign_in(EMAIL, PASSWORD)

    agent = await rig.store.agent_by_email(EMAIL)
    assert agent.password_hash == f"{strength}:zugvogel kauft seife"
    assert len(rig.store._sessions) == 1  # that of who set the new password


async def test_an_address_belongs_to_one_agent(rig):
    await rig.join()

    with pytest.raises(InputRejected, match="email"):
        await rig.inviting.add(EMAIL.upper(), name="Another", role=AgentRole.ADMIN)


@pytest.mark.parametrize("move", ["invite", "disable", "enable"])
async def test_nobody_is_named_who_is_not_there(rig, move):
    with pytest.raises(InputRejected, match="belongs to no agent; `agents list` shows them"):
        await getattr(rig.inviting, move)("nobody@shop.example")
