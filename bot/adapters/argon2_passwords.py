"""Passwords by Argon2id: slow and hungry for memory on purpose, so on threads of their own and few at a time."""

import asyncio
import secrets

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE = (
    2  # each takes 64 MiB for a tenth of a second; many sign-ins at once wait instead of filling the memory
)


class Argon2Passwords:
    """Hashes with the library's own strength (RFC 9106, low memory) unless *hasher* has another."""

    def __init__(self, hasher: PasswordHasher | None = None, *, at_once: int = AT_ONCE) -> None:
        self._hasher = hasher or PasswordHasher()
        self._free = asyncio.Semaphore(at_once)
        self._nobodys: str | None = None

    async def hash(self, password: str) -> str:
        async with self._free:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def fits(self, password: str, password_hash: str | None) -> bool:
        async with self._free:
            return await asyncio.to_thread(self._fits, password, password_hash)

    def is_outdated(self, password_hash: str) -> bool:
        return self._hasher.check_needs_rehash(password_hash)

    def _fits(self, password: str, password_hash: str | None) -> bool:
        against = self._hash_of_nobody() if password_hash is None else password_hash
        try:
            return self._hasher.verify(against, password)
        except (VerificationError, InvalidHashError):
            return False

    def _hash_of_nobody(self) -> str:
        """Return a hash that nobody knows the password of, so that a wrong address takes as long as a wrong password."""
        if self._nobodys is None:
            self._nobodys = self._hasher.hash(secrets.token_bytes())
        return self._nobodys
