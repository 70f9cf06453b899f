"""The settings say everything that is wrong with them at once, and nothing is ignored in silence."""

from ipaddress import IPv4Network
from pathlib import Path

import pytest

from bot.errors import Misconfigured
from bot.settings import Settings, read_settings

NO_FILE = Path("no-such.env")


def refusal(**environment: str) -> str:
    with pytest.raises(Misconfigured) as refused:
        read_settings(environment, NO_FILE)
    return str(refused.value)


def test_everything_has_a_default():
    settings = read_settings({}, NO_FILE)

    assert settings == Settings()
    assert settings.data_dir == Path("var").resolve()
    assert (settings.host, settings.port, settings.no_evidence_policy) == ("127.0.0.1", 8080, "handoff")


def test_an_empty_value_counts_as_unset():
    assert read_settings({"PORT": "", "CANDOR_DATA_DIR": " ", "ANTHROPIC_API_KEY": ""}, NO_FILE) == Settings()


def test_lists_are_separated_by_commas():
    settings = read_settings(
        {"WIDGET_ORIGINS": "https://a.example, http://localhost:3000", "TRUSTED_PROXIES": "10.0.0.0/8"},
        NO_FILE,
    )

    assert settings.widget_origins == ("https://a.example", "http://localhost:3000")
    assert settings.trusted_proxies == (IPv4Network("10.0.0.0/8"),)


def test_the_environment_wins_over_the_file(tmp_path):
    file = tmp_path / ".env"
    file.write_text("PORT=9000\nHOST=0.0.0.0\nSOMETHING_ELSE=1\n")

    settings = read_settings({"PORT": "9001"}, file)

    assert (settings.host, settings.port) == ("0.0.0.0", 9001)  # noqa: S104 - a value to compare, nothing listens


def test_secrets_are_not_shown():
    settings = read_settings({"SECRET_KEY": "s" * 40}, NO_FILE)

    assert "sss" not in repr(settings)
    assert settings.secret_key is not None
    assert settings.secret_key.get_secret_value() == "s" * 40


def test_all_wrong_settings_are_named_in_one_message():
    message = refusal(PORT="99999", LOG_LEVEL="loud", SECRET_KEY="short", CANDOR_DATADIR="x", RECORDS_URL="m")

    for name in ("PORT:", "LOG_LEVEL:", "SECRET_KEY:", "CANDOR_DATADIR:", "RECORDS_URL:"):
        assert name in message


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        pytest.param("CANDOR_DATADIR", "x", "did you mean CANDOR_DATA_DIR?", id="misspelled"),
        pytest.param("CANDOR_PORT", "8081", "did you mean PORT?", id="prefixed by mistake"),
        pytest.param("RECORDS_URL", "mysql://db.example/shop", "is neither an address", id="other records"),
        pytest.param("RECORDS_URL", "sqlite:", "is neither an address", id="records in no file"),
        pytest.param("RECORDS_URL", "sqlite:a.db", "RECORDS_DESCRIPTION: is missing", id="nobody's records"),
        pytest.param("RECORDS_DESCRIPTION", "r.toml", "needs RECORDS_URL", id="a description of nothing"),
        pytest.param("SLACK_BOT_TOKEN", "xoxb-1", "needs SLACK_SIGNING_SECRET", id="Slack without a way in"),
        pytest.param("SLACK_APP_TOKEN", "xapp-1", "SLACK_BOT_TOKEN: is missing", id="Slack without a bot"),
        pytest.param("SLACK_APP_TOKEN", "xoxb-1", "begins with xapp-", id="a bot's token as the app's"),
        pytest.param("SLACK_HANDOFF_CHANNEL", "C012345", "needs SLACK_BOT_TOKEN", id="a desk without a bot"),
        pytest.param("SLACK_HANDOFF_CHANNEL", "#help", "is no channel's id", id="a channel's name"),
        pytest.param("SLACK_AGENTS", "@anna", "is no member's id", id="a member's name"),
        pytest.param(
            "MONGODB_URI", "db.example:27017", "is not an address such as mongodb://", id="no MongoDB"
        ),
        pytest.param(
            "MONGODB_URI", "mongodb://me:a/b@db.example", "write / as %2F", id="a slash in a password"
        ),
        pytest.param("MONGODB_DATABASE", "can.dor", "should match pattern", id="no database's name"),
        pytest.param("MONGODB_DRIVER", "mongoengine", "'motor' or 'pymongo'", id="unknown driver"),
        pytest.param("KB_DATABASE", "kb", "needs KB_MONGODB_URI, or MONGODB_URI", id="a database nowhere"),
        pytest.param("SECRET_KEY", "secret", "at least 32 characters", id="weak"),
        pytest.param(
            "WIDGET_ORIGINS", "https://a.example/shop", "is not a site's address", id="path in origin"
        ),
        pytest.param("WEBHOOK_URL", "ftp://a.example", "is not an address such as https://", id="no web"),
        pytest.param("WEBHOOK_URL", "https://a.example/x", "needs WEBHOOK_SECRET", id="unsigned webhooks"),
        pytest.param("WEBHOOK_SECRET", "short", "at least 32 characters", id="weak webhook secret"),
        pytest.param("WIDGET_JWT_SECRET", "short", "at least 32 characters", id="weak identity secret"),
        pytest.param("WIDGET_JWT_SECRET_OLD", "s" * 32, "set that too", id="only the old identity secret"),
        pytest.param("WIDGET_IDENTITY_REQUIRED", "true", "needs WIDGET_JWT_SECRET", id="nobody let in"),
        pytest.param("TRUSTED_PROXIES", "proxy", "'proxy' is not an address", id="proxy by name"),
    ],
)
def test_a_wrong_setting_is_refused_with_a_remedy(name, value, said):
    assert said in refusal(**{name: value})


