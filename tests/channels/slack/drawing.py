"""Blocks of Slack's as HTML, about as Slack's clients draw them. Whatever it does not know it shows as a fault."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from html import escape
from typing import Any

Drawn = Mapping[str, Any]

_FENCE = re.compile(r"```\n?(.*?)\n?```", re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_ANGLE = re.compile(r"<([^<>\n]+)>")
_DATE = re.compile(r"!date\^(\d+)\^[^|]*\|(.*)")
_STYLES = (
    (re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])"), r"<b>\1</b>"),
    (re.compile(r"(?<![\w_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_])"), r"<i>\1</i>"),
    (re.compile(r"(?<![\w~])~(?=\S)([^~\n]+?)(?<=\S)~(?![\w~])"), r"<s>\1</s>"),
)
_QUOTE = re.compile(r"^(?:>|&gt;) ?(.*)$")
_KEPT = re.compile("\ue000(\\d+)\ue001")


def draw_blocks(blocks: list[Drawn]) -> str:
    """Return the blocks of a message or a form."""
    return "".join(_BLOCKS.get(str(block["type"]), _fault)(block) for block in blocks)


def draw_form(form: Drawn) -> str:
    """Return a form as the window that it opens in."""
    title, close, submit = (escape(form[name]["text"]) for name in ("title", "close", "submit"))
    return (
        f'<div class="form" role="group" aria-label="{title}"><header><h4>{title}</h4><span>✕</span></header>'
        f'<div class="fields">{draw_blocks(form["blocks"])}</div>'
        f'<footer><span class="button">{close}</span><span class="button primary">{submit}</span></footer></div>'
    )


def draw_mrkdwn(text: str) -> str:
    """Return mrkdwn as HTML: code first, because nothing in it is a sign."""
    kept: list[str] = []

    def keep(html: str) -> str:
        kept.append(html)
        return f"\ue000{len(kept) - 1}\ue001"

    text = _FENCE.sub(lambda found: keep(f"<pre>{_entities(found[1])}</pre>"), text)
    text = _CODE.sub(lambda found: keep(f"<code>{_entities(found[1])}</code>"), text)
    text = _ANGLE.sub(lambda found: keep(_angle(found[1])), text)
    return _restored("".join(map(_line, _styled(text).split("\n"))), kept)


def _styled(text: str) -> str:
    for style, html in _STYLES:
        text = style.sub(html, text)
    return text


def _restored(html: str, kept: list[str]) -> str:
    while _KEPT.search(html):
        html = _KEPT.sub(lambda found: kept[int(found[1])], html)
    return html


def _line(line: str) -> str:
    if quoted := _QUOTE.match(line):
        return f"<blockquote>{quoted[1] or '&nbsp;'}</blockquote>"
    return f'<div dir="auto">{line or "&nbsp;"}</div>'


def _angle(inner: str) -> str:
    if date := _DATE.fullmatch(inner):
        shown = datetime.fromtimestamp(int(date[1]), UTC)
        return f"<time>{shown:%b} {shown.day} {shown:%H:%M}</time>"
    target, _, label = inner.partition("|")
    if target.startswith(("http://", "https://", "mailto:")):
        return f'<a href="{_attribute(target)}" rel="noreferrer">{_entities(label or target)}</a>'
    return f'<mark class="fault">pings: {_entities(inner)}</mark>'


def _entities(text: str) -> str:
    """Slack's three entities are HTML's as well; all else is text."""
    return re.sub(r"&(?!(?:amp|lt|gt);)", "&amp;", text).replace("<", "&lt;").replace(">", "&gt;")


def _attribute(url: str) -> str:
    return _entities(url).replace('"', "&quot;")


def _text(text: Drawn) -> str:
    if text["type"] == "mrkdwn":
        return draw_mrkdwn(text["text"])
    return "".join(f'<div dir="auto">{escape(line) or "&nbsp;"}</div>' for line in text["text"].split("\n"))


def _section(block: Drawn) -> str:
    return f'<div class="section">{_text(block["text"])}</div>'


def _context(block: Drawn) -> str:
    return f'<div class="context">{"".join(map(_text, block["elements"]))}</div>'


def _actions(block: Drawn) -> str:
    return f'<div class="actions">{"".join(map(_button, block["elements"]))}</div>'


def _button(button: Drawn) -> str:
    style = " primary" if button.get("style") == "primary" else ""
    said, label = escape(button.get("accessibility_label", ""), quote=True), escape(button["text"]["text"])
    return f'<span class="button{style}" role="img" aria-label="{said}" title="{said}">{label}</span>'


def _input(block: Drawn) -> str:
    hint = f"<small>{escape(block['hint']['text'])}</small>" if "hint" in block else ""
    element = block["element"]
    field = _FIELDS.get(str(element["type"]), _fault)(element)
    return f'<div class="input"><b>{escape(block["label"]["text"])}</b>{field}{hint}</div>'


def _text_input(element: Drawn) -> str:
    return f'<div class="typed">{escape(element.get("initial_value", "")) or "&nbsp;"}</div>'


def _radio_buttons(element: Drawn) -> str:
    first = element.get("initial_option")
    signs = (("◉" if option == first else "○", option["text"]["text"]) for option in element["options"])
    return "".join(f"<div>{sign} {escape(text)}</div>" for sign, text in signs)


def _fault(part: Drawn) -> str:
    return f'<mark class="fault">not drawn: {escape(str(part.get("type")))}</mark>'


_FIELDS: Mapping[str, Callable[[Drawn], str]] = {
    "plain_text_input": _text_input,
    "radio_buttons": _radio_buttons,
}
_BLOCKS: Mapping[str, Callable[[Drawn], str]] = {
    "section": _section,
    "context": _context,
    "actions": _actions,
    "input": _input,
}
