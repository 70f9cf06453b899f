"""The console's door for the tests beside it."""

from collections.abc import AsyncIterator

import pytest

from tests.channels.console.door import Door, opened_door


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    async with opened_door() as opened:
        yield opened
