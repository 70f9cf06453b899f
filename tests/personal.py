"""Made-up values of the kinds that no log may hold: addresses and numbers of people, and secrets. Seeded, so that a failure repeats."""

import base64
import json
import random
import string
from collections.abc import Callable, Mapping, Sequence

_NAMES = ("ana", "bruno.costa", "chloé", "d_evans", "emil+shop", "f-wagner", "гость", "hans.o'neil")
_HOSTS = ("example.com", "mail.example.co.uk", "münchen.example", "x.museum", "shop-7.example.pt")
_URL_SAFE = string.ascii_letters + string.digits + "-_"
_COUNTRIES = {"DE": 18, "FR": 23, "GB": 18, "PT": 21, "NL": 14, "ES": 20, "MT": 27, "NO": 11}
_CARD_STARTS = {"4": 16, "51": 16, "2221": 16, "34": 15, "37": 15, "6011": 16, "36": 14, "3528": 16, "62": 19}


def generated(count: int) -> list[str]:
    """Return *count* values, the kinds taking turns."""
    chance = random.Random("personal")  # noqa: S311 - repeatable
    kinds: Sequence[Callable[[random.Random], str]] = tuple(KINDS.values())
    return [kinds[number % len(kinds)](chance) for number in range(count)]


def email(chance: random.Random) -> str:
    return f"{chance.choice(_NAMES)}{chance.randrange(10_000)}@{chance.choice(_HOSTS)}"


def phone(chance: random.Random) -> str:
    area, first, last = chance.randrange(200, 999), chance.randrange(200, 999), chance.randrange(1000, 9999)
    shape = chance.choice(
        (
            "+49 30 {first}{last}", "+351 {area} {first} {area}", "+1 ({area}) {first}-{last}", "+44{area}{first}{last}",
            "0049 {area} {first}{last}", "0{area} {first}{last}", "(0{area}) {first}-{last}", "({area}) {first}-{last}",
            "{area}-{first}-{last}", "{area} {first} {last}", "{area}{first}{last}", "+55 (11) 9{last}-{last}",
        )
    )  # fmt: skip
    return shape.format(area=area, first=first, last=last)


def card(chance: random.Random) -> str:
    start, length = chance.choice(tuple(_CARD_STARTS.items()))
    digits = start + _digits(chance, length - len(start) - 1)
    digits += next(last for last in string.digits if _luhn(digits + last))
    gap = chance.choice(("", " ", "-"))
    return gap.join(digits[at : at + 4] for at in range(0, length, 4))


def iban(chance: random.Random) -> str:
    country, length = chance.choice(tuple(_COUNTRIES.items()))
    account = _digits(chance, length)
    number = int("".join(str(int(c, 36)) for c in f"{account}{country}00"))
    whole = f"{country}{98 - number % 97:02}{account}"
    return whole if chance.random() < 0.5 else " ".join(whole[at : at + 4] for at in range(0, len(whole), 4))


def signed_token(chance: random.Random) -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": _random(chance, 12), "exp": chance.randrange(2**31)})
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, _random(chance, 43)])


def api_key(chance: random.Random) -> str:
    start, length = chance.choice(
        (("sk-ant-api03-", 60), ("pa-", 43), ("xoxb-12345-", 24), ("ghp_", 36), ("AIza", 35))
    )
    return f"{start}1{_random(chance, length)}"


def cookie(chance: random.Random) -> str:
    return f"Cookie: __Host-candor={_random(chance, 43)}; theme={_random(chance, 5)}"


def invitation(chance: random.Random) -> str:
    return f"{_random(chance, 40)}aA7"


def password(chance: random.Random) -> str:
    name = chance.choice(("password", "Token", "api_key", "secret"))
    return f"{name}{chance.choice(('=', ': '))}{_random(chance, 12)}"


def _digits(chance: random.Random, count: int) -> str:
    return "".join(chance.choices(string.digits, k=count))


def _random(chance: random.Random, count: int) -> str:
    return "".join(chance.choices(_URL_SAFE, k=count))


def _luhn(digits: str) -> bool:
    doubled = [2 * int(d) if place % 2 else int(d) for place, d in enumerate(reversed(digits))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


KINDS: Mapping[str, Callable[[random.Random], str]] = {
    "e-mail": email,
    "phone": phone,
    "card": card,
    "IBAN": iban,
    "JWT": signed_token,
    "API key": api_key,
    "cookie": cookie,
    "invitation": invitation,
    "password": password,
}
