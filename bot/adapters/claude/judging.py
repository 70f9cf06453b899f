"""Lets Claude judge, sentence by sentence, whether an answer rests on the passages that it cites."""

from collections.abc import Iterable
from dataclasses import dataclass

from anthropic.types import ToolParam

from bot.adapters.claude.prompt import AnswerPrompt
from bot.adapters.claude.requests import without_nonce
from bot.adapters.claude.tool_calls import ToolCaller
from bot.adapters.claude.untrusted import ToolInput
from bot.core.faithfulness import JudgeRequest, Verdict
from bot.errors import ModelUnavailable

JUDGE_FILE = "judge_faithfulness.md"
MAX_TOKENS = 2_000
WITHIN_S = 60.0  # nobody waits: an evaluation may be slow
LONGEST_WHY = 300
TOOL: ToolParam = {
    "name": "give_verdicts",
    "description": "Say of each sentence whether the passages support it.",
    "input_schema": {
        "type": "object",
        "properties": {
            "verdicts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "sentence": {"type": "integer", "description": "The sentence's number."},
                        "supported": {"type": "boolean"},
                        "why": {"type": "string", "description": "What lacks support; empty when nothing does."},
                    },
                    "required": ["sentence", "supported", "why"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["verdicts"],
        "additionalProperties": False,
    },
}  # fmt: skip


class _Verdict(ToolInput):
    sentence: int
    supported: bool
    why: str


class _Verdicts(ToolInput):
    verdicts: list[_Verdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeJudge:
    """Judges an answer in one call."""

    caller: ToolCaller
    prompt: AnswerPrompt

    async def judge(self, request: JudgeRequest) -> tuple[Verdict, ...]:
        """Return a verdict for each sentence, in order; ModelUnavailable, also when one is missing."""
        nonce = self.caller.around.nonce()
        given = await self.caller.call(
            TOOL,
            _Verdicts,
            system=self.prompt.whole(nonce=nonce, locale="en"),
            text=asked(request, nonce),
            max_tokens=MAX_TOKENS,
            within_s=WITHIN_S,
        )
        if [one.sentence for one in given.verdicts] != list(range(1, len(request.sentences) + 1)):
            raise ModelUnavailable("not one verdict for each sentence")
        return tuple(
            Verdict(sentence=sentence, supported=one.supported, why=one.why[:LONGEST_WHY])
            for sentence, one in zip(request.sentences, given.verdicts, strict=True)
        )


def asked(request: JudgeRequest, nonce: str) -> str:
    """Return the question, the passages and the numbered sentences, each in marks of this request."""
    return "\n\n".join(
        (
            _marked("question", [request.question], nonce),
            *(_marked("passage", [passage], nonce) for passage in request.passages),
            _marked("sentences", (f"{n}. {s}" for n, s in enumerate(request.sentences, start=1)), nonce),
        )
    )


def _marked(name: str, lines: Iterable[str], nonce: str) -> str:
    text = "\n".join(without_nonce(line, nonce) for line in lines)
    return f"<{name}-{nonce}>\n{text}\n</{name}-{nonce}>"
