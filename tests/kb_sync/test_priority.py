"""A sync lets the service go first."""

import subprocess
import sys

ASKED = (
    "import os; from kb_sync.priority import give_way; give_way(); print(os.getpriority(os.PRIO_PROCESS, 0))"
)


def test_a_sync_takes_only_what_others_leave():
    told = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, check=True)

    assert told.stdout.strip() == "19"
