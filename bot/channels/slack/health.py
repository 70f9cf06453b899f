"""How Slack is doing: what keeps the bot from speaking there, and whether its socket hears. It degrades the service and never stops it.

An alarm is one line in the log when a trouble begins, and one when it ends.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import structlog

from bot.channels.slack.outcomes import LONGEST_WAIT_S, Ending, Failure, Scope, remedy_for, scope_of

log = structlog.get_logger()

TOO_LONG = "asked_to_wait_for_long"
DEAF = "socket_deaf"
DEAD_LETTERS = "dead_letters"
SILENT = "no_sensible_answer"
SILENT_AFTER = 5  # calls in a row without one; fewer are a hiccup
NO_CALL_ENDS = frozenset({DEAF, DEAD_LETTERS})


class SocketState(StrEnum):
    """What became of the socket over which Slack speaks to us."""

    UNUSED = "unused"  # Slack sends its events over HTTP
    CONNECTING = "connecting"
    OPEN = "open"
    DEAF = "deaf"


class SlackObserver(Protocol):
    """Counts what operators watch of Slack; never raises and never waits."""

    def slack_called(self, method: str, outcome: str) -> None:
        """Count a call: "ok", or the code that it failed with."""
        ...

    def slack_troubles(self, number: int) -> None:
        """Show how many troubles there are that waiting does not end."""
        ...


class NobodyWatches:
    """Stands where nobody counts."""

    def slack_called(self, method: str, outcome: str) -> None:
        return

    def slack_troubles(self, number: int) -> None:
        return


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """One cause, and where: a channel, a method, or the whole workspace, which is empty."""

    cause: str
    where: str = ""


@dataclass(slots=True, kw_only=True)
class SlackHealth:
    """The troubles that last, and the socket's state."""

    observer: SlackObserver = field(default_factory=NobodyWatches)
    socket: SocketState = SocketState.UNUSED
    _troubles: dict[Trouble, None] = field(default_factory=dict)  # in the order in which they began
    _unanswered: int = 0

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """Return what lasts, the oldest first."""
        return tuple(self._troubles)

    def worked(self, method: str, channel: str) -> None:
        """Note a call that went well, which ends the troubles that it could have had."""
        self.observer.slack_called(method, "ok")
        self._unanswered = 0
        for trouble in [one for one in self._troubles if one.where in ("", method, channel)]:
            if trouble.cause not in NO_CALL_ENDS:
                self._ended(trouble)

    def failed(self, method: str, channel: str, failure: Failure) -> None:
        """Note a call that went wrong, and raise the alarm where waiting does not help."""
        self.observer.slack_called(method, failure.code)
        self._answered(is_answer=failure.ending not in (Ending.UNREACHED, Ending.UNKNOWN))
        if failure.ending is Ending.LASTING:
            where = {Scope.WORKSPACE: "", Scope.METHOD: method, Scope.CHANNEL: channel}
            self._began(
                Trouble(cause=failure.code, where=where[scope_of(failure.code)]), remedy_for(failure.code)
            )
        elif failure.asked_s > LONGEST_WAIT_S:
            remedy = f"Slack asks for {failure.asked_s:g} s; tried again every {LONGEST_WAIT_S:g} s"
            self._began(Trouble(cause=TOO_LONG, where=channel), remedy)

    def heard(self, state: SocketState) -> None:
        """Note what became of the socket; a deaf one is an alarm."""
        self.socket = state
        trouble = Trouble(cause=DEAF)
        if state is SocketState.DEAF:
            self._began(trouble, "see whether Slack can be reached and SLACK_APP_TOKEN is valid")
        elif state is SocketState.OPEN:
            self._ended(trouble)

    def dead_letters(self, number: int) -> None:
        """Note how much from Slack was given up, which somebody has to look at."""
        trouble = Trouble(cause=DEAD_LETTERS)
        if number:
            self._began(trouble, "see in the log at slack_dead_letter which, and why")
        else:
            self._ended(trouble)

    async def check(self) -> Mapping[str, str | bool]:
        """Return what /readyz says: degraded, and why; the console works all the same."""
        causes = "; ".join(f"{one.cause} ({one.where})" if one.where else one.cause for one in self._troubles)
        return {"degraded": bool(self._troubles), "causes": causes, "socket": self.socket}

    def _answered(self, *, is_answer: bool) -> None:
        """Count the calls to which Slack has nothing sensible to say: it is down, or somebody else answers in its place."""
        self._unanswered = 0 if is_answer else self._unanswered + 1
        trouble = Trouble(cause=SILENT)
        if is_answer:
            self._ended(trouble)
        elif self._unanswered >= SILENT_AFTER:
            self._began(trouble, "see https://slack-status.com, and whether SLACK_BASE_URL is right")

    def _began(self, trouble: Trouble, remedy: str) -> None:
        if trouble not in self._troubles:
            self._troubles[trouble] = None
            log.error("slack_troubled", cause=trouble.cause, where=trouble.where or None, remedy=remedy)
            self.observer.slack_troubles(len(self._troubles))

    def _ended(self, trouble: Trouble) -> None:
        if trouble in self._troubles:
            del self._troubles[trouble]
            log.info("slack_mended", cause=trouble.cause, where=trouble.where or None)
            self.observer.slack_troubles(len(self._troubles))
