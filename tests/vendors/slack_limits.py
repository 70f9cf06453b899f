"""The documented limits of Slack's messages, modals and blocks: `problems_of` names what Slack would refuse. Pure.

A field that Slack does not know is a problem too, and so is an unknown type of block: only what is listed here may be sent.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from tests.vendors.slack_elements import (
    Part,
    Problems,
    count_problems,
    element_problems,
    field_problems,
    items_of,
    length_problems,
    optional,
    text_problems,
)

MAX_BLOCKS, MAX_MODAL_BLOCKS = 50, 100
MAX_MESSAGE, MAX_MARKDOWN, MAX_UPDATE_BYTES = 40_000, 12_000, 4_000
MAX_RENDERED = 13_200  # measured, not documented: slackapi/bolt-js#2509
RENDERED_AS = {"header": 100, "divider": 125}  # measured: what such a block costs beyond its text
MAX_METADATA_BYTES = 8_000

CHOICES = {"static_select", "radio_buttons", "checkboxes"}
ACTIONS = CHOICES | {"button", "overflow"}
IN_MESSAGES = {"section", "header", "divider", "context", "actions", "image", "rich_text"}
ONLY_IN_MESSAGES = {"markdown", "context_actions"}


def problems_of(thing: Part | Sequence[Part]) -> list[str]:
    """Return what is wrong with the blocks of a message, a view, or a whole message as it is posted."""
    if not isinstance(thing, Mapping):
        return list(_blocks(thing, most=MAX_BLOCKS, types=IN_MESSAGES | ONLY_IN_MESSAGES))
    return list(_view(thing) if thing.get("type") == "modal" else _message(thing))


def rendered_size(blocks: Sequence[Part]) -> int:
    """Return what *blocks* weigh against Slack's limit of a whole message."""
    return sum(len(_words(block)) + RENDERED_AS.get(str(block.get("type")), 0) for block in blocks)


def metadata_problems(metadata: object, _where: str = "") -> Problems:
    """Check the metadata of a message: an event type, and a payload of plain values or lists and objects of them."""
    if not isinstance(metadata, Mapping) or set(metadata) != {"event_type", "event_payload"}:
        yield "metadata: needs event_type and event_payload"
        return
    event_type, payload = metadata["event_type"], metadata["event_payload"]
    if not isinstance(event_type, str) or not event_type.replace("_", "").isalnum():
        yield "metadata.event_type: not alphanumeric"
    if not isinstance(payload, Mapping):
        yield "metadata.event_payload: no object"
        return
    for name, value in payload.items():
        if not _is_payload_value(value):
            yield f"metadata.event_payload.{name}: {type(value).__name__}"
    if len(str(payload).encode()) > MAX_METADATA_BYTES:
        yield "metadata: too large"


def _is_payload_value(value: object) -> bool:
    return all(_is_plain(one) for one in (value if isinstance(value, list) else [value]))


