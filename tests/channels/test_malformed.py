"""What is no HTTP is refused, and the log says so without repeating it."""

import asyncio
from urllib.parse import urlsplit

import pytest
from structlog.testing import capture_logs

MALFORMED = {
    "a NUL in a header": b"GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer my-secret\x00\r\n\r\n",
    "no request": b"my-secret\r\n\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nHost: a\r\nX: my-secret\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
}


@pytest.mark.parametrize("sent", MALFORMED.values(), ids=MALFORMED.keys())
async def test_it_is_refused_and_not_repeated_in_the_log(rig, caplog, sent):
    url = urlsplit(rig.url)
    with capture_logs() as logged:
        reader, writer = await asyncio.open_connection(url.hostname, url.port)
        writer.write(sent)
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()

    assert answer.startswith((b"HTTP/1.0 400 ", b"HTTP/1.1 400 "))
    assert ("my-secret" in str(logged), caplog.text) == (False, "")
    assert {line["event"] for line in logged} <= {"request_malformed"}
