"""Nobody can mention, link, format or turn anything with text; and what people write in Slack is read as they meant it."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.slack.mrkdwn import (
    A_CHANNEL,
    SOMEBODY,
    escaped,
    from_mrkdwn,
    inline,
    isolated,
    link,
    literal,
)

SIGNS = st.text(st.sampled_from("ab1 \n<>&@#!|:*_~`-herchanl\u202e\u2069\u2068é"), max_size=80)
NAMES = {"U1": "Anna", "C1": "help"}


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("<!channel>", "&lt;!channel&gt;"),
        ("<@U1> & <http://evil|bank>", "&lt;@U1&gt; &amp; &lt;http://evil|bank&gt;"),
        ("&lt;!here&gt;", "&amp;lt;!here&amp;gt;"),
        ("@here @Channel @everyone", "@\u2060here @\u2060Channel @\u2060everyone"),
        ("@hereafter", "@hereafter"),
        (":tada: 1:100:1", ":\u2060tada: 1:\u2060100:1"),
        ("at 10:30", "at 10:30"),
        ("\u202eevil", "\u2068\u202eevil\u2069"),
    ],
)
def test_escaped_text_is_only_text(text, safe):
    assert escaped(text) == safe


@given(SIGNS)
def test_no_text_holds_a_sign_of_slack_once_escaped(text):
    safe = escaped(text)

    assert not re.search(r"[<>]|&(?!(?:amp|lt|gt);)|@(?:here|channel|everyone)\b", safe)
    assert not re.search(r":[a-z0-9_+'-]+:", safe)


@given(SIGNS)
def test_nothing_that_can_be_seen_is_lost(text):
    assert _seen(unescape(escaped(text))) == _seen(text)


@pytest.mark.parametrize("text", ["*bold*", "_it_", "~no~", "(*bold*)", "a *b* c", "`code`", "```code```"])
def test_literal_text_is_not_formatted(text):
    safe = literal(text)

    assert not re.search(r"(?<!\w)([*_~])(?=\S)[^\n]*(?<=\S)\1(?!\w)|`", safe)


def test_a_sign_that_formats_nothing_stays_as_it_is():
    assert literal("2 * 3 = snake_case_name ~ 5*3*2") == "2 * 3 = snake_case_name ~ 5*3*2"


def test_a_literal_line_is_no_quotation():
    assert literal("a\n> b") == "a\n\u2060&gt; b"


@pytest.mark.parametrize("sign", ["\n", " \n", "<", "&", "*a ", "~", ":a", "\u202e\n"], ids=ascii)
def test_long_texts_of_signs_alone_take_no_time(sign):
    text = sign * 20_000

    assert literal(text)
    assert from_mrkdwn(text, NAMES)


def test_a_name_stays_on_its_line_and_inside_bold():
    assert inline("An\nna *S*") == "An na \u2217S\u2217"


@given(st.text(st.sampled_from("ab\n\u202a\u202e\u202c\u2066\u2067\u2068\u2069\u05d0"), max_size=40))
def test_whatever_turns_a_text_ends_with_its_line(text):
    for line in isolated(text).split("\n"):
        depth = 0
        for at, character in enumerate(line):
            depth += (character in "\u2066\u2067\u2068") - (character == "\u2069")
            assert depth > 0 or at == len(line) - 1 or "\u2068" not in line
        assert depth == 0


@pytest.mark.parametrize(
    ("url", "label", "shown"),
    [
        ("https://a.example/x?a=1&b=2", "Here", "<https://a.example/x?a=1&amp;b=2|Here>"),
        ("https://a.example/x|y", "a|b > c", "<https://a.example/x%7Cy|a\u00a6b &gt; c>"),
        ("https://a.example", " ", "<https://a.example>"),
        ("https://a.example", "two\nlines", "<https://a.example|two lines>"),
    ],
)
def test_a_link_ends_where_it_should(url, label, shown):
    assert link(url, label) == shown


@pytest.mark.parametrize(
    ("wrote", "said"),
    [
        ("5 &lt; 6 &amp;&amp; 7 &gt; 6", "5 < 6 && 7 > 6"),
        ("&amp;lt;!channel&amp;gt;", "&lt;!channel&gt;"),
        ("<https://a.example/b?c=1&amp;d=2>", "https://a.example/b?c=1&d=2"),
        ("<https://a.example|a.example>", "a.example"),
        ("<https://a.example/b|our page>", "our page (https://a.example/b)"),
        ("<mailto:a@b.example|a@b.example>", "a@b.example"),
        ("<tel:+491234|+491234>", "+491234"),
        ("<@U1> and <@U2|bo> and <@U3>", f"@Anna and @bo and {SOMEBODY}"),
        ("<#C1> <#C2|general> <#C3>", f"#help #general {A_CHANNEL}"),
        ("<!here> <!subteam^S1|@team> <!subteam^S1>", "@here @team @group"),
        ("<!date^1^{time}|noon>", "noon"),
        (":+1::skin-tone-3: :slightly_smiling_face:", "👍 🙂"),
        (":tada::tada:", "🎉🎉"),
        (":no_such_emoji: at 10:30:45, 1:100:1", ":no_such_emoji: at 10:30:45, 1:100:1"),
        ("*as it was* _typed_", "*as it was* _typed_"),
        ("<>", "<>"),
        ("a < b", "a < b"),
    ],
)
def test_what_was_written_in_slack_becomes_plain_text(wrote, said):
    assert from_mrkdwn(wrote, NAMES) == said


@given(st.text(st.sampled_from("ab <>&;ltgmp|@U1!:/"), max_size=60))
def test_what_slack_escapes_comes_back_as_it_was_typed(text):
    sent = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    assert from_mrkdwn(sent, NAMES) == text


def _seen(text):
    return re.sub("[\u2060\u2066-\u2069]", "", text)
