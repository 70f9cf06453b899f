"""A help center through the whole sync: what vanishes there is retired, and what could not be fetched changes nothing."""

import pytest

from bot.errors import SourceRejected
from tests.kb_sync.sync_rig import SyncRig
from tests.kb_sync.zendesk_reading import a_help_center
from tests.vendors.local_server import sends
from tests.vendors.zendesk_server import a_translation, an_exported_article, refuses, zendesk_server


@pytest.fixture
def rig() -> SyncRig:
    return SyncRig()


def exported(count: int, **fields):
    return [
        an_exported_article(
            number, a_translation(body=f"<p>Choose day {number}.</p>"), changed_s=number * 10, **fields
        )
        for number in range(1, count + 1)
    ]


async def test_an_unchanged_help_center_embeds_nothing(rig):
    async with zendesk_server(*exported(5)) as server:
        first = await rig.sync_from(a_help_center(server))
        again = await rig.sync_from(a_help_center(server))

    assert (len(first.added), again.unchanged, again.embedded_passages) == (5, 5, 0)
    assert rig.run.source == f"zendesk:{server.url}"


async def test_what_is_archived_restricted_or_made_a_draft_is_not_searched_any_more(rig):
    async with zendesk_server(*exported(5)) as server:
        await rig.sync_from(a_help_center(server))
        del server.articles[0]
        server.articles[0]["user_segment_id"] = 12
        server.articles[1]["translations"][0]["draft"] = True

        report = await rig.sync_from(a_help_center(server))

    assert report.retired == ("1", "2")
    assert sorted(await rig.searched()) == ["4", "5"]


@pytest.mark.parametrize(
    "fault",
    [refuses(503), refuses(403), sends("<html>"), sends("{}", "application/json")],
    ids=["503", "403", "HTML", "another form"],
)
async def test_a_fault_on_page_3_of_9_leaves_the_old_generation_serving(rig, fault):
    """R-K3."""
    async with zendesk_server(*exported(9)) as server:
        await rig.sync_from(a_help_center(server))
        before = (rig.live, await rig.searched())
        server.articles = exported(18)
        server.page_size, server.asked = 3, []
        server.faults = dict.fromkeys(range(3, 9), fault)

        with pytest.raises(SourceRejected):
            await rig.sync_from(a_help_center(server))

    assert (rig.run.outcome, rig.run.exit_code) == ("failed", 1)
    assert (rig.live, await rig.searched()) == before


async def test_an_agent_who_may_see_less_than_before_takes_nothing_away(rig):
    """K5: Zendesk shows whom it does not trust fewer articles and no error."""
    async with zendesk_server(*exported(60)) as server:
        await rig.sync_from(a_help_center(server))
        del server.articles[20:]

        report = await rig.sync_from(a_help_center(server))

    assert (report.retired, len(report.withheld), len(await rig.searched())) == ((), 40, 60)
