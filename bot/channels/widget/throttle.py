"""How much one customer and one address may ask of the widget."""

from collections import OrderedDict

from bot.channels.open_sockets import LOCAL_FACTOR, OpenSockets
from bot.channels.proxies import is_loopback
from bot.channels.throttling import Windows, to_limits
from bot.core.conversation import ConversationId

SESSIONS = 6  # new conversations of one address in 12 hours; more where many customers share one
REMEMBERED = 10_000  # message ids that were let through, so that a repeat costs nothing


class Throttle:
    """Counts within this process; `places` are those for sockets. Each limit is written as the `limits` library reads it."""

    def __init__(
        self,
        *,
        messages: str = "5/10 seconds;30/10 minutes",
        sessions: str = f"{SESSIONS}/12 hours",
        local_sessions: str = f"{SESSIONS * LOCAL_FACTOR}/12 hours",
        places: OpenSockets | None = None,
    ) -> None:
        self.places = places or OpenSockets()
        self._messages = to_limits(messages)
        self._sessions = to_limits(sessions)
        self._local_sessions = to_limits(local_sessions)
        self._windows = Windows()
        self._admitted: OrderedDict[tuple[ConversationId, str], None] = OrderedDict()

    def admit_message(self, conversation: ConversationId, message_id: str) -> int | None:
        """Return the seconds to wait, or None; a repeat of an admitted message is always let through."""
        if (conversation, message_id) in self._admitted:
            return None
        wait_s = self._windows.admit(self._messages, ("message", conversation))
        if wait_s is None:
            self._remember((conversation, message_id))
        return wait_s

    def admit_session(self, address: str) -> int | None:
        """Return the seconds to wait, or None. This machine's own address has a limit of its own."""
        limits = self._local_sessions if is_loopback(address) else self._sessions
        return self._windows.admit(limits, ("session", address))

    def _remember(self, admitted: tuple[ConversationId, str]) -> None:
        self._admitted[admitted] = None
        if len(self._admitted) > REMEMBERED:
            self._admitted.popitem(last=False)
