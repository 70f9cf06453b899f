"""Which agent a Slack user is: by e-mail address, by what was remembered, or by a new account; and who is refused."""

from dataclasses import dataclass, field, replace

import pytest

from bot.adapters.memory.accounts import MemoryAccountStore
from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.slack import MemorySlackStore
from bot.channels.slack.directory import Colleague, to_colleague
from bot.channels.slack.people import DISABLED, NO_CUSTOMERS, NOT_ALLOWED, NOT_OURS, People
from bot.core.accounts import Agent, AgentRole
from bot.core.conversation import AgentId
from bot.errors import AccessRefused, NotDelivered

ANNA = Colleague(user="U1", teams=frozenset({"T1"}), name="Anna", email="anna@shop.example")


@dataclass(slots=True, kw_only=True)
class Slack:
    """What Slack says of people, and how often it was asked; `is_silent` when it says nothing."""

    inside: frozenset[str] = frozenset({"U1"})
    known: dict[str, Colleague] = field(default_factory=lambda: {"U1": ANNA})
    is_silent: bool = False
    asked: list[str] = field(default_factory=list)
    clock: ManualClock = field(default_factory=ManualClock)

    async def members(self) -> frozenset[str]:
        self._ask("members")
        return self.inside

    async def colleague(self, user: str) -> Colleague:
        self._ask(user)
        return self.known[user]

    def _ask(self, what: str) -> None:
        self.asked.append(what)
        if self.is_silent:
            raise NotDelivered("no answer")


def the_people(slack: Slack, accounts: MemoryAccountStore | None = None, *, listed=frozenset()) -> People:
    return People(
        directory=slack,
        accounts=accounts or MemoryAccountStore(),
        store=MemorySlackStore(MemoryConversationStore()),
        clock=slack.clock,
        listed=listed,
    )


async def accounts_with(email: str = ANNA.email or "", **fields) -> MemoryAccountStore:
    accounts = MemoryAccountStore()
    unless_given = {"name": "Anna K.", "role": AgentRole.AGENT, "created_ms": 0}
    await accounts.add_agent(Agent(id=AgentId("anna"), email=email, **(unless_given | fields)))
    return accounts


async def test_an_account_with_the_same_address_is_the_same_person():
    people = the_people(Slack(), await accounts_with(email="Anna@Shop.example"))

    assert (await people.agent(team="T1", user="U1")).id == "anna"


async def test_who_has_no_account_gets_one_without_a_password():
    people = the_people(Slack())

    agent = await people.agent(team="T1", user="U1")

    assert (agent.id, agent.email, agent.name) == ("slack-T1-U1", "U1.T1@slack.invalid", "Anna")
    assert (agent.role, agent.password_hash) == (AgentRole.AGENT, None)


async def test_who_came_before_is_not_asked_for_again():
    slack = Slack()
    people = the_people(slack)

    first = await people.agent(team="T1", user="U1")
    slack.known["U1"] = replace(ANNA, email="somebody@else.example")

    assert await people.agent(team="T1", user="U1") == first
    assert slack.asked.count("U1") == 1


async def test_an_account_that_another_process_made_a_moment_ago_is_taken():
    slack, accounts = Slack(), MemoryAccountStore()

    made = await the_people(slack, accounts).agent(team="T1", user="U1")

    assert await the_people(slack, accounts).agent(team="T1", user="U1") == made


async def test_who_is_not_in_the_channel_is_refused_and_asked_nothing():
    slack = Slack()

    with pytest.raises(AccessRefused, match=NOT_ALLOWED):
        await the_people(slack).agent(team="T1", user="U9")

    assert slack.asked == ["members"]


async def test_the_list_decides_alone_where_there_is_one():
    slack = Slack(inside=frozenset({"U9"}))
    people = the_people(slack, listed=frozenset({"U1"}))

    with pytest.raises(AccessRefused):
        await people.agent(team="T1", user="U9")

    assert (await people.agent(team="T1", user="U1")).name == "Anna"
    assert slack.asked == ["U1"]


