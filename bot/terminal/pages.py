"""Pages that commands write to files."""

from datetime import UTC, datetime
from pathlib import Path

from bot.adapters.system_clock import SystemClock
from bot.errors import Refused


def made_now() -> str:
    """Return the time for people, as pages say when they were made."""
    return datetime.fromtimestamp(SystemClock().now_ms() / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def write_page(content: str, file: Path) -> None:
    """Write a page; Refused when the file cannot be written."""
    try:
        file.write_text(content, encoding="utf-8")
    except OSError as exc:
        raise Refused(f"{file} cannot be written ({exc.strerror}); name another with --html") from exc
