"""What a setting's value may be: each type reads the text of the environment, or says what is wrong with it.

What is said never repeats a secret.
"""

import re
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationInfo

SAMPLE = "sample"
SQLITE = "sqlite:"
_MIN_SECRET = 32
_DURATION = re.compile(r"([1-9][0-9]{0,5})(s|m|h)")
_UNITS: Mapping[str, int] = {"s": 1, "m": 60, "h": 3600}


def seconds_of(duration: str) -> int | None:
    """Read a duration such as 90s, 15m or 6h; None when it is none."""
    found = _DURATION.fullmatch(duration.strip().lower())
    return int(found[1]) * _UNITS[found[2]] if found else None


def _split(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def _listed(value: object) -> object:
    return _split(value) if isinstance(value, str) else value


def _networks(value: object) -> object:
    return [_network(part) for part in _split(value)] if isinstance(value, str) else value


def _network(value: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(value)
    except ValueError as exc:
        raise ValueError(f"{value!r} is not an address or a network such as 10.0.0.0/8") from exc


def _long_enough(value: SecretStr) -> SecretStr:
    if len(value.get_secret_value()) < _MIN_SECRET:
        raise ValueError(f"must have at least {_MIN_SECRET} characters")
    return value


def _absolute(path: Path) -> Path:
    return path.expanduser().resolve()


def _origin(value: str) -> str:
    parts = urlsplit(value)
    if (
        parts.scheme not in {"http", "https"}
        or not parts.netloc
        or value != f"{parts.scheme}://{parts.netloc}"
    ):
        raise ValueError(f"{value!r} is not a site's address such as https://shop.example")
    return value


def _service(value: str) -> str:
    if urlsplit(value).scheme not in {"http", "https"} or not urlsplit(value).netloc:
        raise ValueError(f"{value!r} is not an address such as https://api.example")
    return value.rstrip("/")


def _seconds(value: object) -> object:
    if not isinstance(value, str):
        return value
    if (seconds := seconds_of(value)) is None:
        raise ValueError(f"{value!r} is not a duration such as 90s, 15m or 6h")
    return seconds


def _ping_address(value: SecretStr) -> SecretStr:
    parts = urlsplit(value.get_secret_value())
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("is not an address such as https://hc-ping.example/0f5a")
    return value


def _receiver(value: SecretStr, info: ValidationInfo) -> SecretStr:
    parts = urlsplit(value.get_secret_value())
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
        raise ValueError("is not an address such as https://shop.example/candor")
    if info.data.get("webhook_secret", "wrong, and said so") is None:
        raise ValueError("needs WEBHOOK_SECRET, which signs what is sent there; set it too")
    return value


def _signing_identities(value: SecretStr, info: ValidationInfo) -> SecretStr:
    if value == info.data.get("secret_key"):
        raise ValueError(
            "is the same as SECRET_KEY; whoever signs one kind of token must not be able to sign another"
        )
    return value


def _retired(value: SecretStr, info: ValidationInfo) -> SecretStr:
    if info.data.get("widget_jwt_secret", "wrong, and said so") is None:
        raise ValueError("is what WIDGET_JWT_SECRET was before; set that too")
    return _signing_identities(value, info)


def _possible(required: bool, info: ValidationInfo) -> bool:  # noqa: FBT001 - the library passes it so
    if required and info.data.get("widget_jwt_secret", "wrong, and said so") is None:
        raise ValueError("needs WIDGET_JWT_SECRET, without which nobody could be let in; set it too")
    return required


def _mongodb_address(value: SecretStr) -> SecretStr:
    parts = urlsplit(value.get_secret_value())
    if parts.scheme not in {"mongodb", "mongodb+srv"} or not parts.netloc.rpartition("@")[2]:
        raise ValueError("is not an address such as mongodb://db.example:27017")
    if "@" in f"{parts.path}{parts.query}{parts.fragment}":
        raise ValueError("has a / ? or # in its user or password; write / as %2F, ? as %3F and # as %23")
    return value


def _articles_apart(value: str | None, info: ValidationInfo) -> str | None:
    """Articles have a database of their own, and only where one is named that could be it."""
    here, there = info.data.get("mongodb_uri"), info.data.get("kb_mongodb_uri")
    if value is not None and here is None and there is None:
        raise ValueError("needs KB_MONGODB_URI, or MONGODB_URI, which says where it is; set one of them too")
    if value is not None and value == info.data.get("mongodb_database") and there in {None, here}:
        raise ValueError("is MONGODB_DATABASE, which holds the conversations; name another")
    return value


def _begins(prefix: str, kind: str) -> AfterValidator:
    def checked(value: SecretStr) -> SecretStr:
        if not value.get_secret_value().startswith(prefix):
            raise ValueError(
                f"is no {kind}, which begins with {prefix}; copy it again from the app's settings"
            )
        return value

    return AfterValidator(checked)


def _slack_needs(value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
    """A bot token needs a way in for events, and what is for Slack alone needs a bot token."""
    ways_in = {"SLACK_SIGNING_SECRET": "slack_signing_secret", "SLACK_APP_TOKEN": "slack_app_token"}
    given = [
        name for name, field in ways_in.items() if info.data.get(field, "wrong, and said so") is not None
    ]
    if value is None and given:
        raise ValueError(f"is missing, and {given[0]} is of no use without it; set it too")
    if value is not None and not given:
        raise ValueError(
            "needs SLACK_SIGNING_SECRET (events over HTTP) or SLACK_APP_TOKEN (Socket Mode); set one of them too"
        )
    return value


def _slack_channel(value: str | None, info: ValidationInfo) -> str | None:
    if value is None:
        return value
    if not re.fullmatch(r"[CG][A-Z0-9]{2,}", value):
        raise ValueError(
            f"{value!r} is no channel's id such as C0123ABCD; copy it from the channel's details"
        )
    if info.data.get("slack_bot_token", "wrong, and said so") is None:
        raise ValueError("needs SLACK_BOT_TOKEN, which posts there; set it too")
    return value


def _slack_users(value: tuple[str, ...]) -> tuple[str, ...]:
    for user in value:
        if not re.fullmatch(r"[UW][A-Z0-9]{2,}", user):
            raise ValueError(
                f"{user!r} is no member's id such as U0123ABCD; copy it from the member's profile"
            )
    return value


def _records_address(value: object) -> object:
    """What may hold a password is a secret; a file's name and the word `sample` are none."""
    if not isinstance(value, str) or value == SAMPLE or value.removeprefix(SQLITE) not in {"", value}:
        return value
    parts = urlsplit(value)
    if parts.scheme not in {"postgresql", "postgres"} or not (parts.netloc or parts.query):
        raise ValueError(
            "is neither an address such as postgresql://db.example/shop nor sqlite:PATH nor sample"
        )
    return SecretStr(value)


def _records_description(value: Path | None, info: ValidationInfo) -> Path | None:
    url = info.data.get("records_url", "wrong, and said so")
    if value is None and url is not None and url not in {SAMPLE, "wrong, and said so"}:
        raise ValueError("is missing, and RECORDS_URL needs it: the file says what may be asked; set it too")
    if value is not None and url is None:
        raise ValueError("needs RECORDS_URL, whose records it describes; set it too")
    return value


AbsolutePath = Annotated[Path, AfterValidator(_absolute)]
Networks = Annotated[tuple[IPv4Network | IPv6Network, ...], BeforeValidator(_networks)]
Origin = Annotated[str, AfterValidator(_origin)]
Origins = Annotated[tuple[Origin, ...], BeforeValidator(_listed)]
Service = Annotated[str, AfterValidator(_service)]
Secret = Annotated[SecretStr, AfterValidator(_long_enough)]
IdentitySecret = Annotated[Secret, AfterValidator(_signing_identities)]
RetiredSecret = Annotated[Secret, AfterValidator(_retired)]
Requirement = Annotated[bool, AfterValidator(_possible)]
Interval = Annotated[int, BeforeValidator(_seconds)]  # seconds
MongoAddress = Annotated[SecretStr, AfterValidator(_mongodb_address)]  # it may hold a password
DatabaseName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,60}$")]
ArticlesName = Annotated[DatabaseName | None, AfterValidator(_articles_apart)]
PingAddress = Annotated[SecretStr, AfterValidator(_ping_address)]  # its path is what lets somebody ping
Receiver = Annotated[SecretStr, AfterValidator(_receiver)]
RecordsAddress = Annotated[str | SecretStr, BeforeValidator(_records_address)]
RecordsDescription = Annotated[AbsolutePath | None, AfterValidator(_records_description)]
SlackAppToken = Annotated[SecretStr, _begins("xapp-", "app-level token")]
SlackBotToken = Annotated[
    Annotated[SecretStr, _begins("xoxb-", "bot token")] | None, AfterValidator(_slack_needs)
]
SlackChannel = Annotated[str | None, AfterValidator(_slack_channel)]
SlackUsers = Annotated[tuple[str, ...], BeforeValidator(_listed), AfterValidator(_slack_users)]
