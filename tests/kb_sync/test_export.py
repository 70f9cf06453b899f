"""An export is read as it is, or refused in one sentence that names the line, the field and the remedy."""

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.knowledge import Article, ArticleStatus
from bot.errors import SourceRejected
from kb_sync.sources.export import ArticleExport
from kb_sync.sources.export_records import Record, lines_to_records, list_to_records
from kb_sync.sources.export_table import table_to_records
from kb_sync.sources.export_text import text_of
from kb_sync.sources.source import Problem
from tests.kb_sync.folders import CountedReading

RECORD = {"id": "KB1", "title": "Reschedule", "body": "Open the calendar."}
LINE = json.dumps(RECORD)


async def articles_of(folder: Path, name: str, content: str | bytes) -> list[Article]:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    delivery = await ArticleExport(file).read(CountedReading())
    return [one.clean() for one in delivery.articles]


async def refusal(folder: Path, name: str, content: str | bytes) -> str:
    with pytest.raises(SourceRejected) as refused:
        await articles_of(folder, name, content)
    return str(refused.value)


def zipped() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("articles.jsonl", LINE)
    return data.getvalue()


FULL = {
    "id": 4412950941074,
    "title": "Reschedule",
    "text": "Open the **calendar**.",
    "url": "https://help.example/1",
    "category": "Lessons",
    "tags": ["calendar", "24 hours"],
    "locale": "pt_BR",
    "supersedes": ["KB1", 2],
    "last_modified": "2026-09-14",
    "evergreen": True,
    "draft": True,
    "author": "somebody",
}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", json.dumps(FULL) + "\n\n"),
        ("a.NDJSON", "\ufeff" + json.dumps(FULL)),
        ("a.json", "\ufeff" + json.dumps([FULL], indent=2)),
    ],
)
async def test_every_field_of_a_record_is_read(tmp_path, name, content):
    (article,) = await articles_of(tmp_path, name, content)

    assert (article.id, article.title, article.body) == (
        "4412950941074",
        "Reschedule",
        "Open the **calendar**.",
    )
    assert (article.url, article.category) == ("https://help.example/1", "Lessons")
    assert (article.tags, article.supersedes) == (("calendar", "24 hours"), ("KB1", "2"))
    assert (article.locale, article.status) == ("pt-BR", ArticleStatus.DRAFT)
    assert (article.last_modified_ms, article.evergreen) == (1_789_344_000_000, True)


@pytest.mark.parametrize(
    ("name", "sign", "newline"), [("a.csv", ",", "\r\n"), ("a.tsv", "\t", "\n"), ("a.csv", ",", "\r")]
)
async def test_every_cell_of_a_table_is_read(tmp_path, name, sign, newline):
    header = ["ID", " Title ", "text", "body", "tags", "draft", "last_modified", ""]
    row = ["007", "Reschedule", '"Open ""it""\nand choose."', "", '"calendar, 24 hours"', "yes", "", ""]
    content = "\ufeff" + sign.join(header) + newline + sign.join(row) + newline + newline

    (article,) = await articles_of(tmp_path, name, content)

    assert (article.id, article.title) == ("007", "Reschedule")
    assert article.body == 'Open "it"\nand choose.'
    assert (article.tags, article.status) == (("calendar", "24 hours"), ArticleStatus.DRAFT)
    assert (article.locale, article.last_modified_ms) == ("en", None)


async def test_an_article_longer_than_the_readers_own_limit_is_read(tmp_path):
    (article,) = await articles_of(tmp_path, "a.csv", f"id,title,body\n1,A,{'word ' * 40_000}\n")

    assert len(article.body) == 199_999


async def test_origins_and_progress_are_told(tmp_path):
    (tmp_path / "a.jsonl").write_text(f'{LINE}\n\n{{"id": 2, "title": "B"}}\n')
    progress = CountedReading()

    delivery = await ArticleExport(tmp_path / "a.jsonl").read(progress)

    assert [one.origin for one in delivery.articles] == ["a.jsonl:1", "a.jsonl:3"]
    assert progress.pieces == 2


