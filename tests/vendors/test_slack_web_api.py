"""Slack's Web API as the local server plays it, called by slack_sdk."""

import pytest
from slack_sdk.errors import SlackApiError

from tests.vendors.slack_apps import web_client
from tests.vendors.slack_server import (
    AGENT,
    APP_TOKEN,
    BOT_TOKEN,
    CUSTOMER,
    DESK,
    HELP,
    OTHER_AGENT,
    SlackServer,
)
from tests.vendors.slack_transcripts import pings
from tests.vendors.slack_workspace import BOT_USER

METADATA = {"event_type": "candor_post", "event_payload": {"key": "m:c1:1:0", "conversation": "c1"}}


async def test_an_app_learns_who_it_is(slack: SlackServer):
    told = await web_client(slack).auth_test()

    assert (told["user_id"], told["team_id"]) == (BOT_USER, slack.workspace.team)
    assert "chat:write" in told.headers["x-oauth-scopes"]


async def test_what_is_posted_in_a_thread_is_read_there_with_its_metadata(slack: SlackServer):
    client = web_client(slack)
    root = await client.chat_postMessage(channel=DESK, text="A card")
    await client.chat_postMessage(channel=DESK, text="In it", thread_ts=root["ts"], metadata=METADATA)

    read = await client.conversations_replies(channel=DESK, ts=root["ts"], include_all_metadata=True)

    assert [message["text"] for message in read["messages"]] == ["A card", "In it"]
    assert read["messages"][1]["metadata"] == METADATA
    assert read["messages"][0]["reply_count"] == 1


async def test_metadata_is_shown_only_to_who_asks(slack: SlackServer):
    client = web_client(slack)
    await client.chat_postMessage(channel=DESK, text="A card", metadata=METADATA)

    read = await client.conversations_history(channel=DESK)

    assert "metadata" not in read["messages"][0]


async def test_the_history_of_a_channel_holds_of_threads_only_what_was_broadcast(slack: SlackServer):
    client = web_client(slack)
    root = await client.chat_postMessage(channel=DESK, text="A card")
    for text, broadcast in (("quiet", False), ("waiting again", True)):
        await client.chat_postMessage(
            channel=DESK, text=text, thread_ts=root["ts"], reply_broadcast=broadcast
        )

    read = await client.conversations_history(channel=DESK)

    assert [message["text"] for message in read["messages"]] == ["waiting again", "A card"]


async def test_members_come_in_pages(slack: SlackServer):
    slack.workspace.members_page = 2
    pages = [page["members"] async for page in await web_client(slack).conversations_members(channel=DESK)]

    assert pages == [[BOT_USER, AGENT], [OTHER_AGENT]]


async def test_an_update_by_text_alone_takes_the_blocks_away_and_says_so(slack: SlackServer):
    client = web_client(slack)
    section = {"type": "section", "text": {"type": "mrkdwn", "text": "A card"}}
    posted = await client.chat_postMessage(channel=DESK, text="A card", blocks=[section])

    await client.chat_update(channel=DESK, ts=posted["ts"], text="Done")

    (message,) = slack.posted(DESK)
    assert (message["text"], message["blocks"], message["edited"]["user"]) == ("Done", [], BOT_USER)


async def test_only_the_person_addressed_sees_a_whisper(slack: SlackServer):
    await web_client(slack).chat_postEphemeral(channel=DESK, user=AGENT, text="Already claimed by Zoe")

    assert [whisper["text"] for whisper in slack.whispered(AGENT)] == ["Already claimed by Zoe"]
    assert slack.whispered(OTHER_AGENT) == []
    assert slack.transcript(DESK) == []


async def test_a_person_is_shown_with_mail_and_on_demand_with_locale(slack: SlackServer):
    client = web_client(slack)
    known = (await client.users_info(user=CUSTOMER, include_locale=True))["user"]
    by_mail = (await client.users_lookupByEmail(email=known["profile"]["email"]))["user"]

    assert (known["locale"], by_mail["id"]) == ("en-US", CUSTOMER)
    assert "locale" not in (await client.users_info(user=CUSTOMER))["user"]


async def test_a_transcript_shows_what_a_person_sees(slack: SlackServer):
    blocks = [
        {"type": "section", "text": {"type": "mrkdwn", "text": "See <https://acme.example|here> &lt;b&gt;"}},
        {"type": "section", "text": {"type": "mrkdwn", "text": "since <!date^1^{time}|noon>"}},
        {
            "type": "actions",
            "elements": [
                {"type": "button", "action_id": "a", "text": {"type": "plain_text", "text": "Claim"}}
            ],
        },
    ]
    await web_client(slack).chat_postMessage(channel=DESK, text="A card", blocks=blocks)

    assert slack.transcript(DESK) == ["Candor: See here (https://acme.example) <b>\nsince noon\n[Claim]"]


