"""A command as a person at a terminal runs it: a process of its own whose input and output are one pseudo-terminal."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]


def at_a_terminal(data: Path, *arguments: str, typed: str) -> str:
    """Type ahead, run the command to its end, and return what stood on the screen; it must succeed."""
    master, slave = pty.openpty()
    os.write(master, typed.encode())
    environment = {"CANDOR_DATA_DIR": str(data), "PYTHONPATH": str(ROOT), "TERM": "dumb", "COLUMNS": "80"}
    with subprocess.Popen(
        (sys.executable, "-m", "bot", *arguments),
        stdin=slave,
        stdout=slave,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as command:
        os.close(slave)
        screen = b"".join(_shown(master)).decode()
    os.close(master)
    assert command.returncode == 0, screen
    return screen.replace("\r\n", "\n")


def _shown(master: int) -> Iterator[bytes]:
    with suppress(OSError):  # how Linux says that the last process at the other end is gone
        while part := os.read(master, 4096):
            yield part
