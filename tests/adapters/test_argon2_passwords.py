"""Argon2: what fits, what does not, and that the loop and the memory are spared. Cheap parameters keep it quick."""

import asyncio
import threading

import pytest
from argon2 import PasswordHasher

from bot.adapters.argon2_passwords import Argon2Passwords

WORDS = "correct horse battery staple"


def cheap(time_cost: int = 1) -> PasswordHasher:
    return PasswordHasher(time_cost=time_cost, memory_cost=8, parallelism=1)


@pytest.fixture
def passwords() -> Argon2Passwords:
    return Argon2Passwords(cheap())


async def test_a_hash_fits_its_own_password_alone(passwords):
    hashed = await passwords.hash(WORDS)

    assert hashed.startswith("$argon2id$")
    assert await passwords.fits(WORDS, hashed)
    assert not await passwords.fits(WORDS + " ", hashed)


async def test_equal_passwords_have_different_hashes(passwords):
    assert await passwords.hash(WORDS) != await passwords.hash(WORDS)


@pytest.mark.parametrize("password", [WORDS, "", "🦊"])
@pytest.mark.parametrize("password_hash", [None, "", "not a hash", "$argon2id$v=19$m=8,t=1,p=1$AA$AA"])
async def test_nothing_fits_where_there_is_no_usable_hash(passwords, password, password_hash):
    assert not await passwords.fits(password, password_hash)


async def test_a_hash_of_weaker_parameters_is_outdated(passwords):
    hashed = await passwords.hash(WORDS)

    assert not passwords.is_outdated(hashed)
    assert Argon2Passwords(cheap(time_cost=2)).is_outdated(hashed)


async def test_at_most_two_are_hashed_at_once_and_never_on_the_loop():
    at_work = _Watching(wanted=2)
    passwords = Argon2Passwords(at_work)

    await asyncio.gather(*(passwords.hash(WORDS) for _ in range(6)))

    assert at_work.most == 2
    assert threading.main_thread() not in at_work.threads


class _Watching(PasswordHasher):
    """Notes who hashes, and how many do at the same time; the first ones wait for each other."""

    def __init__(self, *, wanted: int) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.most = 0
        self.threads: set[threading.Thread] = set()
        self._now = 0
        self._lock = threading.Lock()
        self._together = threading.Barrier(wanted, timeout=10)

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
            self.threads.add(threading.current_thread())
        self._together.wait()
        hashed = super().hash(password, salt=salt)
        with self._lock:
            self._now -= 1
        return hashed
