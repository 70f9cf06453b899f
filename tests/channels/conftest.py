"""The widget's server for the tests of the channels."""

from collections.abc import AsyncIterator

import pytest

from tests.channels.rig import Customer, Rig, running_rig


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with running_rig() as running:
        yield running


@pytest.fixture
async def customer(rig: Rig) -> Customer:
    return await rig.open()
