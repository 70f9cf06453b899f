"""The service's rig; whatever a test does with it, every turn that was committed must be truthful."""

from collections.abc import AsyncIterator, Iterator, MutableMapping

import pytest
from structlog.testing import capture_logs

from tests.service.desk_rig import Desk, a_desk
from tests.service.rig import Rig, a_rig


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[MutableMapping[str, object]]]:
    """Keep what is logged, unrendered: a traceback drawn with its locals takes seconds."""
    with capture_logs() as entries:
        yield entries


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    rig = await a_rig()
    yield rig
    await rig.runner.drain(grace_s=0)
    assert all(truthful for _, truthful in rig.observer.settled)


@pytest.fixture
async def desk(rig: Rig) -> Desk:
    return await a_desk(rig)
