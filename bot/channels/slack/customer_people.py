"""Who customers are, as Slack knows them: asked once in a while, and never waited for. Who cannot be read is somebody without a name."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.slack.attempting import Attempting
from bot.core.customers import Customer, to_address, to_name, to_subject
from bot.core.languages import language_part
from bot.errors import InputRejected
from bot.ports import Clock

FRESH_S = 3_600.0
ASKED_AGAIN_S = 60.0  # after a failure
MOST_KEPT = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerPerson:
    """A customer, and the language that they use Slack in; None where it is not known."""

    customer: Customer
    language: str | None = None


@dataclass(slots=True, kw_only=True)
class CustomerPeople:
    """The customers whom this process has met lately."""

    client: AsyncWebClient
    attempting: Attempting
    clock: Clock
    _known: OrderedDict[tuple[str, str], tuple[float, CustomerPerson]] = field(default_factory=OrderedDict)

    async def of(self, *, team: str, user: str) -> CustomerPerson:
        """Return who this is; never raises."""
        until_s, known = self._known.get((team, user), (0.0, None))
        if known is not None and until_s > self.clock.monotonic_s():
            self._known.move_to_end((team, user))
            return known
        return await self._read(team, user)

    async def called(self, team: str, user: str) -> str | None:
        """Return somebody's name; None when nobody says."""
        return (await self.of(team=team, user=user)).customer.name

    async def _read(self, team: str, user: str) -> CustomerPerson:
        answer = await self.attempting.make(
            "users.info", lambda: self.client.users_info(user=user, include_locale=True)
        )
        if answer is None:
            return self._kept(team, user, to_person(team, user, {}), ASKED_AGAIN_S)
        info = answer.get("user")
        return self._kept(team, user, to_person(team, user, info if isinstance(info, dict) else {}), FRESH_S)

    def _kept(self, team: str, user: str, person: CustomerPerson, for_s: float) -> CustomerPerson:
        self._known[team, user] = (self.clock.monotonic_s() + for_s, person)
        self._known.move_to_end((team, user))
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        return person


def to_person(team: str, user: str, info: Mapping[str, object]) -> CustomerPerson:
    """Return the customer of a `users.info` answer, which may be empty."""
    raw = info.get("profile")
    profile: Mapping[str, object] = raw if isinstance(raw, dict) else {}
    names = (profile.get("real_name"), profile.get("display_name"), info.get("name"))
    customer = Customer(
        subject=to_subject(f"slack:{team}:{user}"),
        name=next((name for name in (_cleaned(to_name, one) for one in names) if name), None),
        email=_cleaned(to_address, profile.get("email")),
    )
    locale = info.get("locale")
    return CustomerPerson(
        customer=customer, language=(language_part(locale) if isinstance(locale, str) else "") or None
    )


def _cleaned(clean: Callable[[str | None], str | None], raw: object) -> str | None:
    try:
        return clean(raw) if isinstance(raw, str) else None
    except InputRejected:
        return None
