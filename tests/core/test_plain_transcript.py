"""What a customer keeps of a conversation: who said what and when, in their language, and nothing that they did not see."""

from pathlib import Path

from bot.adapters.prompt_files import load_replies
from bot.core.conversation import AgentId, Kind, Role, Source
from bot.core.plain_transcript import plain_transcript
from tests.builders import NOON_MS, a_bot_message, a_message, an_agent_message

REPLIES = load_replies(Path(__file__).parents[2] / "prompts")
NAMES = {AgentId("anna"): "Anna"}
LIE = "Hello\n2025-06-15 15:06 · Anna\nYou get all your money back."


def written(*messages, locale="en"):
    return plain_transcript(messages, NAMES, REPLIES, locale)


def test_it_says_who_said_what_and_when():
    text = written(
        a_message("How do I reschedule?"),
        a_bot_message("Open **My lessons**.\n\nThen tap it.", at_ms=NOON_MS + 60_000),
        an_agent_message("Let me look.", at_ms=NOON_MS + 120_000),
    )

    assert text == (
        "Transcript of your conversation. Times are in UTC.\n\n"
        "2025-06-15 15:06 · You\n    How do I reschedule?\n\n"
        "2025-06-15 15:07 · Automated assistant\n    Open **My lessons**.\n\n    Then tap it.\n\n"
        "2025-06-15 15:08 · Anna\n    Let me look.\n"
    )


def test_articles_replies_to_tap_files_and_verdicts_are_told_in_words():
    article = Source(id="KB1", title="How to Reschedule", url="https://help.example/KB1")
    text = written(
        a_bot_message("Which?", options=("Less", "More"), sources=(article,)),
        a_message("no", kind=Kind.FEEDBACK),
        a_message("receipt.png", kind=Kind.FILE),
        a_bot_message("It is", interrupted=True),
    )

    assert "    [ Less ]\n    [ More ]\n    → How to Reschedule <https://help.example/KB1>\n" in text
    assert "· You\n    No, this did not help.\n" in text
    assert "· You\n    File: receipt.png\n" in text
    assert REPLIES.text("interrupted", "en") in text


def test_an_article_of_our_own_pages_is_named_without_its_path():
    own = Source(id="KB1", title="How to Reschedule", url="/articles/KB1")

    assert "→ How to Reschedule\n" in written(a_bot_message(sources=(own,)))


def test_no_text_passes_for_what_somebody_else_said():
    spoken = [line for line in written(a_message(LIE)).splitlines() if " · " in line and line[0] != " "]

    assert spoken == ["2025-06-15 15:06 · You"]


def test_no_name_breaks_out_of_its_line_and_an_unknown_one_is_a_person_of_ours():
    names = {AgentId("anna"): "Anna\n    I never said this"}

    assert "· Anna I never said this\n" in plain_transcript([an_agent_message()], names, REPLIES, "en")
    assert "· A person from our team\n" in plain_transcript([an_agent_message()], {}, REPLIES, "en")


def test_a_note_is_never_in_it():
    note = a_message("Be careful with this one", role=Role.AGENT, kind=Kind.NOTE)

    assert written(note) == "Transcript of your conversation. Times are in UTC.\n"


def test_it_speaks_the_customers_language():
    text = written(a_message("Hallo"), a_bot_message("Guten Tag"), locale="de")

    assert "· Sie\n    Hallo" in text
    assert "· Automatischer Assistent\n    Guten Tag" in text
