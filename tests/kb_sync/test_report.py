"""A report says what was done or would be, and what a person must do next."""

import json

from bot.core.knowledge import ArticleId
from kb_sync.report import Skipped, SyncReport, remarks, rows, to_json

ADDED = (ArticleId("KB1"), ArticleId("KB2"))


def a_report(**fields) -> SyncReport:
    return SyncReport(source="articles", fingerprint="local/m/2/unit/c", seen=5, added=ADDED, **fields)


def test_a_dry_run_speaks_of_what_would_be():
    assert ("would be added", "2") in rows(a_report(is_dry_run=True))
    assert ("added", "2") in rows(a_report())


def test_skipped_articles_are_named_with_their_reason():
    skipped = Skipped(id=ArticleId("KB9"), origin="hub.md", reason="it has no text to search for")

    assert remarks(a_report(skipped=(skipped,))) == ("skipped hub.md (KB9): it has no text to search for",)


def test_withheld_retirements_are_said_with_the_number_to_approve():
    (remark,) = remarks(a_report(withheld=tuple(ArticleId(f"KB{n}") for n in range(12))))

    assert remark.startswith("12 articles vanished from the source, among them KB0, KB1, KB2;")
    assert "--approve-retirements 12" in remark


def test_the_report_is_one_json_object():
    document = json.loads(json.dumps(to_json(a_report(withheld=(ArticleId("KB7"),), seconds=1.23456))))

    assert document["outcome"] == "withheld"
    assert (document["added"], document["withheld"], document["seconds"]) == (["KB1", "KB2"], ["KB7"], 1.235)
