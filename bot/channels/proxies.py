"""Who really asks: the client's address and the origin it sees, believing only proxies that are trusted."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from aiohttp import web

from bot.errors import Misconfigured

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxies:
    """The networks whose X-Forwarded-For and X-Forwarded-Proto are believed; none by default."""

    networks: tuple[Network, ...] = ()

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> "Proxies":
        """Read addresses or networks; Misconfigured names the first that is neither."""
        return cls(networks=tuple(_to_network(text) for text in texts))

    def client_address(self, request: web.Request) -> str:
        """Return the address nearest to us that is not a trusted proxy."""
        return nearest_untrusted(request.remote or "", request.headers.getall("X-Forwarded-For", []), self)

    def own_origin(self, request: web.Request) -> str:
        """Return the origin under which the client reached us."""
        scheme = request.scheme
        if self.trusts(request.remote or ""):
            forwarded = request.headers.get("X-Forwarded-Proto", scheme)
            scheme = forwarded if forwarded in {"http", "https"} else scheme
        return f"{scheme}://{request.host}"

    def trusts(self, address: str) -> bool:
        """Whether *address* is one of the proxies."""
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self.networks)


def nearest_untrusted(peer: str, forwarded: Iterable[str], proxies: Proxies) -> str:
    """Walk X-Forwarded-For from our end; what lies beyond the first stranger is the stranger's own claim."""
    hops = [hop.strip() for line in forwarded for hop in line.split(",") if hop.strip()]
    address = peer
    while hops and proxies.trusts(address):
        address = hops.pop()
    return address


def is_loopback(address: str) -> bool:
    """Whether *address* is this machine."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def is_local_origin(origin: str) -> bool:
    """Whether a page of *origin* never leaves this machine on its way."""
    try:
        host = urlsplit(origin).hostname or ""
    except ValueError:  # the host is what a client wrote
        return False
    return host == "localhost" or host.endswith(".localhost") or is_loopback(host)


def _to_network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text.strip(), strict=False)
    except ValueError as exc:
        raise Misconfigured(f"TRUSTED_PROXIES: {text!r} is neither an address nor a network") from exc
