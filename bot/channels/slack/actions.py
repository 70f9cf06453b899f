"""What buttons and forms in Slack are called, and what a button carries to say what it was about. Pure."""

import json
from dataclasses import dataclass
from enum import StrEnum

from bot.core.conversation import ConversationId
from bot.errors import InputRejected

LONGEST_VALUE = 2_000  # of a button, counted by Slack


class Action(StrEnum):
    """The action ids. Several of one kind in a block have `:{n}` appended: see `action_of`."""

    CLAIM = "candor_claim"
    REPLY = "candor_reply"
    RETURN = "candor_return"
    RESOLVE = "candor_resolve"
    RELEASE = "candor_release"
    KEEP = "candor_keep"
    TAKE_OVER = "candor_take_over"
    HELPED = "candor_helped"
    NOT_HELPED = "candor_not_helped"
    OPTION = "candor_option"
    PERSON = "candor_person"
    RETRY = "candor_retry"
    CONSOLE = "candor_console"


class Callback(StrEnum):
    """The callback ids of the forms."""

    REPLY = "candor_reply_modal"
    RESOLVE = "candor_resolve_modal"


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonValue:
    """What a button or a form is about: the conversation, the card's spell, a message or note of it, a text."""

    conversation: ConversationId
    spell: int = 0
    seq: int = 0
    text: str = ""

    def to_value(self) -> str:
        """Return it as a button carries it; InputRejected when the text is too long for one."""
        fields = {"c": self.conversation, "e": self.spell, "s": self.seq, "t": self.text}
        value = json.dumps(
            {name: field for name, field in fields.items() if field},
            ensure_ascii=False,
            separators=(",", ":"),
        )
        if len(value.encode("utf-16-le")) // 2 > LONGEST_VALUE:
            raise InputRejected("value", "is longer than a button carries", "leave the text out")
        return value

    @classmethod
    def from_value(cls, raw: str) -> "ButtonValue":
        """Read what `to_value` wrote; InputRejected for anything else."""
        try:
            return _value(json.loads(raw))
        except (ValueError, RecursionError, TypeError) as exc:
            raise InputRejected("value", "is none of Candor's", "press a newer button") from exc


def action_of(action_id: str) -> Action | None:
    """Return which action an id is, whatever number follows it; None for one that is not ours."""
    name = action_id.partition(":")[0]
    return Action(name) if name in set(Action) else None


def _value(read: object) -> ButtonValue:
    if not isinstance(read, dict):
        raise TypeError("it is no object")
    conversation, text = (_text(read.get(name, "")) for name in "ct")
    if not conversation:
        raise ValueError("it names no conversation")
    spell, seq = (_count(read.get(name, 0)) for name in "es")
    return ButtonValue(conversation=ConversationId(conversation), spell=spell, seq=seq, text=text)


def _text(text: object) -> str:
    if not isinstance(text, str):
        raise TypeError("a text is of another type")
    return text


def _count(number: object) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 2**53:
        raise ValueError("a number is none of ours")
    return number
