"""Passwords that are hashed in no time, for tests: the hash is the password itself. Never for a service."""

from collections.abc import Awaitable, Callable


class MemoryPasswords:
    """Keeps what it was asked to compare with, so that a test can see that every refusal costs the same.

    `meanwhile` happens once, while the next password is compared.
    """

    def __init__(self, *, strength: int = 1) -> None:
        self.strength = strength
        self.compared: list[str | None] = []
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    async def hash(self, password: str) -> str:
        return f"{self.strength}:{password}"

    async def fits(self, password: str, password_hash: str | None) -> bool:
        self.compared.append(password_hash)
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            await meanwhile()
        return password_hash is not None and password_hash.partition(":")[2] == password

    def is_outdated(self, password_hash: str) -> bool:
        return int(password_hash.partition(":")[0]) < self.strength
