"""Articles without a date of their own have that of the commit that last wrote their file."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_sync.sources.git_dates import changed, git_dates, written_ms
from kb_sync.sources.markdown_folder import MarkdownFolder
from tests.kb_sync.folders import CountedReading, write_article

FIRST, SECOND, THIRD = 1_700_000_000, 1_700_086_400, 1_700_172_800


def git(folder: Path, *arguments: str) -> None:
    writer = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *writer, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, *, at: int) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Write", "--date", f"@{at} +0000")


@pytest.fixture
def folder(tmp_path):
    """A folder within a repository, with two articles of one commit."""
    git(tmp_path, "init", "-q")
    folder = tmp_path / "help"
    write_article(folder, "a.md", "id: 1\ntitle: A")
    write_article(folder, "b ü\n.md", "id: 2\ntitle: B")
    commit(tmp_path, at=FIRST)
    return folder


async def dates(folder: Path) -> dict[str, int | None]:
    """Return by id, in seconds, when each article was written."""
    delivery = await MarkdownFolder(folder).read(CountedReading())
    moments = {one.article.id: one.article.last_modified_ms for one in delivery.articles}
    return {id_: None if ms is None else ms // 1000 for id_, ms in moments.items()}


async def test_an_article_is_as_old_as_the_last_commit_that_wrote_it(folder):
    write_article(folder, "a.md", "id: 1\ntitle: A", "Open the week.")
    commit(folder, at=SECOND)

    assert await dates(folder) == {"1": SECOND, "2": FIRST}


async def test_the_front_matter_goes_before_the_history(folder):
    write_article(folder, "a.md", "id: 1\ntitle: A\nlast_modified: 2020-01-01")
    commit(folder, at=SECOND)

    assert await dates(folder) == {"1": 1_577_836_800, "2": FIRST}


async def test_a_renamed_file_keeps_its_date_until_its_text_changes(folder):
    (folder / "new").mkdir()
    git(folder, "mv", "a.md", "new/c.md")
    commit(folder, at=SECOND)
    write_article(folder, "a.md", "id: 3\ntitle: C")
    commit(folder, at=THIRD)

    assert await dates(folder) == {"1": FIRST, "2": FIRST, "3": THIRD}

    (folder / "b ü\n.md").rename(folder / "d.md")
    write_article(folder, "d.md", "id: 2\ntitle: B", "Open another calendar.")
    commit(folder, at=THIRD)

    assert (await dates(folder))["2"] == THIRD


async def test_a_file_that_is_not_as_committed_is_as_old_as_on_the_disk(folder):
    write_article(folder, "a.md", "id: 1\ntitle: A", "Open the week.")
    write_article(folder, "c.md", "id: 3\ntitle: C")
    for name in ("a.md", "c.md"):
        os.utime(folder / name, (SECOND, SECOND))

    assert await dates(folder) == {"1": SECOND, "2": FIRST, "3": SECOND}


async def test_what_git_ignores_has_no_date(folder):
    """It is made by some program again and again: the time on the disk says nothing about the text."""
    write_article(folder, "c.md", "id: 3\ntitle: C")
    (folder / ".gitignore").write_text("c.md\n")

    assert (await dates(folder))["3"] is None


async def test_a_repository_without_commits_has_only_files_on_the_disk(tmp_path):
    git(tmp_path, "init", "-q")
    os.utime(write_article(tmp_path, "a.md", "id: 1\ntitle: A"), (THIRD, THIRD))

    assert await dates(tmp_path) == {"1": THIRD}


async def test_a_folder_outside_any_repository_has_no_dates_and_no_remark(tmp_path):
    write_article(tmp_path, "a.md", "id: 1\ntitle: A")

    delivery = await MarkdownFolder(tmp_path).read(CountedReading())

    assert (delivery.articles[0].article.last_modified_ms, delivery.remarks) == (None, ())


async def test_a_shallow_clone_has_no_dates_and_says_how_to_have_them(folder, tmp_path):
    write_article(folder, "a.md", "id: 1\ntitle: A", "Open the week.")
    commit(folder, at=SECOND)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{tmp_path}", "clone")

    delivery = await MarkdownFolder(tmp_path / "clone" / "help").read(CountedReading())

    assert {one.article.last_modified_ms for one in delivery.articles} == {None}
    (remark,) = delivery.remarks
    assert "git fetch --unshallow" in remark


async def test_a_machine_without_git_has_no_dates(folder, monkeypatch):
    monkeypatch.setenv("PATH", str(folder))

    assert await dates(folder) == {"1": None, "2": None}


async def test_git_that_takes_too_long_is_ended_and_told(folder, tmp_path, monkeypatch):
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:/usr/bin:/bin")

    told = await git_dates(folder, deadline_s=0.1)

    assert (told.written_ms, told.changed) == ({}, frozenset())
    assert "longer than 0.1 s" in told.remark


async def test_a_broken_repository_is_told(folder, tmp_path):
    (tmp_path / ".git" / "config").write_text("[core\n")

    told = await git_dates(folder)

    assert "because git does not tell it: fatal: bad config" in told.remark


async def test_git_that_was_started_by_one_of_its_hooks_reads_the_folder_that_is_named(
    folder, tmp_path, monkeypatch
):
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "another"))

    assert await dates(folder) == {"1": FIRST, "2": FIRST}


def log_of(commits) -> str:
    return "\0".join(
        f"\x01{at}"
        + "".join(f"\0\n{sign}\0{path}" if n == 0 else f"\0{sign}\0{path}" for n, (sign, path) in entries)
        for at, entries in ((at, list(enumerate(entries))) for at, entries in commits)
    )


PATHS = st.text(st.characters(exclude_characters="\0"), min_size=1, max_size=6)


@given(
    st.lists(st.tuples(st.integers(0, 10**9), st.lists(st.tuples(st.sampled_from("AMT"), PATHS), max_size=3)))
)
def test_the_newest_commit_of_a_path_decides(commits):
    expected: dict[str, int] = {}
    for at, entries in commits:
        for _, path in entries:
            expected.setdefault(path, at * 1000)

    assert written_ms(log_of(commits)) == expected


@given(st.text(alphabet="AMDRC10\0\n\x01a/", max_size=40).filter(lambda text: "\x01" not in text))
def test_any_list_of_names_is_read(text):
    assert {*written_ms(text).values()} <= {0}


def test_a_path_below_the_folder_is_told_without_what_leads_to_it():
    assert changed(" M help/a.md\0?? help/new/b.md\0", "help/") == {"a.md", "new/b.md"}
