"""NumPy gets one thread, and gets it before it is imported: its own ones would take the processor from the embedder's."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
AS_MAIN = """
import contextlib, os, runpy, sys
sys.argv = ["bot", "--help"]
with contextlib.redirect_stdout(None), contextlib.suppress(SystemExit):
    runpy.run_module("bot", run_name="__main__")
print(os.environ["OPENBLAS_NUM_THREADS"], "numpy" in sys.modules)
"""


@pytest.mark.parametrize(("given", "used"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")])
def test_numpy_has_one_thread_unless_the_operator_says_otherwise(given, used):
    done = subprocess.run(
        [sys.executable, "-c", AS_MAIN], env=given, cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == [used, "False"]
