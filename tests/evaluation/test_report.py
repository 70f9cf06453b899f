"""The report is one page that needs nothing else, whose charts have names and numbers beside them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evaluation.measuring import Gathered, Scores, evaluated, mean
from bot.evaluation.report.bins import score_bins, wilson
from bot.evaluation.report.gate_charts import histogram, reliability, roc_curve
from bot.evaluation.report.page import page
from bot.evaluation.strategies import Retrieved, Strategy
from tests.evaluation.builders import a_search, a_trial, an_unanswerable_search
from tests.evaluation.read_page import Page

COSINES = st.floats(-1, 1, allow_subnormal=False)
HOSTILE = '<script src="//evil.example">&"'
FOUND = (a_search("KB1", score=0.7), a_search("KB2", score=0.4), an_unanswerable_search("KB1", score=0.3))


def a_page(*found: Retrieved, name: str = "set", label: str = "ANSWER") -> str:
    gathered = Gathered(name=name, tried=(a_trial(label=label),), retrieved={Strategy.BLENDED: found})
    return page([evaluated(gathered)], made="today", embedder="local/m")


def test_the_page_needs_nothing_else():
    text = a_page(*FOUND)

    assert not Page(text).all("script") + Page(text).all("link") + Page(text).all("img")
    assert re.findall(r"url\(|@import|https?:|\son\w+=", text) == []
    assert "default-src 'none'" in text


def test_several_sets_are_averaged_before_each_is_shown():
    one = evaluated(Gathered(name="a", tried=(a_trial(),), retrieved={Strategy.BLENDED: FOUND}))
    text = page([one, one], made="today", embedder="local/m", mean=mean([one, one]))

    assert text.index("Mean of 2 sets") < text.index(">a</h2>")
    assert not Page(text).unbalanced


def test_groups_have_a_table_for_each_field():
    found = (a_search("KB1", fields={"source": HOSTILE}), an_unanswerable_search())
    tried = tuple(a_trial(fields=one.golden.fields) for one in found)
    gathered = Gathered(name="set", tried=tried, retrieved={Strategy.BLENDED: found})

    text = page([evaluated(gathered, by=["source"])], made="today", embedder="local/m")

    assert "By source" in text
    assert "How well the score tells labels apart" in text
    assert Page(text).all("script") == []


def test_names_and_labels_of_files_stay_text():
    read = Page(a_page(*FOUND, name=HOSTILE, label=HOSTILE))

    assert read.all("script") == []
    assert not read.unbalanced


def test_every_drawing_is_named_and_described():
    read = Page(a_page(*FOUND))
    ids = {attributes.get("id") for _, attributes in read.found}

    assert len(read.all("svg")) == 4
    for drawing in read.all("svg"):
        assert drawing["role"] == "img"
        assert set((drawing["aria-labelledby"] or "").split()) <= ids


def test_no_id_stands_twice_however_many_sets_there_are():
    one = evaluated(Gathered(name="a", tried=(a_trial(),), retrieved={Strategy.BLENDED: FOUND}))
    read = Page(page([one, one], made="today", embedder="local/m"))
    ids = [attributes["id"] for _, attributes in read.found if "id" in attributes]

    assert len(ids) == len(set(ids))


def test_the_charts_numbers_are_tables_too():
    text = a_page(*FOUND)

    for caption in ("Questions by score", "Measures with 95 % intervals", "How turns ended, by label"):
        assert caption in text
    assert "0.70 to 0.75" in text
    assert "0.50 (" in text


@pytest.mark.parametrize(
    "found",
    [
        pytest.param((), id="nothing was searched"),
        pytest.param(FOUND[:1], id="answerable only"),
        pytest.param(FOUND[2:], id="unanswerable only"),
        pytest.param((a_search(threshold=None), an_unanswerable_search(threshold=None)), id="no threshold"),
    ],
)
def test_what_cannot_be_told_is_left_out(found):
    read = Page(a_page(*found))

    assert not read.unbalanced
    assert not re.search(r"\b(nan|inf)\b", a_page(*found), re.IGNORECASE)


@given(st.lists(COSINES, min_size=1), st.lists(COSINES), st.none() | COSINES)
def test_whatever_the_scores_are_every_mark_lies_on_the_drawing(answerable, unanswerable, threshold):
    scores = Scores(answerable=tuple(answerable), unanswerable=tuple(unanswerable))

    for draw in (histogram, reliability, roc_curve):
        for name, attributes in Page(draw("x", scores, threshold)).found:
            numbers = [
                float(v or 0) for k, v in attributes.items() if k in {"x", "y", "cx", "cy", "x1", "y1"}
            ]
            assert all(0 <= number <= 360 for number in numbers), (name, attributes)
            assert float(attributes.get("width") or 1) > 0


@given(st.lists(COSINES), st.lists(COSINES))
def test_every_question_is_in_one_bin(answerable, unanswerable):
    bins = score_bins(Scores(answerable=tuple(answerable), unanswerable=tuple(unanswerable)))

    assert sum(b.answerable for b in bins) == len(answerable)
    assert sum(b.unanswerable for b in bins) == len(unanswerable)


def test_a_score_on_a_border_belongs_to_the_bin_that_begins_there():
    (only,) = score_bins(Scores(answerable=(0.15,), unanswerable=()))

    assert only.name == "0.15 to 0.20"


@pytest.mark.parametrize(
    ("successes", "of", "low", "high"), [(0, 10, 0.0, 0.278), (5, 10, 0.237, 0.763), (10, 10, 0.722, 1.0)]
)
def test_the_interval_of_a_share_is_wilsons(successes, of, low, high):
    assert wilson(successes, of) == pytest.approx((low, high), abs=0.001)
