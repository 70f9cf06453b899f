"""Which scope of a bot's token each method of Slack's Web API needs, as its reference says; `{kind}` is the kind of the channel."""

FAMILIES = {"channel": "channels", "group": "groups", "im": "im", "mpim": "mpim"}

SCOPES: dict[str, str] = {
    "assistant.threads.setStatus": "chat:write",
    "assistant.threads.setSuggestedPrompts": "assistant:write",
    "assistant.threads.setTitle": "assistant:write",
    "auth.test": "",
    "chat.appendStream": "chat:write",
    "chat.delete": "chat:write",
    "chat.getPermalink": "",
    "chat.postEphemeral": "chat:write",
    "chat.postMessage": "chat:write",
    "chat.startStream": "chat:write",
    "chat.stopStream": "chat:write",
    "chat.update": "chat:write",
    "conversations.history": "{kind}:history",
    "conversations.info": "{kind}:read",
    "conversations.join": "channels:join",
    "conversations.list": "channels:read",
    "conversations.members": "{kind}:read",
    "conversations.open": "im:write",
    "conversations.replies": "{kind}:history",
    "users.info": "users:read",
    "users.lookupByEmail": "users:read.email",
    "views.open": "",
    "views.push": "",
    "views.update": "",
}

EVENTS: dict[str, str] = {
    "app_mention": "app_mentions:read",
    "assistant_thread_context_changed": "assistant:write",
    "assistant_thread_started": "assistant:write",
    "message": "{kind}:history",
}


def needed(method: str, kind: str) -> str:
    """Return the scope that *method* needs in a channel of *kind*, or "" when it needs none."""
    return SCOPES[method].format(kind=FAMILIES.get(kind, "channels"))


def needed_for_event(event_type: str, kind: str) -> str:
    """Return the scope without which an event is not sent."""
    return EVENTS.get(event_type, "").format(kind=FAMILIES.get(kind, "channels"))
