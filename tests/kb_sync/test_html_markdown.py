"""An article that is all HTML keeps its headings, steps, tables, links and code as Markdown."""

import pytest

from kb_sync.sources.cleaning import cleaned_html, is_html


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        pytest.param("<h1>A</h1><h3>B <b>c</b></h3><p>d</p>", "# A\n\n### B c\n\nd", id="headings"),
        pytest.param("<ol><li>One<li>Two<p>more</ol>x", "1. One\n2. Two\n\n   more\n\nx", id="no ends"),
        pytest.param(
            '<ol start="3"><li>One<ul><li>In<ol><li>Deep</li></ol></li></ul></li><li value="7">Two</li></ol>',
            "3. One\n   * In\n     1. Deep\n7. Two",
            id="nested steps",
        ),
        pytest.param(
            "<ul><li>One</li><ul><li>In</li></ul></ul>", "* One\n   * In", id="list outside an item"
        ),
        pytest.param("<p>One<br>two<br/><br>three</p>", "One\ntwo\n\nthree", id="line breaks"),
        pytest.param(
            "<p>One\n   two</p>\n\n<p>\n</p><p>&nbsp;</p>three", "One\ntwo\n\nthree", id="white space"
        ),
        pytest.param("<blockquote><p>A</p><p>B</p></blockquote>", "> A\n>\n> B", id="quotation"),
        pytest.param("<dl><dt>A</dt><dd>B</dd></dl>", "A\n\nB", id="definitions"),
        pytest.param("<details><summary>A</summary>B</details>", "A\n\nB", id="details"),
        pytest.param("<figure><img alt='A'><figcaption>B</figcaption></figure>", "A\n\nB", id="figure"),
        pytest.param("A<hr>B", "A\n\n---\n\nB", id="line"),
        pytest.param("<del>5</del> 3 H<sub>2</sub>O <q>a</q>", '~~5~~ 3 H2O "a"', id="marks"),
        pytest.param("<b>Note: </b>a<i>b</i>c <b><b>d</b></b>", "**Note:** a*b*c **d**", id="stress"),
        pytest.param("<b>Note:</b>a <b>b</b><i>c</i> <b><p>d</p></b>", "Note:a bc\n\nd", id="no stress"),
        pytest.param("Use &lt;port&gt; &amp; 2 * 3 &lt;b&gt;", "Use <port> & 2 * 3 \\<b>", id="signs"),
        pytest.param("<html><head><title>T</title></head><body><main>A</main></body></html>", "A", id="page"),
        pytest.param(
            "<form><label>Name</label><input value=x> <button>Go</button></form>", "Name Go", id="form"
        ),
        pytest.param(
            f"<h{'9' * 5000}>A</h{'9' * 5000}><list>B</list>", "AB", id="elements that there are not"
        ),
        pytest.param("", "", id="nothing"),
    ],
)
def test_html_becomes_markdown(html, markdown):
    assert cleaned_html(html) == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        pytest.param("<pre>a &lt; b\n\n  c</pre>", "```\na < b\n\n  c\n```", id="lines stay"),
        pytest.param('<pre><code class="language-Python">a</code></pre>', "```python\na\n```", id="language"),
        pytest.param("<pre>```\n<b>a</b>\n```</pre>", "````\n```\na\n```\n````", id="fences in it"),
        pytest.param("<pre><span>a</span><br><span>b</span></pre>", "```\na\nb\n```", id="coloured lines"),
        pytest.param("<code>&lt;b&gt; a</code> <samp>c</samp>", "`<b> a` `c`", id="in a line"),
        pytest.param("<code>a`b</code>", "`` a`b ``", id="tick in it"),
        pytest.param(
            "<ol><li>Run<pre>a\nb</pre></li></ol>", "1. Run\n\n   ```\n   a\n   b\n   ```", id="in a step"
        ),
        pytest.param(
            "<table><tr><td>a<td><pre>b\nc</pre></table>", "| a | `b c` |\n|---|---|", id="in a cell"
        ),
    ],
)
def test_code_stays_as_it_is(html, markdown):
    assert cleaned_html(html) == markdown


