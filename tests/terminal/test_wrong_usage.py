"""Whatever is wrong with what a person gives, the answer is a sentence and an exit code, never a stack trace."""

from pathlib import Path

import pytest

GOOD = '{"role": "customer", "text": "hi"}\n'


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        pytest.param(b"{", "h.jsonl:2: is not JSON", id="not JSON"),
        pytest.param(b"[]", "h.jsonl:2: Input should be an object", id="not an object"),
        pytest.param(b'{"role": "customer"}', "h.jsonl:2: text: Field required", id="no text"),
        pytest.param(b'{"role": "user", "text": "x"}', "h.jsonl:2: role: Input should be", id="bad role"),
        pytest.param(b'{"role": "bot", "text": "x", "kind": "?"}', "h.jsonl:2: kind:", id="bad kind"),
        pytest.param(b"[" * 100_000, "h.jsonl:2: is not JSON", id="too deep"),
        pytest.param(b"\xff", "cannot be read", id="not UTF-8"),
    ],
)
def test_a_wrong_line_of_a_history_is_named(empty, tmp_path, lines, said):
    history = tmp_path / "h.jsonl"
    history.write_bytes(GOOD.encode() + lines)

    result = empty.run("ask", "hi", "--history", str(history))

    assert result.exit_code == 1
    assert result.stderr.startswith("candor: ")
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_a_wrong_line_says_what_to_write(empty, tmp_path):
    history = tmp_path / "h.jsonl"
    history.write_text('{"text": "hi"}')

    assert '"role": "customer"' in empty.run("ask", "hi", "--history", str(history)).stderr


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("ask",), id="no text"),
        pytest.param(("ask", "hi", "--history", "no-such.jsonl"), id="no history file"),
        pytest.param(("ask", "hi", "--history", "."), id="history is a folder"),
        pytest.param(("inspect",), id="nothing to inspect"),
        pytest.param(("calibrate",), id="no conversations"),
        pytest.param(("calibrate", "--conversations", "no-such.jsonl"), id="no conversations file"),
        pytest.param(("serve", "--port", "99999"), id="no such port"),
        pytest.param(("check", "--loud"), id="unknown option"),
        pytest.param(("dance",), id="unknown command"),
    ],
)
def test_wrong_usage_ends_with_code_2(empty, arguments):
    result = empty.run(*arguments)

    assert result.exit_code == 2
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "arguments", [("ask", "hi"), ("inspect", "hi"), ("check",), ("migrate",), ("serve",)]
)
def test_every_command_names_a_wrong_setting(empty, arguments):
    result = empty.run(*arguments, CANDOR_DATADIR="x")

    assert result.exit_code == 1
    assert result.stderr.startswith("candor: CANDOR_DATADIR: there is no such setting; did you mean")


@pytest.mark.parametrize(
    "arguments", [("ask", "hi"), ("inspect", "hi"), ("check",), ("migrate",), ("serve",)]
)
def test_every_command_says_when_the_data_directory_cannot_be_made(empty, tmp_path, arguments):
    (tmp_path / "file").touch()

    result = empty.run(*arguments, CANDOR_DATA_DIR=str(tmp_path / "file" / "data"))

    assert result.exit_code == 1
    assert "name another with CANDOR_DATA_DIR" in result.stderr


def test_settings_are_read_from_the_folder_s_env_file(empty):
    Path(".env").write_text("PORT=loud\n")

    assert "candor: PORT:" in empty.run("check").stderr
