"""Claude through its real client, against a local server: what comes back as a draft, and what each failure becomes."""

from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from bot.adapters.claude.opening import ClaudeAccess, Surroundings, opened_claude
from bot.adapters.claude.prompt import load_answer_prompt
from bot.adapters.memory.clock import ManualClock
from bot.core.prompt import Abstained, AnswerRequest, Asked, Block, Citation, Evidence, Finished, Stop, Usage
from bot.errors import KeyRejected, ModelUnavailable, ProviderLimitReached
from bot.turn_wiring import PROMPTS
from tests.builders import a_ranked_passage
from tests.vendors.anthropic_server import (
    Call,
    Cited,
    answers,
    anthropic_server,
    asks,
    cut_after,
    ends_after,
    fails_after,
    hands_over,
    limit_of_operator,
    limit_of_provider,
    overloaded,
    refuses,
    rejects_key,
    says,
    sends_events,
    uncited,
)
from tests.vendors.local_server import resets, sends

PROMPT = load_answer_prompt(PROMPTS)
ACCESS = ClaudeAccess(
    api_key="key-1", base_url="", model="claude-haiku-5-5", max_tokens=600, input_usd=0.10, output_usd=0.50
)
PASSAGE = a_ranked_passage().found.passage
SENTENCE = PASSAGE.text
GOOD = answers(says(SENTENCE))
BLOCK = Block(text=SENTENCE, citations=(Citation(passage=PASSAGE.id, quote=SENTENCE),))


class Rig:
    """An answerer and the waits that it asked for; waiting takes no time, but the clock goes on."""

    def __init__(self):
        self.clock = ManualClock()

    @asynccontextmanager
    async def opened(self, url):
        around = Surroundings(
            monotonic_s=self.clock.monotonic_s,
            sleep=self.clock.sleep,
            jitter=lambda: 1.0,
            nonce=lambda: "abcdef123456",
        )
        async with opened_claude(replace(ACCESS, base_url=url), PROMPTS, around) as answerer:
            yield answerer

    def request(self, *, within_s=25.0) -> AnswerRequest:
        return AnswerRequest(
            question="How do I reschedule?",
            evidence=Evidence(passages=(a_ranked_passage(),)),
            history=(),
            deadline_s=self.clock.monotonic_s() + within_s,
        )


@pytest.fixture
def rig():
    return Rig()


async def drafted(rig, *replies, **request):
    """Return the pieces of one draft, the error that ended it or None, and the server."""
    pieces, error = [], None
    async with anthropic_server(*replies) as server, rig.opened(server.url) as answerer:
        try:
            async for piece in answerer.draft(rig.request(**request)):
                pieces.append(piece)  # noqa: PERF401 - what came before an error counts
        except ModelUnavailable as failure:
            error = failure
    return pieces, error, server


async def test_cited_text_becomes_a_block_that_quotes_what_it_cites(rig):
    pieces, error, _ = await drafted(rig, GOOD)

    assert error is None
    assert pieces[0] == BLOCK
    assert pieces[1] == Finished(
        stop=Stop.COMPLETE,
        model="claude/claude-haiku-5-5",
        prompt_digest=PROMPT.digest,
        usage=Usage(input_tokens=1_000, output_tokens=50, cost_usd=pytest.approx(0.000125)),
    )


async def test_cached_input_is_counted_and_priced_as_its_provider_does(rig):
    usage = {"input_tokens": 100, "cache_creation_input_tokens": 1_000, "cache_read_input_tokens": 2_000}
    pieces, _, _ = await drafted(rig, answers(says(SENTENCE), usage={**usage, "output_tokens": 10}))

    cost = (100 + 1.25 * 1_000 + 0.1 * 2_000) * 0.10e-6 + 10 * 0.50e-6
    assert pieces[-1].usage == Usage(input_tokens=3_100, output_tokens=10, cost_usd=pytest.approx(cost))


