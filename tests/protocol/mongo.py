"""A process's view of a MongoDB database, whose server can be lost to it at any call."""

from collections.abc import Iterator
from contextlib import contextmanager

from pymongo.errors import AutoReconnect

from bot.adapters.mongo.database import MongoDatabase


class LosableDatabase(MongoDatabase):
    """Does as many calls more as `left` says, all of them when it is None; the first that is lost is done all the same if `is_done`."""

    left: int | None = None
    is_done = False

    def lose(self, *, after: int, is_done: bool) -> None:
        """Lose the server after so many calls."""
        self.left, self.is_done = after, is_done

    @contextmanager
    def _within(self) -> Iterator[None]:
        with super()._within():
            if self.left is None:
                yield
                return
            self.left -= 1
            if self.left < 0 and not (self.is_done and self.left == -1):
                raise AutoReconnect("the server is gone")
            yield
            if self.left < 0:
                raise AutoReconnect("the reply is lost")
