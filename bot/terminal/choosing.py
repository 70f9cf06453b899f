"""What `serve` uses beside articles, records and Slack, and how its first lines say so."""

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


def slack_chosen(settings: Settings) -> str:
    """Say how Slack is heard, and where agents work in it."""
    if settings.slack_bot_token is None:
        return "not used (SLACK_BOT_TOKEN is not set)"
    ways_in = {
        "requests to /slack/events": settings.slack_signing_secret,
        "a socket": settings.slack_app_token,
    }
    heard = " and ".join(way for way, given in ways_in.items() if given is not None)
    channel = settings.slack_handoff_channel
    where = (
        "the console alone (SLACK_HANDOFF_CHANNEL is not set)"
        if channel is None
        else f"channel {channel} too"
    )
    return f"heard over {heard}; agents in {where}"
