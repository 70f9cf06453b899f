"""The client's address is what the nearest machine that we do not trust has."""

import pytest

from bot.channels.proxies import Proxies, is_loopback, nearest_untrusted
from bot.errors import Misconfigured

PROXIES = Proxies.from_texts(["10.0.0.0/8", "192.0.2.7", "fd00::/8"])


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        pytest.param("203.0.113.9", [], "203.0.113.9", id="no proxy"),
        pytest.param("203.0.113.9", ["198.51.100.1"], "203.0.113.9", id="a stranger claims"),
        pytest.param("10.1.1.1", ["198.51.100.1"], "198.51.100.1", id="one proxy"),
        pytest.param("10.1.1.1", ["1.1.1.1, 198.51.100.1"], "198.51.100.1", id="the client claims more"),
        pytest.param("10.1.1.1", ["198.51.100.1, 192.0.2.7"], "198.51.100.1", id="two proxies"),
        pytest.param("10.1.1.1", ["198.51.100.1", "192.0.2.7"], "198.51.100.1", id="two headers"),
        pytest.param("10.1.1.1", [], "10.1.1.1", id="a proxy asks for itself"),
        pytest.param("fd00::1", ["2001:db8::1"], "2001:db8::1", id="IPv6"),
        pytest.param("10.1.1.1", ["nonsense"], "nonsense", id="nonsense is nobody's address"),
    ],
)
def test_forwarded_addresses_are_believed_from_proxies_only(peer, forwarded, address):
    assert nearest_untrusted(peer, forwarded, PROXIES) == address


def test_a_proxy_that_is_no_address_stops_the_start():
    with pytest.raises(Misconfigured, match="TRUSTED_PROXIES"):
        Proxies.from_texts(["proxy.example"])


@pytest.mark.parametrize(
    ("address", "expected"), [("127.0.0.1", True), ("::1", True), ("10.0.0.1", False), ("", False)]
)
def test_loopback_is_recognised(address, expected):
    assert is_loopback(address) is expected
