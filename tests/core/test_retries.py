"""How long to wait before a vendor is asked again, and when not to ask again at all."""

import pytest

from bot.core.retries import may_pass, pause_before_retry


@pytest.mark.parametrize(
    ("given", "pause_s"),
    [
        pytest.param({}, 0.5, id="the first pause at its longest"),
        pytest.param({"jitter": 0.0}, 0.25, id="the first pause at its shortest"),
        pytest.param({"attempt": 1}, 1.0, id="the second pause is longer"),
        pytest.param({"attempt": 2}, None, id="never a third retry"),
        pytest.param({"left_s": 2.5}, 0.5, id="just enough time for another attempt"),
        pytest.param({"left_s": 2.4}, None, id="too little time for another attempt"),
        pytest.param({"asked": "0.1"}, 0.5, id="a shorter wait is asked for"),
        pytest.param({"asked": "4.5"}, 4.5, id="a longer wait that fits"),
        pytest.param({"asked": "3600"}, None, id="a wait beyond the deadline"),
        pytest.param({"asked": "Fri, 31 Dec 1999 23:59:59 GMT"}, None, id="a wait until a date"),
        pytest.param({"asked": "-1"}, None, id="a wait that makes no sense"),
        pytest.param({"asked": "nan"}, None, id="a wait that is no number"),
    ],
)
def test_pauses(given, pause_s):
    defaults = {"attempt": 0, "left_s": 10.0, "least_s": 2.0, "jitter": 1.0}

    assert pause_before_retry(**{**defaults, **given}) == pause_s


@pytest.mark.parametrize(
    ("status", "passes"),
    [
        (400, False),
        (401, False),
        (404, False),
        (408, True),
        (409, True),
        (429, True),
        (500, True),
        (529, True),
    ],
)
def test_a_refusal_may_pass_when_the_server_or_the_moment_is_to_blame(status, passes):
    assert may_pass(status) is passes
