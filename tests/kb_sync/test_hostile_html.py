"""Whatever an author delivers is cleaned in a time that grows with its length, and never by running out of stack."""

import pytest

from kb_sync.sources.cleaning import cleaned, cleaned_html

DEEP = {"div": 10_000, "b": 2_000, "blockquote": 2_000, "ul><li": 1_000, "table><tr><td": 700, "pre": 2_000}
LONG = (
    50_000  # characters: work that grows with their square would take minutes, and the timeout would end it
)
REPEATED = [
    *(
        "<!--",
        "a <!-- b",
        "<",
        "<a ",
        '<a "',
        "<a '\"",
        "<a b=",
        "&",
        "&lt;",
        "<!a",
        "<?a",
        "<![CDATA[",
        "\\",
        "\\<",
    ),
    *(
        "```a\n",
        "~~~\n````\n",
        "` ",
        "`a``b```c````d`````e",
        "![",
        "![a](b",
        "[a](#",
        "[ ",
        "{.",
        "\n \n",
        " ",
    ),
    *(
        "<p>x",
        "<li>x",
        "<td>x",
        "<tr><td rowspan=999999999 colspan=99999>x",
        "<b>v</b><i hidden>s</i>",
        "<br>",
    ),
    *("<a href=x>y", "<pre>x", "<dt>a<dd>b", "<script>", "<select><option>", "<x-a style=b>", "\u200d\ufe0f"),
    *("| <b>x</b>\n", "a <b>x</b> c\n\n", "<ol><li>x", "<b style='color:white'>x</b>"),
]


@pytest.mark.parametrize(("name", "deep"), DEEP.items())
@pytest.mark.parametrize("clean", [cleaned, cleaned_html], ids=["Markdown", "HTML"])
def test_deep_nesting_is_no_recursion(clean, name, deep):
    assert "secret" not in clean(f"<{name}>" * deep + "x <i hidden>secret</i>" + "</div>" * deep)


@pytest.mark.parametrize("piece", REPEATED)
@pytest.mark.parametrize("clean", [cleaned, cleaned_html], ids=["Markdown", "HTML"])
@pytest.mark.timeout(30)
def test_no_text_is_so_hostile_that_its_cleaning_hangs(clean, piece):
    assert isinstance(clean(piece * (LONG // len(piece))), str)
