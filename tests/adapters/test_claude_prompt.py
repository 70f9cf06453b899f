"""The instructions are one file with two parts; a file that lost one is refused before anybody is answered."""

import hashlib

import pytest

from bot.adapters.claude.prompt import DIVIDER, AnswerPrompt, load_answer_prompt
from bot.errors import Misconfigured
from bot.turn_wiring import PROMPTS


def test_the_digest_is_that_of_the_file():
    text = (PROMPTS / "answer.md").read_text("utf-8")

    assert load_answer_prompt(PROMPTS).digest == hashlib.sha256(text.encode()).hexdigest()


def test_braces_in_the_instructions_are_left_alone():
    prompt = AnswerPrompt.from_text(f"Be {{kind}}.{DIVIDER}{{nonce}} {{locale}} {{kind}}")

    assert prompt.filled(nonce="n", locale="de") == "n de {kind}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Be kind. {nonce} {locale}", "no instructions above the line"),
        (f"{DIVIDER}{{nonce}} {{locale}}", "no instructions above the line"),
        (f"Be kind.{DIVIDER}{{locale}}", "the placeholder {nonce} is missing"),
        (f"Be kind.{DIVIDER}{{nonce}}", "the placeholder {locale} is missing"),
    ],
)
def test_a_file_that_lost_a_part_is_refused_by_name(tmp_path, text, said):
    (tmp_path / "answer.md").write_text(text, "utf-8")

    with pytest.raises(Misconfigured, match=said.replace("{", r"\{")) as refused:
        load_answer_prompt(tmp_path)
    assert "answer.md" in str(refused.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(Misconfigured, match="cannot be read"):
        load_answer_prompt(tmp_path)