async def test_who_joined_the_channel_a_moment_ago_is_let_in():
    slack = Slack(inside=frozenset({"U2"}))
    people = the_people(slack)
    with pytest.raises(AccessRefused):
        await people.agent(team="T1", user="U1")

    slack.inside |= {"U1"}
    slack.clock.advance(5_000)

    assert (await people.agent(team="T1", user="U1")).name == "Anna"


async def test_who_left_the_channel_is_out_within_a_minute():
    slack = Slack()
    people = the_people(slack)
    await people.agent(team="T1", user="U1")

    slack.inside = frozenset()
    slack.clock.advance(60_000)

    with pytest.raises(AccessRefused):
        await people.agent(team="T1", user="U1")


async def test_while_slack_is_silent_those_of_a_moment_ago_go_on():
    slack = Slack()
    people = the_people(slack)
    agent = await people.agent(team="T1", user="U1")

    slack.is_silent = True
    slack.clock.advance(600_000)

    assert await people.agent(team="T1", user="U1") == agent


async def test_nobody_is_let_in_before_slack_has_said_who_is_there():
    with pytest.raises(NotDelivered):
        await the_people(Slack(is_silent=True)).agent(team="T1", user="U1")


async def test_another_workspaces_member_is_nobody_of_ours_whatever_address_they_show():
    slack = Slack(known={"U1": replace(ANNA, teams=frozenset({"T2"}))})

    with pytest.raises(AccessRefused, match=NOT_OURS):
        await the_people(slack, await accounts_with()).agent(team="T1", user="U1")


async def test_another_workspaces_member_who_is_listed_gets_an_account_of_their_own():
    slack = Slack(known={"U1": replace(ANNA, teams=frozenset({"T2"}))})
    people = the_people(slack, await accounts_with(), listed=frozenset({"U1"}))

    assert (await people.agent(team="T1", user="U1")).id == "slack-T1-U1"


async def test_a_disabled_account_is_refused_also_when_it_was_known_before():
    accounts = await accounts_with()
    people = the_people(Slack(), accounts)
    await people.agent(team="T1", user="U1")

    await accounts.set_disabled(AgentId("anna"), disabled_ms=1)

    with pytest.raises(AccessRefused, match=DISABLED):
        await people.agent(team="T1", user="U1")


async def test_who_only_writes_articles_speaks_to_no_customer():
    people = the_people(Slack(), await accounts_with(role=AgentRole.CONTENT))

    with pytest.raises(AccessRefused, match=NO_CUSTOMERS):
        await people.agent(team="T1", user="U1")


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        pytest.param(
            {"team_id": "T1", "name": "anna", "profile": {"display_name": "", "real_name": "Anna K."}},
            Colleague(user="U1", teams=frozenset({"T1"}), name="Anna K."),
            id="the real name where nothing is displayed",
        ),
        pytest.param(
            {"team_id": "T1", "name": "anna", "enterprise_user": {"teams": ["T2", 3]}},
            Colleague(user="U1", teams=frozenset({"T1", "T2"}), name="anna"),
            id="several workspaces of one organisation",
        ),
        pytest.param({}, Colleague(user="U1", teams=frozenset(), name="U1"), id="nothing known"),
        pytest.param(
            {"profile": {"display_name": "A\u202enna\n", "email": "a@b.example"}},
            Colleague(user="U1", teams=frozenset(), name="Anna", email="a@b.example"),
            id="a name that turns others",
        ),
        pytest.param(
            {"is_email_confirmed": False, "name": "x", "profile": {"email": "a@b.example"}},
            Colleague(user="U1", teams=frozenset(), name="x"),
            id="an address that nobody has confirmed",
        ),
        pytest.param(
            {"is_bot": True, "name": "robot"},
            Colleague(user="U1", teams=frozenset(), name="robot", is_person=False),
            id="a bot",
        ),
        pytest.param(
            {"deleted": True, "name": "gone"},
            Colleague(user="U1", teams=frozenset(), name="gone", is_person=False),
            id="who has left",
        ),
        pytest.param(
            {"profile": [], "name": 3}, Colleague(user="U1", teams=frozenset(), name="U1"), id="nonsense"
        ),
    ],
)
def test_a_person_of_slack(info, expected):
    assert to_colleague("U1", info) == expected
