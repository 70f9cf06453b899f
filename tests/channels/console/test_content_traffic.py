"""What customers asked, on the content page over HTTP: gaps, drafts of them, tried searches and the what-if."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from bot.core.accounts import AgentRole
from bot.core.conversation import ConversationId
from bot.core.desk import MarkKind
from tests.channels.console.content_services import RecordedTraffic, content_services, opened_content
from tests.channels.console.office import Office, Page
from tests.core.gap_builders import a_question_turn, a_reply, an_answered_turn
from tests.service.shelf import ARTICLES, Shelf

ACCORDION = "Do you teach accordion?"
SAID = [{"role": "customer", "text": "How do I reschedule a class?"}]


@dataclass(slots=True, kw_only=True)
class Room:
    """The page before somebody who drafts articles and somebody who does not."""

    cleo: Page
    maria: Page


@pytest.fixture
async def room(office: Office, maria: Page) -> AsyncIterator[Room]:
    shelf = Shelf.holding(ARTICLES)
    now_ms, model = office.clock.now_ms(), str(shelf.embedder.fingerprint)
    recorded = {"settled_ms": now_ms - 1_000, "fingerprint": model, "threshold": 0.45}
    stopped = a_question_turn(ACCORDION, best_cosine=0.3, conversation="c1", **recorded)
    answered = an_answered_turn("When are payments returned?", best_cosine=0.5, conversation="c2", **recorded)
    reply = a_reply("Yes, on Tuesdays.", agent=maria.agent, conversation="c1", at_ms=now_ms)
    traffic = RecordedTraffic(turns=(stopped, answered), replies={ConversationId("c1"): (reply,)})
    cleo = await office.hire("Cleo Marsh", AgentRole.CONTENT)
    console, services = office.console, content_services(shelf, traffic, office.clock)
    async with opened_content(services, guard=console.guard, showing=console.showing) as url:
        yield Room(cleo=cleo.at(url), maria=maria.at(url))


async def test_a_gap_is_told_in_the_customers_words_with_what_an_agent_answered(room):
    gaps = (await room.maria.read("content/gaps")).body

    (gap,) = gaps["gaps"]
    (question,) = gap["questions"]
    assert (gap["label"], gap["count"], gaps["questions"], gaps["problem"]) == ([ACCORDION], 1, 1, None)
    assert (question["conversation"], question["reason"]) == ("c1", "no_evidence")
    assert question["reason_text"] == "no article was found about this"
    assert [(one["agent"], one["text"]) for one in gap["replies"]] == [("Maria Lopez", "Yes, on Tuesdays.")]


async def test_every_triage_comes_with_its_words(room):
    (gap,) = (await room.maria.read("content/gaps?days=1")).body["gaps"]

    assert (gap["triage"], gap["triage_text"]) == ("absent", "No article is about it")


async def test_gaps_are_downloaded_as_a_table_that_nobody_opens_as_a_page(room):
    answer = await room.maria.ask("GET", "content/gaps.csv?days=7")

    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert "gaps.csv" in answer.headers["Content-Disposition"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_draft_is_for_those_who_write_articles(room):
    (gap,) = (await room.maria.read("content/gaps")).body["gaps"]
    path = f"content/gaps/{gap['id']}/draft"

    drafted, refused = await room.cleo.read(path), await room.maria.read(path)

    assert (drafted.status, drafted.headers["Content-Type"]) == (200, "text/markdown; charset=utf-8")
    assert ".md" in drafted.headers["Content-Disposition"]
    assert (refused.status, refused.code) == (403, "not_allowed")
    assert refused.body["error"]["message"] == "Your role does not allow this."


async def test_there_is_no_draft_of_a_gap_that_is_gone(room):
    answer = await room.cleo.read("content/gaps/t99/draft")

    assert (answer.status, answer.code) == (404, "gap_unknown")


async def test_what_agents_mark_is_a_gap_too(office, maria):
    conversation = await office.open()
    await office.say(conversation, "How do I reschedule?")
    await maria.ask(
        "POST", f"conversations/{conversation}/marks", {"kind": MarkKind.KNOWLEDGE_GAP, "remark": "often"}
    )

    (gap,) = (await maria.read("content/gaps")).body["gaps"]

    (question,) = gap["questions"]
    assert (question["conversation"], question["marked"], question["remark"]) == (conversation, True, "often")
    assert (question["turn"], question["reason_text"]) == (None, "an agent marked it as a knowledge gap")


async def test_a_tried_search_shows_what_was_embedded_and_every_rank(room):
    tried = (await room.maria.ask("POST", "content/try", {"messages": SAID})).body

    first = tried["passages"][0]
    assert (tried["passes"], tried["problem"], tried["routed"]) == (True, None, None)
    assert tried["query"]["used"] == [{"seq": 1, "role": "customer", "text": SAID[0]["text"]}]
    assert (first["rank"], first["article_id"]) == (1, "KB000003")
    assert tried["best"] >= tried["threshold"]


@pytest.mark.parametrize(
    ("text", "routed"),
    [("Hello!", "a courtesy, which is answered with a fixed sentence"), ("I want a person", "the customer asked for a person")],
    ids=["a courtesy", "a handoff"],
)  # fmt: skip
async def test_what_a_real_turn_would_not_search_is_said_in_words(room, text, routed):
    tried = await room.maria.ask("POST", "content/try", {"messages": [{"role": "customer", "text": text}]})

    assert tried.body["routed"] == routed


async def test_a_conversation_that_does_not_end_with_a_question_is_refused(room):
    body = {"messages": [*SAID, {"role": "bot", "text": "Which one?"}]}

    answer = await room.maria.ask("POST", "content/try", body)

    assert (answer.status, answer.code) == (400, "input_rejected")
    assert answer.body["error"]["message"].startswith("messages: do not end with the customer's question")


async def test_another_threshold_moves_recorded_turns(room):
    current = (await room.maria.read("content/what-if")).body
    lower = (await room.maria.read("content/what-if?threshold=0.2&days=7")).body
    higher = (await room.maria.read("content/what-if?threshold=0.6")).body

    assert (current["threshold"], current["current"], current["n"]) == (0.45, 0.45, 2)
    assert [row["question"] for row in lower["passes"]] == [ACCORDION]
    assert [row["conversation"] for row in higher["handed_over"]] == ["c2"]
    assert (higher["passes_count"], higher["handed_over_count"]) == (0, 1)
    assert len(higher["curve"]) > 10


@pytest.mark.parametrize(
    "query", ["threshold=2", "threshold=nan", "threshold=-0.5", "days=0", "days=367", "days=week"]
)
async def test_what_means_nothing_is_refused_with_a_remedy(room, query):
    answer = await room.maria.read(f"content/what-if?{query}")

    assert (answer.status, answer.code) == (400, "input_rejected")


async def test_whoever_tries_a_search_does_it_from_our_page(room):
    body = {"messages": SAID}

    answers = [
        await room.maria.ask("POST", "content/try", body, **{"X-Candor-CSRF": ""}),
        await room.maria.ask("POST", "content/try", body, Origin="https://elsewhere.example"),
    ]

    assert [answer.code for answer in answers] == ["csrf_refused", "origin_refused"]
