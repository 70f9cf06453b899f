"""Whatever Zendesk does wrong ends in one sentence and no delivery: a fetch error is never a deletion (FAULTS R-K1, R-K3, K5)."""

import pytest

from bot.errors import SourceRejected, SourceUnavailable
from kb_sync.sources import zendesk_client
from kb_sync.sources.zendesk_pages import FULL
from tests.kb_sync.zendesk_reading import Waits, read, refusal_of
from tests.vendors.local_server import hangs, resets, sends
from tests.vendors.zendesk_server import (
    a_translation,
    an_exported_article,
    breaks_off,
    refuses,
    sends_elsewhere,
    zendesk_server,
)

ARTICLES = tuple(an_exported_article(number, changed_s=1_000 + number) for number in range(1, 10))
LOGIN_PAGE = "<!DOCTYPE html><title>Sign in</title>"
JSON = "application/json"


@pytest.mark.parametrize(
    ("fault", "kind", "said"),
    [
        pytest.param(
            refuses(401), SourceRejected, "refuses ZENDESK_EMAIL and ZENDESK_API_TOKEN (401)", id="401"
        ),
        pytest.param(refuses(403), SourceRejected, "does not let ZENDESK_EMAIL read the articles", id="403"),
        pytest.param(refuses(404), SourceRejected, "has no help center (404); name the account's", id="404"),
        pytest.param(refuses(422), SourceRejected, "refuses the request (422)", id="422"),
        pytest.param(refuses(500), SourceUnavailable, "fails (500); try again later", id="500"),
        pytest.param(refuses(503), SourceUnavailable, "fails (503); try again later", id="503"),
        pytest.param(resets(), SourceUnavailable, "cannot be reached, or broke the connection", id="reset"),
        pytest.param(breaks_off(), SourceUnavailable, "broke the connection", id="breaks off"),
        pytest.param(sends('{"articles": [{"id"', JSON), SourceUnavailable, "breaks off", id="truncated"),
        pytest.param(sends(LOGIN_PAGE), SourceRejected, "something else than JSON", id="login page"),
        pytest.param(sends("", JSON), SourceRejected, "something else than JSON", id="0 bytes"),
        pytest.param(sends("[]", JSON), SourceRejected, "has not the form of Zendesk's", id="list"),
        pytest.param(sends("{}", JSON), SourceRejected, "(articles: Field required)", id="empty object"),
        pytest.param(sends('{"articles": [{"id": 1}]}', JSON), SourceRejected, "articles.0", id="fields"),
        pytest.param(sends('{"articles": []}', JSON), SourceRejected, "has no articles", id="no articles"),
        pytest.param(
            sends_elsewhere("https://evil.example/x"), SourceRejected, "sends to evil.example", id="302"
        ),
    ],
)
async def test_each_fault_of_the_first_page_is_named(fault, kind, said):
    async with zendesk_server(*ARTICLES) as server:
        server.faults = dict.fromkeys(range(1, 9), fault)

        refused = await refusal_of(server)

    assert (type(refused), said in str(refused)) == (kind, True), str(refused)


async def test_503_on_page_3_of_9_delivers_nothing():
    """R-K3: what was read before is no whole help center, so it is thrown away."""
    async with zendesk_server(*ARTICLES) as server:
        server.page_size = 2
        server.faults = dict.fromkeys(range(3, 9), refuses(503))
        waits = Waits()

        refused = await refusal_of(server, wait=waits)

    assert isinstance(refused, SourceUnavailable)
    assert waits.seconds == list(zendesk_client.PAUSES_S)


@pytest.mark.parametrize("fault", [refuses(503), refuses(500), resets(), breaks_off()])
async def test_what_passes_by_is_tried_again(fault):
    async with zendesk_server(*ARTICLES) as server:
        server.page_size = 2
        server.faults = {3: fault, 4: fault}

        assert len((await read(server)).articles) == 9


async def test_a_server_that_hangs_is_given_up():
    async with zendesk_server(*ARTICLES) as server:
        server.faults = {1: hangs()}

        refused = await refusal_of(server, limit_s=0.05)

    assert isinstance(refused, SourceUnavailable)
    assert "was not read within" in str(refused)


async def test_a_rate_limit_is_waited_for_as_it_is_told():
    async with zendesk_server(*ARTICLES) as server:
        server.page_size = 2
        limited = refuses(429, retry_after="37")
        server.faults = {2: limited, 3: limited, 4: limited, 5: limited, 6: refuses(429)}
        waits = Waits()

        assert len((await read(server, wait=waits)).articles) == 9

    assert waits.seconds == [37, 37, 37, 37, zendesk_client.UNTOLD_WAIT_S]


@pytest.mark.parametrize(("told", "waited_s"), [("86400", 0), ("290", 870)])
async def test_a_rate_limit_that_lasts_too_long_is_given_up(told, waited_s):
    async with zendesk_server(*ARTICLES) as server:
        server.faults = dict.fromkeys(range(1, 99), refuses(429, retry_after=told))
        waits = Waits()

        refused = await refusal_of(server, wait=waits)

    assert isinstance(refused, SourceUnavailable)
    assert "its rate limit is reached (429); try again later" in str(refused)
    assert sum(waits.seconds) == waited_s


def _from(start_s: int):
    return lambda url: url and f"{url.partition('?')[0]}?start_time={start_s}"


@pytest.mark.parametrize(
    ("bent", "said"),
    [
        pytest.param(_from(1_001), "in a circle", id="back"),
        pytest.param(
            lambda _url: "https://evil.example/x?start_time=9999", "on another host", id="elsewhere"
        ),
        pytest.param(lambda url: url and url.partition("?")[0], "where it begins", id="no start"),
        pytest.param(lambda url: url and f"{url}x", "where it begins", id="no number"),
    ],
)
async def test_pages_that_lead_astray_are_not_followed(bent, said):
    async with zendesk_server(*ARTICLES) as server:
        server.page_size = 2
        server.next_page = bent

        assert said in str(await refusal_of(server))

    assert len(server.asked) <= 2


async def test_pages_that_never_end_are_left():
    async with zendesk_server(an_exported_article(1, changed_s=1_000)) as server:
        starts = iter(range(500, 10_000))
        address = f"{server.url}/api/v2/help_center/incremental/articles.json"
        server.next_page = lambda _url: f"{address}?start_time={next(starts)}"

        assert "in a circle" in str(await refusal_of(server))

    assert len(server.asked) == 2


async def test_more_articles_of_one_second_than_a_page_holds_are_said_to_be_missing():
    """The export names the next page by the second in which this one ends, so it can never get past them."""
    together = [an_exported_article(number, changed_s=5) for number in range(1, FULL + 2)]
    async with zendesk_server(*together) as server:
        server.page_size = FULL

        assert "within one second" in str(await refusal_of(server))


async def test_a_fault_of_one_articles_translations_delivers_nothing():
    async with zendesk_server(*ARTICLES) as server:
        server.sideloads = False
        server.faults = {4: refuses(403)}

        assert "(403)" in str(await refusal_of(server))


async def test_one_text_that_cannot_be_an_article_names_itself():
    untitled = an_exported_article(5, a_translation(title=" ", body="<p>Text.</p>"))

    async with zendesk_server(an_exported_article(1), untitled) as server:
        with pytest.raises(SourceRejected) as refused:
            await read(server)

    assert str(refused.value).startswith("article 5 (en-us): its title is missing; add")
