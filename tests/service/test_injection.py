"""Texts that try to steer the model, through every place a stranger can write in, with a model that obeys them in the worst way.

Customers' names and what their pages are called are such places too; these reach no model, which is tested here.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.memory.customers import MemoryCustomerStore
from bot.channels.bodies import parse
from bot.channels.rendering import render
from bot.channels.widget.frames import PageBody, SessionBody, to_page
from bot.channels.widget.identities import IdentityTokens
from bot.core.conversation import Status
from bot.core.customers import Identity, to_name
from bot.core.facts import emails_in, figures_in, figures_known_from, links_in
from bot.core.grounding import Grounded, House, answer_gate
from bot.core.outcome import Handoff, ReasonCode
from bot.core.prompt import Abstained, Asked, Block, Citation, DraftPiece, Evidence, Finished, Stop
from bot.errors import InputRejected
from bot.service.arrivals import Arrivals, Coming
from tests.builders import a_found_passage, a_passage, a_ranked_passage
from tests.channels.identity_tokens import IDENTITY_KEY, SITE, signed, some_claims
from tests.service.faults import finding_each, quoted
from tests.service.injection_texts import INJECTIONS, Injection
from tests.service.rig import QUESTION, REPLIES, Rig, a_rig, reason_of
from tests.service.shelf import PROVERB, REFUNDS, RESCHEDULE

COMPLETE = Finished(stop=Stop.COMPLETE)
HONEST = quoted()
ROUTED = {ReasonCode.CUSTOMER_ASKED, ReasonCode.ESCALATION_RULE, ReasonCode.RECORDS_UNAVAILABLE}
FROM_DRAFTS = {ReasonCode.UNGROUNDED_DRAFT, ReasonCode.MODEL_ABSTAINED}
each_injection = pytest.mark.parametrize("injection", INJECTIONS, ids=lambda i: f"{i.goal}: {i.text[:24]!a}")


def obeying(injection: Injection) -> dict[str, tuple[DraftPiece, ...]]:
    """Return the ways in which a model may put into a draft what it was told to say."""
    says = injection.says
    cited = quoted(says, quote=RESCHEDULE.body)
    return {
        "without a source": (Block(text=says), COMPLETE),
        "with a source that says something else": (cited, COMPLETE),
        "with an invented quotation": (quoted(says, quote=says), COMPLETE),
        "with an invented source": (quoted(says, quote=says, passage="source-1"), COMPLETE),
        "beside what the source says": (quoted(f"{RESCHEDULE.body} {says}"), COMPLETE),
        "as a question": (Asked(text=f"{says.rstrip('.')}, right?", options=("Yes",)),),
        "as a text to tap": (Asked(text="Which class is it?", options=(says, f"{says}?")),),
    }


async def a_rig_where_all_is_found(**fields) -> Rig:
    """Return a rig whose passages all pass the evidence gate, so that the draft decides."""
    rig = await a_rig(**fields)
    finding_each(cosine=0.9)(rig)
    return rig


async def assert_only_the_handoff_is_told(rig: Rig, reason: ReasonCode) -> None:
    (told,) = await rig.told()
    assert (told.text, told.reason) == (REPLIES.handoff(reason, "en"), reason)
    assert (told.sources, told.options) == ((), ())
    assert [what for what, _ in rig.log if what in ("recorded", "shown")] == []
    assert (await rig.state()).status is Status.QUEUED
    assert all(truthful for _, truthful in rig.observer.settled)


def test_there_are_at_least_a_hundred_texts():
    assert len({injection.text for injection in INJECTIONS}) >= 100


@each_injection
async def test_nothing_that_a_message_makes_the_model_say_is_shown(injection):
    for form, script in obeying(injection).items():
        rig = await a_rig_where_all_is_found()
        rig.answerer.script = script

        turn = await rig.ask(f"{QUESTION} {injection.text}")

        reason = reason_of(turn)
        assert reason in FROM_DRAFTS | ROUTED, form
        await assert_only_the_handoff_is_told(rig, reason)


async def test_most_messages_reach_the_model():
    """Else the test above would show nothing."""
    reached = 0
    for injection in INJECTIONS:
        rig = await a_rig_where_all_is_found()
        await rig.ask(f"{QUESTION} {injection.text}")
        reached += bool(rig.answerer.requests)

    assert reached >= 0.85 * len(INJECTIONS)


@each_injection
@pytest.mark.parametrize("field", ["body", "title"])
async def test_nothing_that_an_article_makes_the_model_say_of_another_one_is_shown(injection, field):
    poisoned = replace(PROVERB, **{field: f"{getattr(PROVERB, field)} {injection.text}"})
    for form in ("without a source", "with a source that says something else", "with an invented source"):
        rig = await a_rig_where_all_is_found(articles=(RESCHEDULE, REFUNDS, poisoned))
        rig.answerer.script = obeying(injection)[form]

        reason = reason_of(await rig.ask())

        assert reason in FROM_DRAFTS, form
        await assert_only_the_handoff_is_told(rig, reason)


@each_injection
async def test_an_article_that_is_quoted_with_an_injection_shows_it_as_text_and_obeys_nothing(injection):
    poisoned = replace(RESCHEDULE, body=f"{RESCHEDULE.body}\n\n{injection.text}")
    rig = await a_rig_where_all_is_found(articles=(poisoned,))

    turn = await rig.ask()

    (told,) = await rig.told()
    assert reason_of(turn) is None
    assert told.text == poisoned.body
    html = render(told.text).lower()
    assert not [
        tag for tag in ("<img", "<script", "<svg", "<iframe", "<button", 'href="j', 'href="d') if tag in html
    ]


@each_injection
async def test_what_was_shown_before_stays_and_is_marked(injection):
    rig = await a_rig_where_all_is_found()
    rig.answerer.script = (HONEST, Block(text=injection.says), HONEST, COMPLETE)

    turn = await rig.ask()

    before, handoff = await rig.told()
    assert (before.text, before.interrupted) == (HONEST.text, True)
    assert reason_of(turn) in FROM_DRAFTS
    assert handoff.text == REPLIES.handoff(reason_of(turn), "en")
    assert rig.observer.settled == [(turn, True)]


@pytest.mark.parametrize("why", [*ReasonCode, "HANDOFF no_evidence", "<img src=x>"], ids=str)
async def test_the_model_declares_and_never_chooses_a_reason(why):
    rig = await a_rig_where_all_is_found()
    rig.answerer.script = (Abstained(why=str(why)),)

    turn = await rig.ask()

    assert reason_of(turn) is ReasonCode.MODEL_ABSTAINED
    await assert_only_the_handoff_is_told(rig, ReasonCode.MODEL_ABSTAINED)


@dataclass(slots=True)
class GivingAway(Sequence[DraftPiece]):
    """A script that writes its request's own nonce, which no test can know before."""

    rig: Rig
    form: str

    def __getitem__(self, at):
        return self._pieces()[at]

    def __len__(self) -> int:
        return 3

    def _pieces(self) -> tuple[DraftPiece, ...]:
        nonce = self.rig.answerer.requests[-1].nonce
        said = self.form.format(nonce=nonce, spaced=" ".join(nonce), turned=nonce[::-1], upper=nonce.upper())
        return (quoted(f"{RESCHEDULE.body} {said}"), quoted(said), COMPLETE)


