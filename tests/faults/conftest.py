"""A small synced knowledge base, made once; each test gets a copy of it and processes of its own."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from tests.faults.knowledge import make_knowledge
from tests.faults.processes import Machine


@pytest.fixture(scope="session")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_knowledge(tmp_path_factory.mktemp("knowledge"))


@pytest.fixture
async def bare_machine(tmp_path: Path) -> AsyncIterator[Machine]:
    """A machine on which nothing was ever synced."""
    machine = Machine(tmp_path)
    yield machine
    await machine.clear()


@pytest.fixture
async def machine(bare_machine: Machine, knowledge: Path) -> Machine:
    shutil.copytree(knowledge, bare_machine.data_dir)
    return bare_machine


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session
