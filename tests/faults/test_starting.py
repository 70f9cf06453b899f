"""`serve` on what it cannot use, as a person sees it: code 1 and one sentence that names the thing and the remedy."""

import shutil
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from bot.adapters.sqlite import schema
from tests.rules.tree import ROOT

DATABASE = "candor.db"


class CommandLine:
    """Runs `python -m bot serve` away from a developer's own settings."""

    def __init__(self, folder, environment) -> None:
        self.data_dir = folder / "data"
        self._folder = folder
        self._environment = environment
        self.set(PYTHONPATH=ROOT, CANDOR_DATA_DIR=self.data_dir, PORT=0)

    def set(self, **settings) -> None:
        for name, value in settings.items():
            self._environment.setenv(name, str(value))

    def refusal(self) -> str:
        """Run it, and return the one sentence with which it refused."""
        run = subprocess.run(
            [sys.executable, "-m", "bot", "serve"],
            cwd=self._folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (run.returncode, run.stdout) == (1, ""), run.stderr
        (sentence,) = run.stderr.splitlines()
        assert sentence.startswith("candor: ")
        return sentence


@pytest.fixture
def command(tmp_path, monkeypatch):
    return CommandLine(tmp_path, monkeypatch)


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


def test_everything_that_is_wrong_is_said_at_once(command):
    command.set(PORT="eighty", LOG_LEVEL="loud", CANDOR_DATADIR="var")

    sentence = command.refusal()

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
