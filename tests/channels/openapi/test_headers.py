"""Every route answers with the security headers, whoever asks and however it ends (FAULTS W15)."""

import re

import pytest

from bot.channels.openapi.operations import Operation
from bot.channels.openapi.routes import OPERATIONS
from tests.channels.openapi.server import everything

IN_TEST_WORDS = re.compile(r"{\w+}")


async def _headers(server, operation: Operation, **given: str):
    url = server.url + IN_TEST_WORDS.sub("1", operation.path)
    async with server.admin.office.http.request(operation.method, url, headers=given) as answer:
        return answer.headers


@pytest.mark.parametrize("who", ["a stranger", "an admin"])
async def test_every_answer_of_every_route_has_the_security_headers(who):
    async with everything() as server:
        given = {} if who == "a stranger" else {**server.admin.headers, "X-Candor-CSRF": server.admin.csrf}
        found = {one.id: await _headers(server, one, **given) for one in OPERATIONS}

    for name, headers in found.items():
        assert headers["X-Content-Type-Options"] == "nosniff", name
        assert headers["Referrer-Policy"] == "no-referrer", name
        assert headers["Content-Security-Policy"].startswith("default-src 'none'"), name
        assert "Cache-Control" in headers, name
        assert "Server" not in headers, name
