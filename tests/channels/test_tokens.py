"""A session token is accepted as it was issued, by whoever holds one of our keys, and in no other form."""

import base64
import json

import jwt
import pytest

from bot.adapters.memory.clock import ManualClock
from bot.channels.widget.tokens import LIFETIME_S, SessionTokens
from bot.core.conversation import ConversationId
from bot.core.customers import Ticket
from bot.errors import Misconfigured

KEY = "first-key-0123456789-0123456789-0123456789"
OTHER_KEY = "other-key-0123456789-0123456789-0123456789"
CONVERSATION = ConversationId("c1")
TICKET = Ticket(conversation=CONVERSATION)
START_MS = 1_750_000_000_000


def _tokens(*keys: str, clock: ManualClock | None = None, audience: str = "shop") -> SessionTokens:
    return SessionTokens(keys or (KEY,), clock=clock or ManualClock(START_MS), audience=audience)


def _unsigned(claims: dict[str, object], kid: str) -> str:
    def part(value: dict[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return f"{part({'alg': 'none', 'typ': 'JWT', 'kid': kid})}.{part(claims)}."


def test_a_token_names_its_conversation_and_how_often_its_customer_had_signed_out():
    tokens = _tokens()

    assert tokens.ticket_of(tokens.issue(CONVERSATION, epoch=3)) == Ticket(conversation=CONVERSATION, epoch=3)


def test_no_token_with_one_other_character_is_accepted():
    tokens = _tokens()
    token = tokens.issue(CONVERSATION)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."

    forged = [
        token[:at] + other + token[at + 1 :]
        for at in range(len(token))
        for other in alphabet
        if other != token[at]
    ]

    assert [f for f in forged if tokens.ticket_of(f) is not None] == []


@pytest.mark.parametrize("addition", ["!", "=", "A", ".", " ", "\n", "é", "\ud800"])
def test_a_token_with_something_added_is_refused(addition):
    tokens = _tokens()
    token = tokens.issue(CONVERSATION)

    assert tokens.ticket_of(token + addition) is None
    assert tokens.ticket_of(addition + token) is None


def test_a_token_lives_for_thirty_days():
    clock = ManualClock(START_MS)
    tokens = _tokens(clock=clock)
    token = tokens.issue(CONVERSATION)

    clock.advance(LIFETIME_S * 1000 - 1)
    assert tokens.ticket_of(token) == TICKET
    clock.advance(1)
    assert tokens.ticket_of(token) is None


def test_an_unsigned_token_is_refused():
    claims = {"sub": "c1", "aud": "shop", "exp": START_MS // 1000 + 60, "epoch": 0}
    kid = jwt.get_unverified_header(_tokens().issue(CONVERSATION))["kid"]

    assert _tokens().ticket_of(_unsigned(claims, kid)) is None


@pytest.mark.parametrize("algorithm", ["HS384", "HS512"])
def test_another_algorithm_is_refused(algorithm):
    claims = {"sub": "c1", "aud": "shop", "exp": START_MS // 1000 + 60, "epoch": 0}
    kid = jwt.get_unverified_header(_tokens().issue(CONVERSATION))["kid"]
    key = KEY * 2  # long enough for the algorithm

    forged = jwt.encode(claims, key, algorithm, headers={"kid": kid})

    assert _tokens(key).ticket_of(forged) is None


def test_another_sites_token_is_refused():
    assert _tokens().ticket_of(_tokens(audience="another").issue(CONVERSATION)) is None


def test_a_retired_key_still_verifies_while_it_is_listed_and_not_after():
    old = _tokens(KEY).issue(CONVERSATION)

    assert _tokens(OTHER_KEY, KEY).ticket_of(old) == TICKET
    assert _tokens(OTHER_KEY).ticket_of(old) is None


def test_the_first_key_signs():
    fresh = _tokens(OTHER_KEY, KEY).issue(CONVERSATION)

    assert _tokens(OTHER_KEY).ticket_of(fresh) == TICKET


@pytest.mark.parametrize("missing", ["sub", "aud", "exp", "epoch"])
def test_a_signed_token_without_a_claim_is_refused(missing):
    claims = {"sub": "c1", "aud": "shop", "exp": START_MS // 1000 + 60, "epoch": 0}
    del claims[missing]
    kid = jwt.get_unverified_header(_tokens().issue(CONVERSATION))["kid"]

    assert _tokens().ticket_of(jwt.encode(claims, KEY, "HS256", headers={"kid": kid})) is None


@pytest.mark.parametrize("text", ["", ".", "..", "a.b.c", "null", "x" * 100_000, "eyJhbGciOiJIUzI1NiJ9.e30."])
def test_nonsense_is_refused(text):
    assert _tokens().ticket_of(text) is None


@pytest.mark.parametrize("keys", [(), ("short",), (KEY, "x" * 31)], ids=["none", "short", "second is short"])
def test_keys_that_can_be_guessed_stop_the_start(keys):
    with pytest.raises(Misconfigured, match="SECRET_KEY"):
        SessionTokens(keys, clock=ManualClock())
