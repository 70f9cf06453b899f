"""A folder of Markdown is read as it is, or refused with the file, the line and the remedy."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.knowledge import ArticleStatus
from bot.errors import SourceRejected
from kb_sync.sources.markdown_folder import MarkdownFolder, _parsed
from kb_sync.sources.source import Problem
from tests.kb_sync.folders import CountedReading, write_article


async def read_one(folder):
    (one,) = (await MarkdownFolder(folder).read(CountedReading())).articles
    return one.clean()


async def refusal(folder) -> str:
    with pytest.raises(SourceRejected) as refused:
        await MarkdownFolder(folder).read(CountedReading())
    return str(refused.value)


async def test_every_field_is_read(tmp_path):
    front = """
id: KB000003
title: How to Reschedule a Lesson
url: https://help.example/KB000003
category: Lessons
tags:
  - calendar
  - 24 hours
locale: pt_BR
status: superseded
supersedes: [KB000001, 2]
last_modified: 2026-09-14
evergreen: true
author: somebody
"""
    write_article(tmp_path, "a.md", front, "Open the **calendar**.")

    article = await read_one(tmp_path)

    assert (article.id, article.title) == ("KB000003", "How to Reschedule a Lesson")
    assert (article.url, article.category) == ("https://help.example/KB000003", "Lessons")
    assert (article.tags, article.supersedes) == (("calendar", "24 hours"), ("KB000001", "2"))
    assert (article.locale, article.status) == ("pt-BR", ArticleStatus.SUPERSEDED)
    assert (article.last_modified_ms, article.evergreen) == (1_789_344_000_000, True)
    assert article.body == "Open the **calendar**."


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("4412950941074", "4412950941074"),
        ("007", "007"),
        ("1e3", "1e3"),
        ("'12'", "12"),
        ("2026-09-14", "2026-09-14"),
    ],
)
async def test_an_id_is_the_text_that_was_written(tmp_path, written, read):
    write_article(tmp_path, "a.md", f"id: {written}\ntitle: A")

    assert (await read_one(tmp_path)).id == read


async def test_the_locale_of_norway_is_not_false(tmp_path):
    write_article(tmp_path, "a.md", "id: 1\ntitle: No\nlocale: no")

    article = await read_one(tmp_path)

    assert (article.title, article.locale) == ("No", "no")


@pytest.mark.parametrize(
    ("written", "moment_ms"),
    [
        ("2026-09-14", 1_789_344_000_000),
        ("2026-09-14 08:30:00", 1_789_374_600_000),
        ("2026-09-14T08:30:00Z", 1_789_374_600_000),
        ("2026-09-14T10:30:00+02:00", 1_789_374_600_000),
        ("", None),
    ],
)
async def test_a_date_without_a_zone_is_utc(tmp_path, written, moment_ms):
    write_article(tmp_path, "a.md", f"id: 1\ntitle: A\nlast_modified: {written}")

    assert (await read_one(tmp_path)).last_modified_ms == moment_ms


@pytest.mark.parametrize("line", ["draft: true", "draft: yes", "status: Draft"])
async def test_a_draft_is_a_draft(tmp_path, line):
    write_article(tmp_path, "a.md", f"id: 1\ntitle: A\n{line}")

    assert (await read_one(tmp_path)).status is ArticleStatus.DRAFT


async def test_a_missing_title_is_the_first_heading(tmp_path):
    write_article(tmp_path, "a.md", "id: 1", "Before.\n\n## How to *Reschedule*\n\nOpen the calendar.")

    assert (await read_one(tmp_path)).title == "How to Reschedule"


async def test_the_body_may_be_a_field(tmp_path):
    write_article(tmp_path, "a.md", "id: 1\ntitle: A\ntext: |\n  Open the calendar.", "")

    assert (await read_one(tmp_path)).body == "Open the calendar."


async def test_byte_order_mark_and_windows_lines_are_read(tmp_path):
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbf---\r\nid: 1\r\ntitle: A\r\n---\r\n\r\nOne\r\nTwo\r\n")

    assert (await read_one(tmp_path)).body == "One\nTwo"


async def test_folders_are_read_in_order_and_hidden_or_other_files_are_not(tmp_path):
    write_article(tmp_path, "b/two.md", "id: 2\ntitle: B")
    write_article(tmp_path, "a.MARKDOWN", "id: 1\ntitle: A")
    write_article(tmp_path, ".hidden/three.md", "id: 3\ntitle: C")
    write_article(tmp_path, ".four.md", "id: 4\ntitle: D")
    (tmp_path / "image.png").write_bytes(b"\x89PNG")

    assert [one.origin for one in (await MarkdownFolder(tmp_path).read(CountedReading())).articles] == [
        "a.MARKDOWN",
        "b/two.md",
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "bad.md: is empty", id="0 bytes"),
        pytest.param(b"<!DOCTYPE html><title>Log in</title>", "bad.md: has no front matter", id="login page"),
        pytest.param(b"---\nid: 1\ntitle: A\n", "bad.md: its front matter has no end", id="truncated"),
        pytest.param("\ufeff---\nid: 1\n".encode("utf-16"), "bad.md:1: is not UTF-8", id="UTF-16"),
        pytest.param(b"---\nid: 1\ntitle: caf\xe9\n---\nx", "bad.md:3: is not UTF-8", id="Latin-1"),
        pytest.param(b"---\nid: 1\ntitle: A: B\n---\nx", "bad.md:3: its front matter cannot", id="colon"),
        pytest.param(b"---\n- 1\n---\nx", "bad.md: its front matter cannot be read", id="a list"),
        pytest.param(b"---\nid: !!int x\n---\nx", "bad.md: its front matter cannot be read", id="tag"),
        pytest.param(b"---\ntitle: A\n---\nx", "bad.md:1: its id is missing; add one", id="no id"),
        pytest.param(b"---\nid: a/../b\ntitle: A\n---\nx", "bad.md:2: its id is 'a/../b'", id="unsafe id"),
        pytest.param(b"---\nid: [1]\ntitle: A\n---\nx", "bad.md:2: its id is ['1']", id="id is a list"),
        pytest.param(b"---\nid: 1\n---\nx", "bad.md:1: its title is missing", id="no title"),
        pytest.param(
            b"---\nid: 1\ntitle: A\nstatus: live\n---\nx",
            "bad.md:4: its status is 'live'; use one of",
            id="status",
        ),
        pytest.param(
            b"---\nid: 1\ntitle: A\ndraft: maybe\n---\nx", "bad.md:4: its draft is 'maybe'", id="flag"
        ),
        pytest.param(
            b"---\nid: 1\ntitle: A\nlast_modified: May\n---\nx", "bad.md:4: its last_modified", id="date"
        ),
    ],
)
async def test_a_file_that_cannot_be_read_is_named_with_the_remedy(tmp_path, content, said):
    write_article(tmp_path, "good.md", "id: 9\ntitle: Good")
    (tmp_path / "bad.md").write_bytes(content)

    message = await refusal(tmp_path)

    assert message.startswith(said)
    assert "; " in message


async def test_all_unreadable_files_are_named_at_once(tmp_path):
    for number in range(12):
        (tmp_path / f"{number:02}.md").write_text("x")

    message = await refusal(tmp_path)

    assert "00.md: has no front matter" in message
    assert "09.md: has no front matter" in message
    assert message.endswith("and 2 more")


async def test_two_files_with_one_id_are_both_named(tmp_path):
    write_article(tmp_path, "a.md", "id: 1\ntitle: A")
    write_article(tmp_path, "b.md", "id: '1'\ntitle: B")

    assert await refusal(tmp_path) == "b.md: its id 1 is also that of a.md; give one of them another id"


async def test_a_place_without_articles_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("x")

    assert "there is no .md file in it" in await refusal(tmp_path)
    assert "is a file" in await refusal(tmp_path / "notes.txt")
    assert "there is no such folder" in await refusal(tmp_path / "nowhere")


async def test_a_link_to_a_folder_above_is_refused(tmp_path):
    write_article(tmp_path, "a/a.md", "id: 1\ntitle: A")
    (tmp_path / "a" / "again").symlink_to(tmp_path)

    assert "is a link to a folder that contains it; remove the link" in await refusal(tmp_path)


async def test_a_link_to_nothing_is_refused(tmp_path):
    (tmp_path / "a.md").symlink_to(tmp_path / "gone.md")
    (tmp_path / "b.md").symlink_to(tmp_path / "b.md")

    message = await refusal(tmp_path)

    assert "a.md: cannot be read (No such file" in message
    assert "b.md: cannot be read (Too many levels" in message


async def test_something_that_is_no_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "a.md")

    assert (await refusal(tmp_path)).startswith("a.md: is no file")


@given(front=st.text(alphabet="id: tle&*!?|>-[]{}#'\"\n\t%@`1a,<~", max_size=80) | st.text(max_size=80))
@settings(deadline=None)
def test_any_front_matter_is_read_or_named(front):
    read = _parsed(f"---\n{front}\n---\nText", "a.md")

    assert not isinstance(read, Problem) or read.origin.startswith("a.md")
