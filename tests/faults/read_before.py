"""What the process reads from which all others are forked: the prompt files take longer than the rest of a start."""

import gc

from bot.turn_wiring import language
from tests.faults import serve

__all__ = ["serve"]

language()
gc.freeze()  # a child that collects would look at all of it, and copy what it looks at
