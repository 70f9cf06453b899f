"""Who customers are by what Slack says of them, how often it is asked, and what happens when it says nothing."""

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.channels.slack.attempting import Attempting
from bot.channels.slack.customer_people import (
    ASKED_AGAIN_S,
    FRESH_S,
    MOST_KEPT,
    CustomerPeople,
    CustomerPerson,
    to_person,
)
from bot.channels.slack.health import SlackHealth, Trouble
from bot.core.customers import Customer, Subject
from tests.channels.slack.customer_rig import a_client
from tests.vendors.slack_faults import breaks, hangs, refuses
from tests.vendors.slack_server import AGENT, CUSTOMER, SlackServer, slack_server
from tests.vendors.slack_workspace import TEAM

SUBJECT = Subject("slack:T1:U1")


@pytest.fixture
async def slack():
    async with slack_server() as running:
        yield running


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def some_people(slack: SlackServer, clock: ManualClock, **fields) -> CustomerPeople:
    attempting = Attempting(health=SlackHealth(), **fields)
    return CustomerPeople(client=a_client(slack), attempting=attempting, clock=clock)


@pytest.mark.parametrize(
    ("info", "customer", "language"),
    [
        ({}, Customer(subject=SUBJECT), None),
        (
            {"profile": {"real_name": "Ana Lima", "email": "ana@acme.example"}, "locale": "pt-BR"},
            Customer(subject=SUBJECT, name="Ana Lima", email="ana@acme.example"),
            "pt",
        ),
        ({"profile": {"real_name": " ", "display_name": "ana"}}, Customer(subject=SUBJECT, name="ana"), None),
        ({"name": "ana", "profile": "none"}, Customer(subject=SUBJECT, name="ana"), None),
        ({"profile": {"real_name": "\u202eAna\nLima", "email": "no"}}, Customer(subject=SUBJECT, name="Ana Lima"), None),
        ({"profile": {"real_name": "\ud800"}, "locale": 7}, Customer(subject=SUBJECT), None),
    ],
)  # fmt: skip
def test_a_person_is_read_from_what_slack_says(info, customer, language):
    assert to_person("T1", "U1", info) == CustomerPerson(customer=customer, language=language)


async def test_somebody_is_asked_for_once_in_a_while(slack: SlackServer, clock):
    people = some_people(slack, clock)

    known = [await people.of(team=TEAM, user=CUSTOMER) for _ in range(3)]
    clock.advance(int(FRESH_S * 1000))
    await people.of(team=TEAM, user=CUSTOMER)

    assert {one.customer.name for one in known} == {"Ana Customer"}
    assert len(slack.called("users.info")) == 2


@pytest.mark.parametrize(
    "fault", [breaks(), refuses("user_not_found"), hangs()], ids=["broken", "unknown", "hangs"]
)
async def test_who_cannot_be_read_has_no_name_and_is_asked_for_again_soon(slack: SlackServer, clock, fault):
    slack.fails("users.info", fault)
    people = some_people(slack, clock, limit_s=0.2)

    first = await people.of(team=TEAM, user=CUSTOMER)
    clock.advance(int(ASKED_AGAIN_S * 1000))
    then = await people.of(team=TEAM, user=CUSTOMER)

    assert (first.customer.name, then.customer.name) == (None, "Ana Customer")
    assert people.attempting.health.troubles == ()


async def test_a_missing_scope_is_an_alarm_that_ends_by_itself(slack: SlackServer, clock):
    slack.fails("users.info", refuses("missing_scope"))
    people = some_people(slack, clock)

    await people.of(team=TEAM, user=CUSTOMER)
    troubles = people.attempting.health.troubles
    await people.of(team=TEAM, user=AGENT)

    assert troubles == (Trouble(cause="missing_scope", where="users.info"),)
    assert people.attempting.health.troubles == ()


async def test_only_so_many_are_remembered(slack: SlackServer, clock):
    people = some_people(slack, clock)
    for number in range(MOST_KEPT + 5):
        people._kept(TEAM, f"U{number}", to_person(TEAM, f"U{number}", {}), FRESH_S)

    assert len(people._known) == MOST_KEPT
    assert (TEAM, "U0") not in people._known
