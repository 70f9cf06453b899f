"""Lets Claude write the three lines that an agent reads first. The chat goes in as marked data."""

from collections.abc import Iterator
from dataclasses import dataclass

from anthropic.types import ToolParam
from pydantic import BaseModel, ConfigDict, ValidationError

from bot.adapters.claude.prompt import AnswerPrompt
from bot.adapters.claude.requests import is_blank, without_nonce
from bot.adapters.claude.tool_calls import ToolCaller
from bot.core.conversation import Message, Role
from bot.core.summary import Summary, SummaryRequest
from bot.errors import ModelUnavailable

SUMMARY_FILE = "handoff_summary.md"
MAX_TOKENS = 400
WITHIN_S = 9.0  # the service gives up a second later
LONGEST_MESSAGE = 2_000  # characters of one message; its beginning says what it is about
ROLES = {Role.CUSTOMER: "customer", Role.BOT: "assistant", Role.AGENT: "agent"}
TOOL: ToolParam = {
    "name": "write_summary",
    "description": "Give the agent the three lines.",
    "input_schema": {
        "type": "object",
        "properties": {
            "asked": {"type": "string", "description": "What the customer wants."},
            "said": {"type": "string", "description": "What was answered or asked so far."},
            "open": {"type": "string", "description": "What is left for the agent."},
        },
        "required": ["asked", "said", "open"],
        "additionalProperties": False,
    },
}


class _Lines(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    asked: str
    said: str
    open: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeSummarizer:
    """Sums up a chat in one call."""

    caller: ToolCaller
    prompt: AnswerPrompt

    async def summarise(self, request: SummaryRequest) -> Summary:
        nonce = self.caller.around.nonce()
        system = f"{self.prompt.fixed}\n\n{self.prompt.filled(nonce=nonce, locale=request.locale)}"
        called = await self.caller.call(
            TOOL, system=system, text=chat(request, nonce), max_tokens=MAX_TOKENS, within_s=WITHIN_S
        )
        try:
            lines = _Lines.model_validate(called)
        except ValidationError as wrong:
            raise ModelUnavailable("the summary does not have its three lines") from wrong
        kept = {name: without_nonce(line, nonce) for name, line in lines.model_dump().items()}
        return Summary(asked=kept["asked"], said=kept["said"], open=kept["open"])


def chat(request: SummaryRequest, nonce: str) -> str:
    """Return the marked chat, and beside it why it was handed over."""
    lines = "\n\n".join(_lines(request.messages, nonce))
    rule = f", by the rule {request.rule}" if request.rule else ""
    near = f"\nThe nearest article: {without_nonce(request.nearest, nonce)}" if request.nearest else ""
    return f"<chat-{nonce}>\n{lines}\n</chat-{nonce}>\n\nHanded over as: {request.reason}{rule}.{near}"


def _lines(messages: tuple[Message, ...], nonce: str) -> Iterator[str]:
    for message in messages:
        text = without_nonce(message.text, nonce)[:LONGEST_MESSAGE].strip()
        if not is_blank(text):
            yield f"{ROLES[message.role]}: {text}"
