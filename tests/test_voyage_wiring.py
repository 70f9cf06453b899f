"""VOYAGE_API_KEY chooses Voyage for questions and for the sync alike; nothing is calibrated for it, and that is said, not guessed."""

import json
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer
from pydantic import SecretStr

from bot.adapters.system_clock import SystemClock
from bot.core.outcome import Answer, Handoff, ReasonCode
from bot.core.truth import is_truthful
from bot.errors import EmbedderKeyRejected
from bot.knowledge_wiring import opened_knowledge
from bot.settings import Settings
from bot.terminal.asking import ask
from bot.terminal.serving import _choices
from bot.turn_wiring import answering, language, opened_parts, turn_policy
from bot.wiring import opened
from kb_sync.job import KnowledgeSync
from kb_sync.progress import NoProgress
from kb_sync.sources.markdown_folder import MarkdownFolder
from tests.kb_sync.folders import write_article
from tests.vendors.anthropic_server import answers, anthropic_server, hands_over, says
from tests.vendors.voyage_server import rejects_key, scores, voyage_server

QUESTION = "How do I reschedule a lesson?"
STEP = "Open My Lessons and choose Reschedule."


@pytest.fixture
def articles(tmp_path: Path) -> Path:
    folder = tmp_path / "articles"
    write_article(folder, "a.md", "id: KB1\ntitle: How to Reschedule a Lesson", STEP)
    write_article(folder, "b.md", "id: KB2\ntitle: Payments", "Payments are returned within five days.")
    return folder


async def sync(settings: Settings, articles: Path) -> None:
    async with opened_knowledge(settings) as knowledge:
        job = KnowledgeSync(
            embedder=knowledge.embedder, index=knowledge.index, writer=knowledge.writer, clock=SystemClock()
        )
        await job.ship_calibration(knowledge.shipped)
        await job.run(MarkdownFolder(articles), progress=NoProgress())


@asynccontextmanager
async def synced(tmp_path: Path, articles: Path):
    """Sync with Voyage; yield its server and settings that choose it."""
    async with voyage_server() as server:
        settings = Settings(
            data_dir=tmp_path / "data", voyage_api_key=SecretStr("k"), voyage_base_url=server.url
        )
        await sync(settings, articles)
        yield server, settings


async def readiness(settings: Settings):
    async with opened(settings) as candor, TestClient(TestServer(candor.web)) as http:
        response = await http.get("/readyz")
        return response.status, (await response.json())["checks"]


async def test_a_key_chooses_voyage_without_a_call(tmp_path):
    settings = Settings(
        data_dir=tmp_path, voyage_api_key=SecretStr("k"), voyage_base_url="http://127.0.0.1:9"
    )

    async with opened_knowledge(settings) as knowledge:
        assert str(knowledge.embedder.fingerprint) == "voyage/voyage-4:query+document/1024/unit/md1-800"
        assert (knowledge.shipped, knowledge.reranker) == (None, None)


async def test_a_second_model_chooses_to_look_at_candidates_again(tmp_path):
    async with voyage_server(scores(0.1, 0.9)) as server:
        settings = Settings(
            data_dir=tmp_path,
            voyage_api_key=SecretStr("k"),
            voyage_base_url=server.url,
            voyage_rerank_model="rerank-2.5-lite",
        )
        async with opened_knowledge(settings) as knowledge:
            assert knowledge.reranker is not None
            assert await knowledge.reranker.rerank("a", ["b", "c"]) == (0.1, 0.9)


async def test_the_turn_s_steps_look_again_with_that_model(tmp_path):
    settings = Settings(
        data_dir=tmp_path, voyage_api_key=SecretStr("k"), voyage_rerank_model="rerank-2.5-lite"
    )
    spoken = language()

    async with opened_parts(settings, spoken) as parts:
        steps = answering(parts, spoken, turn_policy(settings))

    assert parts.reranker is not None
    assert steps.retrieving.reranker is parts.reranker


async def test_the_sync_embeds_articles_as_documents_and_a_question_is_embedded_as_a_query(
    tmp_path, articles
):
    """So are the questions with which a sync checks what it built."""
    async with synced(tmp_path, articles) as (server, settings):
        written = len(server.requests)
        await ask(settings, QUESTION, history=None, locale="en")

    kinds = [body["input_type"] for body in server.bodies]
    documents = kinds.count("document")
    assert kinds == ["document"] * documents + ["query"] * (len(kinds) - documents)
    assert 0 < documents < written < len(kinds)


