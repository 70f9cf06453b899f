"""The documented limits of what lies inside a block of Slack's Block Kit: text objects, options, buttons, inputs. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence

Part = Mapping[str, object]
Problems = Iterator[str]

TEXT_FIELDS = {"mrkdwn": {"type", "text", "verbatim"}, "plain_text": {"type", "text", "emoji"}}
MAX_TEXT, MAX_ACTION_ID, MAX_URL = 3_000, 255, 3_000
STYLES = {"primary", "danger"}


def text_problems(text: object, where: str, *, most: int = MAX_TEXT, plain: bool = False) -> Problems:
    """Check a text object; *plain* where markup is not allowed."""
    if not isinstance(text, Mapping) or text.get("type") not in TEXT_FIELDS:
        yield f"{where}: no text object"
        return
    if plain and text["type"] != "plain_text":
        yield f"{where}: must be plain_text"
    yield from field_problems(text, where, allowed=TEXT_FIELDS[str(text["type"])])
    yield from length_problems(text.get("text"), where, most=most)


def length_problems(value: object, where: str, *, most: int, least: int = 1) -> Problems:
    """Check the length of a string."""
    if not isinstance(value, str):
        yield f"{where}: no string"
    elif not least <= len(value) <= most:
        yield f"{where}: {len(value)} characters, not {least} to {most}"


def field_problems(part: Part, where: str, *, allowed: set[str]) -> Problems:
    """Check that no field is one that Slack does not know."""
    for unknown in sorted(set(part) - allowed):
        yield f"{where}: invalid additional property: {unknown}"
    for empty in sorted(name for name in part if part[name] is None):
        yield f"{where}: {empty} is null"


def count_problems(items: object, where: str, *, most: int) -> Problems:
    """Check that a list has at least one item, and not too many."""
    if not isinstance(items, Sequence) or isinstance(items, str):
        yield f"{where}: no list"
    elif not 1 <= len(items) <= most:
        yield f"{where}: {len(items)} items, not 1 to {most}"


def optional(
    part: Part, field: str, where: str, check: Callable[..., Problems], **limits: int | bool
) -> Problems:
    """Check a field that may be left out."""
    if field in part:
        yield from check(part[field], f"{where}.{field}", **limits)


def items_of(part: Part, field: str) -> list[Part]:
    """Return the objects of a list field; what is none was already found."""
    found = part.get(field)
    return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list | tuple) else []


def element_problems(element: Part, where: str, *, allowed: set[str]) -> Problems:
    """Check an element of one of the *allowed* types."""
    kind = str(element.get("type"))
    if kind not in allowed or kind not in ELEMENTS:
        yield f"{where}: {kind} is not allowed here"
        return
    yield from optional(element, "action_id", where, length_problems, most=MAX_ACTION_ID)
    yield from ELEMENTS[kind](element, where)


def _button(button: Part, where: str) -> Problems:
    fields = {"type", "text", "action_id", "url", "value", "style", "confirm", "accessibility_label"}
    yield from field_problems(button, where, allowed=fields)
    yield from text_problems(button.get("text"), f"{where}.text", most=75, plain=True)
    yield from optional(button, "value", where, length_problems, most=2_000, least=0)
    yield from optional(button, "url", where, length_problems, most=MAX_URL)
    yield from optional(button, "accessibility_label", where, length_problems, most=75)
    yield from optional(button, "confirm", where, _confirm)
    if "style" in button and button["style"] not in STYLES:
        yield f"{where}.style: {button['style']}"


def _confirm(confirm: object, where: str) -> Problems:
    if not isinstance(confirm, Mapping):
        yield f"{where}: no object"
        return
    yield from field_problems(confirm, where, allowed={"title", "text", "confirm", "deny", "style"})
    for field, most in (("title", 100), ("text", 300), ("confirm", 30), ("deny", 30)):
        yield from text_problems(confirm.get(field), f"{where}.{field}", most=most, plain=field != "text")


def _option(option: Part, where: str) -> Problems:
    yield from field_problems(option, where, allowed={"text", "value", "description", "url"})
    yield from text_problems(option.get("text"), f"{where}.text", most=75)
    yield from length_problems(option.get("value"), f"{where}.value", most=150)
    yield from optional(option, "description", where, text_problems, most=75)


def _options(element: Part, where: str, *, most: int) -> Problems:
    yield from count_problems(element.get("options"), f"{where}.options", most=most)
    options = items_of(element, "options")
    for number, option in enumerate(options):
        yield from _option(option, f"{where}.options[{number}]")
    values = [option.get("value") for option in options]
    if len(set(values)) < len(values):
        yield f"{where}.options: a value comes twice"
    if "initial_option" in element and element["initial_option"] not in options:
        yield f"{where}.initial_option: not one of the options"


def _select(select: Part, where: str) -> Problems:
    fields = {"type", "action_id", "options", "initial_option", "placeholder", "confirm", "focus_on_load"}
    yield from field_problems(select, where, allowed=fields)
    yield from _options(select, where, most=100)
    yield from optional(select, "placeholder", where, text_problems, most=150, plain=True)


def _choice(choice: Part, where: str) -> Problems:
    fields = {"type", "action_id", "options", "initial_option", "initial_options", "confirm", "focus_on_load"}
    yield from field_problems(choice, where, allowed=fields)
    yield from _options(choice, where, most=10)


def _overflow(overflow: Part, where: str) -> Problems:
    yield from field_problems(overflow, where, allowed={"type", "action_id", "options", "confirm"})
    yield from _options(overflow, where, most=5)


def _text_input(text_input: Part, where: str) -> Problems:
    fields = {
        "type", "action_id", "initial_value", "multiline", "min_length", "max_length", "placeholder",
        "focus_on_load", "dispatch_action_config",
    }  # fmt: skip
    yield from field_problems(text_input, where, allowed=fields)
    most = text_input.get("max_length", MAX_TEXT)
    if not isinstance(most, int) or not 1 <= most <= MAX_TEXT:
        yield f"{where}.max_length: {most}, not 1 to {MAX_TEXT}"
        return
    yield from optional(text_input, "initial_value", where, length_problems, most=most, least=0)
    yield from optional(text_input, "placeholder", where, text_problems, most=150, plain=True)


def _feedback(feedback: Part, where: str) -> Problems:
    fields = {"type", "action_id", "positive_button", "negative_button"}
    yield from field_problems(feedback, where, allowed=fields)
    for field in ("positive_button", "negative_button"):
        button = feedback.get(field)
        if not isinstance(button, Mapping):
            yield f"{where}.{field}: no object"
            continue
        yield from field_problems(
            button, f"{where}.{field}", allowed={"text", "value", "accessibility_label"}
        )
        yield from text_problems(button.get("text"), f"{where}.{field}.text", most=75, plain=True)
        yield from length_problems(button.get("value"), f"{where}.{field}.value", most=2_000)


def _image(image: Part, where: str) -> Problems:
    yield from field_problems(image, where, allowed={"type", "image_url", "alt_text"})
    yield from length_problems(image.get("image_url"), f"{where}.image_url", most=MAX_URL)
    yield from length_problems(image.get("alt_text"), f"{where}.alt_text", most=2_000)


def _text(text: Part, where: str) -> Problems:
    yield from text_problems(text, where)


ELEMENTS: dict[str, Callable[[Part, str], Problems]] = {
    "button": _button,
    "static_select": _select,
    "radio_buttons": _choice,
    "checkboxes": _choice,
    "overflow": _overflow,
    "plain_text_input": _text_input,
    "feedback_buttons": _feedback,
    "image": _image,
    "mrkdwn": _text,
    "plain_text": _text,
}
