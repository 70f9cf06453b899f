"""NO_EVIDENCE_POLICY=offer: nothing found is said truthfully and once; the second time in a row a person takes over."""

import pytest

from bot.core.conversation import Kind, Status
from bot.core.outcome import Answer, Ask, ReasonCode
from bot.core.policy import TurnPolicy
from bot.core.replies import LANGUAGES
from bot.errors import RetrievalUnavailable
from tests.service.faults import finding_each
from tests.service.rig import QUESTION, REPLIES, UNCOVERED, Rig, a_rig, reason_of

OFFERING = TurnPolicy(offer_before_handoff=True)
ALSO_UNCOVERED = "Who painted that ceiling?"


@pytest.fixture
async def offering() -> Rig:
    return await a_rig(policy=OFFERING)


async def test_the_first_time_the_customer_may_rephrase_or_take_a_person(offering: Rig):
    turn = await offering.ask(UNCOVERED)

    (said,) = await offering.told()
    assert turn.outcome == Ask(text="", offer=True)
    assert (said.text, said.options) == (REPLIES.text("offer", "en"), (REPLIES.text("offer_person", "en"),))
    assert (said.refusal, said.reason, said.kind) == (True, None, Kind.TEXT)
    assert ((await offering.state()).status, await offering.reasons()) == (Status.BOT, [])
    assert offering.observer.settled == [(turn, True)]


async def test_the_second_time_in_a_row_a_person_takes_over(offering: Rig):
    await offering.ask(UNCOVERED)

    turn = await offering.ask(ALSO_UNCOVERED)

    assert reason_of(turn) is ReasonCode.NO_EVIDENCE
    assert (await offering.state()).status is Status.QUEUED


async def test_an_answer_in_between_starts_the_count_again(offering: Rig):
    await offering.ask(UNCOVERED)
    assert isinstance((await offering.ask(QUESTION)).outcome, Answer)
    finding_each(cosine=0.1)(offering)

    assert isinstance((await offering.ask(ALSO_UNCOVERED)).outcome, Ask)


async def test_an_offer_never_enters_a_retrieval_query(offering: Rig):
    await offering.ask(UNCOVERED)

    turn = await offering.ask(ALSO_UNCOVERED)

    assert turn.query is not None
    assert turn.query.text == f"{UNCOVERED}\n{ALSO_UNCOVERED}"
    assert [(d.seq, d.why) for d in turn.query.dropped] == [(2, "refusal_echo")]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_offers_button_asks_for_a_person_in_every_language(language):
    rig = await a_rig(policy=OFFERING, locale=language)
    await rig.ask(UNCOVERED)
    (said,) = await rig.told()

    turn = await rig.ask(said.options[0])

    assert said.text == REPLIES.text("offer", language)
    assert reason_of(turn) is ReasonCode.CUSTOMER_ASKED


async def test_a_thumb_in_return_for_an_offer_cannot_be_read(offering: Rig):
    await offering.ask(UNCOVERED)

    assert reason_of(await offering.ask("👍")) is ReasonCode.UNSUPPORTED_MESSAGE


async def test_an_outage_is_handed_over_and_never_offered(offering: Rig):
    offering.index.at_search.fails = RetrievalUnavailable("connection refused")

    assert reason_of(await offering.ask(UNCOVERED)) is ReasonCode.RETRIEVAL_UNAVAILABLE


async def test_by_default_a_person_takes_over_at_once(rig: Rig):
    assert reason_of(await rig.ask(UNCOVERED)) is ReasonCode.NO_EVIDENCE