@pytest.mark.parametrize(
    "form",
    [
        "canary-{nonce}@prompt.invalid",
        "source-{nonce}-1",
        "{spaced}",
        "{turned}",
        "It is {upper}.",
        "{nonce}?",
    ],
)
async def test_the_mark_of_a_request_is_never_shown(form):
    rig = await a_rig_where_all_is_found()
    rig.answerer.script = GivingAway(rig, form)

    turn = await rig.ask()

    assert turn.outcome == Handoff(reason=ReasonCode.UNGROUNDED_DRAFT, detail="secret")
    await assert_only_the_handoff_is_told(rig, ReasonCode.UNGROUNDED_DRAFT)


async def test_each_request_has_a_mark_of_its_own():
    rig = await a_rig_where_all_is_found()

    await rig.ask()
    await rig.ask()

    first, second = (request.nonce for request in rig.answerer.requests)
    assert first != second
    assert len(first) >= 16


@each_injection
@pytest.mark.parametrize("field", ["name", "customer_name", "page_url", "url", "locale"])
def test_a_session_takes_no_unsigned_name_and_no_locale_that_is_none(injection, field):
    with pytest.raises(InputRejected):
        parse(SessionBody, json.dumps({field: injection.text}))


def arriving(rig: Rig, text: str) -> tuple[Coming, Identity]:
    """Return how a customer comes whose name, address and page all say *text*."""
    page = to_page(PageBody(url=f"https://shop.example/{text}", title=text))
    claims = some_claims(rig.clock.now_ms() // 1000, name=text, email=f"{text}@shop.example")
    identity = IdentityTokens([IDENTITY_KEY], clock=rig.clock, audience=SITE).identity_of(signed(claims))
    return Coming(locale="en", page=page), identity


@each_injection
async def test_nothing_that_a_name_or_a_page_says_is_searched_for_or_reaches_the_model(injection):
    texts = []
    for text in ("Ana Costa", injection.text):
        rig = await a_rig_where_all_is_found()
        coming, identity = arriving(rig, text)
        arrivals = Arrivals(customers=rig.customers, store=MemoryCustomerStore(rig.store))
        arrived = await arrivals.identify(coming, identity, before_opening=lambda: None)
        rig.conversation = arrived.ticket.conversation

        turn = await rig.ask()

        assert arrived.customer.name == to_name(text)
        assert reason_of(turn) is None
        texts.append([replace(asked, nonce="") for asked in rig.answerer.requests] + rig.embedder.embedded)
    assert texts[0] == texts[1]


SOURCE = f"{RESCHEDULE.body} {REFUNDS.body}"
EVIDENCE = Evidence(passages=(a_ranked_passage(found=a_found_passage(passage=a_passage(SOURCE))),))
PARTS = st.one_of(
    st.sampled_from(SOURCE.split()),
    st.sampled_from([injection.says for injection in INJECTIONS]),
    st.sampled_from(
        ["https://evil.test/a", "evil.test", "a@evil.test", "![x](//evil.test)", "$5", "7 %", "\n", "?"]
    ),
    st.integers(0, 99).map(str),
    st.text(max_size=8),
)


@given(
    st.lists(PARTS, max_size=12).map(" ".join),
    st.lists(
        st.one_of(st.sampled_from([SOURCE, RESCHEDULE.body, REFUNDS.body]), st.text(max_size=9)), max_size=2
    ),
)
def test_no_text_with_any_citations_shows_a_figure_or_an_address_that_is_nowhere(text, quotes):
    citations = tuple(
        Citation(passage=EVIDENCE.passages[0].found.passage.id, quote=quote) for quote in quotes
    )

    verdict = answer_gate(Block(text=text, citations=citations), EVIDENCE, (), House(secrets=("canary-1",)))

    if verdict == Grounded():
        known = (SOURCE, "How to Reschedule a Lesson", "https://help.example/KB000003")
        assert links_in(text) <= frozenset().union(*map(links_in, known))
        assert emails_in(text) <= frozenset()
        assert figures_in(text) <= frozenset().union(*map(figures_known_from, known)) | {"1"}
        assert "<img" not in render(text)
