"""A stream that nobody knows of: what it looks like among the messages of a thread. Pure."""

from collections.abc import Mapping

from bot.channels.slack.finding import key_of, listed
from bot.core.slack_rows import SlackPost

SKEW_S = 600.0  # so far Slack's clock, which stamps messages, may be from ours


def stray_in(page: Mapping[str, object], begun: SlackPost) -> str | None:
    """Return the `ts` of the newest message of the bot's that is no post of ours and may be the stream *begun*; None without any."""
    since_s = begun.begun_ms / 1000 - SKEW_S
    found = [_ts(message) for message in listed(page, "messages") if _may_be_ours(message, begun)]
    return max((ts for ts in found if _seconds(ts) >= since_s), key=_seconds, default=None)


def _may_be_ours(message: Mapping[str, object], begun: SlackPost) -> bool:
    is_reply = _ts(message) != begun.place.thread_ts
    return is_reply and bool(message.get("bot_id")) and not message.get("subtype") and key_of(message) is None


def _ts(message: Mapping[str, object]) -> str:
    return str(message.get("ts", ""))


def _seconds(ts: str) -> float:
    try:
        return float(ts)
    except ValueError:
        return 0.0
