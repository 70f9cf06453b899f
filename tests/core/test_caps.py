"""Which cap is reached, and what a draft counts."""

import pytest

from bot.core.caps import (
    UNCAPPED,
    Allowance,
    Caps,
    Spending,
    Spent,
    SpentInADay,
    Tariff,
    allowed,
    cap_reached,
    overall_cap_reached,
)
from bot.core.conversation import TurnId
from bot.core.prompt import Usage
from tests.builders import CONVERSATION

TIGHT = Allowance(turns=3, tokens=1_000, cost_usd=0.5)
NOT_YET = Spent(turns=2, tokens=999, micro_usd=499_999)


def a_spending(**usage):
    counted = Usage(**({"input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0} | usage))
    return Spending(turn=TurnId("t1"), conversation=CONVERSATION, usage=counted, at_ms=1)


@pytest.mark.parametrize(
    ("spent", "named"),
    [
        pytest.param(NOT_YET, None, id="none"),
        pytest.param(Spent(turns=3), "3 turns in a day", id="turns"),
        pytest.param(Spent(tokens=1_000), "1000 tokens in a day", id="tokens"),
        pytest.param(Spent(micro_usd=500_000), "0.50 USD in a day", id="money"),
        pytest.param(Spent(turns=9, tokens=9_000), "3 turns in a day", id="the first of several"),
    ],
)
def test_a_cap_is_reached_when_nothing_is_left_of_it(spent, named):
    of_one, of_all = Caps(conversation=TIGHT), Caps(conversation=Allowance(), overall=TIGHT)

    assert cap_reached(of_one, SpentInADay(conversation=spent)) == named
    assert cap_reached(of_one, SpentInADay(overall=spent)) is None
    said = named and f"{named} over all conversations"
    assert cap_reached(of_all, SpentInADay(overall=spent)) == said
    assert overall_cap_reached(of_all, SpentInADay(conversation=spent, overall=spent)) == said


def test_without_caps_nothing_is_ever_reached():
    much = Spent(turns=10**9, tokens=10**12, micro_usd=10**15)

    assert cap_reached(UNCAPPED, SpentInADay(conversation=much, overall=much)) is None


@pytest.mark.parametrize(
    ("caps", "said"),
    [
        (Caps(), "in a day 40 turns in a conversation, no limit over all"),
        (
            Caps(conversation=TIGHT, overall=Allowance(cost_usd=20)),
            "in a day 3 turns and 1,000 tokens and 0.50 USD in a conversation, 20.00 USD over all",
        ),
    ],
)
def test_caps_can_be_said_in_words(caps, said):
    assert allowed(caps) == said


def test_of_nothing_allowed_nothing_is_left():
    assert cap_reached(Caps(conversation=Allowance(cost_usd=0)), SpentInADay()) == "0.00 USD in a day"


def test_a_spending_counts_both_directions_and_never_costs_less_than_it_does():
    assert a_spending(input_tokens=3_000, output_tokens=200).tokens == 3_200
    assert [a_spending(cost_usd=usd).micro_usd for usd in (0.0, 0.000_000_1, 0.25)] == [0, 1, 250_000]


def test_the_most_that_a_draft_can_use_is_its_input_and_the_longest_output():
    most = Tariff(input_usd=1.0, output_usd=5.0, output_tokens=600).at_most(8_000)

    assert (most.input_tokens, most.output_tokens) == (8_000, 600)
    assert most.cost_usd == pytest.approx(0.011)