async def test_the_tool_that_hands_over_is_a_declaration_and_no_text(rig):
    pieces, error, _ = await drafted(rig, hands_over("nothing on wine, see abcdef123456"))

    assert error is None
    assert [replace(p, usage=None) for p in pieces] == [
        Abstained(why="nothing on wine, see ", prompt_digest=PROMPT.digest)
    ]


async def test_the_tool_that_asks_is_a_question_with_answers_to_tap(rig):
    pieces, _, _ = await drafted(rig, asks("Which lesson?", "The next one", " ", "A later one"))

    asked = Asked(text="Which lesson?", options=("The next one", "A later one"), prompt_digest=PROMPT.digest)
    assert [replace(p, usage=None) for p in pieces] == [asked]


@pytest.mark.parametrize(
    "cited", [Cited(result=7), Cited(source="source-forged-1")], ids=["no such result", "another label"]
)
async def test_a_citation_of_what_was_not_given_names_no_passage(rig, cited):
    pieces, _, _ = await drafted(rig, answers(says(SENTENCE, cited)))

    assert [c.passage for c in pieces[0].citations] == ["not in the request"]


async def test_a_quote_is_what_the_provider_says_it_is(rig):
    pieces, _, _ = await drafted(rig, answers(says(SENTENCE, Cited(text="Open Your Lessons."))))

    assert pieces[0].citations == (Citation(passage=PASSAGE.id, quote="Open Your Lessons."),)


@pytest.mark.parametrize(
    ("stop", "expected"),
    [
        ("end_turn", Stop.COMPLETE),
        ("stop_sequence", Stop.COMPLETE),
        ("max_tokens", Stop.CUT_OFF),
        ("model_context_window_exceeded", Stop.CUT_OFF),
        ("refusal", Stop.REFUSED),
    ],
)
async def test_a_known_stop_reason_says_how_the_draft_ended(rig, stop, expected):
    pieces, error, _ = await drafted(rig, answers(says(SENTENCE), stop=stop))

    assert (pieces[-1].stop, error) == (expected, None)


@pytest.mark.parametrize("stop", [None, "", "pause_turn", "a_new_one", 7])
async def test_any_other_stop_reason_is_no_answer(rig, stop):
    pieces, error, server = await drafted(rig, answers(says(SENTENCE), stop=stop))

    assert pieces == [BLOCK]
    assert type(error) is ModelUnavailable
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(answers(), id="no content"),
        pytest.param(answers(uncited(" \n")), id="blank content"),
        pytest.param(answers(uncited("\u200b")), id="invisible content"),
        pytest.param(sends("<html>Sign in</html>"), id="HTML"),
        pytest.param(sends("event: message_start\ndata: {broken\n\n", "text/event-stream"), id="broken JSON"),
        pytest.param(sends('{"id": "msg', "application/json"), id="JSON that is no stream"),
        pytest.param(sends_events(("message_stop", {"type": "message_stop"})), id="only an end"),
        pytest.param(answers(Call(name="refund", input={}), stop="tool_use"), id="a foreign tool"),
        pytest.param(answers(stop="tool_use"), id="no tool called"),
        pytest.param(answers(Call(name="hand_over"), Call(name="hand_over"), stop="tool_use"), id="two calls"),
        pytest.param(answers(Call(name="hand_over")), id="a call that is not waited for"),
        pytest.param(answers(Call(name="ask_customer", input={"question": "?"}), stop="tool_use"), id="no options"),
        pytest.param(answers(Call(name="ask_customer", json_text="[1"), stop="tool_use"), id="input that is no object"),
        pytest.param(refuses(404, "not_found_error"), id="no such model"),
        pytest.param(refuses(400, "invalid_request_error"), id="a bad request"),
    ],
)  # fmt: skip
async def test_what_is_no_answer_gives_no_piece(rig, reply):
    pieces, error, _ = await drafted(rig, reply)

    assert pieces == []
    assert type(error) is ModelUnavailable


