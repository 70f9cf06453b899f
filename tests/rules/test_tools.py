"""Format, lint, types and import contracts hold, so that running the tests is running every check."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules.tree import ROOT

LINT_IMPORTS = str(Path(sys.executable).with_name("lint-imports"))


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "command",
    [
        pytest.param((sys.executable, "-m", "ruff", "format", "--check", "."), id="format"),
        pytest.param((sys.executable, "-m", "ruff", "check", "."), id="lint"),
        pytest.param((sys.executable, "-m", "mypy"), id="types"),
        pytest.param((LINT_IMPORTS,), id="import-contracts"),
    ],
)
def test_the_tool_finds_nothing(command):
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert run.returncode == 0, f"{' '.join(command)}\n{run.stdout}{run.stderr}"
