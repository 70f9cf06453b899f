"""The token that ties a browser to its conversation: signed, with a key id, an audience and a sliding expiry."""

import base64
import binascii
from collections.abc import Sequence
from hashlib import sha256

import jwt

from bot.core.conversation import ConversationId
from bot.core.customers import Ticket
from bot.errors import Misconfigured
from bot.ports import Clock

LIFETIME_S = 30 * 24 * 3600
SHORTEST_KEY_BYTES = 32
LONGEST_TOKEN = 1_024
ALGORITHM = "HS256"


class SessionTokens:
    """Signs with the first key and accepts all of them, so that keys can be rotated."""

    def __init__(self, keys: Sequence[str], *, clock: Clock, audience: str = "candor-widget") -> None:
        if not keys or any(len(key.encode()) < SHORTEST_KEY_BYTES for key in keys):
            raise Misconfigured(
                f"SECRET_KEY: needs at least {SHORTEST_KEY_BYTES} bytes; use random characters"
            )
        self._keys = {_key_id(key): key for key in keys}
        self._signing = _key_id(keys[0])
        self._clock = clock
        self._audience = audience

    def issue(self, conversation: ConversationId, *, epoch: int = 0) -> str:
        """Return a fresh token, good until the customer has signed out *epoch* times and once more; each starts the 30 days anew."""
        claims = {
            "sub": conversation,
            "aud": self._audience,
            "exp": self._now_s() + LIFETIME_S,
            "epoch": epoch,
        }
        return jwt.encode(claims, self._keys[self._signing], ALGORITHM, headers={"kid": self._signing})

    def ticket_of(self, token: str) -> Ticket | None:
        """Return what a token stands for; None when it is not one of ours or has expired."""
        try:
            claims = self._claims(token)
        except (jwt.InvalidTokenError, UnicodeError):
            return None
        subject, expires, epoch = claims["sub"], claims["exp"], claims["epoch"]
        if not (isinstance(subject, str) and isinstance(expires, int) and isinstance(epoch, int)):
            return None
        is_live = expires > self._now_s()
        return Ticket(conversation=ConversationId(subject), epoch=epoch) if is_live else None

    def _claims(self, token: str) -> dict[str, object]:
        if len(token) > LONGEST_TOKEN or not _is_canonical(token):
            raise jwt.InvalidTokenError
        key = self._keys.get(str(jwt.get_unverified_header(token).get("kid")))
        if key is None:
            raise jwt.InvalidTokenError
        return jwt.decode(
            token,
            key,
            algorithms=[ALGORITHM],
            audience=self._audience,
            # Expiry is checked above against the clock that was passed in, not the machine's.
            options={"require": ["sub", "aud", "exp", "epoch"], "verify_exp": False},
        )

    def _now_s(self) -> int:
        return self._clock.now_ms() // 1000


def _key_id(key: str) -> str:
    return sha256(b"candor-key-id:" + key.encode()).hexdigest()[:12]


def _is_canonical(token: str) -> bool:
    """Base64 ignores foreign characters and spare bits, so two spellings of one signature would both verify."""
    signature = token.rpartition(".")[2]
    try:
        raw = base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4))
    except (binascii.Error, ValueError):
        return False
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode() == signature
