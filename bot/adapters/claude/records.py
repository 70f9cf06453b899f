"""Lets Claude plan what to ask of a customer's records, and say what was found. What a customer wrote goes in as marked data."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from anthropic.types import ToolParam

from bot.adapters.claude.prompt import AnswerPrompt, load_prompt
from bot.adapters.claude.requests import LOCALE, is_blank, without_nonce
from bot.adapters.claude.tool_calls import ToolCaller, ToolRequest
from bot.adapters.claude.untrusted import ToolInput
from bot.core.conversation import Role
from bot.core.records import Plan, Route, described
from bot.model_ports import Planned, PlanRequest, Worded, WordingRequest

PLAN_FILE, REPAIR_FILE, WORDING_FILE = "plan_query.md", "repair_query.md", "word_records.md"
LONGEST_MESSAGE = 1_500  # characters of one message of the chat, and of the question
LONGEST_ERROR = 1_000
LEAST_S = 0.5
# The provider takes no temperature any more. What comes nearest: a form that it must keep to, and no thinking where a model can be
# told not to.
PLAN: ToolParam = {
    "name": "plan_answer",
    "description": "Say where the answer is, and what to ask the database.",
    "strict": True,
    "input_schema": {
        "type": "object",
        "properties": {
            "route": {"type": "string", "enum": [str(route) for route in Route]},
            "sql": {"type": "string", "description": "One SELECT; empty for the route articles."},
        },
        "required": ["route", "sql"],
        "additionalProperties": False,
    },
}
WORDS: ToolParam = {
    "name": "write_answer",
    "description": "Give the customer the answer.",
    "strict": True,
    "input_schema": {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "The answer, in Markdown."}},
        "required": ["text"],
        "additionalProperties": False,
    },
}


class _Plan(ToolInput):
    route: Literal["articles", "records", "both"]
    sql: str


class _Words(ToolInput):
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsPrompts:
    """The instructions for a first plan, for a repair of it, and for the words."""

    plan: AnswerPrompt
    repair: AnswerPrompt
    wording: AnswerPrompt

    @property
    def digest(self) -> str:
        """Return one digest of all three."""
        together = "".join(prompt.digest for prompt in (self.plan, self.repair, self.wording))
        return hashlib.sha256(together.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudePlanner:
    """Plans and words in one call each."""

    caller: ToolCaller
    prompts: RecordsPrompts
    max_tokens: int

    @property
    def name(self) -> str:
        return f"claude/{self.caller.model}"

    @property
    def prompt_digest(self) -> str:
        return self.prompts.digest

    async def plan(self, request: PlanRequest) -> Planned:
        prompt = self.prompts.plan if request.failed is None else self.prompts.repair
        asked = self._request(PLAN, prompt, "\n\n".join(_planned(request)), request)
        called = await self.caller.counted(asked, _Plan)
        route = Route(called.form.route)
        sql = None if route is Route.ARTICLES else called.form.sql.strip()
        return Planned(plan=Plan(route=route, sql=sql), usage=called.usage)

    async def word(self, request: WordingRequest) -> Worded:
        asked = self._request(WORDS, self.prompts.wording, "\n\n".join(_found(request)), request)
        called = await self.caller.counted(asked, _Words)
        return Worded(text=called.form.text, usage=called.usage)

    def _request(
        self, tool: ToolParam, prompt: AnswerPrompt, text: str, request: PlanRequest | WordingRequest
    ) -> ToolRequest:
        locale = request.locale if LOCALE.fullmatch(request.locale) else "en"
        return ToolRequest(
            tool=tool,
            system=prompt.whole(nonce=request.nonce, locale=locale),
            text=text,
            max_tokens=self.max_tokens,
            within_s=max(LEAST_S, request.deadline_s - self.caller.around.monotonic_s()),
        )


def load_records_prompts(directory: Path) -> RecordsPrompts:
    """Read the three files; Misconfigured names the file, the problem and the remedy."""
    return RecordsPrompts(
        plan=load_prompt(directory / PLAN_FILE),
        repair=load_prompt(directory / REPAIR_FILE),
        wording=load_prompt(directory / WORDING_FILE),
    )


def _planned(request: PlanRequest) -> Iterator[str]:
    """Yield what a plan is made from: what the operator describes as it is, what was written in marks."""
    nonce = request.nonce
    yield f"Now: {request.today}"
    yield described(request.schema)
    yield _marked("chat", "\n\n".join(_chat(request)), nonce)
    yield _marked("question", request.question[-LONGEST_MESSAGE:], nonce)
    if request.failed is not None:
        yield _marked("statement", request.failed.sql, nonce)
        yield _marked("error", (request.failed.error or "")[:LONGEST_ERROR], nonce)


def _chat(request: PlanRequest) -> Iterator[str]:
    for message in request.history:
        text = without_nonce(message.text, request.nonce)[:LONGEST_MESSAGE].strip()
        if not is_blank(text):
            yield f"{'customer' if message.role is Role.CUSTOMER else 'assistant'}: {text}"


def _found(request: WordingRequest) -> Iterator[str]:
    rows = request.rows
    found = {"columns": rows.columns, "rows": rows.rows, "count": len(rows.rows)}
    yield _marked("question", request.question[-LONGEST_MESSAGE:], request.nonce)
    yield _marked("rows", json.dumps(found, ensure_ascii=False), request.nonce)


def _marked(name: str, text: str, nonce: str) -> str:
    return f"<{name}-{nonce}>\n{without_nonce(text, nonce)}\n</{name}-{nonce}>"
