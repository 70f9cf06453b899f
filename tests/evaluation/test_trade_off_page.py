"""The page of a calibration: charts of all sets and of each, with the chosen threshold marked, that need nothing else."""

import re
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evaluation.calibration import Scored
from bot.evaluation.golden import Topic
from bot.evaluation.report.trade_off_chart import shares_by_threshold
from bot.evaluation.report.trade_off_page import trade_off_page
from bot.evaluation.trade_off import Levelled
from tests.evaluation.read_page import Page
from tests.knowledge_builders import a_calibration

COSINES = st.lists(st.floats(-1, 1, allow_subnormal=False).map(lambda c: round(c, 4)))
HOSTILE = '<script src="//evil.example">&"'


def scored(topic: Topic, *cosines: float) -> tuple[Scored, ...]:
    return tuple(Scored(id=f"{topic}{n}", topic=topic, cosine=cosine) for n, cosine in enumerate(cosines))


FOUND = (
    *scored(Topic.ANSWERABLE, 0.9, 0.7, 0.5, 0.3),
    *scored(Topic.NEAR, 0.6, 0.2),
    *scored(Topic.OFF, 0.1),
)


def a_page(*names: str, found: Iterable[Scored] = FOUND) -> str:
    sets = dict.fromkeys(names, tuple(found))
    return trade_off_page(a_calibration(strict=0.55), sets, made="today")


def test_the_page_needs_nothing_else_and_a_name_stays_text():
    text = a_page(HOSTILE)
    read = Page(text)

    assert not read.all("script") + read.all("link") + read.all("img")
    assert re.findall(r"url\(|@import|https?:|\son\w+=", text) == []
    assert "default-src 'none'" in text
    assert not read.unbalanced


def test_several_sets_are_shown_together_before_each():
    text = a_page("one", "two")

    assert re.findall(r"<h2[^>]*>([^<]+)", text) == ["All sets together", "one", "two"]
    ids = [attributes["id"] for _, attributes in Page(text).found if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_one_set_is_shown_once():
    assert re.findall(r"<h2[^>]*>([^<]+)", a_page("one")) == ["one"]


def test_the_chosen_threshold_is_marked_on_every_chart_and_in_the_table():
    text = a_page("one")

    assert text.count("threshold 0.550</text>") == 2
    assert "0.5500, chosen" in text
    assert "At the threshold 0.550, 50% of the answerable, 50% of the near-topic, 0% of the off-topic" in text


@pytest.mark.parametrize(
    ("found", "drawings"),
    [
        pytest.param((), 0, id="no question reached the gate"),
        pytest.param(scored(Topic.ANSWERABLE, 0.4), 1, id="answerable only"),
        pytest.param(scored(Topic.OFF, 0.4), 1, id="unanswerable only"),
    ],
)
def test_what_cannot_be_told_is_left_out(found, drawings):
    text = a_page("one", found=found)

    assert len(Page(text).all("svg")) == drawings
    assert not re.search(r"\b(nan|inf)\b", text, re.IGNORECASE)


@given(COSINES, COSINES, COSINES, st.floats(-1, 1).map(lambda t: round(t, 4)))
def test_whatever_the_scores_are_every_mark_lies_on_the_drawing(answerable, near, off, threshold):
    scores = Levelled(answerable=tuple(answerable), near=tuple(near), off=tuple(off))

    for _, attributes in Page(shares_by_threshold("x", scores, threshold)).found:
        places = [float(v or 0) for k, v in attributes.items() if k in {"x", "y", "cx", "cy", "x1", "y1"}]
        corners = re.findall(r"-?[\d.]+", attributes.get("points") or "")
        assert all(0 <= place <= 360 for place in (*places, *map(float, corners)))
