"""A report says what was done or would be, and what a person must do next."""

import json

import pytest

from bot.core.knowledge import ArticleId, ArticleStatus
from kb_sync.report import (
    KeptOut,
    QuestionsAsked,
    RunOutcome,
    Skipped,
    SyncReport,
    failure_to_json,
    remarks,
    rows,
    to_json,
)

ADDED = (ArticleId("KB1"), ArticleId("KB2"))


def a_report(**fields) -> SyncReport:
    return SyncReport(
        **{"source": "articles", "fingerprint": "local/m/2/unit/c", "seen": 5, "added": ADDED, **fields}
    )


def above_the_last(report: SyncReport) -> tuple[str, ...]:
    """Return the remarks but the one on what is in use now."""
    return remarks(report)[:-1]


def test_a_dry_run_speaks_of_what_would_be():
    assert ("would be added", "2") in rows(a_report(is_dry_run=True))
    assert ("added", "2") in rows(a_report())


def test_skipped_articles_are_named_with_their_reason():
    skipped = Skipped(id=ArticleId("KB9"), origin="hub.md", reason="it has no text to search for")

    no_article = Skipped(origin="/contact", reason="it has no main text")

    assert above_the_last(a_report(skipped=(skipped, no_article))) == (
        "skipped hub.md (KB9): it has no text to search for",
        "skipped /contact: it has no main text",
    )


def kept_out(number: int, status: ArticleStatus = ArticleStatus.DRAFT) -> KeptOut:
    return KeptOut(id=ArticleId(f"KB{number}"), title=f"Article {number}", status=status)


def test_retired_articles_are_named_before_and_after_they_are():
    assert "retired A1" in remarks(a_report(retired=("A1",)))
    assert "would be retired A1" in remarks(a_report(retired=("A1",), is_dry_run=True))


def test_articles_that_customers_cannot_find_are_named_by_why():
    report = a_report(kept_out=(kept_out(7), kept_out(8), kept_out(9, ArticleStatus.SUPERSEDED)))

    assert above_the_last(report) == (
        "2 drafts are kept out of answers:",
        "  KB7 Article 7",
        "  KB8 Article 8",
        "1 superseded article is kept out of answers:",
        "  KB9 Article 9",
    )


def test_long_lists_are_cut_in_the_text_and_whole_in_json():
    report = a_report(kept_out=tuple(kept_out(number) for number in range(25)))

    lines = above_the_last(report)
    assert (lines[0], len(lines), lines[-1]) == (
        "25 drafts are kept out of answers:",
        12,
        "  and 15 more; --json names them all",
    )
    assert to_json(report)["kept_out"] == [
        {"id": f"KB{n}", "title": f"Article {n}", "status": "draft"} for n in range(25)
    ]


def test_withheld_articles_have_a_row_of_their_own_when_there_are_any():
    withheld = tuple(ArticleId(f"KB{n}") for n in range(1_200))

    assert ("withheld", "1,200") in rows(a_report(withheld=withheld))
    assert "withheld" not in dict(rows(a_report()))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param({"previous": "g1"}, "Customers are answered from this now. ", id="changed"),
        pytest.param({}, "Customers are answered from this now.", id="first"),
        pytest.param({"added": ()}, "Nothing had to be changed.", id="unchanged"),
        pytest.param({"is_dry_run": True}, "Nothing was written.", id="dry run"),
        pytest.param(
            {"is_dry_run": True, "is_held": True}, "This state of the source was rolled back", id="held"
        ),
        pytest.param(
            {"is_anew": True, "added": ()}, "Another embedding model than before", id="another model"
        ),
    ],
)
def test_what_is_in_use_now_is_said_last(fields, said):
    assert any(line.startswith(said) for line in remarks(a_report(**fields)))


def test_how_many_questions_find_their_article_is_said():
    asked = QuestionsAsked(hits=19, of=20)

    assert remarks(a_report(questions=asked))[0] == (
        "19 of the 20 questions it was checked with find their article among the first three."
    )
    assert to_json(a_report(questions=asked))["questions"] == {"hits": 19, "of": 20}


@pytest.mark.parametrize("outcome", RunOutcome)
def test_only_a_whole_result_is_a_success(outcome):
    """FAULTS K1."""
    assert (outcome.exit_code == 0) == (outcome in {RunOutcome.DONE, RunOutcome.ROLLED_BACK})


def test_a_failure_is_one_json_object_with_its_exit_code():
    document = failure_to_json(RunOutcome.BUSY, "another sync runs")

    assert document == {"outcome": "busy", "exit_code": 1, "error": "another sync runs"}


def test_withheld_retirements_are_said_with_the_number_to_approve():
    remark, *_ = remarks(a_report(withheld=tuple(ArticleId(f"KB{n}") for n in range(12))))

    assert remark.startswith("12 articles vanished from the source, among them KB0, KB1, KB2;")
    assert "--approve-retirements 12" in remark


def test_the_report_is_one_json_object():
    document = json.loads(json.dumps(to_json(a_report(withheld=(ArticleId("KB7"),), seconds=1.23456))))

    assert (document["outcome"], document["exit_code"], document["failed"]) == ("withheld", 1, 0)
    assert (document["added"], document["withheld"], document["seconds"]) == (["KB1", "KB2"], ["KB7"], 1.235)
