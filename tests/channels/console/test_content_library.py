"""The content page's articles over HTTP: how up to date they are, the list, and pairs on which only some decide."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from bot.adapters.memory.catalogue import MemoryArticleCatalogue
from bot.channels.console.content import ContentServices
from bot.core.accounts import AgentRole
from bot.core.knowledge import ArticleStatus
from bot.errors import RetrievalUnavailable
from tests.channels.console.content_services import RecordedTraffic, content_services, opened_content
from tests.channels.console.office import Office, Page
from tests.knowledge_builders import an_article
from tests.service.shelf import Shelf

CANCEL = "You can cancel a lesson free of charge up to {} hours before it starts. Open My Lessons and choose Cancel."
CURRENT = an_article("KB1", title="Cancelling a Lesson", body=CANCEL.format(24), tags=("lessons",))
OUTDATED = an_article(
    "KB2", title="How to Cancel a Lesson", body=CANCEL.format(12), url="https://help.example/2"
)
GIFTS = an_article("KB3", title="Gift Cards", body="Give one to a friend.", tags=("gifts",), evergreen=True)
DRAFT = an_article("KB 4/ü", title="Vouchers", body="To be written.", status=ArticleStatus.DRAFT)


@dataclass(slots=True, kw_only=True)
class Room:
    """The page before somebody who decides on articles and somebody who does not."""

    services: ContentServices
    cleo: Page
    maria: Page

    @property
    def catalogue(self) -> MemoryArticleCatalogue:
        catalogue = self.services.content.catalogue
        assert isinstance(catalogue, MemoryArticleCatalogue)
        return catalogue


@pytest.fixture
async def room(office: Office, maria: Page) -> AsyncIterator[Room]:
    shelf = Shelf.holding((CURRENT, OUTDATED, GIFTS, DRAFT))
    services = content_services(shelf, RecordedTraffic(cited={CURRENT.id: 7}), office.clock)
    cleo = await office.hire("Cleo Marsh", AgentRole.CONTENT)
    console = office.console
    async with opened_content(services, guard=console.guard, showing=console.showing) as url:
        yield Room(services=services, cleo=cleo.at(url), maria=maria.at(url))


async def waiting_pair(room) -> str:
    """Return the address of the only pair that waits."""
    (pair,) = (await room.maria.read("content/pairs")).body["pairs"]
    return f"content/pairs/{pair['key']}"


def ids(answer) -> list[str]:
    return [article["id"] for article in answer.body["articles"]]


async def test_health_says_what_is_live_and_what_the_runs_did(room):
    health = (await room.maria.read("content/health")).body

    assert (health["generation"]["articles"], health["previous"]) == (4, None)
    assert (health["late"], health["every_s"]) == (False, None)
    assert health["runs"][0]["outcome"] == "done"


async def test_the_list_has_every_article_with_all_that_one_chooses_by(room):
    listed = (await room.maria.read("content/articles")).body

    first = listed["articles"][-2]
    assert (listed["found"], listed["total"], listed["tags"]) == (4, 4, ["gifts", "lessons"])
    assert {one["id"]: one["cited"] for one in listed["articles"]}["KB1"] == 7
    assert (first["id"], first["url"], first["status"]) == ("KB2", "https://help.example/2", "active")


@pytest.mark.parametrize(
    ("query", "found"),
    [("q=friend", ["KB3"]), ("status=draft", ["KB 4/ü"]), ("tag=lessons", ["KB1"]), ("q=zebra", []), ("q=%20&tag=", None)],
)  # fmt: skip
async def test_articles_are_found_by_words_status_and_tag(room, query, found):
    answer = await room.maria.read(f"content/articles?{query}")

    assert ids(answer) == found if found is not None else len(ids(answer)) == 4


async def test_an_article_opens_with_its_text_whatever_its_id(room):
    whole = await room.maria.read("content/articles/KB%204%2F%C3%BC")

    assert (whole.body["title"], whole.body["body"]) == ("Vouchers", "To be written.")


async def test_an_unknown_article_is_said_to_be_none(room):
    answer = await room.maria.read("content/articles/KB9")

    assert (answer.status, answer.code) == (404, "article_unknown")


async def test_a_contradiction_is_shown_with_its_sentences_side_by_side(room):
    (pair,) = (await room.maria.read("content/pairs")).body["pairs"]

    assert (pair["kind"], pair["left"]["id"], pair["right"]["id"]) == ("contradiction", "KB1", "KB2")
    assert "24 hours" in pair["sentences"][0]["left"]
    assert "12 hours" in pair["sentences"][0]["right"]
    assert pair["sentences"][0]["differs"]


async def test_who_keeps_one_article_supersedes_the_other_until_it_is_undone(room):
    path = await waiting_pair(room)

    made = await room.cleo.ask("POST", path, {"decision": "supersede", "keep": "KB1"})
    after = (await room.maria.read("content/pairs")).body
    superseded = await room.maria.read("content/articles?status=superseded")
    undone = await room.cleo.ask("DELETE", path)

    assert (made.status, made.body["who"], undone.status) == (200, "Cleo Marsh", 204)
    assert (after["pairs"], after["decided"][0]["left"]["title"]) == ([], "How to Cancel a Lesson")
    assert [(one["id"], one["superseded_by"]) for one in superseded.body["articles"]] == [("KB2", "KB1")]
    assert await waiting_pair(room) == path


async def test_who_marks_a_pair_as_distinct_keeps_both(room):
    path = await waiting_pair(room)

    await room.cleo.ask("POST", path, {"decision": "distinct"})

    after = (await room.maria.read("content/pairs")).body
    assert (after["pairs"], [one["kind"] for one in after["decided"]]) == ([], ["distinct"])
    assert ids(await room.maria.read("content/articles?status=superseded")) == []


async def test_what_was_decided_meanwhile_is_said_in_a_sentence(room):
    path = await waiting_pair(room)
    await room.cleo.ask("POST", path, {"decision": "distinct"})

    late = await room.cleo.ask("POST", path, {"decision": "supersede", "keep": "KB1"})
    foreign = await room.cleo.ask("POST", f"content/pairs/{'0' * 32}", {"decision": "distinct"})

    assert [(one.status, one.code) for one in (late, foreign)] == [(409, "refused")] * 2
    assert "does not wait any more" in late.body["error"]["message"]


@pytest.mark.parametrize(
    ("method", "body"), [("POST", {"decision": "distinct"}), ("DELETE", None)], ids=["decide", "undo"]
)
async def test_agents_do_not_decide_and_nobody_does_from_elsewhere(room, method, body):
    path = await waiting_pair(room)

    answers = [
        await room.maria.ask(method, path, body),
        await room.cleo.ask(method, path, body, **{"X-Candor-CSRF": ""}),
        await room.cleo.ask(method, path, body, Origin="https://elsewhere.example"),
        await room.cleo.ask(method, path, body, Cookie=""),
    ]

    codes = ["not_allowed", "csrf_refused", "origin_refused", "signed_out"]
    assert [answer.code for answer in answers] == codes
    assert await waiting_pair(room) == path


async def test_a_catalogue_that_is_away_is_said_and_no_empty_list(room):
    room.catalogue.fails = RetrievalUnavailable("articles")

    answers = [await room.maria.read(f"content/{path}") for path in ("articles", "pairs", "health")]

    assert {answer.status for answer in answers} == {503}
