"""A sync lets the service go first."""

import os
from concurrent.futures import ThreadPoolExecutor

from kb_sync.priority import give_way

IDLE = getattr(os, "SCHED_IDLE", None)  # of systems that know priorities of single threads


def policy() -> int | None:
    """Return by which policy this thread gets its turns; None where the system does not say."""
    return None if IDLE is None else os.sched_getscheduler(0)


def test_a_thread_that_gives_way_runs_when_no_other_wants_to_and_the_rest_of_the_process_as_before():
    before = policy()
    with ThreadPoolExecutor(max_workers=1, initializer=give_way) as threads:
        embedding = threads.submit(policy).result()

    assert embedding == IDLE
    assert policy() == before
