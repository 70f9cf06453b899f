"""Which database a part is in follows from the settings, is said in words, and never with a password."""

from pathlib import Path

import pytest

from bot.adapters.mongo.access import Driver
from bot.errors import Refused
from bot.places import articles_at, articles_named, conversations_at, require_data, store_named
from bot.settings import Settings, read_settings

SERVER = "mongodb://bot:hunter22@db.example:27017/?tls=true"
OTHER = "mongodb+srv://reader:s3cret99@articles.example"


def settings(**environment: str) -> Settings:
    return read_settings(environment, Path("no-such.env"))


def test_without_an_address_everything_is_in_the_file():
    assert (conversations_at(settings()), articles_at(settings())) == (None, None)
    assert store_named(settings()) == "SQLite in candor.db (MONGODB_URI is not set)"


def test_articles_of_their_own_server_leave_conversations_in_the_file():
    chosen = settings(KB_MONGODB_URI=OTHER)

    assert conversations_at(chosen) is None
    assert articles_named(chosen) == "MongoDB database candor_kb at articles.example (KB_DATABASE not set)"


def test_articles_inherit_the_server_and_that_is_said():
    chosen = settings(MONGODB_URI=SERVER, MONGODB_DATABASE="shop", MONGODB_DRIVER="pymongo")

    articles = articles_at(chosen)
    assert articles is not None
    assert (articles.uri, articles.database, articles.driver, articles.setting) == (
        SERVER, "shop_kb", Driver.PYMONGO, "MONGODB_URI",
    )  # fmt: skip
    assert store_named(chosen) == "MongoDB database shop at db.example:27017, through pymongo"
    assert articles_named(chosen) == (
        "MongoDB database shop_kb at db.example:27017 (KB_MONGODB_URI and KB_DATABASE not set)"
    )


def test_what_has_settings_of_its_own_inherits_nothing():
    chosen = settings(MONGODB_URI=SERVER, KB_MONGODB_URI=OTHER, KB_DATABASE="articles")

    articles = articles_at(chosen)
    assert articles is not None
    assert (articles.uri, articles.database, articles.setting) == (OTHER, "articles", "KB_MONGODB_URI")
    assert articles_named(chosen) == "MongoDB database articles at articles.example"
    assert "s3cret99" not in repr(articles)


def test_a_command_that_reads_wants_a_data_file_only_where_there_would_be_one(tmp_path):
    with pytest.raises(Refused, match="there is no data file"):
        require_data(Settings(data_dir=tmp_path))
    require_data(settings(CANDOR_DATA_DIR=str(tmp_path), MONGODB_URI=SERVER))
