"""A site's word on who a customer is counts as it was signed, for an hour at most, and in no other form (FAULTS W3, R-W4)."""

import base64
import hashlib
import hmac

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.channels.widget.identities import IdentityTokens
from bot.core.customers import Identity, Subject
from bot.errors import AccessRefused
from tests.channels.identity_tokens import IDENTITY_KEY, SITE, signed, some_claims, unsigned

NOW_S = 1_750_000_000
OTHER_KEY = "another-key-that-is-thirty-two-bytes-or-more"
PUBLIC_KEY = b"""-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCoHDrRbJfqn56BbA0jP0eD7EDa
4cKGSBXHVuYSOFUMuh5jIzy3scyOOt2TVzwDKvTBJM6nerffiUTr3zVTMzSdVDd+
7lalQS9vcM+UM+WHBMNZUTxUszRDH28K2rPh0a++r/Kt6qdd1TWdPy1RaZawJDKp
sc3iBUyAytsS/YkLHQIDAQAB
-----END PUBLIC KEY-----
"""


def _tokens(*keys: str) -> IdentityTokens:
    return IdentityTokens(keys or (IDENTITY_KEY,), clock=ManualClock(NOW_S * 1000), audience=SITE)


def _claims(**claims: object) -> dict[str, object]:
    return some_claims(NOW_S, **claims)


def _signed_by_hand(claims: dict[str, object], *, key: bytes = IDENTITY_KEY.encode()) -> str:
    """Sign what the library would not."""
    head = unsigned(claims, algorithm="HS256").rpartition(".")[0]
    mac = hmac.new(key, head.encode(), hashlib.sha256).digest()
    return f"{head}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"


REFUSED = {
    "none": (unsigned(_claims()), "other_algorithm"),
    "None": (unsigned(_claims(), algorithm="None"), "other_algorithm"),
    "none with a signature": (
        unsigned(_claims(), signature=signed(_claims()).rpartition(".")[2]),
        "other_algorithm",
    ),
    "an empty signature": (unsigned(_claims(), algorithm="HS256"), "other_signature"),
    "RS256": (unsigned(_claims(), algorithm="RS256", signature="AAAA" * 64), "other_algorithm"),
    "RS256 with our signature": (
        unsigned(_claims(), algorithm="RS256", signature=signed(_claims()).rpartition(".")[2]),
        "other_algorithm",
    ),
    "a public key as the secret": (_signed_by_hand(_claims(), key=PUBLIC_KEY), "other_signature"),
    "HS384": (signed(_claims(), key=IDENTITY_KEY * 2, algorithm="HS384"), "other_algorithm"),
    "HS512": (signed(_claims(), key=IDENTITY_KEY * 2, algorithm="HS512"), "other_algorithm"),
    "another key": (signed(_claims(), key=OTHER_KEY), "other_signature"),
    "another key that it names": (
        signed(_claims(), key=OTHER_KEY, headers={"kid": OTHER_KEY}),
        "other_signature",
    ),
    "expired": (signed(_claims(iat=NOW_S - 60, exp=NOW_S)), "expired"),
    "without an end": (signed(_claims(exp=None)), "exp_missing"),
    "an end that is a text": (signed(_claims(exp=str(NOW_S + 60))), "exp_is_no_time"),
    "an end that is a truth": (signed(_claims(exp=True)), "exp_is_no_time"),
    "an end beyond all time": (signed(_claims(exp=10**400)), "exp_is_no_time"),
    "over an hour from its signing": (signed(_claims(iat=NOW_S - 60, exp=NOW_S + 3_541)), "lives_too_long"),
    "over an hour, undated": (signed(_claims(iat=None, exp=NOW_S + 3_601)), "lives_too_long"),
    "a month": (signed(_claims(exp=NOW_S + 30 * 86_400)), "lives_too_long"),
    "signed tomorrow": (signed(_claims(iat=NOW_S + 86_400, exp=NOW_S + 86_460)), "not_yet_valid"),
    "not before tomorrow": (signed(_claims(nbf=NOW_S + 86_400)), "not_yet_valid"),
    "another audience": (signed(_claims(aud="another")), "other_audience"),
    "another case": (signed(_claims(aud=SITE.upper())), "other_audience"),
    "without an audience": (signed(_claims(aud=None)), "aud_missing"),
    "without a subject": (signed(_claims(sub=None)), "sub_missing"),
    "an empty subject": (signed(_claims(sub="")), "sub_rejected"),
    "a blank subject": (signed(_claims(sub=" ")), "sub_rejected"),
    "a hidden subject": (signed(_claims(sub="ana\u200b")), "sub_rejected"),
    "a subject of two lines": (signed(_claims(sub="ana\nben")), "sub_rejected"),
    "a long subject": (signed(_claims(sub="a" * 201)), "sub_rejected"),
    "a subject that is a number": (_signed_by_hand(_claims(sub=7)), "malformed"),
    "long": (signed(_claims(name="n" * 5_000)), "too_long"),
    "nothing": ("", "malformed"),
    "depths": ("W1tb" * 1_000 + ".e30.AAAA", "malformed"),
    "nonsense": ("a.b.c", "malformed"),
    "a broken character": ("\ud800.\ud800.\ud800", "malformed"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_the_sites_word_of_now_is_refused_with_a_word_for_operators(name):
    token, why = REFUSED[name]

    with pytest.raises(AccessRefused) as refused:
        _tokens().identity_of(token)

    assert str(refused.value) == why


def test_the_sites_word_names_the_customer():
    assert _tokens().identity_of(signed(_claims())) == Identity(
        subject=Subject("ana"), name="Ana Costa", email="ana@shop.example", issued_ms=NOW_S * 1000
    )


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": NOW_S + 3_600},
        {"iat": None, "exp": NOW_S + 3_600},
        {"iat": NOW_S + 30, "exp": NOW_S + 3_630},
        {"nbf": NOW_S - 5},
        {"aud": ["another", SITE]},
        {"jti": "1", "role": "admin", "exp": NOW_S + 60.5},
    ],
    ids=str,
)
def test_an_hour_a_clock_that_is_ahead_and_further_claims_are_allowed(claims):
    assert _tokens().identity_of(signed(_claims(**claims))).subject == "ana"


