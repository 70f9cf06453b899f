"""Customers in a local Slack, with the service behind them."""

from collections.abc import AsyncIterator

import pytest

from tests.channels.slack.customer_rig import Customers, running_customers


@pytest.fixture
async def customers() -> AsyncIterator[Customers]:
    async with running_customers() as running:
        yield running


@pytest.fixture
async def thread(customers: Customers) -> str:
    """Return the `ts` of a thread of the assistant's view."""
    return await customers.opens_assistant()
