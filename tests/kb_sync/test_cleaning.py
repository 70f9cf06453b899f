"""What an author delivers becomes Markdown without HTML, hidden text or images."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb_sync.sources.cleaning import cleaned


@pytest.mark.parametrize(
    ("delivered", "kept"),
    [
        pytest.param("Press <kbd>Ctrl</kbd> and <b>go</b>.", "Press Ctrl and go.", id="inline elements"),
        pytest.param("a<br>b", "a\nb", id="line break"),
        pytest.param("| a<br>b |", "| a b |", id="line break in a table row"),
        pytest.param('<a href="https://e.example/a b">see</a>', "[see](https://e.example/a%20b)", id="link"),
        pytest.param('<a href="#part">see</a> [it](#part)', "see it", id="link within the page"),
        pytest.param('<a href="javascript:alert(1)">see</a>', "see", id="link that runs code"),
        pytest.param('<a id="part"></a>\n\n## Part', "## Part", id="anchor"),
        pytest.param('<a href="https://e.example"><img src="x.png"></a>go', "go", id="link around nothing"),
        pytest.param("<h2>Part</h2><p>One</p><p>Two</p>", "## Part\n\nOne\n\nTwo", id="blocks"),
        pytest.param("<ol><li>One</li><li>Two</li></ol>", "1. One\n2. Two", id="numbered list"),
        pytest.param("<ul><li>One<ul><li>In</li></ul></li></ul>", "* One\n\n   * In", id="nested list"),
        pytest.param("![A red button](a.png) here", "A red button here", id="image"),
        pytest.param('<img src="a.png" alt="A red button"> here', "A red button here", id="HTML image"),
        pytest.param("[Next](https://e.example){.button}", "[Next](https://e.example)", id="attributes"),
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

    assert cleaned(html) == "| Carrier | Time |\n|---|---|\n| A B | 2 days |"


def test_indented_html_does_not_become_code():
    assert cleaned("<div>\n    <p>\n      Text\n    </p>\n</div>") == "Text"


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- secret -->",
        "<script>secret</script>",
        "<style>secret</style>",
        '<span style="display: none">secret</span>',
        '<span style="VISIBILITY:hidden">secret</span>',
        '<p style="font-size:0px">secret</p>',
        '<p style="opacity: 0.0">secret</p>',
        '<p style="color:#FFF; background:#fff">secret</p>',
        '<span style="color: white">secret</span>',
        "<div hidden>secret <b>secret</b></div>",
        "<template>secret</template>",
    ],
)
def test_text_that_readers_cannot_see_is_removed(hidden):
    assert cleaned(f"before {hidden}after") == "before after"


@pytest.mark.parametrize(
    "style", ["color: #fffbe6", "background-color: white", "opacity: 0.9", "font-size: 0.8em"]
)
def test_text_that_readers_can_see_stays(style):
    assert cleaned(f'<span style="{style}">seen</span>') == "seen"


def test_characters_that_show_nothing_are_removed():
    assert cleaned("re\u00adfund\u200b \u2066now\u2069\U000e0041") == "refund now"


HTML = st.lists(
    st.sampled_from(
        [
            "<table>",
            "<tr>",
            "<td>",
            "</td>",
            "</table>",
            "<ul>",
            "<li>",
            "</ul>",
            "<a>",
            "</a>",
            "<!--",
            "-->",
            "<p",
            "hidden>",
            "</p>",
            "<![x",
            "&lt;",
            "`",
        ]
    )
    | st.text(alphabet="<>/!-&;`'\" \nab\ue000\ue0010", max_size=12)
).map("".join)


@given(text=HTML | st.text())
@settings(deadline=None)
def test_any_text_can_be_cleaned_and_again_without_change_of_its_form(text):
    once = cleaned(text)

    assert "\r" not in once
    assert once == once.strip("\n")
    assert "\n\n\n" not in once
