"""The forms that agents fill in, a reply and how a conversation ended, and what they filled in. Pure. Agents read English."""

from collections.abc import Mapping

from bot.channels.slack.actions import ButtonValue, Callback
from bot.channels.slack.mrkdwn import inline
from bot.channels.slack.parts import people_wrote
from bot.channels.slack.rendering import LONGEST_LABEL, Block, mrkdwn, plain, section
from bot.channels.slack.splitting import beginning, shortened
from bot.channels.wording import RESOLUTIONS
from bot.core.desk import Resolution
from bot.errors import InputRejected

LONGEST_REPLY = 3_000  # characters that a field of Slack's takes
REPLY_BLOCK = "candor_reply_text"
RESOLUTION_BLOCK = "candor_resolution"
INPUT = "candor_input"
_LONGEST_QUESTION = 1_000
_AS_WRITTEN = "The customer gets it as you write it."
_CUT = "Your draft is longer than this field: its end is in the console only. " + _AS_WRITTEN


def reply_form(value: ButtonValue, *, customer: str, wrote: str, text: str = "") -> Block:
    """Return the form for a reply: *wrote* is what the customer wrote last, *text* what the agent had begun."""
    begun = beginning(text, LONGEST_REPLY)
    field: Block = {
        "type": "plain_text_input",
        "action_id": INPUT,
        "multiline": True,
        "focus_on_load": True,
        "max_length": LONGEST_REPLY,
        **({"initial_value": begun} if begun else {}),
    }
    asked = (
        (_line(f"The newest message in the conversation with *{inline(_short(customer))}*"), *_text(wrote))
        if wrote.strip()
        else ()
    )
    blocks = (*asked, _field(REPLY_BLOCK, "Your reply", field, hint=_AS_WRITTEN if begun == text else _CUT))
    return _form(Callback.REPLY, value, title="Reply to the customer", submit="Send", blocks=blocks)


def resolve_form(value: ButtonValue, *, customer: str) -> Block:
    """Return the form that asks how the conversation ended."""
    options = [{"text": plain(words), "value": code.value} for code, words in RESOLUTIONS.items()]
    field: Block = {
        "type": "radio_buttons",
        "action_id": INPUT,
        "options": options,
        "initial_option": options[0],
    }
    blocks = (
        _line(
            f"This closes the conversation with *{inline(_short(customer))}*. It opens again when the customer writes."
        ),
        _field(RESOLUTION_BLOCK, "How did it end?", field),
    )
    return _form(Callback.RESOLVE, value, title="Resolve", submit="Resolve", blocks=blocks)


def written(values: object) -> str:
    """Return the reply that was filled in; *values* are the form's `state.values`."""
    text = _input(values, REPLY_BLOCK).get("value")
    if not isinstance(text, str) or not text.strip():
        raise InputRejected("reply", "is empty", "write something")
    return text


def resolved_as(values: object) -> Resolution:
    """Return the resolution that was chosen; *values* are the form's `state.values`."""
    chosen = _input(values, RESOLUTION_BLOCK).get("selected_option")
    code = chosen.get("value") if isinstance(chosen, Mapping) else None
    if code not in set(Resolution):
        raise InputRejected("resolution", "is none of ours", "choose one of the list")
    return Resolution(code)


def _input(values: object, block: str) -> Mapping[str, object]:
    fields = values.get(block) if isinstance(values, Mapping) else None
    filled = fields.get(INPUT) if isinstance(fields, Mapping) else None
    return filled if isinstance(filled, Mapping) else {}


def _form(
    callback: Callback, value: ButtonValue, *, title: str, submit: str, blocks: tuple[Block, ...]
) -> Block:
    return {
        "type": "modal",
        "callback_id": callback,
        "private_metadata": value.to_value(),
        "title": plain(title),
        "submit": plain(submit),
        "close": plain("Cancel"),
        "blocks": list(blocks),
    }


def _field(block: str, label: str, element: Block, *, hint: str | None = None) -> Block:
    return {
        "type": "input",
        "block_id": block,
        "label": plain(label),
        "element": element,
        **({"hint": plain(hint)} if hint else {}),
    }


def _text(text: str) -> tuple[Block, ...]:
    return tuple(piece.block for piece in people_wrote(shortened(text, _LONGEST_QUESTION)))


def _line(text: str) -> Block:
    return section(mrkdwn(text))


def _short(name: str) -> str:
    return shortened(name, LONGEST_LABEL)
