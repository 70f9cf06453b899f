"""The polling helper returns what it saw, and says what it saw when it gives up."""

import asyncio

import pytest

from tests.waiting import wait_until


async def test_waiting_ends_with_what_was_seen():
    arrived: list[str] = []
    asyncio.get_running_loop().call_soon(arrived.append, "message")

    assert await wait_until(lambda: arrived) == ["message"]


async def test_a_coroutine_may_do_the_looking():
    async def look() -> int:
        return 3

    assert await wait_until(look) == 3


async def test_giving_up_says_what_was_seen_last():
    with pytest.raises(AssertionError, match="last seen: 0"):
        await wait_until(lambda: 0, deadline_s=0.02)
