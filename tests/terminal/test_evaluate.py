"""`evaluate`: the numbers of a set for programs, for people and as a page, and what it refuses."""

from pathlib import Path

import pytest

from tests.terminal.claude_provider import model_server, quotes_and_judges
from tests.terminal.command_line import said, write_lines
from tests.vendors.anthropic_server import rejects_key

pytestmark = pytest.mark.timeout(300)

MEASURES = {
    "hit@1", "recall@1", "recall@3", "recall@5", "precision@1", "precision@3", "precision@5",
    "ndcg@5", "ndcg@10", "mrr", "auroc",
}  # fmt: skip
ASKED = "Does your lesson start in more or less than 24 hours?"


def a_question(name: str, *turns: object, gold=(), label="ANSWER", **fields) -> dict[str, object]:
    return {
        "id": name,
        "turns": turns,
        "gold": list(gold),
        "answerable": bool(gold),
        "label": label,
        **fields,
    }


QUESTIONS = (
    a_question(
        "a1", said("customer", "How do I reschedule a lesson?"), gold=["lesson"], conversation_id="c1"
    ),
    a_question(
        "a2",
        said("customer", "How do I reschedule a lesson?"),
        said("bot", ASKED),
        said("customer", "no its more"),
        gold=["lesson"],
        tag="bare_reply",
        rewrite="reschedule a lesson more than 24 hours before",
        conversation_id="c1",
    ),
    a_question("a3", said("customer", "When is a refund on my card?"), gold=["refund"]),
    a_question(
        "o1",
        said("customer", "How many moons has Saturn?"),
        label="OFF_TOPIC",
        reason="no_evidence",
        rewrite="moons of Saturn",
    ),
    a_question("h1", said("customer", "a person please"), label="HUMAN_REQUEST", reason="customer_asked"),
)
ARTICLES = (
    {"id": "lesson", "title": "Reschedule a lesson", "text": "Reschedule a lesson until 24 hours before it."},
    {"id": "refund", "title": "Refunds", "text": "A refund is on your card within 5 days."},
    {"id": "sound", "title": "Microphone", "text": "Choose your microphone in the settings."},
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, ...]:
    corpus = write_lines(tmp_path / "corpus.jsonl", *ARTICLES)
    conversations = write_lines(tmp_path / "conversations.jsonl", *QUESTIONS)
    return "--kb", str(corpus), "--conversations", str(conversations)


def test_programs_read_every_measure_of_every_strategy(empty, files):
    report = empty.json("evaluate", *files)

    assert set(report["strategies"]) == {"last_turn", "window", "window_unfiltered", "blended", "rewrite"}
    for strategy in report["strategies"].values():
        assert strategy.keys() == MEASURES | {"ci", "n"}
        assert strategy["ci"].keys() == MEASURES
    assert report["strategies"]["blended"]["hit@1"] == 1.0
    assert (report["strategies"]["blended"]["n"], report["strategies"]["rewrite"]["n"]) == (3, 1)
    assert (report["n"], report["bare_replies"]) == (5, {"n": 1, "hit@1": 1.0})


def test_the_gate_and_the_endings_are_those_of_the_calibration_in_force(empty, files):
    report = empty.json("evaluate", *files)

    assert report["gate"].keys() == {"threshold", "answerable_passed", "unanswerable_stopped"}
    assert report["gate"]["unanswerable_stopped"] == 1.0
    assert report["reason_accuracy"] == 1.0
    assert report["labels"]["HUMAN_REQUEST"]["handed_off"] == {"customer_asked": 1}
    ended = report["labels"]["ANSWER"]
    assert ended["answered"] + ended["wrong"] + ended["asked"] + sum(ended["handed_off"].values()) == 3


def test_a_second_run_says_the_same(empty, files):
    assert empty.json("evaluate", *files) == empty.json("evaluate", *files)


def test_only_the_named_strategies_are_searched_beside_the_blended_one(empty, files):
    report = empty.json("evaluate", *files, "--strategy", "window")

    assert set(report["strategies"]) == {"window", "blended"}


def test_several_sets_are_told_together_and_each_by_its_name(empty, files, tmp_path):
    name = f"{tmp_path.name}/conversations.jsonl"

    report = empty.json("evaluate", *files, *files)

    assert report["n"] == 10
    assert {one: numbers["n"] for one, numbers in report["sets"].items()} == {
        f"{name} (1)": 5,
        f"{name} (2)": 5,
    }


def test_each_knowledge_base_is_searched_by_itself_and_they_are_averaged(empty, tmp_path):
    """The same words stand in both shops, and each customer is answered from the shop where they asked."""
    articles = [one | {"id": f"{kb}/{one['id']}", "kb": kb} for kb in ("shoes", "hats") for one in ARTICLES]
    asked = [said("customer", "When is a refund on my card?")]
    questions = [a_question(kb, *asked, gold=[f"{kb}/refund"], kb=kb) for kb in ("shoes", "hats", "hats")]
    corpus = write_lines(tmp_path / "corpus.jsonl", *articles)
    conversations = write_lines(tmp_path / "conversations.jsonl", *questions)

    report = empty.json("evaluate", "--kb", str(corpus), "--conversations", str(conversations))

    assert [one["n"] for one in report["sets"].values()] == [1, 2]
    assert all(name.endswith((": shoes", ": hats")) for name in report["sets"])
    assert (report["mean"]["n"], report["mean"]["strategies"]["blended"]["recall@1"]) == (2, 1.0)
    assert "precision@5" in report["mean"]["strategies"]["last_turn"]


