"""Whether a key may use the model is asked for nothing, and never by asking for an answer."""

import pytest

from bot.adapters.claude.opening import ClaudeAccess, Surroundings, opened_claude
from bot.errors import KeyRejected, ModelUnavailable
from bot.model_ports import Probed
from tests.service.rig import PROMPTS
from tests.vendors.anthropic_server import anthropic_server, refuses, rejects_key
from tests.vendors.local_server import sends

NOWHERE = "http://127.0.0.1:9"


def a_claude(url):
    access = ClaudeAccess(
        api_key="k", base_url=url, model="claude-haiku-5-5", max_tokens=600, input_usd=0.1, output_usd=0.5
    )
    around = Surroundings(monotonic_s=lambda: 0.0, sleep=_never, jitter=lambda: 1.0, nonce=lambda: "n")
    return opened_claude(access, PROMPTS, around)


async def _never(_seconds):
    raise AssertionError("nothing is tried again")


async def test_a_key_that_may_use_the_model_is_found_out_without_a_message():
    async with anthropic_server() as server, a_claude(server.url) as claude:
        assert isinstance(claude, Probed)

        await claude.ping()

    assert (server.looked_up, server.requests) == (["claude-haiku-5-5"], [])


@pytest.mark.parametrize(
    ("lookup", "error"),
    [
        pytest.param(rejects_key(), KeyRejected, id="rejected"),
        pytest.param(refuses(404, "not_found_error"), ModelUnavailable, id="no such model"),
        pytest.param(refuses(529, "overloaded_error"), ModelUnavailable, id="overloaded"),
        pytest.param(sends("{", "application/json"), ModelUnavailable, id="broken"),
    ],
)
async def test_what_would_fail_fails_once_and_as_a_draft_would(lookup, error):
    async with anthropic_server() as server, a_claude(server.url) as claude:
        server.lookup = lookup

        with pytest.raises(error):
            await claude.ping()

    assert len(server.looked_up) == 1


async def test_a_provider_that_is_not_there_is_unavailable():
    async with a_claude(NOWHERE) as claude:
        with pytest.raises(ModelUnavailable):
            await claude.ping()
