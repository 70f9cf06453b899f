"""What a failed call to Slack means is decided by table, and by nothing else (FAULTS SL9, SL13)."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.channels.slack.outcomes import (
    LONGEST_WAIT_S,
    REMEDIES,
    UNKNOWN_REMEDY,
    UNTOLD_WAIT_S,
    Ending,
    Scope,
    ending_of,
    failure_of,
    remedy_for,
    scope_of,
    seconds_asked,
)


def an_error(code: str | None, *, status: int = 200, **headers: str) -> SlackApiError:
    """Return what the client raises for such an answer."""
    data = {"ok": False} | ({"error": code} if code else {})
    response = AsyncSlackResponse(
        client=None, http_verb="POST", api_url="", req_args={}, data=data, headers=headers, status_code=status
    )
    return SlackApiError("failed", response)


@pytest.mark.parametrize(
    ("error", "ending"),
    [
        pytest.param(an_error("ratelimited", status=429), Ending.TOO_MUCH, id="too many calls"),
        pytest.param(an_error(None, status=429), Ending.TOO_MUCH, id="too many calls, in other words"),
        pytest.param(an_error("ratelimited"), Ending.TOO_MUCH, id="too many calls, with status 200"),
        pytest.param(an_error("internal_error"), Ending.UNKNOWN, id="Slack's own failure"),
        pytest.param(an_error(None, status=500), Ending.UNKNOWN, id="500"),
        pytest.param(an_error("is_archived", status=503), Ending.UNKNOWN, id="503 whatever it says"),
        pytest.param(an_error(None), Ending.UNKNOWN, id="200 with nonsense"),
        pytest.param(an_error(None, status=404), Ending.LASTING, id="somebody else's 404"),
        pytest.param(TimeoutError(), Ending.UNKNOWN, id="no answer"),
        pytest.param(ConnectionResetError(), Ending.UNKNOWN, id="reset"),
        pytest.param(AttributeError("get"), Ending.UNKNOWN, id="the client's defect"),
        pytest.param(an_error("invalid_blocks"), Ending.REFUSED, id="blocks"),
        pytest.param(an_error("message_not_found"), Ending.GONE, id="gone"),
        pytest.param(an_error("token_revoked"), Ending.LASTING, id="token"),
        pytest.param(an_error("a_code_of_next_year"), Ending.LASTING, id="unknown code"),
    ],
)
def test_each_failure_has_its_ending(error, ending):
    assert failure_of(error).ending is ending


@pytest.mark.parametrize(
    ("raw", "seconds"),
    [
        ("30", 30.0), ("1.5", 1.5), ("86400", 86_400.0), (None, UNTOLD_WAIT_S), ("", UNTOLD_WAIT_S),
        ("soon", UNTOLD_WAIT_S), ("-1", UNTOLD_WAIT_S), ("0", UNTOLD_WAIT_S), ("nan", UNTOLD_WAIT_S), ("inf", UNTOLD_WAIT_S),
    ],
)  # fmt: skip
def test_the_wait_is_read_from_whole_and_broken_numbers(raw, seconds):
    assert seconds_asked(raw) == seconds


def test_no_wait_is_longer_than_a_quarter_of_an_hour():
    failure = failure_of(an_error("ratelimited", status=429, **{"Retry-After": "86400"}))

    assert (failure.asked_s, failure.wait_s) == (86_400.0, LONGEST_WAIT_S)


def test_every_lasting_code_has_a_scope_and_a_remedy():
    codes = [code for remedies in REMEDIES.values() for code in remedies]

    assert len(codes) == len(set(codes))
    assert {ending_of(code) for code in codes} == {Ending.LASTING}
    assert all(remedy_for(code) != UNKNOWN_REMEDY for code in codes)


def test_a_code_that_is_not_known_is_about_its_channel_and_sends_to_the_documentation():
    assert scope_of("a_code_of_next_year") is Scope.CHANNEL
    assert remedy_for("a_code_of_next_year") == UNKNOWN_REMEDY
