"""Slack's streamed messages, and what an assistant's thread shows: status, title, suggested prompts."""

from tests.vendors.local_server import Body
from tests.vendors.slack_chat import (
    OWN,
    change,
    own_message,
    required_blocks,
    required_markdown,
    told_of,
    writable,
)
from tests.vendors.slack_limits import metadata_problems
from tests.vendors.slack_workspace import Channel, Refused, Workspace

STREAM_LIFE_S = 300  # Slack ends a stream by itself; appending does not prolong it
MAX_PROMPTS = 4


def start_stream(workspace: Workspace, args: Body) -> Body:
    channel = writable(workspace, args.get("channel"))
    thread = _thread(channel, args.get("thread_ts"))
    for needed in ("recipient_team_id", "recipient_user_id"):
        if not args.get(needed):
            raise Refused(f"missing_{needed}")
    text = _streamed(args) if "markdown_text" in args or "chunks" in args else ""
    message = workspace.add_message(channel, {**OWN, "text": text, "thread_ts": thread})
    workspace.streams[message["ts"]] = workspace.now()
    told_of(workspace, channel, message)
    return {"ok": True, "channel": channel.id, "ts": message["ts"]}


def append_stream(workspace: Workspace, args: Body) -> Body:
    channel, message = _streaming(workspace, args)
    message["text"] += _streamed(args)
    return {"ok": True, "channel": channel.id, "ts": message["ts"]}


def stop_stream(workspace: Workspace, args: Body) -> Body:
    channel, message = _streaming(workspace, args)
    ending = _streamed(args) if "markdown_text" in args or "chunks" in args else ""
    blocks = required_blocks(workspace, args["blocks"]) if args.get("blocks") else []
    if "metadata" in args:
        if list(metadata_problems(args["metadata"])):
            raise Refused("invalid_metadata_schema")
        message["metadata"] = args["metadata"]
    text = message["text"] + ending
    del workspace.streams[message["ts"]]
    said = [{"type": "markdown", "text": text}] if text else []
    change(workspace, channel, message, {"text": text, "blocks": said + blocks})
    return {"ok": True, "channel": channel.id, "ts": message["ts"], "message": message}


def set_status(workspace: Workspace, args: Body) -> Body:
    channel = workspace.channel(args.get("channel_id"))
    thread = _thread(channel, args.get("thread_ts"))
    status = args.get("status")
    if not isinstance(status, str) or len(args.get("loading_messages", ())) > 10:
        raise Refused("invalid_arguments")
    workspace.said_statuses.append(dict(args))
    workspace.statuses[channel.id, thread] = status
    return {"ok": True}


def set_title(workspace: Workspace, args: Body) -> Body:
    channel = workspace.channel(args.get("channel_id"))
    thread = _thread(channel, args.get("thread_ts"))
    if not args.get("title"):
        raise Refused("invalid_arguments")
    workspace.titles[thread] = args["title"]
    return {"ok": True}


def set_prompts(workspace: Workspace, args: Body) -> Body:
    channel = workspace.channel(args.get("channel_id"))
    if "thread_ts" in args:
        _thread(channel, args["thread_ts"])
    prompts = args.get("prompts")
    if not isinstance(prompts, list) or not 1 <= len(prompts) <= MAX_PROMPTS:
        raise Refused("invalid_arguments")
    if not all(isinstance(p, dict) and p.get("title") and p.get("message") for p in prompts):
        raise Refused("invalid_arguments")
    if not (workspace.is_agent_view and "thread_ts" in args):  # with it, Slack says ok and shows nothing
        workspace.prompts.append(dict(args))
    return {"ok": True}


def _thread(channel: Channel, thread_ts: object) -> str:
    if not isinstance(thread_ts, str) or thread_ts not in channel.messages:
        raise Refused("invalid_thread_ts")
    return thread_ts


def _streaming(workspace: Workspace, args: Body) -> tuple[Channel, Body]:
    channel = workspace.channel(args.get("channel"))
    message = own_message(channel, args.get("ts"), "message_not_owned_by_app")
    started_s = workspace.streams.get(message["ts"])
    if started_s is None or workspace.now() - started_s > STREAM_LIFE_S:
        workspace.streams.pop(message["ts"], None)
        raise Refused("message_not_in_streaming_state")
    return channel, message


def _streamed(args: Body) -> str:
    """Return the text of `markdown_text`, or of the chunks that hold text."""
    if "chunks" not in args:
        return required_markdown(args.get("markdown_text"))
    if "markdown_text" in args or not isinstance(args["chunks"], list):
        raise Refused("invalid_chunks")
    said = [chunk for chunk in args["chunks"] if chunk.get("type") == "markdown_text"]
    return "".join(required_markdown(chunk.get("text")) for chunk in said)
