"""`inspect`: what each text retrieves, and whether the gate would let it through."""

import pytest

pytestmark = pytest.mark.timeout(300)


def test_json_has_the_keys_of_the_contract(sample):
    (one, other) = sample.json("inspect", "How do I reschedule a class?", "What is a black hole?")

    assert set(one) == set(other) == {"text", "passages", "threshold", "passes"}
    assert (one["text"], one["passes"], other["passes"]) == ("How do I reschedule a class?", True, False)
    first = one["passages"][0]
    assert (first["rank"], first["article_id"]) == (1, "KB000003")
    assert {"article_id", "title", "cosine", "score"} <= set(first)


def test_passing_means_that_the_best_cosine_reaches_the_threshold(sample):
    for one in sample.json("inspect", "How do I reschedule a class?", "refunds", "What is a black hole?"):
        assert one["passes"] == (max(p["cosine"] for p in one["passages"]) >= one["threshold"])


def test_a_request_for_a_person_is_searched_like_any_text(sample):
    (one,) = sample.json("inspect", "can I get a person")

    assert one["passages"]


def test_people_see_lettered_tables_and_a_verdict(sample):
    printed = sample.run("inspect", "How do I reschedule a class?", "What is [/a] black hole?").stdout

    for part in ("A. How do I reschedule", "B. What is [/a] black hole?", "KB000003"):
        assert part in printed
    assert "passes the gate: best cosine" in printed
    assert "does not pass the gate: best cosine" in printed


def test_an_empty_knowledge_base_says_what_to_do(empty):
    result = empty.run("inspect", "hi")

    assert result.exit_code == 1
    assert "run python -m kb_sync SOURCE" in " ".join(result.stdout.split())


def test_an_empty_knowledge_base_is_json_too(empty):
    result = empty.run("inspect", "hi", "--json")

    assert result.exit_code == 1
    assert '"problem": "IndexNotReady: the passage index is missing' in result.stdout


def test_an_uncalibrated_knowledge_base_says_what_to_do(uncalibrated):
    result = uncalibrated.run("inspect", "reschedule")

    assert result.exit_code == 0
    assert "uncalibrated: run `python -m bot calibrate`" in result.stdout
    assert uncalibrated.json("inspect", "reschedule")[0]["passes"] is False
