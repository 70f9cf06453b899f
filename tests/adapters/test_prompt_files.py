"""Prompt files load from their directory, and every mistake in one names the file and what to do."""

import shutil
from pathlib import Path

import pytest

from bot.adapters.prompt_files import digest, load_replies, load_rules
from bot.core.rules import asks_for_person
from bot.errors import Misconfigured

PROMPTS = Path(__file__).parents[2] / "prompts"


@pytest.fixture
def prompts(tmp_path):
    for path in PROMPTS.glob("*.toml"):
        shutil.copy(path, tmp_path)
    return tmp_path


def test_the_shipped_files_load():
    assert asks_for_person("agent please", load_rules(PROMPTS))
    assert load_replies(PROMPTS).text("thanks", "en")


@pytest.mark.parametrize(("load", "name"), [(load_rules, "rules.toml"), (load_replies, "replies.toml")])
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"x = ", "not valid TOML .* correct that place"),
        (b"\xff\xfe", "byte 0 is not UTF-8; save the file as UTF-8"),
        (b"", "missing or not a table; add"),
        (None, "missing; restore it"),
    ],
)
def test_a_broken_file_is_named_with_the_remedy(prompts, load, name, content, problem):
    (prompts / name).unlink()
    if content is not None:
        (prompts / name).write_bytes(content)

    with pytest.raises(Misconfigured, match=rf"{name}: .*{problem}"):
        load(prompts)


def test_a_directory_in_the_place_of_a_file_is_named(prompts):
    (prompts / "rules.toml").unlink()
    (prompts / "rules.toml").mkdir()

    with pytest.raises(Misconfigured, match=r"rules\.toml: cannot be read"):
        load_rules(prompts)


def test_the_digest_changes_with_a_word_and_not_with_line_endings(prompts):
    before = digest(prompts)
    replies = prompts / "replies.toml"
    replies.write_bytes(replies.read_bytes().replace(b"\n", b"\r\n"))
    same = digest(prompts)
    replies.write_text(replies.read_text("utf-8").replace("Sorry", "So sorry"), "utf-8")

    assert same == before
    assert digest(prompts) != before
