"""What a person sees of Slack's messages: text as it is shown, links with their address, buttons in brackets; and who is pinged."""

import re

from tests.vendors.local_server import Body
from tests.vendors.slack_workspace import BOT, Workspace

ANGLES = re.compile(r"<([^<>|]+)(?:\|([^<>]*))?>")
PINGS = re.compile(r"<(@[UW]\w+|!(?:channel|here|everyone|subteam\^\w+))(?:\|[^<>]*)?>")
ENTITIES = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}


def transcript(workspace: Workspace, channel: str, thread_ts: str = "") -> list[str]:
    """Return a line for each message: of the thread *thread_ts*, or of the channel."""
    place = workspace.channel(channel)
    shown = place.thread(thread_ts) if thread_ts else _in_channel(place.in_order())
    return [f"{_author(workspace, message)}: {shown_text(message)}" for message in shown]


def shown_text(message: Body) -> str:
    """Return what is read of *message*: its blocks, or its text when it has none."""
    blocks = message.get("blocks") or []
    if not blocks or blocks[0]["type"] == "rich_text":
        return _unescaped(str(message.get("text", "")))
    return "\n".join(text for block in blocks if (text := _block(block)))


def pings(message: Body) -> list[str]:
    """Return everybody whom *message* would ping: mentions that are active in its text or its blocks."""
    return PINGS.findall("\n".join([str(message.get("text", "")), *_marked_up(message.get("blocks", []))]))


def buttons(message: Body) -> list[str]:
    """Return the action ids of what can be pressed in *message*."""
    return [
        element["action_id"]
        for block in message.get("blocks", [])
        for element in (*block.get("elements", ()), block.get("accessory", {}))
        if "action_id" in element
    ]


def _in_channel(messages: list[Body]) -> list[Body]:
    return [
        message
        for message in messages
        if message.get("thread_ts", message["ts"]) == message["ts"]
        or message.get("subtype") == "thread_broadcast"
    ]


def _author(workspace: Workspace, message: Body) -> str:
    if message.get("bot_id") == BOT:
        return "Candor"
    known = workspace.people.get(str(message.get("user")))
    return str(known["real_name"]) if known else str(message.get("user", message.get("bot_id")))


def _block(block: Body) -> str:
    match block["type"]:
        case "divider":
            return "---"
        case "markdown":
            return str(block["text"])
        case "section":
            texts = [block[name] for name in ("text", "accessory") if name in block]
            return " ".join(_text(part) for part in (*texts, *block.get("fields", ())))
        case "header":
            return _text(block["text"])
        case "image":
            return f"[image: {block['alt_text']}]"
        case _:
            return " ".join(_text(element) for element in block.get("elements", ()))


def _text(part: Body) -> str:
    match part["type"]:
        case "mrkdwn":
            return _unescaped(part["text"])
        case "plain_text":
            return str(part["text"])
        case "button":
            return f"[{part['text']['text']}]"
        case "feedback_buttons":
            moods = (part["positive_button"], part["negative_button"])
            return " ".join(f"[{mood['text']['text']}]" for mood in moods)
        case "image":
            return f"[image: {part['alt_text']}]"
        case other:
            return f"[{other}]"


def _unescaped(text: str) -> str:
    """Show links as `label (address)` and active mentions with a sign, and resolve the three entities."""
    shown = ANGLES.sub(_angle, text)
    return re.sub("|".join(ENTITIES), lambda found: ENTITIES[found[0]], shown)


def _angle(found: "re.Match[str]") -> str:
    target, label = found[1], found[2]
    if target.startswith("!date^"):
        return str(label)  # what is read where a date cannot be shown
    if target[0] in "@#!":
        return f"\N{BELL}{target}"
    return f"{label} ({target})" if label and label != target else target


def _marked_up(part: object) -> list[str]:
    if isinstance(part, list):
        return [text for item in part for text in _marked_up(item)]
    if not isinstance(part, dict):
        return []
    own = [str(part["text"])] if part.get("type") in {"mrkdwn", "markdown"} else []
    return own + [text for value in part.values() for text in _marked_up(value)]
