"""Text that an author can hide from people must not reach the bot (FAULTS K12); what people see stays."""

import pytest

from kb_sync.sources.cleaning import cleaned, cleaned_html

HIDDEN = {
    "comment": "<!-- secret -->",
    "comment with another end": "<!-- secret --!>",
    "script": "<script>secret</script>",
    "style sheet": "<style>secret</style>",
    "template": "<template>secret</template>",
    "title of a picture": "<svg><title>secret</title><text>secret</text></svg>",
    "choices": "<select><option>secret</option></select>",
    "field": '<input type="hidden" value="secret">',
    "closed dialog": "<dialog>secret</dialog>",
    "hidden": "<div hidden>secret <b>secret</b></div>",
    "hidden until found": '<div hidden="until-found">secret</div>',
    "element of its own": '<x-note style="display:none">secret</x-note>',
    "declaration": "<![CDATA[secret]]>",
    "display": '<span style="display: none">secret</span>',
    "display, escaped": '<span style="d\\69splay:/**/none ! important">secret</span>',
    "visibility": '<span style="VISIBILITY:hidden">secret</span>',
    "content visibility": '<div style="content-visibility:hidden">secret</div>',
    "Word's own": '<span style="mso-hide:all">secret</span>',
    "no size": '<p style="font-size:0px">secret</p>',
    "a tiny size": '<p style="font:1px/1 serif">secret</p>',
    "a tiny share": '<p style="font-size:5%">secret</p>',
    "no opacity": '<p style="opacity: 0.0">secret</p>',
    "little opacity": '<p style="opacity: 1%">secret</p>',
    "filter": '<p style="filter:opacity(0)">secret</p>',
    "no scale": '<p style="transform:scale(0)">secret</p>',
    "left of the page": '<p style="position:absolute;left:-9999px">secret</p>',
    "calculated": '<p style="position:fixed;top:calc(-100vh - 9999px)">secret</p>',
    "indented away": '<p style="text-indent:-1000em">secret</p>',
    "moved away": '<p style="transform:translate(-9999px, 0)">secret</p>',
    "a box of no height": '<p style="height:0;overflow:hidden">secret</p>',
    "for screen readers": '<p style="position:absolute;width:1px;height:1px;overflow:hidden">secret</p>',
    "clipped": '<p style="clip:rect(0 0 0 0)">secret</p>',
    "clipped path": '<p style="clip-path: inset(50%)">secret</p>',
    "old attribute": '<font color="#ffffff">secret</font>',
    "old paper": '<span bgcolor="black" style="color:#000">secret</span>',
}
WHITE = [
    "white",
    "#FFF",
    "#fffd",
    "#fefefe",
    "#ffffffff",
    "rgb(255, 255, 255)",
    "rgb(100% 100% 100% / 1)",
    "rgba(0,0,0,0)",
    "hsl(0deg 0% 100%)",
    "hwb(0 100% 0%)",
    "lab(100 0 0)",
    "oklch(1 0 0)",
    "color(srgb 1 1 1)",
    "color(display-p3 1 1 1)",
    "transparent",
    "snow",
]


@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN.keys())
@pytest.mark.parametrize("clean", [cleaned, cleaned_html], ids=["Markdown", "HTML"])
def test_text_that_readers_cannot_see_is_removed(clean, hidden):
    assert clean(f"before {hidden}after") == "before after"


@pytest.mark.parametrize("color", WHITE)
def test_white_text_on_white_is_removed_in_every_notation(color):
    assert cleaned(f'<p>seen</p><div style="color:{color}">secret <i>secret</i></div>') == "seen"


@pytest.mark.parametrize(
    "html",
    [
        '<div style="background:#111"><p style="color:white">seen</p></div>',
        '<p style="background:linear-gradient(red, blue) navy; color:#fff">seen</p>',
        '<p style="color:white">secret <b style="color:#333">seen</b></p>',
        '<td bgcolor="#036"><font color="white">seen</font></td>',
        '<p style="color: #fffbe6">seen</p>',
        '<p style="background-color: white">seen</p>',
        '<p style="opacity: 0.9; font-size: 0.8em; margin-left: -15px">seen</p>',
        '<p style="overflow:hidden; width:100%; height:300px">seen</p>',
        '<p style="clip-path: inset(0)">seen</p>',
        '<p style="display:block; color:var(--text)">seen</p>',
        '<p style="no CSS ((">seen</p>',
        '<span aria-hidden="true">seen</span>',
        "<details><summary>seen</summary></details>",
        "<dialog open>seen</dialog>",
    ],
)
def test_text_that_readers_can_see_stays(html):
    assert cleaned(html).strip("* ") == "seen"


def test_what_is_hidden_within_deep_html_stays_hidden():
    html = "<div>" * 500 + "seen <b hidden>secret</b>" + "<i>too</i>" + "</div>" * 500

    assert cleaned(html) == "seen too"


def test_text_is_hidden_over_paragraphs_of_markdown():
    assert cleaned('a\n\n<div style="display:none">\n\n## secret\n\nsecret\n\n</div>\n\nb') == "a\n\nb"


def test_html_hides_nothing_behind_signs_that_are_code_in_markdown():
    assert cleaned_html("<p>Use `<b hidden>secret</b>` here</p>") == "Use `` here"