async def test_an_unchanged_sync_asks_voyage_for_nothing(tmp_path, articles):
    async with synced(tmp_path, articles) as (server, settings):
        written = len(server.requests)
        await sync(settings, articles)

    assert len(server.requests) == written


async def test_quotes_are_not_answered_before_voyage_is_calibrated(tmp_path, articles):
    async with synced(tmp_path, articles) as (_, settings):
        turn, _ = await ask(settings, QUESTION, history=None, locale="en")

    assert isinstance(turn.outcome, Handoff)
    assert turn.outcome.reason is ReasonCode.INDEX_NOT_READY
    assert is_truthful(turn)


async def test_a_model_that_can_abstain_decides_until_voyage_is_calibrated(tmp_path, articles):
    async with (
        synced(tmp_path, articles) as (_, settings),
        anthropic_server(answers(says(STEP)), hands_over()) as claude,
    ):
        chosen = settings.model_copy(
            update={"anthropic_api_key": SecretStr("k"), "anthropic_base_url": claude.url}
        )
        answered, _ = await ask(chosen, QUESTION, history=None, locale="en")
        abstained, _ = await ask(chosen, "Which wine goes with trout?", history=None, locale="en")

    assert isinstance(answered.outcome, Answer)
    assert [source.id for source in answered.outcome.sources] == ["KB1"]
    assert isinstance(abstained.outcome, Handoff)
    assert abstained.outcome.reason is ReasonCode.MODEL_ABSTAINED
    assert is_truthful(abstained)


async def test_readiness_names_the_remedy_for_what_is_uncalibrated(tmp_path, articles):
    async with synced(tmp_path, articles) as (_, settings):
        status, checks = await readiness(settings)

    assert status == 503
    assert checks["gate"] == {"ok": False, "error": "uncalibrated: run `python -m bot calibrate`"}
    assert checks["knowledge_base"]["fingerprint"].startswith("voyage/voyage-4:query+document/1024/")


async def test_articles_of_another_embedder_are_not_searched(tmp_path, articles):
    async with synced(tmp_path, articles) as (_, settings):
        other = settings.model_copy(update={"voyage_model": "voyage-4-large"})
        turn, _ = await ask(other, QUESTION, history=None, locale="en")

    assert isinstance(turn.outcome, Handoff)
    assert turn.outcome.reason is ReasonCode.INDEX_NOT_READY
    assert is_truthful(turn)


async def test_a_rejected_key_hands_over_and_stops_a_sync_with_its_name(tmp_path, articles):
    async with synced(tmp_path, articles) as (server, settings):
        server.replies = [rejects_key()]
        turn, _ = await ask(settings, QUESTION, history=None, locale="en")
        write_article(articles, "c.md", "id: KB3\ntitle: Another", "Something new.")
        with pytest.raises(EmbedderKeyRejected, match="Voyage rejects VOYAGE_API_KEY"):
            await sync(settings, articles)

    assert isinstance(turn.outcome, Handoff)
    assert turn.outcome.reason is ReasonCode.RETRIEVAL_UNAVAILABLE
    assert "VOYAGE_API_KEY" in turn.outcome.detail


async def test_the_banner_names_voyage_and_that_its_key_is_not_tried_yet(tmp_path, articles):
    async with synced(tmp_path, articles) as (server, settings), opened(settings) as candor:
        said = (await _choices(settings, candor))["embedder"]

    assert said == f"voyage/voyage-4 at {server.url}: the key is tried by the first question"


@pytest.mark.parametrize("module", ["bot", "kb_sync"])
def test_without_keys_no_client_of_a_provider_is_imported(module, tmp_path, articles):
    arguments = {"bot": ["ask", QUESTION], "kb_sync": [str(articles), "--dry-run"]}
    code = (
        f"import json, sys; sys.argv = {[module, *arguments[module]]!r}\n"
        f"from {module}.__main__ import app\n"
        "app(standalone_mode=False)\n"
        "print(json.dumps(sorted({'anthropic', 'voyageai'} & set(sys.modules))))"
    )
    environment = {"CANDOR_DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": str(Path(__file__).parents[1])}

    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=environment,
    )

    assert json.loads(run.stdout.splitlines()[-1]) == []
