"""Slack's `chat.*` methods over a workspace: each takes what was sent and returns what Slack answers, or raises `Refused`."""

from tests.vendors.local_server import Body
from tests.vendors.slack_events import changed_event, deleted_event, message_event, replied_event
from tests.vendors.slack_limits import (
    MAX_BLOCKS,
    MAX_MARKDOWN,
    MAX_MESSAGE,
    MAX_RENDERED,
    MAX_UPDATE_BYTES,
    metadata_problems,
    problems_of,
    rendered_size,
)
from tests.vendors.slack_workspace import APP, BOT, BOT_USER, Channel, Refused, Workspace

OWN = {"user": BOT_USER, "bot_id": BOT, "app_id": APP}


def post_message(workspace: Workspace, args: Body) -> Body:
    channel = writable(workspace, args.get("channel"))
    message = {**OWN, **_content(workspace, args), **_threaded(channel, args)}
    if "metadata" in args:
        message["metadata"] = _metadata(args["metadata"])
    if args.get("reply_broadcast") and "thread_ts" in message:
        message["subtype"] = "thread_broadcast"
    kept = workspace.add_message(channel, message)
    told_of(workspace, channel, kept)
    return {"ok": True, "channel": channel.id, "ts": kept["ts"], "message": kept}


def update(workspace: Workspace, args: Body) -> Body:
    channel = workspace.channel(args.get("channel"))
    if channel.archived:
        raise Refused("is_inactive")
    message = own_message(channel, args.get("ts"), "cant_update_message")
    if message["ts"] in workspace.streams:
        raise Refused("streaming_state_conflict")
    if len(str(args.get("text", "")).encode()) > MAX_UPDATE_BYTES:
        raise Refused("msg_too_long")
    change(workspace, channel, message, _changes(workspace, args))
    return {
        "ok": True,
        "channel": channel.id,
        "ts": message["ts"],
        "text": message["text"],
        "message": message,
    }


def _changes(workspace: Workspace, args: Body) -> Body:
    """Text without blocks takes the blocks away; text alone is marked as edited."""
    changes = _content(workspace, args)
    if "blocks" not in args:
        changes |= {"blocks": [], "edited": {"user": BOT_USER, "ts": workspace.new_ts()}}
    if "metadata" in args:
        changes["metadata"] = _metadata(args["metadata"])
    return changes


def delete(workspace: Workspace, args: Body) -> Body:
    channel = workspace.channel(args.get("channel"))
    message = own_message(channel, args.get("ts"), "cant_delete_message")
    remove(workspace, channel, message)
    return {"ok": True, "channel": channel.id, "ts": message["ts"]}


def post_ephemeral(workspace: Workspace, args: Body) -> Body:
    channel = writable(workspace, args.get("channel"))
    if args.get("user") not in channel.members:
        raise Refused("user_not_in_channel")
    if len(str(args.get("text", ""))) > MAX_MESSAGE:
        raise Refused("msg_too_long")
    whisper = {
        **OWN, **_content(workspace, args), **_threaded(channel, args), "is_ephemeral": True,
        "channel": channel.id, "to": args["user"], "ts": workspace.new_ts(),
    }  # fmt: skip
    workspace.whispers.append(whisper)
    return {"ok": True, "message_ts": whisper["ts"]}


def get_permalink(workspace: Workspace, args: Body) -> Body:
    channel = workspace.channel(args.get("channel"))
    message = channel.found(args.get("message_ts"))
    link = f"https://acme.slack.example/archives/{channel.id}/p{message['ts'].replace('.', '')}"
    return {"ok": True, "channel": channel.id, "permalink": link}


def told_of(workspace: Workspace, channel: Channel, message: Body) -> None:
    """Tell that *message* was posted, and its thread's first message that it grew."""
    workspace.happened(message_event(channel, message))
    root = channel.messages.get(message.get("thread_ts", ""))
    if root is not None and root is not message and workspace.tells_replies:
        workspace.happened(replied_event(channel, root, ts=workspace.new_ts()))