LOGIN = "\n<!DOCTYPE html><html><title>Sign in</title></html>"


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "is empty; export it again", id="0 bytes"),
        pytest.param(b"\xef\xbb\xbf \r\n", "is empty; export it again", id="only a mark"),
        pytest.param(LOGIN, "is a web page, not an export; sign in", id="login page"),
        pytest.param("<?xml version='1.0'?><a/>", "is XML", id="XML"),
        pytest.param(zipped(), "is a ZIP archive or a workbook; unpack it", id="ZIP"),
        pytest.param(zipped()[:40], "is a ZIP archive or a workbook; unpack it", id="half a ZIP"),
        pytest.param(gzip.compress(LINE.encode()), "is packed by gzip; unpack it", id="gzip"),
        pytest.param(LINE.encode("utf-16"), "is UTF-16 text; save it as UTF-8", id="UTF-16"),
        pytest.param(LINE.encode("utf-16-be"), "is UTF-16 text; save it as UTF-8", id="UTF-16 unmarked"),
        pytest.param(b"id,body\n1,caf\xe9\n", ":2: is not UTF-8 text; save it as UTF-8", id="Latin-1"),
        pytest.param(LINE.encode() + b"\n" + bytes(500), "holds zero bytes; export it", id="zero bytes"),
    ],
)
async def test_a_file_that_is_something_else_is_said_to_be_that(tmp_path, name, content, said):
    message = await refusal(tmp_path, name, content)

    assert message.startswith(name)
    assert said in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("[]", "a.json: holds no articles", id="empty list"),
        pytest.param(LINE, "a.json: is no list of records; write a list", id="one object"),
        pytest.param("[" + LINE, "a.json:1: ends in the middle of a record", id="no end"),
        pytest.param(f"[\n{LINE},\n", "a.json:3: ends in the middle of a record", id="after a comma"),
        pytest.param(f"[\n{LINE},\n{LINE[:-9]}", "a.json:3: ends in the middle", id="within a text"),
        pytest.param(f"[{LINE} {LINE}]", "a.json:1: has no comma after a record", id="no comma"),
        pytest.param(f"[{LINE}]\n[]", "a.json:1: goes on after the list", id="two lists"),
        pytest.param("[\n\n7]", "a.json:3: is no record; write an object", id="a number"),
        pytest.param('[{"id": NaN}]', "a.json:1: is no JSON (NaN is no value", id="NaN"),
        pytest.param('[{"id": 1, "id": 2}]', "a.json:1: its id is there twice", id="a field twice"),
        pytest.param("[" + '{"a":' * 100_000, "a.json:1: is nested too deeply", id="deep"),
        pytest.param(
            f"[{LINE},\n {LINE}]", "a.json:2: its id KB1 is also that of a.json:1", id="an id twice"
        ),
        pytest.param('[{"title": "A"}]', "a.json:1: its id is missing; add one", id="no id"),
        pytest.param('[{"id": 1}]', "a.json:1: its title is missing; add one", id="no title"),
        pytest.param('[{"id": 1, "body": ["x"]}]', "a.json:1: its body is ['x']", id="body is a list"),
    ],
)
async def test_a_list_that_cannot_be_trusted_is_refused(tmp_path, content, said):
    message = await refusal(tmp_path, "a.json", content)

    assert message.startswith(said)
    assert "; " in message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(f"[{LINE}]", "a.jsonl: is a list, not one record a line; let", id="a list"),
        pytest.param(LINE[:-4], "a.jsonl:1: ends in the middle of a record; export", id="truncated"),
        pytest.param(f"{LINE}\n{LINE[:20]}", "a.jsonl:2: ends in the middle of a record", id="last line"),
        pytest.param(f"{LINE}\nid: 2", "a.jsonl:2: is no JSON (Expecting value)", id="no JSON"),
        pytest.param(f"{LINE}\n{LINE}", "a.jsonl:2: its id KB1 is also that of a.jsonl:1", id="id twice"),
    ],
)
async def test_lines_that_cannot_be_trusted_are_refused(tmp_path, content, said):
    assert (await refusal(tmp_path, "a.jsonl", content)).startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("id,title,body\n", "a.csv: holds no articles", id="only a header"),
        pytest.param("id,body,ID\n1,x,2\n", "a.csv:1: its header names id twice", id="header twice"),
        pytest.param("\nid;title;body\n1;A;x\n", "a.csv:2: its cells are separated by semicolons", id=";"),
        pytest.param('"id"\t"body"\n1\tx\n', "a.csv:1: its cells are separated by tabs", id="tabs"),
        pytest.param("KB1,A,x\n", "a.csv:1: its header names no id; let the first line", id="no header"),
        pytest.param("id,title,content\n1,A,x\n", "a.csv:1: its header names no body", id="no body"),
        pytest.param("id,body\n1,a,b\n", "a.csv:2: has 3 cells, and its header names 2", id="more cells"),
        pytest.param("id,title,body\n1,A,x\n2\n", "a.csv:3: has 1 cells", id="cut off within a row"),
        pytest.param('id,body\n1,"a\nb', "a.csv:2: ends within a quoted cell", id="cut off within a cell"),
        pytest.param('id,body\n1,"a"b\n', "a.csv:2: has text after a cell's closing", id="quotation"),
        pytest.param(f"id,body\n1,{'x' * 32_767}\n", "a.csv:2: its body is 32,767 characters", id="Excel"),
        pytest.param("id,title,body\n1,A,x\n1,B,y\n", "a.csv:3: its id 1 is also that of", id="an id twice"),
        pytest.param('id,title,body\n1,A,"x\ny"\n2,B,z\n,C,z\n', "a.csv:5: its id is missing", id="line"),
    ],
)
async def test_a_table_that_cannot_be_trusted_is_refused(tmp_path, content, said):
    assert (await refusal(tmp_path, "a.csv", content)).startswith(said)


