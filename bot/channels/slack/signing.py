"""Whether Slack itself sent a request: its HMAC over the raw bytes, and at most five minutes between its clock and ours. Pure."""

import hashlib
import hmac

LARGEST_GAP_S = 300
LONGEST_TIMESTAMP = 12  # digits of seconds: for thirty thousand years
VERSION = "v0"


def is_signed(body: bytes, *, secret: str, timestamp: str | None, signature: str | None, now_ms: int) -> bool:
    """Return whether *body* came from who knows *secret*, within the time in which a signature counts."""
    if timestamp is None or signature is None or not signature.isascii():
        return False
    if not _is_whole(timestamp) or abs(now_ms - int(timestamp) * 1000) > LARGEST_GAP_S * 1000:
        return False
    return hmac.compare_digest(signed(body, secret=secret, timestamp=timestamp), signature)


def signed(body: bytes, *, secret: str, timestamp: str) -> str:
    """Return the signature that Slack puts under *body*."""
    base = f"{VERSION}:{timestamp}:".encode() + body
    return f"{VERSION}=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()


def _is_whole(timestamp: str) -> bool:
    """Other digits than those of ASCII would be numbers to Python."""
    return timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= LONGEST_TIMESTAMP
