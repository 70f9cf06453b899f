"""Lets Claude write the three lines that an agent reads first. The chat goes in as marked data."""

from collections.abc import Iterator
from dataclasses import dataclass

from anthropic.types import ToolParam

from bot.adapters.claude.prompt import AnswerPrompt
from bot.adapters.claude.requests import is_blank, without_nonce
from bot.adapters.claude.tool_calls import ToolCaller
from bot.adapters.claude.untrusted import ToolInput
from bot.core.conversation import Message, Role
from bot.core.summary import Summary, SummaryRequest

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


class _Lines(ToolInput):
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
        lines = await self.caller.call(
            TOOL,
            _Lines,
            system=self.prompt.whole(nonce=nonce, locale=request.locale),
            text=chat(request, nonce),
            max_tokens=MAX_TOKENS,
            within_s=WITHIN_S,
        )
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
