"""The settings, from the environment and `.env`; a start-up reports everything that is wrong with them at once.

Only `bot/__main__.py` and `kb_sync/__main__.py` read the environment; a `Settings` made directly reads nothing.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from bot.errors import Misconfigured
from bot.setting_values import (
    AbsolutePath,
    ArticlesName,
    DatabaseName,
    IdentitySecret,
    Interval,
    MongoAddress,
    Networks,
    Origin,
    Origins,
    PingAddress,
    Receiver,
    RecordsAddress,
    RecordsDescription,
    Requirement,
    RetiredSecret,
    Secret,
    Service,
    SlackAppToken,
    SlackBotToken,
    SlackChannel,
    SlackUsers,
)

_PREFIX = "CANDOR_"
_DATA_DIR = f"{_PREFIX}DATA_DIR"
_EMBEDDING_MODEL = f"{_PREFIX}EMBEDDING_MODEL"


class Settings(BaseSettings):
    """Every setting; the environment's name of each is the field's in capitals unless it says otherwise."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=str.upper,
        populate_by_name=True,
        hide_input_in_errors=True,
    )

    data_dir: AbsolutePath = Field(default=Path("var"), alias=_DATA_DIR, validate_default=True)
    embedding_model: AbsolutePath | None = Field(default=None, alias=_EMBEDDING_MODEL)
    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=0, le=65_535)  # 0 takes any free port
    public_url: Origin | None = None
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    site: str = Field(default="candor", pattern=r"^[A-Za-z0-9._-]{1,64}$")
    trusted_proxies: Networks = ()
    bot_enabled: bool = True
    retrieval_enabled: bool = True
    no_evidence_policy: Literal["handoff", "offer"] = "handoff"
    gate_threshold: float | None = Field(
        default=None, ge=-1, le=1
    )  # raw cosine; the calibrated one when unset
    secret_key: Secret | None = None
    mongodb_uri: MongoAddress | None = None
    mongodb_database: DatabaseName = "candor"
    mongodb_driver: Literal["motor", "pymongo"] = "motor"
    kb_mongodb_uri: MongoAddress | None = None  # articles are where conversations are when unset
    kb_database: ArticlesName = None  # after what it is compared with
    kb_source: str | None = None  # a folder, a file or an address; see the README
    kb_locale: str = Field(default="en", pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$")
    kb_sync_every: Interval | None = None  # how often a sync is expected, such as 15m, where cron starts it
    kb_ping_url: PingAddress | None = None
    kb_golden: AbsolutePath | None = None
    kb_budget_tokens: int | None = Field(default=None, ge=1)  # embedded in one sync
    zendesk_email: str | None = None
    zendesk_api_token: SecretStr | None = None
    voyage_api_key: SecretStr | None = None
    voyage_model: str = Field(default="voyage-4", min_length=1)
    voyage_base_url: Service = "https://api.voyageai.com"
    voyage_dimension: int = Field(default=1024, ge=1)
    voyage_rerank_model: str | None = None
    anthropic_api_key: SecretStr | None = None
    anthropic_model: str = Field(default="claude-haiku-5-5", min_length=1)
    anthropic_base_url: Service = "https://api.anthropic.com"
    anthropic_max_tokens: int = Field(default=600, ge=1)
    anthropic_input_price: float = Field(default=0.10, ge=0)  # USD for a million tokens
    anthropic_output_price: float = Field(default=0.50, ge=0)
    max_conversation_turns_per_day: int = Field(default=40, ge=0)
    max_conversation_tokens_per_day: int | None = Field(default=200_000, ge=0)
    max_conversation_spend_per_day: float | None = Field(default=None, ge=0)  # USD
    max_turns_per_day: int | None = Field(default=None, ge=0)  # over all conversations, as the next two
    max_tokens_per_day: int | None = Field(default=None, ge=0)
    max_spend_per_day: float | None = Field(default=20.0, ge=0)  # USD
    widget_origins: Origins = ()
    widget_jwt_secret: IdentitySecret | None = None  # after secret_key, from which it must differ
    widget_jwt_secret_old: RetiredSecret | None = None
    widget_identity_required: Requirement = False
    widget_conversations_per_address: int = Field(default=6, ge=1)  # new ones in 12 hours
    widget_sockets_per_address: int = Field(default=20, ge=1)
    widget_sockets_per_customer: int = Field(default=5, ge=1)
    attachments: bool = False
    webhook_secret: Secret | None = None
    webhook_url: Receiver | None = None  # after its secret, which it needs; its path may hold a token
    slack_app_token: SlackAppToken | None = None
    slack_signing_secret: SecretStr | None = None
    slack_bot_token: SlackBotToken = Field(default=None, validate_default=True)  # after what it needs
    slack_handoff_channel: SlackChannel = None
    slack_agents: SlackUsers = ()  # members' ids; everybody in the handoff channel when unset
    slack_base_url: Service = "https://slack.com/api"
    records_url: RecordsAddress | None = None  # postgresql://…, sqlite:PATH or sample
    records_description: RecordsDescription = Field(default=None, validate_default=True)  # after its address
    retention_days: int | None = Field(default=None, ge=1)
    evidence_days: int | None = Field(default=None, ge=1)
    business_hours: str | None = (
        None  # "Mon-Fri 09:00-17:00 Europe/Berlin"; agents are always there when unset
    )

    def secrets(self) -> tuple[str, ...]:
        """Return the values that no log may hold."""
        values = (getattr(self, name) for name in type(self).model_fields)
        secrets = [value.get_secret_value() for value in values if isinstance(value, SecretStr)]
        return (*secrets, *(password for secret in secrets if (password := _password_in(secret))))

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take values from the constructor alone, so that nobody's environment leaks into a test."""
        return (init_settings,)


def read_settings(environment: Mapping[str, str], env_file: Path = Path(".env")) -> Settings:
    """Build the settings; the environment wins over *env_file*, and an empty value counts as unset."""
    given = {name: value for name, value in {**_from_file(env_file), **environment}.items() if value.strip()}
    problems = _unknown_names(given)
    settings = _validated({name: given[name] for name in _known_names() & given.keys()}, problems)
    if settings is None or problems:
        raise Misconfigured("; ".join(problems))
    return settings


def _password_in(address: str) -> str | None:
    """Return the password that an address holds, by itself, as an error may repeat it."""
    return urlsplit(address).password if "://" in address else None


def _validated(values: Mapping[str, str], problems: list[str]) -> Settings | None:
    """Return the settings, or None after adding what is wrong to *problems*."""
    try:
        return Settings.model_validate(values)
    except ValidationError as exc:
        problems.extend(
            f"{str(error['loc'][0]).upper()}: {_sentence(error['msg'])}" for error in exc.errors()
        )
        return None


def _sentence(message: str) -> str:
    message = message.removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def _from_file(env_file: Path) -> Mapping[str, str]:
    try:
        source = DotEnvSettingsSource(Settings, env_file=env_file, case_sensitive=True)
    except (OSError, UnicodeDecodeError) as exc:
        raise Misconfigured(f"{env_file}: cannot be read ({exc}); make it a readable UTF-8 file") from exc
    return {name: value for name, value in source.env_vars.items() if value is not None}


def _known_names() -> frozenset[str]:
    return frozenset(field.alias or name.upper() for name, field in Settings.model_fields.items())


def _unknown_names(given: Mapping[str, str]) -> list[str]:
    known = sorted(_known_names())
    wrong = sorted(name for name in given if name.startswith(_PREFIX) and name not in known)
    return [f"{name}: there is no such setting{_suggestion(name, known)}" for name in wrong]


def _suggestion(name: str, known: list[str]) -> str:
    bare = name.removeprefix(_PREFIX)
    near = [bare] if bare in known else get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else "; unset it"
