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
