"""`export`: the turns that were recorded, as conversations that `replay` reads; agents' notes stay behind."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.desk import SqliteDeskStore
from bot.core.conversation import AgentId, ConversationId
from bot.core.desk import Mark, MarkKind
from bot.errors import InputRejected
from bot.evaluation.golden import read_golden
from bot.settings import Settings
from bot.wiring import opened
from tests.builders import NOON_MS, a_customer_message
from tests.contract.scene import Scene
from tests.terminal.command_line import CommandLine
from tests.waiting import wait_until

pytestmark = pytest.mark.timeout(300)

RESCHEDULE, BOOK = "How do I reschedule a class?", "How do I book a class?"
NOON = "2025-06-15T15:06:41+00:00"  # when the turns of `busy` were settled

DAY_MS = 86_400_000
WRONG = Mark(
    conversation=ConversationId("c1"), kind=MarkKind.WRONG_ANSWER, seq=2, agent=AgentId("ana"), at_ms=NOON_MS + 9_000,
    remark="Prices have changed",
)  # fmt: skip
GAP = Mark(
    conversation=ConversationId("c2"), kind=MarkKind.KNOWLEDGE_GAP, seq=0, agent=AgentId("ana"), at_ms=NOON_MS + DAY_MS
)  # fmt: skip


@pytest.fixture
def busy(tmp_path: Path) -> CommandLine:
    """Return a data directory with a conversation of two turns, one of one turn, and one of none."""
    asyncio.run(_busy(tmp_path / "busy" / "candor.db"))
    return CommandLine(tmp_path / "busy")


async def _busy(file: Path) -> None:
    database = SqliteDatabase.open(file)
    try:
        store = SqliteConversationStore(database)
        for name, count in (("c1", 2), ("c2", 1), ("c3", 0)):
            scene = await Scene.open(store, ConversationId(name))
            for number in range(count):
                await scene.customer_writes(f"question {number} of {name}")
                await scene.bot_settles(await scene.turn_begins(), turn=f"{name}-{number}")
    finally:
        database.close()


def lines(text: str):
    return [json.loads(line) for line in text.splitlines()]


def test_each_turn_is_a_line_with_its_history(busy):
    result = busy.run("export")

    rows = lines(result.stdout)
    assert [(row["id"], row["conversation_id"], len(row["turns"])) for row in rows] == [
        ("c1-0", "c1", 1),
        ("c1-1", "c1", 3),
        ("c2-0", "c2", 1),
    ]
    assert rows[0].keys() == {
        "id", "conversation_id", "locale", "turns", "covers", "gold", "answerable", "recorded",
    }  # fmt: skip
    assert rows[0]["recorded"].keys() >= {"outcome", "reason", "text", "sources", "query", "threshold"}
    assert result.stderr == "3 turns of 2 conversations\n"


@pytest.mark.parametrize(
    ("since", "turns"), [("2025-06-15", 3), (NOON, 3), ("2025-06-15T15:06:42Z", 0), ("2025-06-16", 0)]
)
def test_older_turns_can_be_left_out(busy, since, turns):
    assert len(lines(busy.run("export", "--since", since).stdout)) == turns


@pytest.fixture
def marked(busy: CommandLine) -> CommandLine:
    """Return the same with an answer that was marked as wrong and a conversation that was marked as a gap, a day later."""
    asyncio.run(_marked(busy.data / "candor.db"))
    return busy


async def _marked(file: Path) -> None:
    database = SqliteDatabase.open(file)
    try:
        desk = SqliteDeskStore(database)
        for mark in (WRONG, GAP):
            await desk.add_mark(mark)
    finally:
        database.close()


def test_what_agents_marked_becomes_candidates_with_what_they_remarked(marked):
    result = marked.run("export", "--marked")

    rows = lines(result.stdout)
    assert [(row["id"], row["tag"], row["gold"], row["answerable"]) for row in rows] == [
        ("c1-0", "wrong_answer", [], None),
        ("c2-0", "knowledge_gap", [], None),
    ]
    assert rows[0]["turns"] == [{"role": "customer", "text": "question 0 of c1"}]
    assert rows[0]["marks"] == [
        {"kind": "wrong_answer", "at_ms": WRONG.at_ms, "remark": "Prices have changed"}
    ]
    assert result.stderr == "2 turns of 2 conversations\n"


def test_of_the_marks_older_ones_can_be_left_out(marked):
    assert [row["id"] for row in lines(marked.run("export", "--marked", "--since", "2025-06-16").stdout)] == [
        "c2-0"
    ]


def test_a_candidate_counts_as_golden_when_a_person_has_labelled_it(marked, tmp_path):
    out = tmp_path / "candidates.jsonl"
    marked.run("export", "--marked", "--out", str(out))
    with pytest.raises(InputRejected, match="answerable"):
        read_golden(out)

    rows = [{**row, "answerable": True, "gold": ["KB1"]} for row in lines(out.read_text(encoding="utf-8"))]
    out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    assert [(one.conversation_id, one.gold, one.tag) for one in read_golden(out)] == [
        ("c1", ("KB1",), "wrong_answer"), ("c2", ("KB1",), "knowledge_gap")
    ]  # fmt: skip


def test_a_file_is_for_its_owner_alone(busy, tmp_path):
    out = tmp_path / "out.jsonl"
    out.write_text("an older export")

    result = busy.run("export", "--out", str(out))

    assert (result.exit_code, result.stdout) == (0, "")
    assert len(lines(out.read_text(encoding="utf-8"))) == 3
    assert out.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()].count("out.jsonl.part") == 0


def test_a_file_that_cannot_be_written_is_named(busy, tmp_path):
    result = busy.run("export", "--out", str(tmp_path / "none" / "out.jsonl"))

    assert result.exit_code == 1
    assert "out.jsonl: cannot be written (No such file or directory)" in result.stderr


def test_a_directory_without_a_data_file_gets_none(empty):
    result = empty.run("export")

    assert result.exit_code == 1
    assert "there is no data file; name its directory with CANDOR_DATA_DIR" in result.stderr
    assert not empty.data.exists()


def test_a_date_that_is_none_is_wrong_usage(busy):
    assert busy.run("export", "--since", "yesterday").exit_code == 2


def test_what_customers_were_told_can_be_replayed(synced_sample, tmp_path):
    served = CommandLine(Path(shutil.copytree(synced_sample, tmp_path / "served")))
    asyncio.run(_serve(served.data, RESCHEDULE, BOOK))
    out, configuration = tmp_path / "out.jsonl", tmp_path / "same.toml"
    configuration.write_text("")

    served.run("export", "--out", str(out))

    same = ("--old", str(configuration), "--new", str(configuration))
    report = served.json("replay", "--conversations", str(out), *same)
    rows = lines(out.read_text(encoding="utf-8"))
    assert [row["turns"][-1]["text"] for row in rows] == [RESCHEDULE, BOOK]
    for row, one in zip(rows, report["conversations"], strict=True):
        assert one["verdict"] == "unchanged"
        assert {key: one["new"][key] for key in ("outcome", "reason", "text", "query", "sources")} == {
            key: row["recorded"][key] for key in ("outcome", "reason", "text", "query", "sources")
        }


async def _serve(data_dir: Path, *questions: str) -> None:
    """Let the whole service answer each question, one after the other in one conversation."""
    async with opened(Settings(data_dir=data_dir)) as candor:
        scene = await Scene.open(candor.store)
        for number, text in enumerate(questions, start=1):
            await candor.customers.receive(a_customer_message(text, conversation=scene.id))

            async def settled(count: int = number) -> bool:
                return len(await candor.store.turns(scene.id)) == count

            await wait_until(settled)
