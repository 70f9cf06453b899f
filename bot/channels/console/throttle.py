"""How often somebody may try to get in (FAULTS W16). Every try counts, so that no answer tells a guess from a slip."""

from bot.channels.open_sockets import OpenSockets
from bot.channels.throttling import Windows, to_limits


class Throttle:
    """Counts within this process; `places` are those for sockets. Each limit is written as the `limits` library reads it."""

    def __init__(
        self,
        *,
        sign_ins: str = "5/5 minutes",
        invitations: str = "20/5 minutes",
        places: OpenSockets | None = None,
    ) -> None:
        self.places = places or OpenSockets()
        self._sign_ins = to_limits(sign_ins)
        # Their secrets cannot be guessed; this bounds the hashing. A page looks, then tries until the password is good.
        self._invitations = to_limits(invitations)
        self._windows = Windows()

    def admit_sign_in(self, address: str, email: str) -> int | None:
        """Return the seconds to wait, or None; counted for the address and for the account, whether there is one or not."""
        account = email.strip().casefold()
        return self._windows.admit(self._sign_ins, ("sign-in from", address), ("sign-in to", account))

    def admit_invitation(self, address: str) -> int | None:
        """Return the seconds to wait, or None."""
        return self._windows.admit(self._invitations, ("invitation", address))