def test_the_measures_are_grouped_by_tag_and_by_any_field_that_is_asked_for(empty, files):
    report = empty.json("evaluate", *files, "--by", "label")

    assert report["by"].keys() == {"tag", "label"}
    assert report["by"]["tag"]["bare_reply"]["strategies"]["blended"]["hit@1"] == 1.0
    assert {label: group["n"] for label, group in report["by"]["label"].items()} == {
        "ANSWER": 3,
        "OFF_TOPIC": 1,
        "HUMAN_REQUEST": 1,
    }
    assert report["auroc_by_label"] == {"OFF_TOPIC": 1.0}


def test_a_field_that_no_conversation_has_is_refused_with_those_that_are_there(empty, files):
    result = empty.run("evaluate", *files, "--by", "colour")

    assert result.exit_code == 1
    assert "no conversation has the field 'colour'; known are" in " ".join(result.stderr.split())


def test_people_read_the_tables_in_80_columns_whatever_a_set_is_called(empty, files, tmp_path):
    named = Path(files[3]).rename(tmp_path / "[bold]\x1b[31m.jsonl")

    result = empty.run("evaluate", *files[:3], str(named), COLUMNS="80")

    assert result.exit_code == 0, result.output
    for words in (
        "blended",
        "ndcg@10",
        "auroc",
        "from gold",
        "bare replies",
        "By tag",
        "customer_asked",
        "[bold]",
    ):
        assert words in result.stdout
    assert "\x1b" not in result.output
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_the_page_is_written_beside_the_numbers(empty, files, tmp_path):
    report = empty.json("evaluate", *files, "--html", str(tmp_path / "report.html"))

    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"<dd>{report['n']}</dd>" in text
    assert text.count("<svg") == 4


def test_a_page_that_cannot_be_written_is_said_in_a_sentence(empty, files, tmp_path):
    result = empty.run("evaluate", *files, "--html", str(tmp_path / "none" / "report.html"))

    assert result.exit_code == 1
    assert "report.html cannot be written (No such file or directory)" in result.stderr


def test_nothing_can_be_measured_on_articles_that_were_never_synced(empty, files):
    result = empty.run("evaluate", *files[2:])

    assert result.exit_code == 1
    assert "candor: the passage index is missing" in result.stderr


def test_without_a_calibration_the_turns_say_so_and_the_gate_nothing(uncalibrated, files):
    report = uncalibrated.json("evaluate", *files[2:])

    assert report["gate"] == {"threshold": None, "answerable_passed": None, "unanswerable_stopped": None}
    assert report["labels"]["ANSWER"]["handed_off"] == {"index_not_ready": 3}
    assert report["strategies"]["blended"]["recall@5"] == 0.0


def test_an_empty_file_of_conversations_is_refused(empty, files):
    Path(files[3]).write_text("")

    result = empty.run("evaluate", *files)

    assert result.exit_code == 1
    assert "holds no conversation" in result.stderr


def test_a_judge_without_its_key_is_refused_before_anything_is_measured(empty, files):
    result = empty.run("evaluate", *files, "--judge", "claude")

    assert result.exit_code == 1
    assert "candor: ANTHROPIC_API_KEY is not set" in result.stderr


def test_a_judge_says_which_answers_are_unfaithful(empty, files):
    with model_server(quotes_and_judges(doubted="Refunds")) as url:
        report = empty.json(
            "evaluate", *files, "--judge", "claude", ANTHROPIC_API_KEY="k", ANTHROPIC_BASE_URL=url
        )

    found = report["faithfulness"]
    assert (found["judged"], found["unjudged"], found["faithful"]) == (3, 0, 0.6667)
    assert found["ci"][0] < found["faithful"] < found["ci"][1]
    (unfaithful,) = found["unfaithful"]
    assert unfaithful["id"] == "a3"
    assert unfaithful["unsupported"] == [{"sentence": ARTICLES[1]["text"], "why": "It says so itself."}]


def test_people_read_the_unfaithful_sentences(empty, files):
    with model_server(quotes_and_judges(doubted="Refunds")) as url:
        result = empty.run(
            "evaluate", *files, "--judge", "claude", ANTHROPIC_API_KEY="k", ANTHROPIC_BASE_URL=url
        )

    assert result.exit_code == 0, result.output
    assert "Faithful: 67% of 3 judged answers" in result.stdout
    assert "It says so itself." in result.stdout


def test_a_key_that_is_rejected_ends_the_judging_in_a_sentence(empty, files):
    with model_server(quotes_and_judges(judging=rejects_key())) as url:
        result = empty.run(
            "evaluate", *files, "--judge", "claude", ANTHROPIC_API_KEY="k", ANTHROPIC_BASE_URL=url
        )

    assert result.exit_code == 1
    assert "candor: the model's provider rejects ANTHROPIC_API_KEY" in result.stderr