@pytest.mark.parametrize(
    "reply",
    [
        overloaded(), refuses(500), refuses(503), refuses(429, "rate_limit_error"), refuses(408), resets(),
        cut_after(), ends_after(), fails_after(), cut_after(uncited("Open My")),
    ],
    ids=["529", "500", "503", "429", "408", "reset", "cut", "no end", "error event", "cut before a block"],
)  # fmt: skip
async def test_what_may_pass_is_tried_twice_more_with_a_growing_pause(rig, reply):
    pieces, error, server = await drafted(rig, reply)

    assert (pieces, rig.clock.slept, len(server.requests)) == ([], [0.5, 1.0], 3)
    assert type(error) is ModelUnavailable


@pytest.mark.parametrize("failures", [1, 2])
async def test_an_attempt_that_succeeds_is_the_answer(rig, failures):
    pieces, error, _ = await drafted(rig, *[overloaded()] * failures, GOOD)

    assert (pieces[0], error, len(rig.clock.slept)) == (BLOCK, None, failures)


@pytest.mark.parametrize("after", [cut_after, ends_after, fails_after], ids=["cut", "no end", "error event"])
async def test_nothing_is_tried_again_once_a_block_was_given_out(rig, after):
    pieces, error, server = await drafted(rig, after(says(SENTENCE)), GOOD)

    assert (pieces, rig.clock.slept, len(server.requests)) == ([BLOCK], [], 1)
    assert type(error) is ModelUnavailable


@pytest.mark.parametrize(
    ("retry_after", "waits"),
    [("2", [2.0]), ("1.5", [1.5]), ("0", [0.5]), ("3600", []), ("Wed, 21 Oct 2026 07:28:00 GMT", []), ("-1", []), ("nan", [])],
)  # fmt: skip
async def test_a_wait_that_is_asked_for_is_obeyed_when_it_fits(rig, retry_after, waits):
    await drafted(rig, refuses(429, "rate_limit_error", retry_after=retry_after), GOOD)

    assert rig.clock.slept == waits


async def test_nothing_is_tried_again_when_too_little_time_is_left(rig):
    _, error, server = await drafted(rig, overloaded(), GOOD, within_s=2.4)

    assert (rig.clock.slept, len(server.requests)) == ([], 1)
    assert error is not None


@pytest.mark.parametrize("reply", [rejects_key(), refuses(403, "permission_error")], ids=["401", "403"])
async def test_a_rejected_key_is_said_to_be_one_and_never_repeated(rig, reply):
    _, error, server = await drafted(rig, reply)

    assert isinstance(error, KeyRejected)
    assert "ANTHROPIC_API_KEY" in str(error)
    assert "key-1" not in str(error)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        limit_of_operator(), limit_of_provider(), refuses(402, "billing_error"),
        refuses(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
    ],
    ids=["the operator's", "the provider's", "billing", "credit"],
)  # fmt: skip
async def test_a_spending_limit_is_said_to_be_one_and_not_tried_again(rig, reply):
    _, error, server = await drafted(rig, reply)

    assert isinstance(error, ProviderLimitReached)
    assert len(server.requests) == 1


async def test_a_server_that_is_not_there_is_an_outage(rig):
    async with rig.opened("http://127.0.0.1:9") as answerer:
        with pytest.raises(ModelUnavailable, match="APIConnectionError"):
            await anext(answerer.draft(rig.request()))


async def test_the_failure_is_named_by_its_class(rig):
    _, error, _ = await drafted(rig, cut_after(says(SENTENCE)))

    assert str(error).startswith("RemoteProtocolError")


async def test_it_says_what_it_is(rig):
    async with rig.opened("http://127.0.0.1:9") as answerer:
        assert (answerer.name, answerer.streams, answerer.can_abstain) == (
            "claude/claude-haiku-5-5",
            True,
            True,
        )