def _is_plain(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(isinstance(inner, str | int | float) for inner in value.values())
    return isinstance(value, str | int | float)


def _message(message: Part) -> Problems:
    text, markdown = message.get("text", ""), message.get("markdown_text", "")
    blocks = message.get("blocks", ())
    if not (text or markdown or blocks):
        yield "message: no text"
    if markdown and (text or blocks):
        yield "markdown_text: not beside text or blocks"
    yield from length_problems(text, "text", most=MAX_MESSAGE, least=0)
    yield from length_problems(markdown, "markdown_text", most=MAX_MARKDOWN, least=0)
    if not isinstance(blocks, list | tuple):
        yield "blocks: no list"
    elif blocks:
        yield from problems_of(blocks)
        if (size := rendered_size(items_of(message, "blocks"))) > MAX_RENDERED:
            yield f"blocks: {size} characters in all, more than {MAX_RENDERED}"
    yield from optional(message, "metadata", "message", metadata_problems)


VIEW_FIELDS = {
    "type", "title", "blocks", "submit", "close", "private_metadata", "callback_id", "clear_on_close",
    "notify_on_close", "external_id", "submit_disabled",
}  # fmt: skip


def _view(view: Part) -> Problems:
    yield from field_problems(view, "view", allowed=VIEW_FIELDS)
    yield from text_problems(view.get("title"), "view.title", most=24, plain=True)
    for field in ("submit", "close"):
        yield from optional(view, field, "view", text_problems, most=24, plain=True)
    for field, most in (("private_metadata", 3_000), ("callback_id", 255), ("external_id", 255)):
        yield from optional(view, field, "view", length_problems, most=most, least=0)
    blocks = items_of(view, "blocks")
    yield from _blocks(view.get("blocks"), most=MAX_MODAL_BLOCKS, types=IN_MESSAGES | {"input"})
    if "submit" not in view and any(block.get("type") == "input" for block in blocks):
        yield "view.submit: needed beside an input"


def _blocks(blocks: object, *, most: int, types: set[str]) -> Problems:
    yield from count_problems(blocks, "blocks", most=most)
    if not isinstance(blocks, list | tuple):
        return
    for number, block in enumerate(blocks):
        where = f"blocks[{number}]"
        if not isinstance(block, Mapping) or block.get("type") not in types:
            yield f"{where}: unsupported type"
            continue
        yield from optional(block, "block_id", where, length_problems, most=255)
        yield from BLOCKS[str(block["type"])](block, where)
    yield from _all_of(items_of({"blocks": blocks}, "blocks"))


def _all_of(blocks: Sequence[Part]) -> Problems:
    """Check what holds for the blocks together."""
    for block_id, times in Counter(block["block_id"] for block in blocks if "block_id" in block).items():
        if times > 1:
            yield f"block_id {block_id} comes {times} times"
    markdown = sum(len(str(block.get("text"))) for block in blocks if block.get("type") == "markdown")
    if markdown > MAX_MARKDOWN:
        yield f"markdown blocks: {markdown} characters in all, more than {MAX_MARKDOWN}"


def _section(section: Part, where: str) -> Problems:
    yield from field_problems(
        section, where, allowed={"type", "block_id", "text", "fields", "accessory", "expand"}
    )
    if "text" not in section and "fields" not in section:
        yield f"{where}: neither text nor fields"
    yield from optional(section, "text", where, text_problems)
    yield from optional(section, "fields", where, count_problems, most=10)
    for number, field in enumerate(items_of(section, "fields")):
        yield from text_problems(field, f"{where}.fields[{number}]", most=2_000)
    accessory = section.get("accessory")
    if isinstance(accessory, Mapping):
        yield from element_problems(accessory, f"{where}.accessory", allowed=ACTIONS | {"image"})


def _header(header: Part, where: str) -> Problems:
    yield from field_problems(header, where, allowed={"type", "block_id", "text"})
    yield from text_problems(header.get("text"), f"{where}.text", most=150, plain=True)


def _divider(divider: Part, where: str) -> Problems:
    yield from field_problems(divider, where, allowed={"type", "block_id"})


def _image(image: Part, where: str) -> Problems:
    yield from field_problems(image, where, allowed={"type", "block_id", "image_url", "alt_text", "title"})
    yield from length_problems(image.get("image_url"), f"{where}.image_url", most=3_000)
    yield from length_problems(image.get("alt_text"), f"{where}.alt_text", most=2_000)
    yield from optional(image, "title", where, text_problems, most=2_000, plain=True)


def _elements(most: int, types: set[str]) -> Callable[[Part, str], Problems]:
    def check(block: Part, where: str) -> Problems:
        yield from field_problems(block, where, allowed={"type", "block_id", "elements"})
        yield from count_problems(block.get("elements"), f"{where}.elements", most=most)
        elements = items_of(block, "elements")
        for number, element in enumerate(elements):
            yield from element_problems(element, f"{where}.elements[{number}]", allowed=types)
        named = Counter(element["action_id"] for element in elements if "action_id" in element)
        for action_id, times in named.items():
            if times > 1:
                yield f"{where}: action_id {action_id} comes {times} times"

    return check


def _input(block: Part, where: str) -> Problems:
    fields = {"type", "block_id", "label", "element", "hint", "optional", "dispatch_action"}
    yield from field_problems(block, where, allowed=fields)
    yield from text_problems(block.get("label"), f"{where}.label", most=2_000, plain=True)
    yield from optional(block, "hint", where, text_problems, most=2_000, plain=True)
    element = block.get("element")
    if not isinstance(element, Mapping):
        yield f"{where}.element: no object"
        return
    yield from element_problems(element, f"{where}.element", allowed=CHOICES | {"plain_text_input"})


def _markdown(block: Part, where: str) -> Problems:
    yield from field_problems(block, where, allowed={"type", "block_id", "text"})
    yield from length_problems(block.get("text"), f"{where}.text", most=MAX_MARKDOWN)


def _rich_text(block: Part, where: str) -> Problems:
    yield from field_problems(block, where, allowed={"type", "block_id", "elements"})
    yield from count_problems(block.get("elements"), f"{where}.elements", most=100)


BLOCKS: dict[str, Callable[[Part, str], Problems]] = {
    "section": _section,
    "header": _header,
    "divider": _divider,
    "image": _image,
    "context": _elements(10, {"mrkdwn", "plain_text", "image"}),
    "actions": _elements(25, ACTIONS),
    "context_actions": _elements(5, {"feedback_buttons"}),
    "input": _input,
    "markdown": _markdown,
    "rich_text": _rich_text,
}


def _words(part: object) -> str:
    """Return all text in *part*: of text objects, and of a Markdown block."""
    if isinstance(part, Mapping):
        own = part.get("text")
        said = own if isinstance(own, str) else ""
        return said + "".join(_words(value) for value in part.values())
    if isinstance(part, list | tuple):
        return "".join(_words(item) for item in part)
    return ""
