"""`.env.example` is the list of settings: every one that there is, and no other."""

import re
from pathlib import Path

import pytest

from bot.settings import Settings, read_settings

EXAMPLE = Path(__file__).parents[1] / ".env.example"
DESIGNED = re.findall(
    r"\w+",
    """
CANDOR_DATA_DIR HOST PORT LOG_LEVEL TRUSTED_PROXIES BOT_ENABLED RETRIEVAL_ENABLED NO_EVIDENCE_POLICY SECRET_KEY
MONGODB_URI MONGODB_DATABASE MONGODB_DRIVER KB_SOURCE KB_MONGODB_URI KB_DATABASE KB_LOCALE CANDOR_EMBEDDING_MODEL
VOYAGE_API_KEY VOYAGE_MODEL VOYAGE_BASE_URL ANTHROPIC_API_KEY ANTHROPIC_MODEL ANTHROPIC_BASE_URL
SLACK_BOT_TOKEN SLACK_SIGNING_SECRET SLACK_APP_TOKEN SLACK_HANDOFF_CHANNEL SLACK_BASE_URL
WIDGET_ORIGINS WIDGET_JWT_SECRET BUSINESS_HOURS RECORDS_URL RECORDS_DESCRIPTION
""",
)
ENTRY = re.compile(r"^#(?P<name>[A-Z][A-Z0-9_]*)=(?P<value>.*)$", re.MULTILINE)

ENTRIES = [(entry["name"], entry["value"]) for entry in ENTRY.finditer(EXAMPLE.read_text(encoding="utf-8"))]
NAMES = [name for name, _ in ENTRIES]
BUILT = {field.alias or name.upper() for name, field in Settings.model_fields.items()}


def test_every_setting_stands_in_it_once():
    assert sorted(NAMES) == sorted(BUILT)


def test_the_settings_of_the_design_are_known():
    assert set(DESIGNED) - set(NAMES) == set()


def test_everything_in_it_is_commented_out():
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if line and not line.startswith("#")] == []
    assert read_settings({}, EXAMPLE) == Settings()


@pytest.mark.parametrize(("name", "value"), [entry for entry in ENTRIES if entry[1] and entry[0] in BUILT])
def test_every_value_in_it_is_one_that_can_be_set(name, value):
    read_settings({name: value}, Path("no-such.env"))


@pytest.mark.parametrize(
    ("name", "value"), [(n, v) for n, v in ENTRIES if n in BUILT - {"GATE_THRESHOLD", "KB_SOURCE"}]
)
def test_the_value_beside_a_setting_is_its_default(name, value):
    assert read_settings({name: value}, Path("no-such.env")) == Settings()