def change(workspace: Workspace, channel: Channel, message: Body, changes: Body) -> None:
    """Change *message* where it lies, and tell both forms."""
    previous = dict(message)
    message |= changes
    workspace.happened(changed_event(channel, message, previous, ts=workspace.new_ts()))


def remove(workspace: Workspace, channel: Channel, message: Body) -> None:
    """Take *message* away; one with a thread leaves a tombstone, which Slack tells as a change."""
    if message.get("reply_count"):
        tombstone = {
            "subtype": "tombstone", "text": "This message was deleted.", "user": "USLACKBOT", "hidden": True,
            "blocks": [],
        }  # fmt: skip
        change(workspace, channel, message, tombstone)
        for name in ("bot_id", "app_id", "metadata"):  # it is Slack's own from now on
            message.pop(name, None)
        return
    del channel.messages[message["ts"]]
    workspace.streams.pop(message["ts"], None)
    workspace.happened(deleted_event(channel, message, ts=workspace.new_ts()))


def writable(workspace: Workspace, channel: object) -> Channel:
    """Return the channel when the app may post there."""
    found = workspace.channel(channel)
    if found.archived:
        raise Refused("is_archived")
    if BOT_USER not in found.members:
        raise Refused("not_in_channel")
    return found


def own_message(channel: Channel, ts: object, otherwise: str) -> Body:
    """Return the message when the app itself wrote it."""
    message = channel.found(ts)
    if message.get("bot_id") != BOT:
        raise Refused(otherwise)
    return message


def required_blocks(workspace: Workspace, blocks: object) -> list[Body]:
    """Return *blocks* as Slack keeps them, each with an id, or say what is wrong with them."""
    if not isinstance(blocks, list):
        raise Refused("invalid_blocks_format")
    if len(blocks) > MAX_BLOCKS:
        raise Refused(
            "invalid_blocks", **_told([f"no more than {MAX_BLOCKS} items allowed [json-pointer:/blocks]"])
        )
    if blocks and (wrong := problems_of(blocks)):
        raise Refused("invalid_blocks", errors=wrong, **_told(wrong))
    if rendered_size(blocks) > MAX_RENDERED:
        raise Refused("msg_blocks_too_long")
    return [{"block_id": workspace.new_id("b"), **block} for block in blocks]


def required_markdown(text: object) -> str:
    """Return *text* when it is Markdown that Slack takes."""
    if not isinstance(text, str) or not text:
        raise Refused("no_text")
    if len(text) > MAX_MARKDOWN:
        raise Refused("msg_too_long")
    return text


def _content(workspace: Workspace, args: Body) -> Body:
    text, blocks, markdown = args.get("text"), args.get("blocks"), args.get("markdown_text")
    if markdown is not None and (text or blocks):
        raise Refused("markdown_text_conflict")
    if markdown is not None:
        return {"text": required_markdown(markdown), "blocks": [{"type": "markdown", "text": markdown}]}
    if not text and not blocks:
        raise Refused("no_text")
    if not isinstance(text or "", str):
        raise Refused("invalid_arguments")
    # What is too long is cut without a word, as Slack does: a test must see that the rest is missing.
    content: Body = {"text": (text or "")[:MAX_MESSAGE]}
    return content | ({"blocks": required_blocks(workspace, blocks)} if blocks is not None else {})


def _threaded(channel: Channel, args: Body) -> Body:
    thread = args.get("thread_ts")
    if thread is None:
        return {}
    if thread not in channel.messages:
        return {}  # as langchain-ai/open-swe#2753 tells: what is below a deleted message is shown in the channel
    root = channel.messages[thread]
    return {"thread_ts": root.get("thread_ts", thread), "parent_user_id": root.get("user", "")}


def _metadata(metadata: object) -> object:
    if wrong := list(metadata_problems(metadata)):
        raise Refused(
            "metadata_too_large" if "metadata: too large" in wrong else "invalid_metadata_schema",
            **_told(wrong),
        )
    return metadata


def _told(problems: list[str]) -> Body:
    return {"response_metadata": {"messages": [f"[ERROR] {problem}" for problem in problems]}}
