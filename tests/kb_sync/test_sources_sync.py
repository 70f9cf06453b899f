"""Exports, folders and websites through the whole sync: what vanishes there is retired, and what is broken changes nothing."""

import json
from pathlib import Path

import pytest

from bot.errors import SourceRejected, SourceUnavailable
from kb_sync.sources.export import ArticleExport
from kb_sync.sources.markdown_folder import MarkdownFolder
from kb_sync.sources.website import Website
from tests.kb_sync.folders import write_article
from tests.kb_sync.sync_rig import SyncRig
from tests.kb_sync.websites import Waits, list_pages
from tests.vendors.local_server import resets
from tests.vendors.website_server import WebsiteServer, breaks_off, gives, leads_to, page, website_server


@pytest.fixture
def rig() -> SyncRig:
    return SyncRig()


def lines(*numbers: int) -> str:
    return "".join(
        json.dumps({"id": f"KB{n}", "title": f"Article {n}", "text": f"Choose day {n}."}) + "\n"
        for n in numbers
    )


def export(folder: Path, content: str | bytes) -> ArticleExport:
    file = folder / "articles.jsonl"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return ArticleExport(file)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="empty"),
        pytest.param("[]", id="empty list"),
        pytest.param("<!DOCTYPE html><title>Sign in</title>", id="HTML"),
        pytest.param(lines(*range(9))[:-30], id="truncated"),
        pytest.param(lines(*range(9)).encode("utf-16"), id="wrong encoding"),
        pytest.param(lines(1, 2, 1), id="duplicate ids"),
        pytest.param(b"PK\x03\x04", id="ZIP"),
    ],
)
async def test_a_broken_export_changes_nothing(rig, tmp_path, content):
    """R-K1."""
    await rig.sync_from(export(tmp_path, lines(*range(9))))
    before = (rig.live, await rig.searched())

    with pytest.raises(SourceRejected):
        await rig.sync_from(export(tmp_path, content))

    assert (rig.run.outcome, rig.run.exit_code) == ("failed", 1)
    assert (rig.live, await rig.searched()) == before


async def test_an_export_in_another_form_embeds_nothing(rig, tmp_path):
    await rig.sync_from(export(tmp_path, lines(*range(9))))
    table = tmp_path / "articles.csv"
    table.write_text(
        "\ufefftext,title,id\r\n" + "".join(f"Choose day {n}.,Article {n},KB{n}\r\n" for n in range(9))
    )

    report = await rig.sync_from(ArticleExport(table))

    assert (report.unchanged, report.embedded_passages) == (9, 0)


async def test_a_renamed_file_embeds_nothing(rig, tmp_path):
    write_article(tmp_path, "a.md", "id: 1\ntitle: A")
    await rig.sync_from(MarkdownFolder(tmp_path))
    (tmp_path / "new").mkdir()
    (tmp_path / "a.md").rename(tmp_path / "new" / "b.md")

    report = await rig.sync_from(MarkdownFolder(tmp_path))

    assert (report.unchanged, report.embedded_passages) == (1, 0)


@pytest.fixture
async def site():
    """A site with nine pages."""
    paths = [f"/{number}" for number in range(9)]
    async with website_server(
        {path: page(f"<p>Choose day {path[1:]}.</p>", title=f"Day {path}") for path in paths}
    ) as site:
        list_pages(site, *paths)
        yield site


def website(site: WebsiteServer) -> Website:
    return Website(site.url, wait=Waits())


@pytest.mark.parametrize(
    "fault",
    [gives("", status=503), gives("", status=403), leads_to("/login", 302), breaks_off(), resets()],
    ids=["503", "403", "login", "half a page", "reset"],
)
async def test_a_fault_on_page_3_of_9_leaves_the_old_generation_serving(rig, site, fault):
    """R-K3."""
    await rig.sync_from(website(site))
    before = (rig.live, await rig.searched())
    site.pages |= {"/3": fault, "/login": page('<input type="password"><p>Sign in.</p>')}

    with pytest.raises(SourceUnavailable):
        await rig.sync_from(website(site))

    assert (rig.live, await rig.searched()) == before
    assert len(before[1]) == 9


async def test_pages_that_are_gone_or_not_listed_any_more_are_retired(rig, site):
    await rig.sync_from(website(site))
    list_pages(site, *(f"/{number}" for number in range(8)))
    del site.pages["/3"]

    report = await rig.sync_from(website(site))

    assert (report.retired, report.unchanged, report.embedded_passages) == (("3", "8"), 7, 0)
