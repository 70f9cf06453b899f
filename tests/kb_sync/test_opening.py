"""What people type names one source, or they are told what they may type."""

import pytest

from bot.errors import SourceRejected
from kb_sync.sources.export import ArticleExport
from kb_sync.sources.markdown_folder import MarkdownFolder
from kb_sync.sources.opening import SourceAccess, source_of
from kb_sync.sources.website import Website
from kb_sync.sources.zendesk import ZendeskHelpCenter

ACCESS = SourceAccess(zendesk_email="agent@acme.example", zendesk_token="token")


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("{}", MarkdownFolder, "{}"),
        ("{}/articles.JSONL", ArticleExport, "{}/articles.JSONL"),
        ("{}/articles.csv", ArticleExport, "{}/articles.csv"),
        ("https://help.example/docs", Website, "https://help.example/docs/"),
        ("HTTPS://help.example/map.xml", Website, "https://help.example/map.xml"),
        ("zendesk:https://acme.zendesk.com", ZendeskHelpCenter, "zendesk:https://acme.zendesk.com"),
    ],
)
def test_each_form_names_its_source(tmp_path, text, kind, name):
    source = source_of(text.format(tmp_path), ACCESS)

    assert isinstance(source, kind)
    assert source.name == name.format(tmp_path)


def test_a_relative_place_is_named_whole(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "articles.csv").mkdir()

    source = source_of("articles.csv", ACCESS)

    assert isinstance(source, MarkdownFolder)
    assert source.name == str(tmp_path / "articles.csv")


@pytest.mark.parametrize("text", ["nowhere", "notes.txt", "ftp://help.example", "", "a\0b", "x" * 5_000])
def test_anything_else_is_refused_with_what_may_be_named(tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("x")

    with pytest.raises(SourceRejected) as refused:
        source_of(text, ACCESS)

    assert "a folder of Markdown files, a file that ends in .jsonl" in str(refused.value)
    assert "\n" not in str(refused.value)
