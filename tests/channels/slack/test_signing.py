"""Slack's signature: over the raw bytes, for five minutes, and whatever else is sent in its place (FAULTS SL1, R-S3, R-S4)."""

import pytest

from bot.channels.slack.signing import is_signed, signed

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"  # noqa: S105 - the example in Slack's documentation
BODY = (
    b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
    b"&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
    b"&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
    b"&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
)
AT_S = 1531420618
SIGNATURE = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
NOW_MS = AT_S * 1000


def is_taken(*, timestamp=str(AT_S), signature=SIGNATURE, body=BODY, now_ms=NOW_MS):
    return is_signed(body, secret=SECRET, timestamp=timestamp, signature=signature, now_ms=now_ms)


def test_slack_s_own_example_is_signed():
    assert is_taken()


@pytest.mark.parametrize("gap_s", [-300, -299, 0, 299, 300])
def test_a_signature_counts_for_five_minutes_whichever_clock_is_ahead(gap_s):
    assert is_taken(now_ms=NOW_MS + gap_s * 1000)


@pytest.mark.parametrize("gap_s", [-301, 301, 3600])
def test_an_older_or_newer_one_does_not(gap_s):
    assert not is_taken(now_ms=NOW_MS + gap_s * 1000)


def test_every_byte_of_the_body_and_of_the_signature_counts():
    for at in range(len(BODY)):
        assert not is_taken(body=BODY[:at] + bytes([BODY[at] ^ 1]) + BODY[at + 1 :])
    for at, character in enumerate(SIGNATURE):
        assert not is_taken(signature=SIGNATURE[:at] + chr(ord(character) ^ 1) + SIGNATURE[at + 1 :])


@pytest.mark.parametrize(
    "timestamp",
    [
        *[None, "", "abc", "1.5", str(10**30), "-1531420618", "+1531420618", "1_531_420_618"],
        *[
            "\u0661\u0665\u0663\u0661\u0664\u0662\u0660\u0666\u0661\u0668",
            "²",
            "1531420618\x00",
            "nan",
            "1e9",
        ],
    ],
)
def test_a_timestamp_that_is_no_whole_second_is_refused_even_with_its_own_signature(timestamp):
    own = signed(BODY, secret=SECRET, timestamp=timestamp or "")

    assert not is_taken(timestamp=timestamp, signature=own)


@pytest.mark.parametrize(
    "signature",
    [
        *[None, "", "v0=", "v0", SIGNATURE[:-1], SIGNATURE + "0", SIGNATURE[3:], SIGNATURE.upper()],
        *["v1=" + SIGNATURE[3:], "v0=ä" + SIGNATURE[4:], "\udcff" * 67, "v0=" + "0" * 64, SIGNATURE * 1000],
    ],
)
def test_a_signature_of_another_form_is_refused(signature):
    assert not is_taken(signature=signature)
