"""The page to look at has everything that we show in Slack, draws all of it, and draws nobody being pinged."""

import ast
from html import escape
from pathlib import Path

import pytest

from bot.channels.slack import hints
from bot.channels.slack.actions import Action, Callback
from tests.channels.slack.drawing import draw_mrkdwn
from tests.channels.slack.gallery import THEMES, page
from tests.channels.slack.specimens import specimens

PAGE = page()


def test_everything_is_on_the_page_in_both_themes():
    for name in specimens():
        assert all(f'id="{escape(f"{theme} {name}")}"' in PAGE for theme in THEMES)


@pytest.mark.parametrize("name", [*Action, *Callback])
def test_every_button_and_form_is_on_the_page(name):
    assert escape(f'"{name}') in PAGE


def test_every_hint_is_on_the_page():
    module = ast.parse(Path(hints.__file__).read_text(encoding="utf-8"))
    public = {node.name for node in module.body if isinstance(node, ast.FunctionDef) if node.name[0] != "_"}

    assert len([name for name in specimens() if name.startswith("hint: ")]) == len(public)


def test_whatever_is_shown_is_drawn_and_pings_nobody():
    assert 'class="fault"' not in PAGE


def test_a_ping_would_be_seen():
    assert 'class="fault"' in draw_mrkdwn("<!channel>")


def test_signs_are_drawn_as_slack_draws_them():
    drawn = draw_mrkdwn("*a* _b_ ~c~ `*d*` <https://a.example|e>\n> f\n```\n*g*\n```")

    assert drawn == (
        '<div dir="auto"><b>a</b> <i>b</i> <s>c</s> <code>*d*</code> '
        '<a href="https://a.example" rel="noreferrer">e</a></div>'
        '<blockquote>f</blockquote><div dir="auto"><pre>*g*</pre></div>'
    )
