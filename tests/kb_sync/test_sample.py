"""The sample articles, as a newcomer reads them: every link from one to another arrives."""

import re
from pathlib import Path

from bot.core.article_pages import FOLDER, anchor_of, link_to
from bot.core.indexing import Standing, statuses_in_force
from bot.core.knowledge import ArticleStatus
from bot.core.markdown import BlockKind, blocks_of
from kb_sync.sources.markdown_folder import MarkdownFolder
from tests.kb_sync.folders import CountedReading

SAMPLE = Path(__file__).parents[2] / "kb_sync" / "sample" / "articles"
LINK = re.compile(rf"\]\(({FOLDER}[^)#]*)(?:#([^)]*))?\)")


async def test_every_link_between_sample_articles_leads_to_one_that_customers_may_read():
    delivery = await MarkdownFolder(SAMPLE).read(CountedReading())
    articles = [sourced.clean() for sourced in delivery.articles]
    statuses = statuses_in_force(
        Standing(id=one.id, status=one.status, supersedes=one.supersedes) for one in articles
    )
    anchors = {
        link_to(one.id, one.url): {
            anchor_of(b.text) for b in blocks_of(one.body) if b.kind is BlockKind.HEADING
        }
        for one in articles
        if statuses[one.id] is ArticleStatus.ACTIVE
    }
    links = [link for one in articles for link in LINK.findall(one.body)]

    assert len(links) > 50
    assert [(page, anchor) for page, anchor in links if anchor not in {"", *anchors.get(page, ())}] == []
    assert {page for page, _ in links} <= anchors.keys()
