"""What browsers load: without the comments, line by line as the source is, and small enough for anybody's page."""

import re
from pathlib import Path

import pytest

from bot.channels.proxies import Proxies
from bot.channels.static_files import StaticFiles
from bot.channels.widget.pages import Pages

WIDGET_BYTES = 20_000  # compressed, everything that a plain page causes to be loaded for one customer
LANGUAGES = ("de", "en", "es", "fr", "pt")
IMPORT = re.compile(rb'^(?:import|\} from|import .* from) .*?"\./([\w-]+\.js)"', re.MULTILINE)

SOURCE = b"""// What it is for.
/**
 * @param {string} name
 */
export function greet(name) {
  const box = /** @type {HTMLElement} */ (find("https://a.example/*x*/"));
  /** @type {Item} */ (box).hide(); /* at once */
  // Why.
  return name; // how
}
"""


def served(folder: Path, name: str, source: bytes) -> bytes:
    (folder / name).write_bytes(source)
    return StaticFiles(folder).by_name[name].body


def test_what_only_people_read_is_left_out(tmp_path):
    lines = served(tmp_path, "a.js", SOURCE).decode().split("\n")

    kept = [line for line in lines if line]
    assert kept == [
        "export function greet(name) {",
        'const box = (find("https://a.example/*x*/"));',
        "(box).hide(); /* at once */",
        "return name; // how",
        "}",
    ]


def test_every_line_keeps_its_number(tmp_path):
    assert served(tmp_path, "a.js", SOURCE).split(b"\n")[4].startswith(b"export")


def test_comments_and_lines_of_styles_are_left_out_too(tmp_path):
    source = b"/* Why\n so. */\np,\nli {\n  top: 0; /* how */\n  margin: 0\n    auto;\n}\n"

    assert served(tmp_path, "a.css", source).strip() == b"p,li {top: 0; /* how */\nmargin: 0\nauto;}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_widget_stays_within_its_size(language):
    files = Pages(origins=frozenset(), proxies=Proxies()).files.by_name
    loaded, wanted = {"widget.js", "frame.html", "widget.css"}, {"main.js", f"words-{language}.js"}
    while wanted:
        name = f"app/{wanted.pop()}"
        if name not in loaded:
            loaded.add(name)
            wanted |= {found.decode() for found in IMPORT.findall(files[name].body)}

    assert len(loaded) > 15
    assert sum(len(files[name].zipped) for name in loaded) <= WIDGET_BYTES
