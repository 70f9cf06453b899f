"""Streamed messages and the assistant's view of the local Slack server, called by slack_sdk."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.memory.clock import ManualClock
from tests.vendors.slack_apps import web_client
from tests.vendors.slack_blocks import feedback
from tests.vendors.slack_server import CUSTOMER, SlackServer
from tests.vendors.slack_workspace import TEAM

TO = {"recipient_team_id": TEAM, "recipient_user_id": CUSTOMER}


async def started(slack: SlackServer) -> tuple[AsyncWebClient, str, str]:
    """Open the assistant and start a stream in it; return the client, the direct message and the stream's `ts`."""
    thread = await slack.opens_assistant(CUSTOMER)
    channel, client = slack.workspace.direct(CUSTOMER).id, web_client(slack)
    stream = await client.chat_startStream(channel=channel, thread_ts=thread, markdown_text="Open ", **TO)
    return client, channel, stream["ts"]


async def test_a_streamed_answer_grows_and_ends_with_its_buttons(slack: SlackServer):
    client, channel, ts = await started(slack)
    await client.chat_appendStream(channel=channel, ts=ts, markdown_text="the **calendar**.")
    await client.chat_stopStream(channel=channel, ts=ts, blocks=[feedback()])

    message = slack.workspace.channels[channel].messages[ts]
    assert message["text"] == "Open the **calendar**."
    assert [block["type"] for block in message["blocks"]] == ["markdown", "context_actions"]
    assert [push.event.get("subtype") for push in slack.pushes.told] == [None, None, "message_changed"]


async def test_what_is_no_stream_any_more_takes_nothing(slack: SlackServer):
    client, channel, ts = await started(slack)
    await client.chat_stopStream(channel=channel, ts=ts)

    for call in (client.chat_appendStream, client.chat_stopStream):
        with pytest.raises(SlackApiError, match="message_not_in_streaming_state"):
            await call(channel=channel, ts=ts, markdown_text="more")


async def test_a_stream_lives_five_minutes(slack: SlackServer):
    clock = ManualClock()
    slack.workspace.now = lambda: clock.now_ms() / 1_000
    client, channel, ts = await started(slack)
    clock.advance(300_001)

    with pytest.raises(SlackApiError, match="message_not_in_streaming_state"):
        await client.chat_appendStream(channel=channel, ts=ts, markdown_text="more")


async def test_a_streaming_message_cannot_be_changed(slack: SlackServer):
    client, channel, ts = await started(slack)

    with pytest.raises(SlackApiError, match="streaming_state_conflict"):
        await client.chat_update(channel=channel, ts=ts, text="Other")


@pytest.mark.parametrize("missing", TO)
async def test_a_stream_needs_to_know_for_whom_it_is(slack: SlackServer, missing):
    thread = await slack.opens_assistant(CUSTOMER)
    channel = slack.workspace.direct(CUSTOMER).id
    rest = {name: value for name, value in TO.items() if name != missing}

    with pytest.raises(SlackApiError, match=f"missing_{missing}"):
        await web_client(slack).chat_startStream(channel=channel, thread_ts=thread, **rest)


async def test_the_status_stands_until_the_bot_writes(slack: SlackServer):
    thread = await slack.opens_assistant(CUSTOMER)
    channel, client = slack.workspace.direct(CUSTOMER).id, web_client(slack)

    await client.assistant_threads_setStatus(channel_id=channel, thread_ts=thread, status="is searching…")
    assert slack.workspace.statuses == {(channel, thread): "is searching…"}
    await client.chat_postMessage(channel=channel, thread_ts=thread, text="Open the calendar.")

    assert slack.workspace.statuses == {}


async def test_a_thread_gets_a_title_and_at_most_four_prompts(slack: SlackServer):
    thread = await slack.opens_assistant(CUSTOMER)
    place = {"channel_id": slack.workspace.direct(CUSTOMER).id, "thread_ts": thread}
    client, prompt = web_client(slack), {"title": "Lessons", "message": "How do I reschedule?"}

    await client.assistant_threads_setTitle(**place, title="Rescheduling")
    await client.assistant_threads_setSuggestedPrompts(**place, prompts=[prompt] * 4)
    with pytest.raises(SlackApiError, match="invalid_arguments"):
        await client.assistant_threads_setSuggestedPrompts(**place, prompts=[prompt] * 5)

    assert slack.workspace.titles == {thread: "Rescheduling"}
    assert [shown["prompts"] for shown in slack.workspace.prompts] == [[prompt] * 4]


async def test_the_assistant_tells_the_app_who_opened_it_and_where(slack: SlackServer):
    thread = await slack.opens_assistant(CUSTOMER, beside="C0HELP")

    event = slack.pushes.told[0].event
    assert event["type"] == "assistant_thread_started"
    assert event["assistant_thread"]["thread_ts"] == thread
    assert event["assistant_thread"]["context"]["channel_id"] == "C0HELP"


async def test_the_app_learns_who_opened_its_messages(slack: SlackServer):
    channel = await slack.opens_messages(CUSTOMER, beside="C0HELP")

    event = slack.pushes.told[0].event
    assert (event["type"], event["tab"], event["channel"]) == ("app_home_opened", "messages", channel)
    assert event["context"]["entities"][0]["value"] == "C0HELP"


async def test_prompts_stand_above_the_messages_and_not_in_a_thread(slack: SlackServer):
    channel = await slack.opens_messages(CUSTOMER)
    thread, client = await slack.says(CUSTOMER, channel, "Hello"), web_client(slack)
    prompts = [{"title": "Lessons", "message": "How do I reschedule?"}]

    await client.assistant_threads_setSuggestedPrompts(channel_id=channel, thread_ts=thread, prompts=prompts)
    assert slack.workspace.prompts == []
    await client.assistant_threads_setSuggestedPrompts(channel_id=channel, prompts=prompts)

    assert [shown["prompts"] for shown in slack.workspace.prompts] == [prompts]
