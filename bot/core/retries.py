"""Whether a vendor that failed is asked again within the same deadline, and after how long. Which failures without an answer may pass, its adapter knows."""

import math

RETRIES = 2
FIRST_PAUSE_S = 0.5
PASSES_BY = frozenset({408, 409, 429})


def may_pass(status: int) -> bool:
    """Whether a request that was refused with this status of HTTP may succeed a little later."""
    return status in PASSES_BY or status >= 500


def pause_before_retry(
    *, attempt: int, left_s: float, least_s: float, jitter: float, asked: str | None = None
) -> float | None:
    """Return how long to wait before the next attempt, the first one being 0; None when there shall be none.

    *asked* is the wait that the vendor asks for: it is obeyed when it fits into *left_s* with *least_s* for the attempt itself,
    else nothing is tried again. *jitter* is between 0 and 1, so that many that failed together do not come back together.
    """
    if attempt >= RETRIES:
        return None
    pause_s = max(FIRST_PAUSE_S * 2**attempt * (0.5 + jitter / 2), _asked_wait_s(asked))
    return pause_s if pause_s + least_s <= left_s else None


def _asked_wait_s(asked: str | None) -> float:
    """Return the wait in seconds; endless when it cannot be read as seconds."""
    if asked is None:
        return 0.0
    try:
        wait_s = float(asked)
    except ValueError:
        return math.inf
    return wait_s if wait_s >= 0 else math.inf
