"""A report says what was done or would be, and what a person must do next."""

import json

from bot.core.knowledge import ArticleId, ArticleStatus
from kb_sync.report import KeptOut, Skipped, SyncReport, remarks, rows, to_json

ADDED = (ArticleId("KB1"), ArticleId("KB2"))


def a_report(**fields) -> SyncReport:
    return SyncReport(source="articles", fingerprint="local/m/2/unit/c", seen=5, added=ADDED, **fields)


def test_a_dry_run_speaks_of_what_would_be():
    assert ("would be added", "2") in rows(a_report(is_dry_run=True))
    assert ("added", "2") in rows(a_report())


def test_skipped_articles_are_named_with_their_reason():
    skipped = Skipped(id=ArticleId("KB9"), origin="hub.md", reason="it has no text to search for")

    assert remarks(a_report(skipped=(skipped,))) == ("skipped hub.md (KB9): it has no text to search for",)


def kept_out(number: int, status: ArticleStatus = ArticleStatus.DRAFT) -> KeptOut:
    return KeptOut(id=ArticleId(f"KB{number}"), title=f"Article {number}", status=status)


def test_articles_that_customers_cannot_find_are_named_by_why():
    report = a_report(kept_out=(kept_out(7), kept_out(8), kept_out(9, ArticleStatus.SUPERSEDED)))

    assert remarks(report) == (
        "2 drafts are kept out of answers:",
        "  KB7 Article 7",
        "  KB8 Article 8",
        "1 superseded article is kept out of answers:",
        "  KB9 Article 9",
    )


def test_long_lists_are_cut_in_the_text_and_whole_in_json():
    report = a_report(kept_out=tuple(kept_out(number) for number in range(25)))

    lines = remarks(report)
    assert (lines[0], len(lines), lines[-1]) == (
        "25 drafts are kept out of answers:",
        12,
        "  and 15 more; --json names them all",
    )
    assert to_json(report)["kept_out"] == [
        {"id": f"KB{n}", "title": f"Article {n}", "status": "draft"} for n in range(25)
    ]


def test_withheld_retirements_are_said_with_the_number_to_approve():
    (remark,) = remarks(a_report(withheld=tuple(ArticleId(f"KB{n}") for n in range(12))))

    assert remark.startswith("12 articles vanished from the source, among them KB0, KB1, KB2;")
    assert "--approve-retirements 12" in remark


def test_the_report_is_one_json_object():
    document = json.loads(json.dumps(to_json(a_report(withheld=(ArticleId("KB7"),), seconds=1.23456))))

    assert document["outcome"] == "withheld"
    assert (document["added"], document["withheld"], document["seconds"]) == (["KB1", "KB2"], ["KB7"], 1.235)
