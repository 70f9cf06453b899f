"""Slack's methods that read a workspace: messages and threads in pages, channels, members, people, and who the app is."""

from collections.abc import Sequence
from typing import TypeVar

from tests.vendors.local_server import Body
from tests.vendors.slack_workspace import APP, BOT, BOT_USER, Channel, Refused, Workspace

Item = TypeVar("Item")


def auth_test(workspace: Workspace, args: Body) -> Body:
    return {
        "ok": True, "url": "https://acme.slack.example/", "team": "Acme", "user": "candor",
        "team_id": workspace.team, "user_id": BOT_USER, "bot_id": BOT, "app_id": APP,
        "is_enterprise_install": False,
    }  # fmt: skip


def replies(workspace: Workspace, args: Body) -> Body:
    channel = readable(workspace, args)
    ts = args.get("ts")
    if not isinstance(ts, str) or ts not in channel.messages:
        raise Refused("thread_not_found")
    root = channel.messages[ts].get("thread_ts", ts)
    first, *rest = channel.thread(root) or [channel.messages[ts]]
    shown = [first, *(message for message in rest if _within(message, args))]
    return _page("messages", [_shown(message, args) for message in shown], args, usual=1_000)


def history(workspace: Workspace, args: Body) -> Body:
    """What stands in the channel itself, newest first: of threads only what was broadcast."""
    channel = readable(workspace, args)
    shown = [
        _shown(message, args)
        for message in reversed(channel.in_order())
        if _within(message, args)
        and (message.get("thread_ts", message["ts"]) == message["ts"] or _is_broadcast(message))
    ]
    return _page("messages", shown, args, usual=100)


def info(workspace: Workspace, args: Body) -> Body:
    return {"ok": True, "channel": _channel(readable(workspace, args, member=False))}


def members(workspace: Workspace, args: Body) -> Body:
    channel = readable(workspace, args, member=False)
    return _page("members", channel.members, args, usual=workspace.members_page)


def join(workspace: Workspace, args: Body) -> Body:
    channel = workspace.channel(args.get("channel"))
    if channel.kind != "channel":
        raise Refused("method_not_supported_for_channel_type")
    if channel.archived:
        raise Refused("is_archived")
    if BOT_USER not in channel.members:
        channel.members.append(BOT_USER)
    return {"ok": True, "channel": _channel(channel)}


def open_direct(workspace: Workspace, args: Body) -> Body:
    user = str(args.get("users", ""))
    if user not in workspace.people:
        raise Refused("user_not_found")
    return {"ok": True, "channel": {"id": workspace.direct(user).id}}


def channels(workspace: Workspace, args: Body) -> Body:
    known = [_channel(channel) for channel in workspace.channels.values() if channel.kind == "channel"]
    return _page("channels", known, args, usual=100)


def person(workspace: Workspace, args: Body) -> Body:
    user = args.get("user")
    if user not in workspace.people:
        raise Refused("user_not_found")
    known = dict(workspace.people[user])
    if not is_true(args.get("include_locale")):
        del known["locale"]
    return {"ok": True, "user": known}


def person_by_email(workspace: Workspace, args: Body) -> Body:
    for known in workspace.people.values():
        if known["profile"].get("email") == args.get("email"):
            return {"ok": True, "user": known}
    raise Refused("users_not_found")


def readable(workspace: Workspace, args: Body, *, member: bool = True) -> Channel:
    """Return the channel when the app may read it; of a private one it does not learn that it is there."""
    channel = workspace.channel(args.get("channel"))
    if BOT_USER in channel.members:
        return channel
    if channel.kind != "channel":
        raise Refused("channel_not_found")
    if member:
        raise Refused("not_in_channel")
    return channel


def is_true(value: object) -> bool:
    """Read a truth as it comes in JSON, or in a query."""
    return value in {True, "1", "true", "True"}


def _within(message: Body, args: Body) -> bool:
    ts, oldest, latest = message["ts"], args.get("oldest"), args.get("latest")
    if is_true(args.get("inclusive")) and ts in {oldest, latest}:
        return True
    return (not oldest or ts > str(oldest)) and (not latest or ts < str(latest))


def _is_broadcast(message: Body) -> bool:
    return message.get("subtype") == "thread_broadcast"


def _shown(message: Body, args: Body) -> Body:
    """Leave metadata out unless it was asked for."""
    wanted = is_true(args.get("include_all_metadata"))
    return {name: value for name, value in message.items() if wanted or name != "metadata"}


def _page(name: str, items: Sequence[Item], args: Body, *, usual: int) -> Body:
    cursor = str(args.get("cursor") or "0")
    if not cursor.isdecimal():
        raise Refused("invalid_cursor")
    start, size = int(cursor), min(int(args.get("limit") or usual), usual)
    following = str(start + size) if start + size < len(items) else ""
    return {
        "ok": True, name: list(items[start : start + size]), "has_more": bool(following),
        "response_metadata": {"next_cursor": following},
    }  # fmt: skip


def _channel(channel: Channel) -> Body:
    return {
        "id": channel.id, "name": channel.name, "is_channel": channel.kind == "channel",
        "is_group": channel.kind == "group", "is_im": channel.kind == "im",
        "is_mpim": channel.kind == "mpim", "is_private": channel.kind != "channel",
        "is_archived": channel.archived, "is_member": BOT_USER in channel.members,
        "num_members": len(channel.members),
    }  # fmt: skip
