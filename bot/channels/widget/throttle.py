"""How much one customer and one address may ask for. Refuses in seconds to wait, never by dropping."""

import math
import time
from collections import OrderedDict

from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from bot.channels.proxies import is_loopback
from bot.core.conversation import ConversationId

REMEMBERED = 10_000  # message ids that were let through, so that a repeat costs nothing


class Throttle:
    """Counts within this process. Each limit is written as the `limits` library reads it."""

    def __init__(
        self,
        *,
        messages: str = "5/10 seconds;30/10 minutes",
        sessions: str = "12/12 hours",
        local_sessions: str = "1200/12 hours",
    ) -> None:
        self._messages = parse_many(messages)
        self._sessions = parse_many(sessions)
        self._local_sessions = parse_many(local_sessions)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._admitted: OrderedDict[tuple[ConversationId, str], None] = OrderedDict()

    def admit_message(self, conversation: ConversationId, message_id: str) -> int | None:
        """Return the seconds to wait, or None; a repeat of an admitted message is always let through."""
        if (conversation, message_id) in self._admitted:
            return None
        wait_s = self._admit(self._messages, "message", conversation)
        if wait_s is None:
            self._remember((conversation, message_id))
        return wait_s

    def admit_session(self, address: str) -> int | None:
        """Return the seconds to wait, or None. This machine's own address has a limit of its own."""
        limits = self._local_sessions if is_loopback(address) else self._sessions
        return self._admit(limits, "session", address)

    def _admit(self, limits: list[RateLimitItem], *key: str) -> int | None:
        exhausted = [limit for limit in limits if not self._limiter.test(limit, *key)]
        if exhausted:
            return max(self._wait_s(limit, *key) for limit in exhausted)
        for limit in limits:
            self._limiter.hit(limit, *key)
        return None

    def _wait_s(self, limit: RateLimitItem, *key: str) -> int:
        # The library counts in the machine's time, so this difference must too.
        return max(1, math.ceil(self._limiter.get_window_stats(limit, *key).reset_time - time.time()))

    def _remember(self, admitted: tuple[ConversationId, str]) -> None:
        self._admitted[admitted] = None
        if len(self._admitted) > REMEMBERED:
            self._admitted.popitem(last=False)
