"""Articles in JSON lines: `text` or `body`, ids that may be numbers, and nothing that stands twice."""

import json

import pytest

from bot.errors import InputRejected
from bot.evaluation.corpus import read_corpus


def test_text_and_body_are_the_same_field(tmp_path):
    file = tmp_path / "corpus.jsonl"
    rows = {"id": 1, "title": "A", "text": "one", "url": "https://x.example"}, {"id": "b", "body": "two"}
    file.write_text("\n\n".join(json.dumps(row) for row in rows))

    first, second = read_corpus(file)

    assert (first.id, first.title, first.body, first.url) == ("1", "A", "one", "https://x.example")
    assert (second.id, second.title, second.body) == ("b", "", "two")


def test_a_knowledge_base_has_its_own_articles_and_those_of_none(tmp_path):
    file = tmp_path / "corpus.jsonl"
    rows = (
        {"id": "a", "text": "one", "kb": "shoes"},
        {"id": "b", "text": "two", "kb": "hats"},
        {"id": "c", "text": "three"},
    )
    file.write_text("\n".join(json.dumps(row) for row in rows))

    assert [article.id for article in read_corpus(file, kb="hats")] == ["b", "c"]
    assert [article.id for article in read_corpus(file)] == ["a", "b", "c"]


def test_a_knowledge_base_without_an_article_is_named(tmp_path):
    file = tmp_path / "corpus.jsonl"
    file.write_text(json.dumps({"id": "a", "text": "one", "kb": "shoes"}))

    with pytest.raises(InputRejected, match="holds no article of the knowledge base hats"):
        read_corpus(file, kb="hats")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", "corpus.jsonl: holds no article", id="empty"),
        pytest.param('{"id": "a"}\n{"id": "a"}', "corpus.jsonl:2: id: a stands in an earlier", id="twice"),
        pytest.param('{"title": "a"}', "corpus.jsonl:1: id: Field required", id="no id"),
        pytest.param('{"id": "a", "text": []}', "corpus.jsonl:1: text: Input should be", id="text a list"),
        pytest.param("a,b", "corpus.jsonl:1: is not JSON", id="comma-separated"),
    ],
)
def test_a_wrong_file_is_named_with_line_field_and_remedy(tmp_path, text, said):
    file = tmp_path / "corpus.jsonl"
    file.write_text(text)

    with pytest.raises(InputRejected) as refused:
        read_corpus(file)

    assert said in str(refused.value)
    assert refused.value.remedy


def test_a_file_of_another_encoding_is_named(tmp_path):
    file = tmp_path / "corpus.jsonl"
    file.write_bytes("caf\u00e9".encode("latin-1"))

    with pytest.raises(InputRejected, match="name a UTF-8 file"):
        read_corpus(file)
