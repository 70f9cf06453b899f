"""`export`: the turns that were recorded, as conversations that `replay` reads; agents' notes stay behind."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.conversation import ConversationId
from bot.settings import Settings
from bot.wiring import opened
from tests.builders import a_customer_message
from tests.contract.scene import Scene
from tests.terminal.command_line import CommandLine
from tests.waiting import wait_until

pytestmark = pytest.mark.timeout(300)

RESCHEDULE, BOOK = "How do I reschedule a class?", "How do I book a class?"
NOON = "2025-06-15T15:06:41+00:00"  # when the turns of `busy` were settled


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
