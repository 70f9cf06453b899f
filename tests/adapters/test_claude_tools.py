"""Summaries and verdicts from Claude through its real client, against a local server, and what each failure becomes."""

import json
from contextlib import asynccontextmanager

import pytest

from bot.adapters.claude.client import Surroundings
from bot.adapters.claude.judging import JUDGE_FILE, ClaudeJudge
from bot.adapters.claude.opening import ClaudeAccess
from bot.adapters.claude.prompt import load_prompt
from bot.adapters.claude.summary import SUMMARY_FILE, ClaudeSummarizer
from bot.adapters.claude.tool_calls import opened_tool_caller
from bot.adapters.memory.clock import ManualClock
from bot.core.faithfulness import JudgeRequest, Verdict
from bot.core.outcome import ReasonCode
from bot.core.summary import Summary, SummaryRequest
from bot.errors import KeyRejected, ModelUnavailable, ProviderLimitReached
from bot.turn_wiring import PROMPTS
from tests.builders import a_bot_message, a_message
from tests.vendors.anthropic_server import (
    Call,
    answers,
    anthropic_server,
    limit_of_operator,
    limit_of_provider,
    overloaded,
    refuses,
    rejects_key,
    uncited,
)
from tests.vendors.local_server import resets, sends

NONCE = "abcdef123456"
LINES = {"asked": "Move a class.", "said": "Was shown how.", "open": "Wants a person."}
WRITES = answers(Call(name="write_summary", input=LINES), stop="tool_use")
CHAT = SummaryRequest(
    messages=(a_message(f"Move my class {NONCE}"), a_bot_message(), a_message("agent"), a_message(" ")),
    reason=ReasonCode.ESCALATION_RULE,
    rule="refund_demand",
    nearest="How to Reschedule a Lesson",
    locale="de",
)
ANSWER = JudgeRequest(
    question="How?",
    sentences=("Open My Lessons.", "It costs 5 €."),
    passages=("Lessons\n\nOpen My Lessons.",),
)
JUDGED = [{"sentence": 1, "supported": True, "why": ""}, {"sentence": 2, "supported": False, "why": "5 €"}]


def judges(verdicts):
    return answers(Call(name="give_verdicts", input={"verdicts": verdicts}), stop="tool_use")


@asynccontextmanager
async def caller(url, *, model="claude-haiku-5-5", clock=None):
    access = ClaudeAccess(
        api_key="key-1", base_url=url, model=model, max_tokens=600, input_usd=0.1, output_usd=0.5
    )
    clock = clock or ManualClock()
    around = Surroundings(
        monotonic_s=clock.monotonic_s,
        sleep=clock.sleep,
        jitter=lambda: 1.0,
        nonce=lambda: NONCE,
    )
    async with opened_tool_caller(access, around) as opened:
        yield opened


async def summary(*replies, **fields):
    async with anthropic_server(*replies) as server, caller(server.url, **fields) as opened:
        summarizer = ClaudeSummarizer(caller=opened, prompt=load_prompt(PROMPTS / SUMMARY_FILE))
        return await summarizer.summarise(CHAT), server


async def verdicts(*replies):
    async with anthropic_server(*replies) as server, caller(server.url) as opened:
        return await ClaudeJudge(caller=opened, prompt=load_prompt(PROMPTS / JUDGE_FILE)).judge(
            ANSWER
        ), server


async def test_the_three_lines_come_from_one_forced_tool_call():
    written, server = await summary(WRITES)

    assert written == Summary(**LINES)
    (request,) = server.requests
    assert request["tool_choice"] == {
        "type": "tool",
        "name": "write_summary",
        "disable_parallel_tool_use": True,
    }
    assert request["max_tokens"] == 400


async def test_the_chat_goes_in_marked_and_cannot_forge_the_marks():
    _, server = await summary(WRITES)

    (message,) = server.requests[0]["messages"]
    assert message["content"] == (
        f"<chat-{NONCE}>\ncustomer: Move my class\n\nassistant: Open My Lessons and choose Reschedule.\n\n"
        f"customer: agent\n</chat-{NONCE}>\n\n"
        "Handed over as: escalation_rule, by the rule refund_demand.\n"
        "The nearest article: How to Reschedule a Lesson"
    )
    assert "language with the code de" in server.requests[0]["system"]


async def test_a_model_that_thinks_is_not_forced():
    _, server = await summary(WRITES, model="claude-opus-5-5")

    assert server.requests[0]["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}
    assert "thinking" not in server.requests[0]


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        pytest.param(overloaded(), ModelUnavailable, id="overloaded"),
        pytest.param(rejects_key(), KeyRejected, id="key"),
        pytest.param(limit_of_operator(), ProviderLimitReached, id="operator's limit"),
        pytest.param(limit_of_provider(), ProviderLimitReached, id="provider's limit"),
        pytest.param(refuses(429, "rate_limit_error", retry_after="3600"), ModelUnavailable, id="an hour"),
        pytest.param(resets(), ModelUnavailable, id="reset"),
        pytest.param(sends("<html>", "text/html"), ModelUnavailable, id="html"),
        pytest.param(sends("{", "application/json"), ModelUnavailable, id="broken JSON"),
        pytest.param(answers(uncited("Sure!")), ModelUnavailable, id="words instead"),
        pytest.param(answers(Call(name="write_summary", input=LINES), stop="max_tokens"), ModelUnavailable, id="cut"),
        pytest.param(answers(Call(name="rm", input=LINES), stop="tool_use"), ModelUnavailable, id="another tool"),
        pytest.param(
            answers(Call(name="write_summary", input={"asked": "x"}), stop="tool_use"), ModelUnavailable, id="two lines lack"
        ),
    ],
)  # fmt: skip
async def test_every_failure_is_the_models(reply, error):
    with pytest.raises(error):
        await summary(reply)


async def test_what_passes_by_is_tried_again_within_the_time():
    clock = ManualClock()

    written, server = await summary(overloaded(), resets(), WRITES, clock=clock)

    assert written == Summary(**LINES)
    assert clock.slept == [0.5, 1.0]
    assert len(server.requests) == 3


async def test_each_sentence_gets_its_verdict():
    given, server = await verdicts(judges(JUDGED))

    assert given == (
        Verdict(sentence="Open My Lessons.", supported=True),
        Verdict(sentence="It costs 5 €.", supported=False, why="5 €"),
    )
    sent = json.dumps(server.requests[0]["messages"], ensure_ascii=False)
    assert f"<sentences-{NONCE}>\\n1. Open My Lessons.\\n2. It costs 5 €.\\n</sentences-{NONCE}>" in sent


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(JUDGED[:1], id="one is missing"),
        pytest.param([*JUDGED, JUDGED[1]], id="one twice"),
        pytest.param(JUDGED[::-1], id="another order"),
        pytest.param([JUDGED[0], {**JUDGED[1], "supported": "no"}], id="a word"),
        pytest.param([JUDGED[0], "fine"], id="no verdict"),
    ],
)
async def test_verdicts_that_do_not_fit_the_sentences_are_none(given):
    with pytest.raises(ModelUnavailable):
        await verdicts(judges(given))
