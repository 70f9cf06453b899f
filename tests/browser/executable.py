"""Finds the Chromium that browser tests drive: the one $CHROMIUM names, the system's, or Playwright's own."""

import os
import shutil
import subprocess
from pathlib import Path

COMMANDS = ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")


def system_chromium() -> str | None:
    """The path of a browser that starts; None when the machine has none of its own."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    found = (shutil.which(command) for command in COMMANDS)
    return next((path for path in found if path is not None and _starts(path)), None)


def is_installed(path: str) -> bool:
    return Path(path).is_file() and _starts(path)


def _starts(path: str) -> bool:
    """Some systems ship a stub in the browser's place that only says how to install it."""
    try:
        return (
            subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False).returncode == 0
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
