"""A service takes the file descriptors that it may have: each open socket needs one (FAULTS R-W19)."""

import resource
from collections.abc import Iterator

import pytest

from bot.terminal.process import DESCRIPTORS, allow_many_sockets


@pytest.fixture
def few() -> Iterator[int]:
    """Let this process begin with few, as many systems do; yields how many it may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1_024, hard))
    yield hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_service_takes_what_the_system_allows(few):
    allowed = DESCRIPTORS if few == resource.RLIM_INFINITY else min(DESCRIPTORS, few)

    allow_many_sockets()

    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (max(allowed, 1_024), few)
