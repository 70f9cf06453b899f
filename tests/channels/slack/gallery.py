"""A page to look at: everything that we show in Slack, drawn for a desktop and a phone, light and dark.

`python -m tests.channels.slack.gallery PAGE.html` writes it; it asks nothing of the network.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

from tests.channels.slack.drawing import draw_blocks, draw_form, draw_mrkdwn
from tests.channels.slack.specimens import Specimen, specimens

STYLE = Path(__file__).with_name("gallery.css")
THEMES, WIDTHS = ("light", "dark"), ("desktop", "phone")


def page() -> str:
    """Return the whole page."""
    themes = "".join(_theme(theme) for theme in THEMES)
    style = STYLE.read_text(encoding="utf-8")
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>What we show in Slack</title>'
    return f'<!doctype html><html lang="en"><head>{head}<style>{style}</style></head><body>{themes}</body></html>\n'


def _theme(theme: str) -> str:
    shown = "".join(_specimen(name, specimen, theme) for name, specimen in specimens().items())
    return f'<main class="theme {theme}"><h1>What we show in Slack, {theme}</h1>{shown}</main>'


def _specimen(name: str, specimen: Specimen, theme: str) -> str:
    drawn = "".join(_drawn(specimen))
    widths = "".join(f'<div class="{width}">{drawn}</div>' for width in WIDTHS)
    beside = "".join(_beside(specimen)) if theme == THEMES[0] else ""
    place = escape(f"{theme} {name}", quote=True)
    return f'<h3 id="{place}">{escape(name)}</h3><div class="widths">{widths}</div>{beside}'


def _drawn(specimen: Specimen) -> Iterator[str]:
    for message in specimen.messages:
        who = '<div class="who">Candor <span class="app">APP</span> <small>14:05</small></div>'
        face = '<div class="face" aria-hidden="true">C</div>'
        yield f'<div class="message">{face}<div>{who}{draw_blocks(list(message.blocks))}</div></div>'
    if specimen.form is not None:
        yield draw_form(specimen.form)


def _beside(specimen: Specimen) -> Iterator[str]:
    for message in specimen.messages:
        yield _folded("read out, in place of the blocks", draw_mrkdwn(message.text))
        yield _folded("JSON", _source({"text": message.text, "blocks": message.blocks}))
    if specimen.form is not None:
        yield _folded("JSON", _source(specimen.form))


def _folded(label: str, html: str) -> str:
    return f"<details><summary>{label}</summary>{html}</details>"


def _source(sent: Mapping[str, object]) -> str:
    return f"<pre>{escape(json.dumps(sent, ensure_ascii=False, indent=1))}</pre>"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
