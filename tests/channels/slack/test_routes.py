"""Slack's two routes over real HTTP: signed or refused, kept before acknowledged, and never a failure of ours (FAULTS SL1, R-S1 to R-S5)."""

import gzip
import json
from urllib.parse import urlencode

import pytest

from bot.adapters.memory.slack_inbox import MemorySlackInbox
from bot.channels.slack.routes import LARGEST_BYTES, to_payload
from bot.errors import InputRejected, StoreUnavailable
from tests.channels.slack.door import Door, a_door
from tests.channels.slack.payloads_sent import a_message, a_press, a_submission, an_event

UNSIGNED: dict[str, str] = {}
BODIES = {
    "an event": json.dumps(an_event()).encode(),
    "bad JSON": b'{"type": ',
    "an array": b"[1,2]",
    "null": b"null",
    "deep nesting": b"[" * 100_000,
    "invalid UTF-8": b'{"text": "\xff\xfe"}',
    "nothing": b"",
}


@pytest.fixture
async def door():
    async with a_door() as door:
        yield door


async def test_an_event_is_kept_acknowledged_and_worked_on(door: Door):
    assert await door.sends(an_event()) == 200

    await door.is_idle()
    assert door.listener.heard == ["T1:Ev1"]


@pytest.mark.parametrize("payload", [a_press(), a_submission()], ids=lambda sent: sent["type"])
async def test_what_people_press_comes_in_a_form(door: Door, payload):
    assert await door.presses(payload) == 200

    await door.is_idle()
    assert len(door.listener.heard) == 1


async def test_both_routes_take_either(door: Door):
    assert await door.sends(an_event(), path="actions") == 200
    form = urlencode({"payload": json.dumps(a_press())}).encode()
    assert await door.posts(form, path="events") == 200


async def test_slack_verifies_the_address_with_a_signature_only(door: Door):
    body = json.dumps({"type": "url_verification", "challenge": "3eZbrw1a"}).encode()

    assert await door.asks(body, headers=door.signature(body)) == (200, b'{"challenge": "3eZbrw1a"}')
    status, _ = await door.asks(body, headers=UNSIGNED)
    assert status == 401


async def test_an_event_that_is_sent_again_is_acknowledged_and_done_once(door: Door):
    """FAULTS R-S1, R-S2: the header alone says nothing, because the first copy may never have come."""
    for retry in range(1, 4):
        headers = {"X-Slack-Retry-Num": str(retry), "X-Slack-Retry-Reason": "http_timeout"}
        assert await door.sends(an_event(), **headers) == 200

    await door.is_idle()
    assert door.listener.heard == ["T1:Ev1"]


async def test_a_signature_is_taken_again_for_five_minutes_without_an_effect_and_then_refused(door: Door):
    """FAULTS R-S3."""
    sent_s = door.clock.now_ms() // 1000
    assert await door.sends(an_event(), at_s=sent_s) == 200
    await door.is_idle()

    door.clock.advance(299_000)
    assert await door.sends(an_event(), at_s=sent_s) == 200
    door.clock.advance(2_000)
    assert await door.sends(an_event(), at_s=sent_s) == 401

    await door.is_idle()
    assert door.listener.heard == ["T1:Ev1"]


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
@pytest.mark.parametrize("content_type", ["application/json", "application/json; charset=bogus", "\xe4"])
async def test_what_is_not_signed_is_refused_unread(door: Door, body, content_type):
    """FAULTS R-S5."""
    status, answer = await door.asks(body, headers={"Content-Type": content_type})

    assert status == 401
    assert json.loads(answer)["error"]["code"] == "not_signed"
    assert door.listener.heard == []


@pytest.mark.parametrize("timestamp", ["abc", "", "1.5", str(10**30), "-1", "\u0661\u0667"])
async def test_a_timestamp_that_is_none_is_refused(door: Door, timestamp):
    """FAULTS R-S4."""
    body = BODIES["an event"]
    status, answer = await door.asks(
        body, headers={**door.signature(body), "X-Slack-Request-Timestamp": timestamp}
    )

    assert (status, b"Traceback" in answer) == (401, False)


@pytest.mark.parametrize("signature", ["", "v0=", "v0=ü", "v0=" + "0" * 63, "v0=" + "0" * 65, "0" * 5_000])
async def test_a_signature_that_is_none_is_refused(door: Door, signature):
    """FAULTS R-S4."""
    body = BODIES["an event"]

    status, answer = await door.asks(body, headers={**door.signature(body), "X-Slack-Signature": signature})

    assert (status, b"Traceback" in answer) == (401, False)


@pytest.mark.parametrize("name", sorted(BODIES.keys() - {"an event"}))
async def test_signed_nonsense_is_refused_too(door: Door, name):
    assert await door.posts(BODIES[name]) == 400


@pytest.mark.parametrize("content_type", ["text/plain", "application/json; charset=bogus", "image/png"])
async def test_a_content_type_is_not_looked_at(door: Door, content_type):
    assert await door.posts(BODIES["an event"], headers={"Content-Type": content_type}) == 200


@pytest.mark.parametrize(("size", "status"), [(LARGEST_BYTES, 400), (LARGEST_BYTES + 1, 413)])
async def test_a_megabyte_is_read_and_no_more(door: Door, size, status):
    assert await door.posts(b" " * size) == status


async def test_a_long_event_is_taken(door: Door):
    assert await door.sends(an_event(a_message(text="x" * 40_000))) == 200


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
async def test_a_body_that_is_not_compressed_as_it_says_is_refused(door: Door, caplog, encoding):
    assert await door.posts(b"{}" * 50, headers={"Content-Encoding": encoding}) == 400

    assert "Traceback" not in caplog.text


async def test_a_small_body_that_becomes_a_large_one_is_refused(door: Door):
    bomb = gzip.compress(bytes(5_000_000))

    assert await door.posts(bomb, headers={"Content-Encoding": "gzip"}) in {400, 413}


async def test_slack_is_asked_to_send_again_what_could_not_be_kept(door: Door):
    class Down(MemorySlackInbox):
        async def keep(self, row):
            raise StoreUnavailable("down")

    kept, door.receiver.store = door.receiver.store, Down()
    assert await door.sends(an_event()) == 503

    door.receiver.store = kept
    assert await door.sends(an_event()) == 200
    await door.is_idle()
    assert door.listener.heard == ["T1:Ev1"]


@pytest.mark.parametrize(
    "body",
    [
        b"payload",
        b"payload=",
        b"payload=%7B%7D&payload=%7B%7D",
        b"payload=[]",
        b"other=%7B%7D",
        b"&".join([b"payload=%7B%7D"] * 100),
        b'{"n": ' + b"9" * 5_000 + b"}",
    ],
)
def test_what_is_neither_json_nor_its_form_is_refused(body):
    with pytest.raises(InputRejected):
        to_payload(body)
