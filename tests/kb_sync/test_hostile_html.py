"""Whatever an author delivers is cleaned in a time that grows with its length, and never by running out of stack."""

import time

import pytest

from kb_sync.sources.cleaning import cleaned, cleaned_html

DEEP = {"div": 10_000, "b": 2_000, "blockquote": 2_000, "ul><li": 1_000, "table><tr><td": 700, "pre": 2_000}
LONG = 4_000
GROWTH = 4  # times the length; work that grows with its square takes the square of that
SLACK = 4  # so that a busy machine is no failure
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
@pytest.mark.timeout(120)
def test_time_grows_with_the_length_of_the_text(clean, piece):
    short = seconds(clean, piece * (LONG // len(piece)))
    long = seconds(clean, piece * (GROWTH * LONG // len(piece)))

    assert long < max(short, 0.02) * GROWTH * SLACK


def seconds(clean, text: str) -> float:
    """Return the time of this thread alone: others share the machine."""
    started = time.thread_time()
    clean(text)
    return time.thread_time() - started
