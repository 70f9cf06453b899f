"""The proof of who a customer is: a JWT that the embedding site's own server has just signed (FAULTS W3).

One algorithm, our audience, an hour at most, and no key that the token itself chooses. What is refused stays unknown; nothing is half believed.
"""

from collections.abc import Mapping, Sequence
from typing import TypeGuard

import jwt

from bot.core.customers import Identity, to_address, to_name, to_subject
from bot.errors import AccessRefused, InputRejected
from bot.ports import Clock

ALGORITHM = "HS256"
LONGEST_LIFE_S = 3_600
CLOCKS_DIFFER_S = 60  # by which a site's clock may be ahead of ours
LONGEST_TOKEN = 4_096
LATEST_S = 2**53  # a later time is none, and would not fit where times are kept

Claims = Mapping[str, object]


class IdentityTokens:
    """Believes what any of the keys has signed, so that keys can be rotated; without keys, nothing."""

    def __init__(self, keys: Sequence[str], *, clock: Clock, audience: str = "candor") -> None:
        self._keys = tuple(keys)
        self._clock = clock
        self._audience = audience

    def identity_of(self, token: str) -> Identity:
        """Return whom the site vouches for; AccessRefused says, to operators, what is wrong."""
        if len(token) > LONGEST_TOKEN:
            raise AccessRefused("too_long")
        claims = self._claims(token)
        issued_ms = _issued_ms(claims, now_s=self._clock.now_ms() / 1000)
        try:
            return _to_identity(claims, issued_ms=issued_ms)
        except InputRejected as exc:
            raise AccessRefused(f"{exc.field}_rejected") from exc

    def _claims(self, token: str) -> Claims:
        why: Exception | None = None
        for key in self._keys:
            try:
                return self._signed_with(key, token)
            except (jwt.PyJWTError, UnicodeError, RecursionError) as exc:
                why = why if isinstance(exc, jwt.InvalidSignatureError) and why else exc
        raise AccessRefused(_code_of(why)) from why

    def _signed_with(self, key: str, token: str) -> Claims:
        return jwt.decode(
            token,
            key,
            algorithms=[ALGORITHM],
            audience=self._audience,
            # Times are judged below by the clock that was passed in, not the machine's.
            options={
                "require": ["sub", "aud", "exp"],
                "verify_exp": False,
                "verify_iat": False,
                "verify_nbf": False,
            },
        )


def _issued_ms(claims: Claims, *, now_s: float) -> int:
    """Return when a token was signed; of one that does not say it, the earliest moment at which it can have been."""
    expires_s, issued_s, begins_s = (_time(claims, name) for name in ("exp", "iat", "nbf"))
    if expires_s is None or expires_s <= now_s:
        raise AccessRefused("expired")
    if max(issued_s or 0, begins_s or 0) > now_s + CLOCKS_DIFFER_S:
        raise AccessRefused("not_yet_valid")
    if expires_s - (now_s if issued_s is None else issued_s) > LONGEST_LIFE_S:
        raise AccessRefused("lives_too_long")
    return int(1000 * (expires_s - LONGEST_LIFE_S if issued_s is None else issued_s))


def _time(claims: Claims, name: str) -> float | None:
    """Return a moment in seconds; None when there is none."""
    value = claims.get(name)
    if value is None:
        return None
    if not _is_number(value) or not 0 <= value <= LATEST_S:
        raise AccessRefused(f"{name}_is_no_time")
    return value


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _to_identity(claims: Claims, *, issued_ms: int) -> Identity:
    return Identity(
        subject=to_subject(_text(claims, "sub") or ""),
        name=to_name(_text(claims, "name")),
        email=to_address(_text(claims, "email")),
        issued_ms=issued_ms,
    )


def _text(claims: Claims, name: str) -> str | None:
    """Return a claim that is a text; one of another kind says nothing."""
    value = claims.get(name)
    return value if isinstance(value, str) else None


def _code_of(error: Exception | None) -> str:
    """Return a word for the log, which never holds any of the token."""
    match error:
        case None:
            return "no_secret"
        case jwt.MissingRequiredClaimError():
            return f"{error.claim}_missing"
        case jwt.InvalidAudienceError():
            return "other_audience"
        case jwt.InvalidAlgorithmError():
            return "other_algorithm"
        case jwt.InvalidSignatureError():
            return "other_signature"
        case _:
            return "malformed"
