"""A Zendesk help center is read whole, in all its languages, without what only some people may read."""

import pytest

from bot.core.knowledge import ArticleStatus
from bot.errors import SourceRejected
from kb_sync.sources.zendesk import ZendeskHelpCenter
from tests.kb_sync.folders import CountedReading
from tests.kb_sync.zendesk_reading import a_help_center, read, refusal_of
from tests.vendors.zendesk_server import a_translation, an_exported_article, zendesk_server


async def read_one(exported, **fields):
    async with zendesk_server(exported) as server:
        (one,) = (await read(server, **fields)).articles
    return one.article


async def test_every_field_is_read():
    article = await read_one(an_exported_article(label_names=["rates", "calendar"]))

    assert (article.id, article.title) == ("360001", "How to reschedule (en-us)")
    assert article.url == "https://help.acme.example/hc/en-us/articles/360001"
    assert (article.category, article.tags) == ("Lessons", ("calendar", "rates"))
    assert (article.locale, article.status) == ("en-us", ArticleStatus.ACTIVE)
    assert (article.last_modified_ms, article.evergreen) == (1_789_374_600_000, False)
    assert article.body == "Open the calendar."


async def test_each_language_is_an_article_whose_id_names_it():
    exported = an_exported_article(
        360001, a_translation("en-us"), a_translation("pt-BR"), a_translation("fr", draft=True)
    )

    async with zendesk_server(exported) as server:
        found = [one.article for one in (await read(server)).articles]

    assert [(one.id, one.status) for one in found] == [
        ("360001", "active"),
        ("360001.fr", "draft"),
        ("360001.pt-br", "active"),
    ]
    assert [one.last_modified_ms for one in found] == [
        1_789_374_600_000,
        1_789_862_400_000,
        1_789_862_400_000,
    ]


async def test_the_languages_order_and_a_new_place_change_no_article():
    english, french = a_translation("en-us"), a_translation("fr")
    before = an_exported_article(1, english, french, label_names=["a", "b"])
    after = an_exported_article(1, english, label_names=["b", "a"], changed_s=9_000) | {
        "translations": [french, english],
        "vote_sum": 12,
    }

    async with zendesk_server(before) as server:
        first = await read(server)
        server.articles = [after]

        assert await read(server) == first


@pytest.mark.parametrize("who", [{"user_segment_id": 12}, {"user_segment_ids": [12, 13]}])
async def test_what_only_some_people_may_read_is_left_out_by_name(who):
    async with zendesk_server(an_exported_article(1), an_exported_article(2, **who)) as server:
        delivery = await read(server)

    assert [one.article.id for one in delivery.articles] == ["1"]
    assert [str(one.origin) for one in delivery.left_out] == ["article 2"]
    assert "only some people may read it" in delivery.left_out[0].reason


async def test_an_article_that_does_not_say_who_may_read_it_rejects_everything():
    unclear = an_exported_article(2)
    del unclear["user_segment_id"]

    async with zendesk_server(an_exported_article(1), unclear) as server:
        assert "it does not say who may read it" in str(await refusal_of(server))


async def test_hidden_translations_and_articles_without_any_are_left_out_by_name():
    hidden = an_exported_article(1, a_translation("en-us"), a_translation("fr", hidden=True))

    async with zendesk_server(hidden, an_exported_article(2, translations=[])) as server:
        delivery = await read(server)

    assert [one.article.id for one in delivery.articles] == ["1"]
    assert [one.origin for one in delivery.left_out] == ["article 1 (fr)", "article 2"]


async def test_an_outdated_translation_is_read_and_remarked_on():
    exported = an_exported_article(1, a_translation("en-us"), a_translation("fr", outdated=True))

    async with zendesk_server(exported) as server:
        delivery = await read(server)

    assert len(delivery.articles) == 2
    assert "translation that is marked as outdated" in delivery.remarks[0]


