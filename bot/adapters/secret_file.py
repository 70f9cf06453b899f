"""The signing key that an installation makes for itself when SECRET_KEY is unset; kept beside the data."""

import os
import secrets
from pathlib import Path

from bot.errors import Misconfigured

KEY_BYTES = 32


def kept_secret(path: Path) -> str:
    """Return the key in *path*, made now when there is none; Misconfigured when it cannot be read or written.

    Created exclusively, so that of two processes that start at once both use the winner's key.
    """
    try:
        _create(path, secrets.token_hex(KEY_BYTES))
        key = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as exc:
        raise Misconfigured(f"{path}: the signing key cannot be kept there ({exc}); set SECRET_KEY") from exc
    if len(key) < KEY_BYTES:
        raise Misconfigured(f"{path}: the signing key is cut short; delete the file, or set SECRET_KEY")
    return key


def _create(path: Path, key: str) -> None:
    """Write beside and link into place: a reader never sees half a key."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)  # where nothing else is kept in a file
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(key)
            file.flush()
            os.fsync(
                file.fileno()
            )  # a power cut must not leave an empty key, which would refuse the next start
        path.hardlink_to(draft)
    except FileExistsError:
        return  # another process was first, and its key counts
    finally:
        draft.unlink(missing_ok=True)