def test_an_undated_word_counts_as_signed_at_the_earliest_moment_that_its_end_allows():
    identity = _tokens().identity_of(signed(_claims(iat=None, exp=NOW_S + 600)))

    assert identity.issued_ms == (NOW_S - 3_000) * 1000


def test_no_word_with_one_other_character_says_anything_else():
    token, alphabet = signed(_claims()), "AQgwz059-_."

    said = set()
    for at in range(len(token)):
        for other in set(alphabet) - {token[at]}:
            try:
                said.add(_tokens().identity_of(token[:at] + other + token[at + 1 :]))
            except AccessRefused:
                continue

    # The last character of a signature has bits that mean nothing: such a twin says the same, and opens nothing else.
    assert said <= {_tokens().identity_of(token)}


def test_a_retired_key_counts_while_it_is_listed_and_not_after():
    old = signed(_claims())

    assert _tokens(OTHER_KEY, IDENTITY_KEY).identity_of(old).subject == "ana"
    with pytest.raises(AccessRefused, match="other_signature"):
        _tokens(OTHER_KEY).identity_of(old)


@pytest.mark.parametrize(("claims", "why"), [({"aud": "another"}, "other_audience"), ({"exp": 1}, "expired")])
def test_with_two_keys_the_reason_is_that_of_the_key_that_fits(claims, why):
    for keys in ((OTHER_KEY, IDENTITY_KEY), (IDENTITY_KEY, OTHER_KEY)):
        with pytest.raises(AccessRefused, match=why):
            _tokens(*keys).identity_of(signed(_claims(**claims)))


def test_a_public_key_that_was_set_as_the_secret_lets_nobody_in():
    with pytest.raises(AccessRefused, match="malformed"):
        _tokens(PUBLIC_KEY.decode()).identity_of(_signed_by_hand(_claims(), key=PUBLIC_KEY))


def test_without_a_key_nobody_is_believed():
    tokens = IdentityTokens((), clock=ManualClock(NOW_S * 1000), audience=SITE)

    with pytest.raises(AccessRefused, match="no_secret"):
        tokens.identity_of(signed(_claims()))
