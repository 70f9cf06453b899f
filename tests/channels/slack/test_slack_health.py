"""Slack's troubles are told once when they begin and once when they end; they degrade the service and never stop it."""

import pytest
from structlog.testing import capture_logs

from bot.channels.slack.health import DEAF, SILENT, SILENT_AFTER, SlackHealth, SocketState, Trouble
from bot.channels.slack.outcomes import Ending, Failure

REVOKED = Failure(code="token_revoked", ending=Ending.LASTING)
ARCHIVED = Failure(code="is_archived", ending=Ending.LASTING)
UNSCOPED = Failure(code="missing_scope", ending=Ending.LASTING)


class Watching:
    """Counts as operators do."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        self.troubles: list[int] = []

    def slack_called(self, method, outcome):
        self.calls.append((method, outcome))

    def slack_troubles(self, number):
        self.troubles.append(number)


def test_one_alarm_names_the_cause_and_what_to_do():
    health = SlackHealth()

    with capture_logs() as logged:
        health.failed("chat.postMessage", "C1", ARCHIVED)
        health.failed("chat.postMessage", "C1", ARCHIVED)

    (alarm,) = logged
    assert (alarm["event"], alarm["log_level"]) == ("slack_troubled", "error")
    assert (alarm["cause"], alarm["where"]) == ("is_archived", "C1")
    assert "SLACK_HANDOFF_CHANNEL" in alarm["remedy"]


@pytest.mark.parametrize(
    ("failure", "method", "channel", "ends"),
    [
        pytest.param(REVOKED, "users.info", "C2", True, id="any call shows that the token is good again"),
        pytest.param(ARCHIVED, "chat.update", "C1", True, id="any call to the channel"),
        pytest.param(ARCHIVED, "chat.postMessage", "C2", False, id="another channel says nothing"),
        pytest.param(UNSCOPED, "chat.postMessage", "C2", True, id="the method in another channel"),
        pytest.param(UNSCOPED, "chat.update", "C1", False, id="another method says nothing"),
    ],
)
def test_a_trouble_ends_with_a_call_that_could_have_had_it(failure, method, channel, ends):
    health = SlackHealth()
    health.failed("chat.postMessage", "C1", failure)

    health.worked(method, channel)

    assert (health.troubles == ()) is ends


def test_a_deaf_socket_is_a_trouble_until_it_hears_again():
    health = SlackHealth()

    health.heard(SocketState.DEAF)
    health.worked("chat.postMessage", "C1")
    deaf = health.troubles
    health.heard(SocketState.CONNECTING)
    still = health.troubles
    health.heard(SocketState.OPEN)

    assert deaf == still == (Trouble(cause=DEAF),)
    assert health.troubles == ()


async def test_readiness_tells_every_cause_and_the_socket():
    health = SlackHealth()
    health.failed("chat.postMessage", "C1", ARCHIVED)
    health.failed("chat.postMessage", "C1", REVOKED)
    health.heard(SocketState.OPEN)

    found = await health.check()

    assert found == {"degraded": True, "causes": "is_archived (C1); token_revoked", "socket": "open"}


def test_silence_is_a_trouble_after_several_calls_and_ends_with_any_answer():
    health = SlackHealth()
    silence = Failure(code="http_503", ending=Ending.UNKNOWN)

    for _ in range(SILENT_AFTER - 1):
        health.failed("chat.postMessage", "C1", silence)
    hiccup = health.troubles
    health.failed("chat.update", "C2", silence)
    down = health.troubles
    health.failed("chat.postMessage", "C1", Failure(code="message_not_found", ending=Ending.GONE))

    assert (hiccup, down, health.troubles) == ((), (Trouble(cause=SILENT),), ())


def test_what_waiting_ends_is_counted_and_no_trouble():
    watching = Watching()
    health = SlackHealth(observer=watching)

    health.failed("chat.postMessage", "C1", Failure(code="unreachable", ending=Ending.UNREACHED))
    health.failed("chat.postMessage", "C1", REVOKED)
    health.worked("chat.postMessage", "C1")

    assert watching.calls == [("chat.postMessage", one) for one in ("unreachable", "token_revoked", "ok")]
    assert watching.troubles == [1, 0]
