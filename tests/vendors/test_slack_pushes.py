"""What the local Slack server tells an app over HTTP, received by slack_bolt, which verifies each signature."""

import asyncio

import pytest
from slack_bolt.async_app import AsyncApp

from tests.vendors.slack_apps import bolt_app, listening, web_client
from tests.vendors.slack_people import MENTION
from tests.vendors.slack_server import AGENT, CUSTOMER, DESK, HELP, SlackServer
from tests.vendors.slack_workspace import BOT


def keeping(app: AsyncApp, *kinds: str) -> list[dict[str, object]]:
    """Let *app* keep every event of *kinds*."""
    kept: list[dict[str, object]] = []
    for kind in kinds:

        @app.event(kind)
        async def keep(event):
            kept.append(event)

    return kept


async def test_a_direct_message_reaches_the_app(slack: SlackServer):
    app = bolt_app(slack)
    kept = keeping(app, "message")
    async with listening(slack, app):
        ts = await slack.says(CUSTOMER, CUSTOMER, "Hello")

    (event,) = kept
    assert (event["ts"], event["text"], event["channel_type"]) == (ts, "Hello", "im")
    assert slack.pushes.told[0].last.status == 200


async def test_a_mention_comes_as_two_events_with_different_ids(slack: SlackServer):
    kept = keeping(app := bolt_app(slack), "message", "app_mention")
    async with listening(slack, app):
        await slack.says(CUSTOMER, HELP, f"{MENTION} Hello")

    assert sorted(str(event["type"]) for event in kept) == ["app_mention", "message"]
    assert len({push.body["event_id"] for push in slack.pushes.told}) == 2
    assert len({event["ts"] for event in kept}) == 1


async def test_an_edit_tells_both_texts_and_an_unfurl_the_same_twice(slack: SlackServer):
    async with listening(slack, bolt_app(slack)):
        ts = await slack.says(CUSTOMER, CUSTOMER, "Helo")
        channel = slack.workspace.direct(CUSTOMER).id
        await slack.edits(channel, ts, "Hello")
        await slack.unfurls(channel, ts)

    texts = [
        (push.event["previous_message"]["text"], push.event["message"]["text"])
        for push in slack.pushes.told[1:]
    ]
    assert texts == [("Helo", "Hello"), ("Hello", "Hello")]


async def test_a_deletion_tells_what_was_there(slack: SlackServer):
    ts = await slack.says(CUSTOMER, HELP, "Hello")
    await slack.deletes(HELP, ts)

    event = slack.pushes.told[-1].event
    assert (event["subtype"], event["deleted_ts"], event["previous_message"]["text"]) == (
        "message_deleted",
        ts,
        "Hello",
    )


async def test_a_deleted_message_with_a_thread_leaves_a_tombstone(slack: SlackServer):
    root = await slack.says(CUSTOMER, HELP, "Hello")
    await slack.says(AGENT, HELP, "Yes?", thread_ts=root)
    await slack.deletes(HELP, root)

    event = slack.pushes.told[-1].event
    assert (event["subtype"], event["message"]["subtype"]) == ("message_changed", "tombstone")


async def test_the_apps_own_message_is_told_to_it_too(slack: SlackServer):
    kept = keeping(app := bolt_app(slack), "message")
    async with listening(slack, app):
        await web_client(slack).chat_postMessage(channel=DESK, text="A card")
        await slack.pushes.settled()

    (push,) = slack.pushes.told
    assert (push.event["bot_id"], push.last.status, kept) == (BOT, 200, [])


async def test_an_event_that_was_not_taken_is_sent_again_with_its_number_and_reason(slack: SlackServer):
    headers: list[tuple[str, str]] = []
    app = bolt_app(slack)

    @app.event("message")
    async def fail_once(request):
        headers.append(
            tuple(request.headers.get(f"x-slack-retry-{name}", [""])[0] for name in ("num", "reason"))
        )
        if len(headers) == 1:
            raise RuntimeError("not yet")

    async with listening(slack, app):
        await slack.says(CUSTOMER, HELP, "Hello")
        again = await slack.pushes.retries()

    assert (again, headers) == (1, [("", ""), ("1", "http_error")])
    assert [delivery.status for delivery in slack.pushes.told[0].deliveries] == [500, 200]


async def test_an_app_that_does_not_answer_in_time_is_told_again(slack: SlackServer):
    app, moment = bolt_app(slack), asyncio.Event()
    slack.pushes.patience_s = 0.1

    @app.event("message")
    async def hang(request):
        if "x-slack-retry-num" not in request.headers:
            await moment.wait()

    async with listening(slack, app):
        await slack.says(CUSTOMER, HELP, "Hello")
        slack.pushes.patience_s = 10.0
        await slack.pushes.retries()
        moment.set()

    first, second = slack.pushes.told[0].deliveries
    assert (first.status, first.reason, second.status) == (0, "http_timeout", 200)
    assert first.took_s >= 0.1


async def test_what_is_held_back_goes_out_in_any_order(slack: SlackServer):
    kept = keeping(app := bolt_app(slack), "message")
    async with listening(slack, app):
        slack.pushes.held = True
        for text in ("one", "two"):
            await slack.says(CUSTOMER, HELP, text)
        for push in reversed(slack.pushes.told):
            await slack.pushes.deliver(push)

    assert [event["text"] for event in kept] == ["two", "one"]


async def test_a_signature_of_another_secret_is_no_slack(slack: SlackServer):
    app = AsyncApp(client=web_client(slack), signing_secret="another")
    async with listening(slack, app):
        await slack.says(CUSTOMER, HELP, "Hello")

    assert slack.pushes.told[0].last.status == 401


@pytest.mark.parametrize(
    ("scopes", "told"),
    [pytest.param({"channels:history"}, 1, id="granted"), pytest.param({"im:history"}, 0, id="not granted")],
)
async def test_an_event_is_told_only_with_its_scope(slack: SlackServer, scopes, told):
    slack.scopes = frozenset(scopes)

    await slack.says(CUSTOMER, HELP, "Hello")

    assert len(slack.pushes.told) == told
