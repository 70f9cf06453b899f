"""Alive, ready, and numbers: each check speaks for itself, and one that hangs or breaks hides no other."""

import asyncio

import aiohttp
import pytest
from aiohttp import web

from bot.channels import health
from bot.channels.health import Health
from bot.channels.web import serving
from bot.errors import StoreUnavailable


async def _fine():
    return {"articles": 76}


async def _down():
    raise StoreUnavailable("the store does not answer")


async def _broken():
    raise ZeroDivisionError("secret")


async def _ask(path, *, checks):
    app = web.Application()
    app.add_routes(Health(checks=checks, metrics=lambda: b"turns_total 1\n").routes())
    async with serving(app, host="127.0.0.1", port=0) as url, aiohttp.ClientSession() as http:
        response = await http.get(url + path)
        return response.status, response.content_type, await response.text()


async def test_a_process_that_answers_is_alive_whatever_its_dependencies_do():
    status, _, _ = await _ask("/healthz", checks={"store": _down})

    assert status == 200


async def test_ready_when_every_check_passes():
    status, _, body = await _ask("/readyz", checks={"store": _fine})

    assert (status, body) == (200, '{"ready": true, "checks": {"store": {"ok": true, "articles": 76}}}')


@pytest.mark.parametrize(
    ("check", "words"), [(_down, "the store does not answer"), (_broken, "the check itself failed")]
)
async def test_one_failing_check_makes_it_unready_and_names_itself(check, words):
    status, _, body = await _ask("/readyz", checks={"index": _fine, "store": check})

    assert (status, words in body, '"articles": 76' in body) == (503, True, True)
    assert "secret" not in body


async def test_a_check_that_hangs_is_given_up():
    found = await health._look("store", asyncio.Event().wait, budget_s=0.01)

    assert found == {"ok": False, "error": "no answer within 0.01 s"}


async def test_numbers_that_nobody_tells_of_are_asked_for_with_each_reading():
    asked = []

    async def refresh() -> None:
        asked.append("age")

    app = web.Application()
    app.add_routes(Health(checks={}, metrics=lambda: b"age 1\n", refresh=refresh).routes())
    async with serving(app, host="127.0.0.1", port=0) as url, aiohttp.ClientSession() as http:
        for _ in range(2):
            await http.get(f"{url}/metrics")

    assert asked == ["age", "age"]


async def test_metrics_are_prometheus_text():
    status, content_type, body = await _ask("/metrics", checks={})

    assert (status, content_type, body) == (200, "text/plain", "turns_total 1\n")