@pytest.mark.parametrize(
    ("text", "pinged"),
    [
        pytest.param("<!channel> <@U1> hello", ["!channel", "@U1"], id="active"),
        pytest.param("&lt;!channel&gt; &lt;@U1&gt;", [], id="escaped"),
    ],
)
async def test_a_mention_pings_unless_it_is_escaped(slack: SlackServer, text, pinged):
    await web_client(slack).chat_postMessage(channel=HELP, text=text)

    assert pings(slack.posted(HELP)[0]) == pinged


async def test_what_is_said_below_a_deleted_message_stands_in_the_channel(slack: SlackServer):
    ts = await slack.says(CUSTOMER, HELP, "Hi")
    await slack.deletes(HELP, ts)

    said = await web_client(slack).chat_postMessage(channel=HELP, text="x", thread_ts=ts)

    assert "thread_ts" not in said["message"]
    assert slack.transcript(HELP) == ["Candor: x"]


@pytest.mark.parametrize(
    ("args", "error"),
    [
        pytest.param({"channel": "C0NONE", "text": "x"}, "channel_not_found", id="no channel"),
        pytest.param({"channel": DESK, "text": ""}, "no_text", id="no text"),
        pytest.param(
            {"channel": DESK, "text": "x", "markdown_text": "x"}, "markdown_text_conflict", id="markdown"
        ),
        pytest.param(
            {"channel": DESK, "text": "x", "blocks": [{"type": "no"}]}, "invalid_blocks", id="block"
        ),
        pytest.param(
            {"channel": DESK, "text": "x", "metadata": {"event_type": "a"}},
            "invalid_metadata_schema",
            id="meta",
        ),
    ],
)
async def test_what_slack_would_refuse_to_post_is_refused(slack: SlackServer, args, error):
    with pytest.raises(SlackApiError) as refused:
        await web_client(slack).api_call("chat.postMessage", json=args)

    assert refused.value.response["error"] == error


async def test_blocks_of_more_than_a_message_holds_are_too_long(slack: SlackServer):
    section = {"type": "section", "text": {"type": "mrkdwn", "text": "x" * 2_700}}

    with pytest.raises(SlackApiError, match="msg_blocks_too_long"):
        await web_client(slack).chat_postMessage(channel=DESK, text="x", blocks=[section] * 5)


async def test_an_update_takes_less_text_than_a_post(slack: SlackServer):
    client = web_client(slack)
    posted = await client.chat_postMessage(channel=DESK, text="é" * 4_000)

    with pytest.raises(SlackApiError, match="msg_too_long"):
        await client.chat_update(channel=DESK, ts=posted["ts"], text="é" * 2_001)


@pytest.mark.parametrize(
    ("token", "error"),
    [
        pytest.param("", "not_authed", id="none"),
        pytest.param("xoxb-other", "invalid_auth", id="another"),
        pytest.param(APP_TOKEN, "not_allowed_token_type", id="of the app"),
        pytest.param(BOT_TOKEN, "", id="right"),
    ],
)
async def test_a_token_is_looked_at(slack: SlackServer, token, error):
    client = web_client(slack, token=token)
    try:
        told = await client.auth_test()
    except SlackApiError as refused:
        told = refused.response

    assert told.get("error", "") == error


async def test_a_missing_scope_is_named(slack: SlackServer):
    slack.scopes = frozenset({"chat:write"})

    with pytest.raises(SlackApiError) as refused:
        await web_client(slack).conversations_members(channel=DESK)

    assert refused.value.response["needed"] == "channels:read"


async def test_a_channel_that_was_archived_or_left_takes_no_post(slack: SlackServer):
    slack.workspace.channels[DESK].archived = True
    slack.workspace.channels[HELP].members.remove(BOT_USER)
    client = web_client(slack)

    with pytest.raises(SlackApiError, match="is_archived"):
        await client.chat_postMessage(channel=DESK, text="x")
    with pytest.raises(SlackApiError, match="not_in_channel"):
        await client.chat_postMessage(channel=HELP, text="x")
    await client.conversations_join(channel=HELP)
    await client.chat_postMessage(channel=HELP, text="x")