async def test_a_cell_without_end_is_refused(tmp_path):
    message = await refusal(tmp_path, "a.csv", f'id,body\n1,"{"x" * 16_000_001}"\n')

    assert message.startswith("a.csv:2: has a cell of more than 16,000,000 characters")


async def test_a_place_without_a_file_is_refused(tmp_path):
    (tmp_path / "folder.csv").mkdir()

    for name, said in (("gone.csv", "there is no such file"), ("folder.csv", "is no file")):
        with pytest.raises(SourceRejected, match=said):
            await ArticleExport(tmp_path / name).read(CountedReading())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.lists(st.dictionaries(st.text(max_size=5), JSON, max_size=3), max_size=4), st.sampled_from([None, 2])
)
def test_lines_and_lists_hold_the_same_records(values, indent):
    lines = "".join(json.dumps(value) + "\n" for value in values)
    whole = json.dumps(values, indent=indent)

    from_lines = [one.fields for one in lines_to_records(lines, "a") if isinstance(one, Record)]
    from_list = [one.fields for one in list_to_records(whole, "a") if isinstance(one, Record)]

    assert from_lines == from_list
    assert len(from_list) == len(values)


@given(
    st.lists(st.dictionaries(st.text(max_size=3), st.integers(), max_size=2), min_size=1, max_size=3),
    st.data(),
)
def test_a_list_that_is_cut_off_is_never_read_as_whole(values, data):
    whole = json.dumps(values)
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]

    assert any(isinstance(one, Problem) for one in list_to_records(cut, "a"))


@given(st.text(alphabet='{}[]",:1nai \n\\', max_size=60) | st.text(max_size=60))
@settings(deadline=None)
def test_any_text_gives_records_or_problems(text):
    for read in (
        *lines_to_records(text, "a"),
        *list_to_records(text, "a"),
        *table_to_records(f"id,body\n{text}", "a", ","),
        *table_to_records(text, "a", "\t"),
    ):
        assert isinstance(read, Problem | Record)


@given(st.binary(max_size=60))
def test_any_bytes_are_text_or_a_problem(data):
    assert isinstance(text_of(data, "a"), str | Problem)
