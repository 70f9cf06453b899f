"""R-W9: whatever a client sends, the answer is a refusal in JSON, and what is stored is valid text."""

import json

import pytest


def _message(text: str) -> bytes:
    return json.dumps({"client_message_id": "m1", "text": text}, ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )


BAD_BODIES = {
    "empty": b"",
    "not JSON": b"hello",
    "array": b"[]",
    "null": b"null",
    "number": b"1",
    "deep": b"[" * 8_000,
    "nine levels deep": b'{"client_message_id":"m1","text":"hi","page":' + b"[" * 8 + b"]" * 8 + b"}",
    "deep field": b'{"client_message_id":"m1","text":' + b"[" * 4_000 + b"]" * 4_000 + b"}",
    "invalid UTF-8": b'{"client_message_id":"m1","text":"\xff\xfe"}',
    "lone surrogate, escaped": b'{"client_message_id":"m1","text":"\\ud800"}',
    "lone surrogate, raw": _message("\ud800"),
    "missing text": b'{"client_message_id":"m1"}',
    "missing id": b'{"text":"hi"}',
    "extra field": b'{"client_message_id":"m1","text":"hi","role":"bot"}',
    "text is a number": b'{"client_message_id":"m1","text":5}',
    "text is null": b'{"client_message_id":"m1","text":null}',
    "id is a number": b'{"client_message_id":1,"text":"hi"}',
    "id with a space": b'{"client_message_id":"a b","text":"hi"}',
    "id too long": b'{"client_message_id":"' + b"a" * 65 + b'","text":"hi"}',
    "id with a newline": b'{"client_message_id":"m1\\n","text":"hi"}',
    "empty text": _message(""),
    "spaces only": _message(" \t\n "),
    "zero-width only": _message("\u200b\u200d\ufeff"),
    "control only": _message("\x00\x01\x7f"),
    "4,001 characters": _message("a" * 4_001),
    "NaN": b'{"client_message_id":"m1","text":NaN}',
}


async def _post(customer, body: bytes, *, content_type: str = "application/json"):
    url = f"{customer.rig.url}/widget/v1/messages"
    headers = {**customer.bearer, "Content-Type": content_type}
    async with customer.rig.http.post(url, data=body, headers=headers) as response:
        return response.status, await response.json()


@pytest.mark.parametrize("body", BAD_BODIES.values(), ids=BAD_BODIES.keys())
async def test_a_bad_body_is_refused_and_nothing_is_stored(rig, customer, body):
    status, answer = await _post(customer, body)

    assert (status, answer["error"]["code"]) == (400, "input_rejected")
    assert (await rig.store.snapshot(customer.conversation, after=0)).messages == ()


@pytest.mark.parametrize("body", [b"x" * 20_000, _message("😀" * 4_200)], ids=["20,000 bytes", "4,200 emoji"])
async def test_a_body_over_sixteen_kilobytes_is_refused(customer, body):
    status, answer = await _post(customer, body)

    assert (status, answer["error"]["code"]) == (413, "request_entity_too_large")


async def test_a_refusal_does_not_repeat_what_was_sent(customer):
    _, answer = await _post(customer, b'{"client_message_id":"m1","text":"hi","<script>":1}')
    _, echoed = await _post(customer, b'{"client_message_id":"MY SECRET","text":"hi"}')

    assert "MY SECRET" not in echoed["error"]["message"]
    assert answer["error"]["code"] == "input_rejected"


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
async def test_a_form_cannot_send(customer, content_type):
    status, _ = await _post(customer, _message("hi"), content_type=content_type)

    assert status == 400


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        pytest.param("a\x00b", "ab", id="NUL"),
        pytest.param("  e\u0301  ", "é", id="NFC"),
        pytest.param("a\r\nb", "a\nb", id="line ends"),
        pytest.param("😀" * 4_000, "😀" * 4_000, id="4,000 emoji"),
        pytest.param("👩‍👩‍👧", "👩‍👩‍👧", id="joined emoji"),
        pytest.param("<b>&amp;</b>", "<b>&amp;</b>", id="markup is text"),
    ],
)
async def test_good_text_is_stored_clean(rig, customer, text, stored):
    status, _ = await _post(customer, _message(text))

    snapshot = await rig.store.snapshot(customer.conversation, after=0)
    assert (status, snapshot.messages[0].text) == (202, stored)


@pytest.mark.parametrize("locale", ["", "e", "english", "en\n", "../etc", "en-" + "a" * 9, 5, None])
async def test_a_bad_locale_is_refused(rig, locale):
    async with rig.http.post(f"{rig.url}/widget/v1/sessions", json={"locale": locale}) as response:
        assert response.status == 400


@pytest.mark.parametrize(
    "body",
    [
        {"client_message_id": "f1", "helped": "yes", "message_seq": 1},
        {"client_message_id": "f1", "helped": 1, "message_seq": 1},
        {"client_message_id": "f1", "helped": True, "message_seq": 0},
        {"client_message_id": "f1", "helped": True, "message_seq": 2**53},
        {"client_message_id": "f1", "helped": True, "message_seq": "1"},
        {"client_message_id": "f1", "helped": True},
    ],
)
async def test_bad_feedback_is_refused(customer, body):
    status, _ = await customer.post("feedback", body)

    assert status == 400