async def test_a_label_exempts_an_article_from_ageing():
    article = await read_one(an_exported_article(label_names=["Evergreen"]))

    assert (article.evergreen, article.tags) == (True, ("Evergreen",))


async def test_links_within_the_help_center_get_their_host():
    text = '<p>See <a href="/hc/en-us/articles/5">refunds</a> or <a href="//cdn.example/x">this</a>.</p>'

    async with zendesk_server(an_exported_article(1, a_translation(body=text))) as server:
        (one,) = (await read(server)).articles

        assert f"[refunds]({server.url}/hc/en-us/articles/5)" in one.article.body
        assert "//cdn.example/x" in one.article.body


async def test_all_pages_are_read_and_a_second_shared_by_two_pages_counts_once():
    exported = [an_exported_article(number, changed_s=1_000 + number // 2) for number in range(1, 10)]
    async with zendesk_server(*exported) as server:
        server.page_size = 4
        reading = CountedReading()

        delivery = await a_help_center(server).read(reading)

    assert sorted(int(one.article.id) for one in delivery.articles) == list(range(1, 10))
    assert reading.pieces == 9
    assert len(server.asked) > 2
    assert all("include=translations" in asked for asked in server.asked)
    assert "start_time=0" in server.asked[0]


async def test_an_article_that_is_edited_while_it_is_read_is_taken_as_it_is_then():
    older = an_exported_article(1, a_translation(title="Old"), changed_s=1_000)
    newer = an_exported_article(1, a_translation(title="New"), changed_s=5_000)

    async with zendesk_server(older, an_exported_article(2, changed_s=2_000), newer) as server:
        server.page_size = 2
        delivery = await read(server)

    assert [one.article.title for one in delivery.articles if one.article.id == "1"] == ["New"]


async def test_what_is_not_sent_along_is_asked_for():
    exported = an_exported_article(1, a_translation("en-us"), a_translation("fr"), a_translation("de"))
    restricted = an_exported_article(2, user_segment_id=5)

    async with zendesk_server(exported, restricted) as server:
        server.sideloads, server.page_size = False, 2
        found = [one.article for one in (await read(server)).articles]

    assert [(one.id, one.category) for one in found] == [
        ("1", "Lessons"),
        ("1.de", "Lessons"),
        ("1.fr", "Lessons"),
    ]
    assert not any("articles/2/" in asked for asked in server.asked)


async def test_articles_that_zendesk_counts_and_does_not_show_are_remarked_on():
    async with zendesk_server(an_exported_article(1), an_exported_article(2, changed_s=2_000)) as server:
        server.page_size = 1
        server.next_page = lambda _next_page: None

        assert (await read(server)).remarks[0].startswith("Zendesk counts 2 articles and showed 1")


async def test_a_last_page_that_names_itself_is_the_last():
    async with zendesk_server(an_exported_article(1)) as server:
        itself = f"{server.url}/api/v2/help_center/incremental/articles.json?start_time=1000"
        server.next_page = lambda _next_page: itself

        assert len((await read(server)).articles) == 1

    assert len(server.asked) == 2


async def test_nobody_to_read_it_is_said_before_anything_is_asked():
    with pytest.raises(SourceRejected, match="set ZENDESK_EMAIL and ZENDESK_API_TOKEN"):
        ZendeskHelpCenter("https://acme.zendesk.com", email="a@acme.example", token=None)


@pytest.mark.parametrize(
    "address", ["acme", "http://acme.zendesk.com", "ftp://acme.zendesk.com", "https://a:b@acme.zendesk.com"]
)
def test_the_token_goes_to_a_safe_address_only(address):
    with pytest.raises(SourceRejected, match="is no address of a help center"):
        ZendeskHelpCenter(address, email="a@acme.example", token="t")


def test_a_page_of_the_help_center_names_it_too():
    center = ZendeskHelpCenter("https://acme.zendesk.com/hc/en-us", email="a@acme.example", token="t")

    assert center.name == "zendesk:https://acme.zendesk.com"
