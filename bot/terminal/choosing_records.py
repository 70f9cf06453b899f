"""Which records `serve` asks, and how its first lines say so."""

from bot.records_wiring import records_named
from bot.setting_values import SAMPLE
from bot.settings import Settings


def with_sample_records(settings: Settings) -> Settings:
    """Ask the sample's records where Claude is there to do it and no others are named: for a demo, never for customers."""
    if settings.records_url is not None or settings.anthropic_api_key is None:
        return settings
    return settings.model_copy(update={"records_url": SAMPLE})


def records_chosen(settings: Settings) -> str:
    """Say which records are asked, and why none are."""
    named = records_named(settings)
    if settings.records_url is None:
        return named
    if settings.anthropic_api_key is None:
        return f"none, because only Claude can ask them (ANTHROPIC_API_KEY is not set): {named}"
    if settings.records_url == SAMPLE:
        return f"{named}; sign in on the demo page (RECORDS_URL names no others)"
    return named
