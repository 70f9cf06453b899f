"""What the process reads from which all others are forked: prompt files and model take longer than the rest of a start."""

import gc

from bot.adapters.local_embedder.embedder import LocalEmbedder
from bot.turn_wiring import language
from tests.faults import commanded, serve

__all__ = ["commanded", "serve"]

language()
LocalEmbedder.open(chunker="any").close()  # the model runs on its caller's thread, and so outlives a fork
gc.freeze()  # a child that collects would look at all of it, and copy what it looks at
