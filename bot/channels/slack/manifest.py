"""The manifest from which Slack makes the app: what it may do and hears of, each with the reason why. Pure; no file is written.

Slack lets new apps have only the agent's view; those made before July 2026 may keep the assistant's.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass

SCOPES: dict[str, str] = {
    "app_mentions:read": "hear of being mentioned in a channel, which opens a conversation",
    "assistant:write": "suggest what to ask, and name a thread by its question",
    "channels:history": "hear what is written in threads of public channels, and look there for a post whose outcome is not known",
    "channels:read": "learn who is in a public handoff channel: its members are the agents",
    "chat:write": "answer, stream an answer and its status, post and change cards, whisper to one agent",
    "groups:history": "the same as channels:history where the handoff channel is private, as it should be",
    "groups:read": "learn who is in a private handoff channel",
    "im:history": "hear direct messages to the bot",
    "mpim:history": "hear what is written in group direct messages, in threads that began with a mention",
    "users:read": "greet customers in their language, and show agents their names",
    "users:read.email": "know the agent's account in the console by the same e-mail address",
}

HEARD: dict[str, str] = {
    "app_mention": "a question in a channel",
    "message.channels": "follow-up questions and agents' replies in threads, edits, deletions",
    "message.groups": "the same in private channels",
    "message.im": "direct messages",
    "message.mpim": "group direct messages",
}
AGENT_VIEW = {"app_home_opened": "somebody opened the bot's messages: suggest what to ask"}
ASSISTANT_VIEW = {
    "assistant_thread_context_changed": "sent with the next; nothing is read of it",
    "assistant_thread_started": "somebody opened the assistant: suggest what to ask",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AppShape:
    """How the app is made: without `url` over Socket Mode, else Slack sends to that address."""

    name: str = "Candor"
    url: str | None = None
    assistant: bool = False

    @property
    def heard(self) -> dict[str, str]:
        """The events it hears of, each with the reason."""
        return dict(sorted((HEARD | (ASSISTANT_VIEW if self.assistant else AGENT_VIEW)).items()))


def manifest(shape: AppShape) -> str:
    """Return the manifest as YAML with comments, to be pasted where Slack makes an app "from a manifest"."""
    return "\n".join([*_opening(shape), *_features(shape), *_scopes(), *_settings(shape), ""])


def _opening(shape: AppShape) -> Iterable[str]:
    yield "# api.slack.com/apps, Create New App, From a manifest; then Install to Workspace."
    yield "# SLACK_BOT_TOKEN is under OAuth & Permissions, SLACK_SIGNING_SECRET under Basic Information."
    if shape.url is None:
        yield "# SLACK_APP_TOKEN: Basic Information, App-Level Tokens, Generate, with the scope connections:write."
    yield "# Invite the bot to the channel of SLACK_HANDOFF_CHANNEL, and wherever customers may mention it."
    yield "display_information:"
    yield f"  name: {_quoted(shape.name)}"
    yield '  description: "Answers from articles, and hands over to people"'


def _features(shape: AppShape) -> Iterable[str]:
    view, described = (
        ("assistant_view", "assistant_description")
        if shape.assistant
        else ("agent_view", "agent_description")
    )
    yield "features:"
    yield "  bot_user:"
    yield f"    display_name: {_quoted(shape.name)}"
    yield "    always_online: true"
    yield "  app_home:"
    yield "    home_tab_enabled: false"
    yield "    messages_tab_enabled: true  # else nobody can write to the bot directly"
    yield "    messages_tab_read_only_enabled: false"
    yield f"  {view}:"
    yield f'    {described}: "Ask a question; ask for a person at any moment."'


def _scopes() -> Iterable[str]:
    yield "oauth_config:"
    yield "  scopes:"
    yield "    bot:"
    yield from _explained(SCOPES, indent=6)


def _settings(shape: AppShape) -> Iterable[str]:
    yield "settings:"
    yield "  event_subscriptions:"
    if shape.url is not None:
        yield f"    request_url: {_quoted(shape.url + '/slack/events')}"
    yield "    bot_events:"
    yield from _explained(shape.heard, indent=6)
    yield "  interactivity:  # buttons and forms"
    yield "    is_enabled: true"
    if shape.url is not None:
        yield f"    request_url: {_quoted(shape.url + '/slack/actions')}"
    yield "  org_deploy_enabled: false"
    yield f"  socket_mode_enabled: {'true' if shape.url is None else 'false'}"
    yield "  token_rotation_enabled: false  # the bot reads its token once, when it starts"


def _explained(items: dict[str, str], *, indent: int) -> Iterable[str]:
    for name, why in items.items():
        yield f"{' ' * indent}- {name}  # {why}"


def _quoted(text: str) -> str:
    """A JSON string is a YAML string."""
    return json.dumps(text, ensure_ascii=False)
