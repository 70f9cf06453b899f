"""The instructions of `prompts/answer.md`: a part that never changes and is cached, and one that is filled for each request."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from bot.errors import Misconfigured

ANSWER_FILE = "answer.md"
DIVIDER = "\n<!-- filled for each request -->\n"
PLACEHOLDERS = ("{nonce}", "{locale}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPrompt:
    """Both parts, and the SHA-256 of the file that they come from."""

    fixed: str
    per_request: str
    digest: str

    @classmethod
    def from_text(cls, text: str) -> "AnswerPrompt":
        """Check and divide the file's text; Misconfigured names what is missing and the remedy."""
        fixed, divider, per_request = text.partition(DIVIDER)
        if not divider or not fixed.strip():
            raise Misconfigured(f"no instructions above the line {DIVIDER.strip()}; restore both")
        if missing := [name for name in PLACEHOLDERS if name not in per_request]:
            raise Misconfigured(f"the placeholder {missing[0]} is missing below the divider; put it back")
        digest = hashlib.sha256(text.encode()).hexdigest()
        return cls(fixed=fixed.strip(), per_request=per_request.strip(), digest=digest)

    def whole(self, *, nonce: str, locale: str) -> str:
        """Return both parts as one text, where nothing is cached."""
        return f"{self.fixed}\n\n{self.filled(nonce=nonce, locale=locale)}"

    def filled(self, *, nonce: str, locale: str) -> str:
        """Return the part of one request."""
        return self.per_request.replace("{nonce}", nonce).replace("{locale}", locale)


def load_answer_prompt(directory: Path) -> AnswerPrompt:
    """Read `answer.md`; Misconfigured names the file, the problem and the remedy."""
    return load_prompt(directory / ANSWER_FILE)


def load_prompt(path: Path) -> AnswerPrompt:
    """Read one file of instructions; Misconfigured names the file, the problem and the remedy."""
    try:
        return AnswerPrompt.from_text(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured(f"{path}: cannot be read ({error}); make it a readable UTF-8 file") from error
    except Misconfigured as error:
        raise Misconfigured(f"{path}: {error}") from error
