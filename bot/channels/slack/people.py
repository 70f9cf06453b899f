"""Which agent a Slack user is, and whether they may work at the desk at all.

Allowed is who is listed, or else who is in the desk's channel. An account is found by e-mail address only for who belongs to our
own workspace, because another one's admins may write any address; whoever has none gets one that cannot sign in to the console.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from bot.channels.slack.directory import Colleague
from bot.core.accounts import Agent, AgentRole
from bot.core.conversation import AgentId
from bot.core.slack_rows import SlackPerson
from bot.desk_ports import AccountStore
from bot.errors import AccessRefused, InputRejected, OutsideFailure
from bot.ports import Clock
from bot.slack_ports import SlackPeople

FRESH_S = 60.0
ASKED_AGAIN_S = 5.0  # somebody who is not in the list may have joined since

NOT_ALLOWED = "Only members of the support channel can do this here."
NOT_LISTED = "Only who is listed as an agent can do this here. Ask an admin to list you."
NOT_OURS = "Only people of this workspace can do this here. Ask an admin to list you."
DISABLED = "Your agent account is disabled. Ask an admin."
NO_CUSTOMERS = "Your account is for articles and does not answer customers. Ask an admin."

log = structlog.get_logger()


class Directory(Protocol):
    """What Slack says of people; NotDelivered when it says nothing."""

    async def members(self) -> frozenset[str]:
        """Return the ids of who is in the desk's channel."""
        ...

    async def colleague(self, user: str) -> Colleague:
        """Return who has this id."""
        ...


@dataclass(slots=True, kw_only=True)
class People:
    """The agents as Slack users. `listed` are the ids of who is allowed; where it is empty, the channel's members are.

    Methods may raise StoreUnavailable.
    """

    directory: Directory
    accounts: AccountStore
    store: SlackPeople
    clock: Clock
    listed: frozenset[str] = frozenset()
    _members: frozenset[str] = frozenset()
    _read_s: float | None = None
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def agent(self, *, team: str, user: str, speaks: bool = True) -> Agent:
        """Return who this is, where *speaks* says that customers hear of what they do.

        AccessRefused, in words for them, when they may not; NotDelivered when Slack has to be asked and is silent.
        """
        if not await self._is_allowed(user):
            log.info("slack_user_refused", team=team, slack_user=user)
            raise AccessRefused(NOT_LISTED if self.listed else NOT_ALLOWED)
        known = await self.store.person(team, user)
        agent = await self.accounts.agent(known.agent) if known else None
        return _working(agent or await self._met(team, user), speaks=speaks)

    async def name(self, agent: AgentId) -> str | None:
        """Return an agent's display name; None when there is no such agent."""
        found = await self.accounts.agent(agent)
        return found.name if found else None

    async def called(self, *, team: str, user: str) -> str | None:
        """Return what somebody in Slack is called, agent or not; None when nobody says."""
        known = await self.store.person(team, user)
        name = await self.name(known.agent) if known else None
        if name is not None:
            return name
        try:
            return (await self.directory.colleague(user)).name
        except OutsideFailure:
            return None

    async def _is_allowed(self, user: str) -> bool:
        if self.listed:
            return user in self.listed
        async with self._reading:
            age_s = None if self._read_s is None else self.clock.monotonic_s() - self._read_s
            if age_s is None or age_s >= FRESH_S or (user not in self._members and age_s >= ASKED_AGAIN_S):
                await self._read_members()
        return user in self._members

    async def _read_members(self) -> None:
        try:
            self._members = await self.directory.members()
        except OutsideFailure:
            if self._read_s is None:
                raise
            log.warning("slack_members_not_read")  # those of a moment ago go on
            return
        self._read_s = self.clock.monotonic_s()

    async def _met(self, team: str, user: str) -> Agent:
        """Find or make the account of somebody who comes for the first time, and remember whose it is."""
        colleague = await self.directory.colleague(user)
        is_ours = team in colleague.teams
        if not colleague.is_person or (not is_ours and user not in self.listed):
            raise AccessRefused(NOT_OURS)
        agent = await self._by_email(colleague) if is_ours else None
        agent = agent or await self._own_account(team, colleague)
        await self.store.link(SlackPerson(team=team, user=user, agent=agent.id))
        log.info("slack_user_linked", team=team, slack_user=user, agent=agent.id)
        return agent

    async def _by_email(self, colleague: Colleague) -> Agent | None:
        return await self.accounts.agent_by_email(colleague.email) if colleague.email else None

    async def _own_account(self, team: str, colleague: Colleague) -> Agent:
        made = new_account(team, colleague, now_ms=self.clock.now_ms())
        try:
            await self.accounts.add_agent(made)
        except InputRejected:  # another press, or another process, was faster
            return await self.accounts.agent(made.id) or made
        return made


def new_account(team: str, colleague: Colleague, *, now_ms: int) -> Agent:
    """Return an account for who has none: it has no password, and its address is nobody's."""
    return Agent(
        id=AgentId(f"slack-{team}-{colleague.user}"),
        email=f"{colleague.user}.{team}@slack.invalid",
        name=colleague.name,
        role=AgentRole.AGENT,
        created_ms=now_ms,
    )


def _working(agent: Agent, *, speaks: bool) -> Agent:
    if agent.disabled_ms is not None:
        raise AccessRefused(DISABLED)
    if speaks and not agent.answers_customers:
        raise AccessRefused(NO_CUSTOMERS)
    return agent
