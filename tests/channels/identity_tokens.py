"""What a site's own server signs to say who a customer is."""

import base64
import json

import jwt

SITE = "shop"
IDENTITY_KEY = "the-sites-own-key-of-thirty-two-bytes-or-more"
MINUTE_S = 60


def some_claims(now_s: int, **claims: object) -> dict[str, object]:
    """Return what is said of Ana, for ten minutes; a claim that is None is left out."""
    said = {
        "sub": "ana",
        "aud": SITE,
        "iat": now_s,
        "exp": now_s + 10 * MINUTE_S,
        "name": "Ana Costa",
        "email": "ana@shop.example",
        **claims,
    }
    return {name: value for name, value in said.items() if value is not None}


def signed(
    claims: dict[str, object],
    *,
    key: object = IDENTITY_KEY,
    algorithm: str = "HS256",
    headers: dict[str, str] | None = None,
) -> str:
    """Return the token as a library makes it."""
    return jwt.encode(claims, key, algorithm, headers=headers)


def unsigned(claims: dict[str, object], *, algorithm: str = "none", signature: str = "") -> str:
    """Return a token that no library would make."""
    return f"{_part({'alg': algorithm, 'typ': 'JWT'})}.{_part(claims)}.{signature}"


def _part(value: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()
