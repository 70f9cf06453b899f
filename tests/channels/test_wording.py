"""Agents have words for every code that is stored, and see a code without words as it is."""

import pytest

from bot.channels.wording import (
    A_COLLEAGUE,
    RESOLUTIONS,
    TAKEN_OVER,
    WHAT,
    customer_name,
    detail_in_words,
    reason_in_words,
    what_in_words,
    who_in_words,
)
from bot.core.audit import OPENED, REOPENED, AuditRow
from bot.core.conversation import ConversationId
from bot.core.customers import Customer, Subject
from bot.core.desk import NO_REASON, Resolution
from bot.core.desk_moves import DeskMove
from bot.core.outcome import Answer, Ask, Courtesy, Handoff, ReasonCode
from tests.builders import CONVERSATION
from tests.service.rig import REPLIES

NAMES = {"anna": "Anna"}
NO_CHANGE_OF_OWNER = {DeskMove.RENEWED, DeskMove.REPLIED}  # they leave no row in the audit


def _row(who: str, what: str, detail: str = "") -> AuditRow:
    return AuditRow(
        conversation=CONVERSATION, at_ms=1, who=who, what=what, before="", after="", epoch=0, detail=detail
    )


def test_whatever_the_audit_holds_has_words():
    outcomes = {kind.__name__.lower() for kind in (Answer, Ask, Courtesy, Handoff)}

    assert WHAT.keys() == {OPENED, REOPENED} | outcomes | (set(DeskMove) - NO_CHANGE_OF_OWNER)


def test_every_resolution_has_words():
    assert RESOLUTIONS.keys() == set(Resolution)


@pytest.mark.parametrize("reason", ReasonCode)
def test_every_reason_has_words(reason):
    assert reason_in_words(reason, REPLIES, "en") == REPLIES.reason(reason, "en")


@pytest.mark.parametrize("reason", [None, NO_REASON])
def test_what_no_turn_handed_over_an_agent_took(reason):
    assert reason_in_words(reason, REPLIES, "en") == TAKEN_OVER


def test_codes_of_a_later_release_stay_as_they_are():
    row = _row("anna", "merged", "tidied_up")

    assert what_in_words(row) == "merged"
    assert detail_in_words(row, NAMES) == "tidied_up"
    assert reason_in_words("too_long", REPLIES, "en") == "too_long"


def test_people_are_called_by_name_and_programs_by_what_they_are():
    told = [who_in_words(_row(who, "claimed"), NAMES) for who in ("customer", "bot", "sweep", "anna", "x9")]

    assert told == ["Customer", "Bot", "Candor", "Anna", A_COLLEAGUE]


def test_a_customer_is_called_the_same_each_time_and_not_by_the_id():
    first, second = ConversationId("a" * 32), ConversationId("b" * 32)

    called, other = (customer_name(one, Customer()) for one in (first, second))
    assert called == customer_name(first, Customer(subject=Subject("ana"))) != other
    assert "aaaa" not in called.lower()


def test_a_customer_with_a_name_is_called_by_it():
    assert customer_name(ConversationId("c1"), Customer(subject=Subject("ana"), name="Ana")) == "Ana"
