"""A sync lets the service go first."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from kb_sync.priority import give_way


@pytest.mark.skipif(sys.platform != "linux", reason="other systems know no priorities of single threads")
def test_a_thread_that_gives_way_runs_when_no_other_wants_to_and_the_rest_of_the_process_as_before():
    with ThreadPoolExecutor(max_workers=1, initializer=give_way) as threads:
        embedding = threads.submit(os.sched_getscheduler, 0).result()

    assert embedding == os.SCHED_IDLE
    assert os.sched_getscheduler(0) != os.SCHED_IDLE
