"""The lock files install the same thing everywhere: exact versions, with hashes, from whichever index a machine uses."""

import re

import pytest

from tests.rules.tree import ROOT

RUNTIME = "requirements.lock"
DEVELOPMENT = "tests/requirements-dev.lock"
ENTRY = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; [^\\]+)? \\$", re.MULTILINE)


@pytest.mark.parametrize("path", [RUNTIME, DEVELOPMENT])
def test_a_lock_names_no_index(path):
    assert re.findall(r"^--(?!hash).*|\w+://\S+", _text(path), re.MULTILINE) == []


@pytest.mark.parametrize("path", [RUNTIME, DEVELOPMENT])
def test_every_locked_version_is_exact_and_has_hashes(path):
    entries = re.findall(r"^\S.*\n.*", _text(path).split("make lock\n", maxsplit=1)[1], re.MULTILINE)

    assert entries
    assert [entry for entry in entries if not ENTRY.match(entry) or "--hash=sha256:" not in entry] == []


def test_development_runs_on_the_versions_that_the_service_gets():
    assert _versions(RUNTIME) - _versions(DEVELOPMENT) == set()


def _versions(path: str) -> set[tuple[str, str]]:
    return {(entry["name"], entry["version"]) for entry in ENTRY.finditer(_text(path))}


def _text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