def test_webhooks_may_go_to_an_address_of_the_own_network():
    settings = read_settings(
        {"WEBHOOK_URL": "http://10.0.0.7:9000/in?token=t0ken", "WEBHOOK_SECRET": "s" * 32}, NO_FILE
    )

    assert settings.webhook_url is not None
    assert settings.webhook_url.get_secret_value() == "http://10.0.0.7:9000/in?token=t0ken"
    assert "t0ken" not in repr(settings)


def test_of_webhook_settings_that_are_both_wrong_each_is_named():
    message = refusal(WEBHOOK_URL="shop", WEBHOOK_SECRET="short")

    assert "WEBHOOK_URL: is not an address" in message
    assert "WEBHOOK_SECRET: must have" in message


@pytest.mark.parametrize("name", ["WIDGET_JWT_SECRET", "WIDGET_JWT_SECRET_OLD"])
def test_who_signs_identities_cannot_sign_tokens_of_ours(name):
    secrets = {"SECRET_KEY": "s" * 32, "WIDGET_JWT_SECRET": "t" * 32, name: "s" * 32}

    assert f"{name}: is the same as SECRET_KEY" in refusal(**secrets)


def test_a_site_may_require_identities_and_change_its_secret():
    settings = read_settings(
        {
            "WIDGET_JWT_SECRET": "t" * 32,
            "WIDGET_JWT_SECRET_OLD": "u" * 32,
            "WIDGET_IDENTITY_REQUIRED": "true",
        },
        NO_FILE,
    )

    assert settings.widget_identity_required


def test_a_refused_secret_is_not_repeated():
    assert "hunter2" not in refusal(SECRET_KEY="hunter2")


@pytest.mark.parametrize(("written", "seconds"), [("90s", 90), ("15m", 900), ("6H", 21_600)])
def test_an_expected_interval_is_read_as_seconds(written, seconds):
    assert read_settings({"KB_SYNC_EVERY": written}, NO_FILE).kb_sync_every == seconds


@pytest.mark.parametrize("written", ["15", "0m", "a day", "-5m"])
def test_an_interval_that_is_none_is_refused_with_an_example(written):
    with pytest.raises(Misconfigured, match=r"KB_SYNC_EVERY: .* is not a duration such as 90s, 15m or 6h"):
        read_settings({"KB_SYNC_EVERY": written}, NO_FILE)


def test_a_ping_address_is_refused_without_being_repeated():
    with pytest.raises(Misconfigured, match="KB_PING_URL: is not an address") as refused:
        read_settings({"KB_PING_URL": "hc-ping.example/secret-path"}, NO_FILE)
    assert "secret-path" not in str(refused.value)


def test_articles_are_not_kept_among_conversations():
    here = {"MONGODB_URI": "mongodb://db.example", "MONGODB_DATABASE": "shop", "KB_DATABASE": "shop"}

    assert "KB_DATABASE: is MONGODB_DATABASE" in refusal(**here)
    elsewhere = read_settings({**here, "KB_MONGODB_URI": "mongodb://kb.example"}, NO_FILE)
    assert elsewhere.kb_database == "shop"


def test_no_part_of_an_address_that_lets_somebody_in_is_shown_or_logged():
    settings = read_settings({"MONGODB_URI": "mongodb+srv://bot:hunter22@db.example/?w=1"}, NO_FILE)

    assert "hunter22" not in repr(settings)
    assert {"hunter22", "mongodb+srv://bot:hunter22@db.example/?w=1"} <= set(settings.secrets())


def test_a_refused_address_is_not_repeated():
    assert "hunter22" not in refusal(MONGODB_URI="postgres://bot:hunter22@db.example")


@pytest.mark.parametrize("address", ["sample", "sqlite:shop.db"])
def test_an_address_of_records_without_a_password_is_no_secret(address, tmp_path):
    description = {} if address == "sample" else {"RECORDS_DESCRIPTION": str(tmp_path / "records.toml")}
    settings = read_settings({"RECORDS_URL": address, **description}, NO_FILE)

    assert settings.records_url == address
    assert settings.secrets() == ()


def test_the_password_of_records_is_one():
    address = "postgresql://reader:hunter22@db.example/shop"
    settings = read_settings({"RECORDS_URL": address, "RECORDS_DESCRIPTION": "records.toml"}, NO_FILE)

    assert "hunter22" not in repr(settings)
    assert set(settings.secrets()) == {address, "hunter22"}
    assert "hunter22" not in refusal(RECORDS_URL="mysql://reader:hunter22@db.example/shop")
