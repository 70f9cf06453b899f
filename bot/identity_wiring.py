"""Builds what says who a customer is: the site's own tokens, and the sample's customer on the demo page."""

from bot.adapters.secret_file import kept_secret
from bot.channels.widget.demo import DemoSignIn
from bot.channels.widget.identities import IdentityTokens
from bot.core.customers import Subject
from bot.ports import Clock
from bot.sample.records import DEMO_CUSTOMER
from bot.setting_values import SAMPLE
from bot.settings import Settings


def identities_of(settings: Settings, demo: DemoSignIn | None, clock: Clock) -> IdentityTokens:
    """Return what believes the site, and the demo page where it signs anybody in."""
    return IdentityTokens(_identity_keys(settings, demo), clock=clock, audience=settings.site)


def demo_sign_in(settings: Settings, clock: Clock) -> DemoSignIn | None:
    """Return what vouches for the sample's customer; None unless the sample's records are asked, which needs Claude.

    It has a key of its own, so that nothing here ever signs with the site's.
    """
    if settings.records_url != SAMPLE or settings.anthropic_api_key is None:
        return None
    key = kept_secret(settings.data_dir / "demo.key")
    return DemoSignIn(subject=Subject(DEMO_CUSTOMER), audience=settings.site, clock=clock, key=key)


def _identity_keys(settings: Settings, demo: DemoSignIn | None) -> tuple[str, ...]:
    """Return the secrets that a site may sign with, and that of the demo page; none where nobody is vouched for."""
    secrets = (settings.widget_jwt_secret, settings.widget_jwt_secret_old)
    own = () if demo is None else (demo.key,)
    return (*(secret.get_secret_value() for secret in secrets if secret is not None), *own)
