"""What an author delivers becomes Markdown without HTML, hidden text or images."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb_sync.sources.cleaning import cleaned, cleaned_html


@pytest.mark.parametrize(
    ("delivered", "kept"),
    [
        pytest.param("Press <kbd>Ctrl</kbd> and <b>go</b>.", "Press Ctrl and **go**.", id="inline elements"),
        pytest.param("a<br>b", "a\nb", id="line break"),
        pytest.param("| a<br>b |", "| a b |", id="line break in a table row"),
        pytest.param('<a href="https://e.example/a b">see</a>', "[see](https://e.example/a%20b)", id="link"),
        pytest.param('<a href="#part">see</a> [it](#part)', "see it", id="link within the page"),
        pytest.param('<a href="javascript:alert(1)">see</a>', "see", id="link that runs code"),
        pytest.param('<a id="part"></a>\n\n## Part', "## Part", id="anchor"),
        pytest.param('<a href="https://e.example"><img src="x.png"></a>go', "go", id="link around nothing"),
        pytest.param("<h2>Part</h2><p>One</p><p>Two</p>", "## Part\n\nOne\n\nTwo", id="blocks"),
        pytest.param("<ol><li>One</li><li>Two</li></ol>", "1. One\n2. Two", id="numbered list"),
        pytest.param("<ul><li>One<ul><li>In</li></ul></li></ul>", "* One\n  * In", id="nested list"),
        pytest.param("![A red button](a.png) here", "A red button here", id="image"),
        pytest.param('<img src="a.png" alt="A red button"> here', "A red button here", id="HTML image"),
        pytest.param("[Next](https://e.example){.button}", "[Next](https://e.example)", id="attributes"),
        pytest.param("## On a phone {#phone}\n\nText", "## On a phone\n\nText", id="name of a heading"),
        pytest.param("## Set `{#x}` {.big} ##", "## Set `{#x}` ##", id="attributes of a heading with code"),
        pytest.param(
            "Write {#phone}\n\n# On a phone{#b}", "Write {#phone}\n\n# On a phone", id="braces in a text"
        ),
        pytest.param("Tom &amp; Jerry&nbsp;&lt;3", "Tom & Jerry\u00a0<3", id="entities"),
        pytest.param("https://e.example/?a=1&copy=2", "https://e.example/?a=1&copy=2", id="address with &"),
        pytest.param("Run `<b>` and <port>, if a < b", "Run `<b>` and <port>, if a < b", id="no HTML"),
        pytest.param("<https://e.example/x>", "<https://e.example/x>", id="address in brackets"),
        pytest.param("```\n<b>\n```", "```\n<b>\n```", id="code"),
        pytest.param("<pre>a &lt; b</pre>", "```\na < b\n```", id="preformatted"),
        pytest.param("cafe\u0301\r\nb\rc", "café\nb\nc", id="composition and line ends"),
        pytest.param("one \n\n\n\n two", "one\n\n two", id="blank lines"),
    ],
)
def test_html_becomes_markdown(delivered, kept):
    assert cleaned(delivered) == kept


def test_a_table_becomes_a_table():
    html = (
        "<table>\n <tr><th>Carrier</th><th>Time</th></tr>\n <tr><td>A|B</td><td>2<br>days</td></tr>\n</table>"
    )

    assert cleaned(html) == "| Carrier | Time |\n|---|---|\n| A\\|B | 2 days |"


def test_indented_html_does_not_become_code():
    assert cleaned("<div>\n    <p>\n      Text\n    </p>\n</div>") == "Text"


def test_characters_that_show_nothing_are_removed():
    assert cleaned("re\u00adfund\u200b \u2066now\u2069\U000e0041") == "refund now"


@pytest.mark.parametrize(
    ("delivered", "kept"),
    [
        (
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),
        ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),
        ("1\ufe0f\u20e3", "1\ufe0f\u20e3"),
        ("re\u200d\u200cfund\ufe00\ufe01", "refund"),
        ("\u2764\ufe0f\ufe0e\ufe01\ufe02", "\u2764\ufe0f"),
        ("&#x200b;now&#8238;", "now"),
    ],
    ids=["Persian", "picture", "key", "between letters", "behind a picture", "written as entities"],
)
def test_joiners_stay_where_a_script_or_a_picture_needs_them_and_carry_nothing_else(delivered, kept):
    assert cleaned(delivered) == kept


@pytest.mark.parametrize(
    "markdown",
    [
        "# Part\n\n1. One\n   * In\n2. Two\n\n> Note\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        "Set `<port>` or <port>, `` a`<b> `` and if a < b && c > d",
        "```html\n<b>bold</b> <!-- note --> ![x](y)\n```",
        "Use \\<b> and \\&lt; and \\![no image](x)",
        "~~~\n<p>\n\n</p>\n~~~\n\ntext",
        "```\nnot closed <b>",
        "    indented\n\t<port>",
    ],
    ids=["plain", "brackets", "fenced", "escaped", "other fence", "open fence", "indented"],
)
def test_markdown_without_html_stays_as_it_is(markdown):
    assert cleaned(markdown) == markdown


@pytest.mark.parametrize(
    ("delivered", "kept"),
    [
        pytest.param("1. Go\n\n   Press <kbd>Y</kbd>.\n2. On", "1. Go\n\n   Press Y.\n2. On", id="in a step"),
        pytest.param(
            "1. Go\n\n   <p>See</p>\n\n2. On",
            "1. Go\n\n   See\n\n2. On",
            id="a block below a step stays in it",
        ),
        pytest.param(
            "<details>\n<summary>More</summary>\n\n* One\n  * In\n\n</details>",
            "More\n\n* One\n  * In",
            id="Markdown within HTML",
        ),
        pytest.param("<div>\n\n## Part\n\n</div>\n\nText", "## Part\n\nText", id="a block around Markdown"),
        pytest.param("a <!-- b\n\nc --> d", "a  d", id="comment over paragraphs"),
        pytest.param("a\n\n<!-- b\n\nc", "a", id="comment without an end"),
        pytest.param("a <!-- b", "a <!-- b", id="no comment within a line"),
        pytest.param("&lt;b&gt; and &amp;lt;", "\\<b> and \\&lt;", id="signs that would be HTML"),
        pytest.param("| a | <ul><li>b</li><li>c</li></ul> |", "| a |  • b • c |", id="list in a row"),
    ],
)
def test_html_within_markdown_becomes_part_of_it(delivered, kept):
    assert cleaned(delivered) == kept


PIECES = st.sampled_from(
    """<table> <tr> <td> <td\tcolspan=3\trowspan=2> </td> </table> <ul> <ol\tstart=4> <li> </ul> <a\thref=https://e.example>
    <a\thref=#x> </a> <!-- --> <p <p> hidden> </p> <![x &lt; &amp; &#x200b; ` `` ```\n ~~~\n <b> </b> <i> <code> </code>
    <pre> </pre> <br> | ![a](b) [a](#b) [](x) {.a} # {#b} * 1. > # \\ <span\tstyle='color:#fff'> </span> <div> </div> <port>
    <x-a\tstyle=x> </x-a> ![ ]( <details> <summary>""".replace("\\n", "\n").split(" ")
)
SIGNS = st.text(alphabet="<>/!-&;`'\" \nab\ue000\ue0010[](){}*_#|\\\u200d", max_size=8)
HTML = st.lists(PIECES.map(lambda piece: piece.replace("\t", " ")) | SIGNS, max_size=14).map("".join)
TAG = re.compile(
    r"""</?(?:table|tr|td|ul|ol|li|a|p|b|i|code|pre|br|span|div|details|summary)(?=[\s/>])(?>[^<>"']|"[^"]*"|'[^']*')*>"""
)
CODE = re.compile(
    r"\\[\\<&!\[\]`]|^[ \t]*(`{3,}|~{3,})[^`\n]*\n(?:.*\n)*?[ \t]*\1[`~]*[ \t]*$"
    r"|^[ \t]*(?:`{3,}|~{3,})[^`\n]*(?:\n[\s\S]*|$)|(?<!`)(`{1,5})(?!`)[^\n]+?(?<!`)\2(?!`)",
    re.MULTILINE,
)


@pytest.mark.parametrize("clean", [cleaned, cleaned_html], ids=["Markdown", "HTML"])
@given(text=HTML | st.text())
@settings(deadline=None)
def test_any_text_can_be_cleaned_and_again_without_change(clean, text):
    once = clean(text)

    assert "\r" not in once
    assert once == once.strip("\n")
    assert "\n\n\n" not in once
    assert cleaned(once) == once


@pytest.mark.parametrize("clean", [cleaned, cleaned_html], ids=["Markdown", "HTML"])
@given(text=HTML)
@settings(deadline=None)
def test_no_tag_is_left_outside_code(clean, text):
    assert TAG.search(CODE.sub(" ", clean(text))) is None
