"""The bot's Markdown says the same in Slack, in Slack's signs, and holds no link that may not be followed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.slack.markdown import to_mrkdwn
from bot.channels.slack.splitting import FENCE
from tests.channels.hostile_texts import HOSTILE

SITE = "https://candor.example"
TABLE = "| Name | Price |\n| --- | ---: |\n| A | 1 & 2 |\n| 日本 | [b](https://a.example) |"
TABLE_SHOWN = f"""{FENCE}
Name |                 Price
-----+----------------------
A    |                 1 &amp; 2
日本 | b (https://a.example)
{FENCE}"""


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("**a** *b* ~~c~~ `d`", "*a* _b_ ~c~ `d`"),
        ("***a***", "_*a*_"),
        ("**a _b **c** d_**", "*a _b c d_*"),
        ("fo**oba**r", "fo\u200b*oba*\u200br"),
        ("**two\\\nlines**", "*two*\n*lines*"),
        ("# A **head**", "*A head*"),
        ("one\ntwo", "one two"),
        ("one\\\ntwo", "one\ntwo"),
        ("one\n\ntwo", "one\n\ntwo"),
        ("- a\n- b", "• a\n• b"),
        ("- a\n  - b\n    - c", "• a\n    ◦ b\n        ▪ c"),
        ("3. a\n4. b", "3. a\n4. b"),
        ("1. a\n   - b\n\n   c\n2. d", "1. a\n    ◦ b\n    c\n2. d"),
        ("> a\n>\n> b", "> a\n>\n> b"),
        ("> - a\n> - b", "> • a\n> • b"),
        ("```py\na < b\n```", f"{FENCE}\na &lt; b\n{FENCE}"),
        ("`` a`b ``", "`a\u02cbb`"),
        ("---", "———"),
        (TABLE, TABLE_SHOWN),
        ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
        ("a & b <@U1>", "a &amp; b &lt;@U1&gt;"),
    ],
)
def test_markdown_becomes_mrkdwn(markdown, shown):
    assert to_mrkdwn(markdown) == shown


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("[a **b**](https://a.example/?x=1&y=2)", "<https://a.example/?x=1&amp;y=2|a b>"),
        ("**[a](https://a.example)**", "*<https://a.example|a>*"),
        ("<https://a.example>", "<https://a.example|https://a.example>"),
        ("[a](mailto:a@b.example)", "<mailto:a@b.example|a>"),
        ("![a](https://a.example/i.png)", "<https://a.example/i.png|a>"),
        ("[a](/articles/a1)", f"<{SITE}/articles/a1|a>"),
        ("[a](/console)", "a"),
        ("[a](ftp://a.example)", "a"),
        ("[a](https://bank@evil.example)", "a"),
        ("[a](javascript:alert(1))", "[a](javascript:alert(1))"),
    ],
)
def test_a_link_leads_only_where_a_customer_may_go(markdown, shown):
    assert to_mrkdwn(markdown, site=SITE) == shown


def test_our_own_pages_are_no_links_where_nobody_can_reach_them():
    assert to_mrkdwn("[a](/articles/a1)") == "a"


def test_code_in_a_list_keeps_its_own_indent():
    shown = to_mrkdwn("- a\n\n  ```\n    code\n  ```\n- b")

    assert shown == f"• a\n{FENCE}\n  code\n{FENCE}\n• b"


@pytest.mark.parametrize("markdown", HOSTILE)
def test_hostile_markdown_has_no_sign_but_links_that_may_be_followed(markdown):
    for sign in re.findall(r"<[^>]*>", to_mrkdwn(markdown)):
        assert re.fullmatch(r"<(?:https?://|mailto:)[^<>|\s]+(?:\|[^<>|]+)?>", sign)


@given(st.text(st.sampled_from("ab \n*_~`#->|1.[]()!<&:/"), max_size=120))
def test_no_markdown_makes_a_sign_that_is_no_link(markdown):
    shown = to_mrkdwn(markdown)

    assert all(re.match(r"<(?:https?|mailto):", sign) for sign in re.findall(r"<[^>]*", shown))
    assert shown.count(FENCE) % 2 == 0


@given(
    st.lists(st.sampled_from(["word", "**bold**", "- item", "# head", "> said", "\n", "`code`", "1. one"]))
)
def test_every_word_is_kept_in_order(parts):
    markdown = "\n".join(parts)

    assert re.findall("[a-z]+", to_mrkdwn(markdown)) == re.findall("[a-z]+", markdown)
