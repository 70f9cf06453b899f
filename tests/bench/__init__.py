"""Measurements, as ratios within one run; nothing here is a test. `make bench` prints them."""

import os

# Before anything imports NumPy, as `python -m bot` does.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # noqa: TID251 - measured is what is served
