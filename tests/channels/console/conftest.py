"""The console's door, and the office behind it, for the tests beside them."""

from collections.abc import AsyncIterator

import pytest

from tests.channels.console.door import Door, opened_door
from tests.channels.console.office import Office, Page, opened_office


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    async with opened_door() as opened:
        yield opened


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    async with opened_office() as opened:
        yield opened


@pytest.fixture
async def maria(office: Office) -> Page:
    return await office.hire("Maria Lopez")


@pytest.fixture
async def ben(office: Office) -> Page:
    return await office.hire("Ben Okri")
