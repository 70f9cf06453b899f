"""`serve` on what it cannot use, as a person sees it: code 1 and one sentence that names the thing and the remedy."""

import shutil
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.adapters.sqlite import schema
from tests.faults.commanded import Command, Ended, ended, ended_from_nothing

DATABASE = "candor.db"


class CommandLine:
    """Runs `python -m bot serve` away from a developer's own settings."""

    def __init__(self, folder: Path) -> None:
        self.data_dir = folder / "data"
        self.folder = folder
        self.settings: dict[str, str] = {}
        self.set(CANDOR_DATA_DIR=self.data_dir, PORT=0)

    def set(self, **settings: object) -> None:
        self.settings |= {name: str(value) for name, value in settings.items()}

    def refusal(self, run: Callable[[Command], Ended] = ended) -> str:
        """Run it, and return the one sentence with which it refused."""
        ran = run(Command(arguments=("serve",), folder=self.folder, environment=self.settings))
        assert (ran.code, ran.out) == (1, ""), ran.err
        (sentence,) = ran.err.splitlines()
        assert sentence.startswith("candor: ")
        return sentence


@pytest.fixture
def command(tmp_path):
    return CommandLine(tmp_path)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        pytest.param("PORT", "eighty", "PORT: input should be a valid integer", id="no number"),
        pytest.param("PORT", "70000", "PORT: input should be less than or equal to 65535", id="no port"),
        pytest.param("CANDOR_DATADIR", "var", "did you mean CANDOR_DATA_DIR?", id="unknown"),
        pytest.param("GATE_THRESHOLD", "2", "GATE_THRESHOLD: input should be less", id="no cosine"),
        pytest.param("MONGODB_URI", "m", "MONGODB_URI: is not an address such as", id="no server"),
        pytest.param("VOYAGE_BASE_URL", "voyage", "VOYAGE_BASE_URL: 'voyage' is not", id="no address"),
    ],
)
def test_a_setting_that_cannot_be_is_named(command, name, value, said):
    command.set(**{name: value})

    assert said in command.refusal()


@pytest.mark.parametrize("run", [ended, ended_from_nothing], ids=["forked", "from nothing"])
def test_everything_that_is_wrong_is_said_at_once(command, run):
    command.set(PORT="eighty", LOG_LEVEL="loud", CANDOR_DATADIR="var")

    sentence = command.refusal(run)

    assert [name for name in ("PORT", "LOG_LEVEL", "CANDOR_DATADIR") if name not in sentence] == []


def test_a_port_that_is_taken_is_named_with_the_setting_to_change(command):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        command.set(PORT=port)

        sentence = command.refusal()

    assert f"127.0.0.1:{port} cannot be used (" in sentence
    assert "set PORT" in sentence


def test_a_data_directory_that_cannot_be_made_is_named_with_the_setting_to_change(command, tmp_path):
    (tmp_path / "a file").write_text("")
    command.set(CANDOR_DATA_DIR=tmp_path / "a file" / "data")

    sentence = command.refusal()

    assert f"{tmp_path / 'a file' / 'data'}: the data directory cannot be created" in sentence
    assert "CANDOR_DATA_DIR" in sentence


def test_a_damaged_database_is_named_and_left_alone(command):
    file = command.data_dir / DATABASE
    file.parent.mkdir()
    file.write_bytes(b"dear diary, " * 1_000)

    sentence = command.refusal()

    assert f"{file}: " in sentence
    assert "restore the last backup" in sentence
    assert file.read_bytes() == b"dear diary, " * 1_000


def test_a_database_of_a_newer_version_is_named_with_both_ways_out(command, knowledge):
    shutil.copytree(knowledge, command.data_dir)
    with closing(sqlite3.connect(command.data_dir / DATABASE)) as connection:
        connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")

    sentence = command.refusal()

    assert f"schema version {schema.VERSION + 1} is newer" in sentence
    assert "run the newer Candor" in sentence


def test_a_threshold_that_could_never_work_is_a_start_up_error(command, knowledge):
    shutil.copytree(knowledge, command.data_dir)
    command.set(GATE_THRESHOLD=0.99)

    sentence = command.refusal()

    assert "the gate's threshold 0.99 (raw cosine) is outside the range" in sentence
    assert "unset GATE_THRESHOLD" in sentence
