"""Runs `python -m bot …` as a person does: from nothing, or in a fork of what has imported it, which is most of what a command costs."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.__main__ import app
from tests.faults.processes import FORKING
from tests.rules.tree import ROOT

ENDS_WITHIN_S = 60.0
STDOUT, STDERR = 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What is typed, where, and the settings that the environment has beside."""

    arguments: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


def ended(command: Command) -> Ended:
    """Run it to its end in a fork."""
    out, err = command.folder / "out", command.folder / "err"
    process = FORKING.Process(target=_run, args=(command, out, err), daemon=True)
    process.start()
    process.join(ENDS_WITHIN_S)
    assert process.exitcode is not None, err.read_text("utf-8")
    return Ended(code=process.exitcode, out=out.read_text("utf-8"), err=err.read_text("utf-8"))


def ended_from_nothing(command: Command) -> Ended:
    """Run it to its end in a new interpreter."""
    run = subprocess.run(
        [sys.executable, "-m", "bot", *command.arguments],
        cwd=command.folder,
        env={"PYTHONPATH": str(ROOT), **command.environment},
        capture_output=True,
        text=True,
        timeout=ENDS_WITHIN_S,
        check=False,
    )
    return Ended(code=run.returncode, out=run.stdout, err=run.stderr)


def _run(command: Command, out: Path, err: Path) -> None:
    for file, stream in ((out, STDOUT), (err, STDERR)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
    own = pytest.MonkeyPatch()
    own.chdir(command.folder)
    for name, value in command.environment.items():
        own.setenv(name, value)
    app(command.arguments)