@pytest.mark.parametrize(
    ("rows", "markdown"),
    [
        pytest.param("<tr><th>A<th>B<tr><td>1<td>2", "| A | B |\n|---|---|\n| 1 | 2 |", id="no ends"),
        pytest.param("<tr><td>A</td><td>B</td></tr>", "| A | B |\n|---|---|", id="no heading"),
        pytest.param(
            "<tr><th colspan=2>A<th>B<tr><td>1<td>2<td>3",
            "| A |  | B |\n|---|---|---|\n| 1 | 2 | 3 |",
            id="colspan",
        ),
        pytest.param(
            "<tr><th>A<th>B<tr><td rowspan=2>1<td>2<tr><td>3",
            "| A | B |\n|---|---|\n| 1 | 2 |\n| 1 | 3 |",
            id="rowspan",
        ),
        pytest.param("<tr><td>A<tr><td>1<td>2", "| A |  |\n|---|---|\n| 1 | 2 |", id="uneven"),
        pytest.param("<tr><td>a|b<td>c<br>d", "| a\\|b | c d |\n|---|---|", id="line breaks and pipes"),
        pytest.param(
            "<tr><td>A<td><table><tr><td>1<td>2<tr><td>3<td>4</table>",
            "| A | 1, 2; 3, 4 |\n|---|---|",
            id="nested",
        ),
        pytest.param("<tr><td>A<td><ol><li>x<li>y</ol>", "| A | 1. x 2. y |\n|---|---|", id="steps"),
        pytest.param("<caption>C</caption><tr><td>A<td>B", "C\n\n| A | B |\n|---|---|", id="caption"),
        pytest.param("<tr><td><h2>Note</h2><ul><li>A</ul>", "## Note\n\n* A", id="one cell is a frame"),
        pytest.param("<tr><td hidden>x<td>A<td>B", "| A | B |\n|---|---|", id="hidden cell"),
        pytest.param("<tr><td rowspan=99999999 colspan=-1>A<td>B", "| A | B |\n|---|---|", id="odd spans"),
    ],
)
def test_a_table_becomes_one_that_readers_of_markdown_see_whole(rows, markdown):
    assert cleaned_html(f"<table>{rows}</table>") == markdown


def test_a_table_for_layout_becomes_its_blocks():
    html = (
        '<table role="presentation"><tr><td><p>A</p></td><td><table><tr><td>1<td>2</table></td></tr></table>'
    )

    assert cleaned_html(html) == "A\n\n| 1 | 2 |\n|---|---|"


@pytest.mark.parametrize(
    ("link", "markdown"),
    [
        pytest.param("https://e.example/a", "[see](https://e.example/a)", id="absolute"),
        pytest.param("/hc/a (b)", "[see](https://shop.example/hc/a%20%28b%29)", id="from the root"),
        pytest.param("../b?x=1&y=2", "[see](https://shop.example/en/b?x=1&y=2)", id="relative"),
        pytest.param("//cdn.example/x", "[see](https://cdn.example/x)", id="without a scheme"),
        pytest.param("mailto:a@e.example", "[see](mailto:a@e.example)", id="mail"),
        pytest.param("#part", "see", id="within the page"),
        pytest.param("javascript:alert(1)", "see", id="code"),
        pytest.param("java\tscript:alert(1)", "see", id="code in pieces"),
        pytest.param("data:text/html,x", "see", id="data"),
        pytest.param("http://[", "see", id="no address"),
        pytest.param("", "see", id="nowhere"),
    ],
)
def test_links_lead_where_they_led(link, markdown):
    html = f'<p><a href="{link}">see</a></p>'

    assert cleaned_html(html, base_url="https://shop.example/en/articles/1") == markdown


def test_a_relative_link_stays_one_while_nobody_knows_its_site():
    assert cleaned_html('<a href="a.html">see</a>') == "[see](a.html)"


def test_a_link_around_blocks_is_one_line():
    assert (
        cleaned_html('<a href="https://e.example"><h3>A</h3>\n<p>b</p></a>') == "[### A b](https://e.example)"
    )


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("<p>One</p>\n\n<p>Two</p>\n", True),
        ("<!DOCTYPE html><html><body>a</body></html>", True),
        ("<p>One</p>\n\n# Two\n\n<p>Three</p>", False),
        ("<article>One\n\ntwo</article>", True),
        ("<port> is text", False),
        ("Text <b>bold</b>", False),
        ("", False),
    ],
)
def test_an_article_is_html_when_no_paragraph_of_it_is_outside(text, result):
    assert is_html(text) is result
