"""What an agent looks up: a turn's evidence, and articles to answer with, over HTTP."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest
from aiohttp import web

from bot.channels.console.lookups import Lookups
from bot.channels.web import answer_in_json, serving
from bot.core.accounts import AgentRole
from bot.core.conversation import ConversationId
from bot.core.policy import TurnPolicy
from bot.errors import IndexNotReady, RetrievalUnavailable
from bot.service.suggesting import Suggesting
from tests.channels.console.office import UNKNOWN, Office, Page
from tests.service.rig import QUESTION, RULES, UNCOVERED, Rig, a_rig


@dataclass(slots=True, kw_only=True)
class Looking:
    """Maria's page before a server with one conversation that a real bot has answered."""

    maria: Page
    rig: Rig

    @property
    def path(self) -> str:
        return f"conversations/{self.rig.conversation}"

    async def articles(self, q: str = ""):
        query = f"?q={q}" if q else ""
        return await self.maria.read(f"{self.path}/suggestions{query}")


@pytest.fixture
async def looking(office: Office, maria: Page) -> AsyncIterator[Looking]:
    rig = await a_rig()
    await rig.ask(QUESTION)
    policy = TurnPolicy()
    suggesting = Suggesting(
        index=rig.index, embedder=rig.embedder, rules=RULES, policy=policy, clock=rig.clock
    )
    lookups = Lookups(
        desk=replace(office.desk, store=rig.store),
        guard=office.console.guard,
        showing=office.console.showing,
        suggesting=suggesting,
    )
    app = web.Application(middlewares=[answer_in_json])
    app.add_routes(lookups.routes())
    async with serving(app, host="127.0.0.1", port=0) as url:
        yield Looking(maria=maria.at(url), rig=rig)


async def test_each_turn_has_its_evidence_an_answers_as_a_handoffs(looking):
    await looking.rig.ask(UNCOVERED)

    shown = [
        (await looking.maria.read(f"{looking.path}/turns/{turn.id}")).body
        for turn in await looking.rig.turn_records()
    ]

    assert [(one["outcome"], one["reason"]) for one in shown] == [
        ("answer", None),
        ("handoff", "no_evidence"),
    ]
    assert [one["query"]["bare"] for one in shown] == [QUESTION, UNCOVERED]


@pytest.mark.parametrize("path", ["conversations/{id}/turns/nothing", "conversations/other/turns/{turn}"])
async def test_a_turn_of_another_conversation_or_of_none_is_unknown(looking, path):
    (turn,) = await looking.rig.turn_records()

    missing = await looking.maria.read(path.format(id=looking.rig.conversation, turn=turn.id))

    assert missing.status == 404


async def test_articles_are_those_of_the_last_turn_and_then_what_the_last_message_finds(looking):
    answer = await looking.articles()

    found = answer.body["articles"]
    assert (answer.status, answer.body["problem"]) == (200, None)
    assert found[0].keys() == {"id", "title", "url", "excerpt", "cosine"}
    assert (found[0]["id"], found[0]["url"]) == ("KB000003", "https://help.example/KB000003")
    assert found[0]["excerpt"].startswith("How do I reschedule a class?")
    assert looking.rig.embedder.embedded[-1] == QUESTION


async def test_a_text_is_searched_for_by_itself(looking):
    answer = await looking.articles("when are payments returned")

    assert answer.body["articles"][0]["id"] == "KB000010"


async def test_an_outage_with_nothing_to_show_is_an_error_and_not_an_empty_list(looking):
    looking.rig.index.at_search.fails = IndexNotReady("building")

    refused = await looking.articles("when are payments returned")

    assert (refused.status, refused.code) == (503, "index_not_ready")
    assert "does not mean that there are none" in str(refused.body)
    assert "Retry-After" in refused.headers


async def test_an_outage_beside_known_articles_is_said(looking):
    looking.rig.embedder.at_embed.fails = RetrievalUnavailable("down")

    answer = await looking.articles()

    assert answer.body["articles"][0]["id"] == "KB000003"
    assert answer.body["problem"]["code"] == "retrieval_unavailable"
    assert "does not mean that there are none" in answer.body["problem"]["text"]


async def test_both_are_for_who_is_signed_in_and_for_every_role(looking, office):
    (turn,) = await looking.rig.turn_records()
    paths = [f"{looking.path}/turns/{turn.id}", f"{looking.path}/suggestions"]
    content = (await office.hire("Cora", AgentRole.CONTENT)).at(looking.maria.origin)
    nobody = replace(content, cookie="x")

    assert [(await content.read(path)).status for path in paths] == [200, 200]
    assert [(await nobody.read(path)).status for path in paths] == [401, 401]


async def test_a_conversation_that_is_none_is_unknown(looking):
    looking.rig.conversation = ConversationId(UNKNOWN)

    assert (await looking.articles()).status == 404


async def test_a_text_that_is_too_long_is_refused(looking):
    assert (await looking.articles("x" * 4_001)).status == 400


async def test_before_anybody_wrote_there_is_nothing_to_search_for(looking):
    opened = await looking.rig.store.open_conversation(
        replace(await looking.rig.state(), id=ConversationId("empty"), last_seq=0, last_customer_seq=0)
    )
    looking.rig.conversation = opened.id

    assert (await looking.articles()).body == {"articles": [], "problem": None}
