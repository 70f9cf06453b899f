"""`python -m bot` as people use it: its arguments, its environment, what it prints and its exit code."""

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from bot.__main__ import app
from bot.settings import Settings


class CommandLine:
    """Runs the bot's commands on a data directory, with no other setting than those that a test gives."""

    def __init__(self, data: Path) -> None:
        self.data = data

    def run(self, *arguments: str, **environment: str) -> Result:
        unset = dict.fromkeys(_setting_names())
        given = {"CANDOR_DATA_DIR": str(self.data), **environment}
        return CliRunner().invoke(app, arguments, env={**unset, **given})

    def json(self, *arguments: str, **environment: str):
        """Return what a command prints with --json; it must succeed."""
        result = self.run(*arguments, "--json", **environment)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)


def _setting_names() -> list[str]:
    return [field.alias or name.upper() for name, field in Settings.model_fields.items()]


def write_lines(file: Path, *rows: object) -> Path:
    """Write JSON lines."""
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def said(role: str, text: str, **fields: object) -> dict[str, object]:
    """Return a message as it stands in a file."""
    return {"role": role, "text": text, **fields}
