"""Buttons and modals of the local Slack server, with an app of slack_bolt behind them."""

import pytest
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError

from bot.adapters.memory.clock import ManualClock
from tests.vendors.local_server import Body
from tests.vendors.slack_apps import bolt_app, listening, web_client
from tests.vendors.slack_blocks import a_button, a_modal, a_section, a_select, actions, an_input, feedback
from tests.vendors.slack_server import AGENT, DESK, OTHER_AGENT, SlackServer


async def posted(slack: SlackServer, *blocks: Body) -> str:
    """Post a card with *blocks*."""
    card = await web_client(slack).chat_postMessage(channel=DESK, text="A card", blocks=list(blocks))
    return str(card["ts"])


def opening(slack: SlackServer, view: Body, submitted: Body | None = None) -> tuple[AsyncApp, list[Body]]:
    """Return an app whose button opens *view*, and what it was told; it answers a submission with *submitted*."""
    app, told = bolt_app(slack), []

    @app.action("claim")
    async def open_modal(ack, body, client):
        told.append(body)
        await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()

    @app.view("reply")
    async def take(ack, body):
        told.append(body)
        await ack(**(submitted or {}))

    return app, told


async def test_a_button_tells_its_message_and_place(slack: SlackServer):
    ts = await posted(slack, a_section(), actions(a_button(value="c1"), a_button("other", "Other")))

    body = slack.pressing(AGENT, DESK, ts, "claim")

    assert body["container"] == {
        "type": "message", "message_ts": ts, "channel_id": DESK, "is_ephemeral": False,
    }  # fmt: skip
    assert (body["message"]["ts"], body["channel"]["id"], body["user"]["id"]) == (ts, DESK, AGENT)
    (action,) = body["actions"]
    assert (action["action_id"], action["value"]) == ("claim", "c1")
    assert action["block_id"] == slack.posted(DESK)[0]["blocks"][1]["block_id"]


async def test_two_presses_differ_in_their_moment_and_trigger(slack: SlackServer):
    ts = await posted(slack, actions(a_button()))

    one, two = (slack.pressing(AGENT, DESK, ts, "claim") for _ in range(2))

    assert one["actions"][0]["action_ts"] != two["actions"][0]["action_ts"]
    assert one["trigger_id"] != two["trigger_id"]


async def test_a_feedback_button_tells_the_value_that_was_pressed(slack: SlackServer):
    ts = await posted(slack, a_section(), feedback("yes", "no"))

    body = slack.pressing(AGENT, DESK, ts, "helped", value="no")

    assert body["actions"][0]["value"] == "no"


async def test_a_whisper_can_be_pressed_and_does_not_tell_its_text(slack: SlackServer):
    await web_client(slack).chat_postEphemeral(
        channel=DESK, user=AGENT, text="Take over?", blocks=[actions(a_button("take_over", "Take over"))]
    )
    (whisper,) = slack.whispered(AGENT)

    body = slack.pressing(AGENT, DESK, whisper["ts"], "take_over")

    assert body["container"]["is_ephemeral"]
    assert "message" not in body


async def test_a_modal_is_opened_filled_in_and_submitted(slack: SlackServer):
    view = a_modal(an_input(), an_input("reason", a_select("answered", "spam")), private_metadata="c1")
    app, told = opening(slack, view)
    ts = await posted(slack, actions(a_button()))

    async with listening(slack, app):
        await slack.presses(AGENT, DESK, ts, "claim")
        assert slack.view_of(AGENT)["private_metadata"] == "c1"
        await slack.submits(AGENT, answer="Done.", why="spam")

    values = told[1]["view"]["state"]["values"]
    assert values["answer"]["text"]["value"] == "Done."
    assert values["reason"]["why"]["selected_option"]["value"] == "spam"
    assert slack.workspace.views == {}


async def test_a_modal_whose_submission_has_errors_stays_open(slack: SlackServer):
    errors = {"response_action": "errors", "errors": {"answer": "The customer wrote meanwhile."}}
    app, _ = opening(slack, a_modal(), errors)
    ts = await posted(slack, actions(a_button()))

    async with listening(slack, app):
        await slack.presses(AGENT, DESK, ts, "claim")
        delivery = await slack.submits(AGENT, answer="Done.")

    assert delivery.answer == errors
    assert slack.view_of(AGENT)["callback_id"] == "reply"


async def test_a_modal_may_be_exchanged_by_the_answer_to_its_submission(slack: SlackServer):
    sure = a_modal(a_section("Sure?"), callback_id="sure")
    app, _ = opening(slack, a_modal(), {"response_action": "update", "view": sure})
    ts = await posted(slack, actions(a_button()))

    async with listening(slack, app):
        await slack.presses(AGENT, DESK, ts, "claim")
        await slack.submits(AGENT, answer="Done.")

    assert slack.view_of(AGENT)["callback_id"] == "sure"


async def test_a_trigger_opens_one_modal(slack: SlackServer):
    ts = await posted(slack, actions(a_button()))
    trigger, client = slack.pressing(AGENT, DESK, ts, "claim")["trigger_id"], web_client(slack)
    await client.views_open(trigger_id=trigger, view=a_modal())

    with pytest.raises(SlackApiError, match="exchanged_trigger_id"):
        await client.views_open(trigger_id=trigger, view=a_modal())
    with pytest.raises(SlackApiError, match="invalid_trigger_id"):
        await client.views_open(trigger_id="1.2.3", view=a_modal())


async def test_a_trigger_is_good_for_three_seconds(slack: SlackServer):
    clock = ManualClock()
    slack.workspace.now = lambda: clock.now_ms() / 1_000
    ts = await posted(slack, actions(a_button()))
    early, late = (slack.pressing(user, DESK, ts, "claim")["trigger_id"] for user in (AGENT, OTHER_AGENT))
    client = web_client(slack)

    clock.advance(3_000)
    await client.views_open(trigger_id=early, view=a_modal())
    clock.advance(1)

    with pytest.raises(SlackApiError, match="expired_trigger_id"):
        await client.views_open(trigger_id=late, view=a_modal())


async def test_a_modal_that_changed_meanwhile_is_not_overwritten(slack: SlackServer):
    ts = await posted(slack, actions(a_button()))
    client = web_client(slack)
    trigger = slack.pressing(AGENT, DESK, ts, "claim")["trigger_id"]
    seen = (await client.views_open(trigger_id=trigger, view=a_modal()))["view"]
    await client.views_update(view_id=seen["id"], hash=seen["hash"], view=a_modal(a_section("New")))

    with pytest.raises(SlackApiError, match="hash_conflict"):
        await client.views_update(view_id=seen["id"], hash=seen["hash"], view=a_modal())


async def test_a_modal_beyond_the_limits_is_refused_and_the_trigger_kept(slack: SlackServer):
    ts = await posted(slack, actions(a_button()))
    trigger = slack.pressing(AGENT, DESK, ts, "claim")["trigger_id"]
    long_title = a_modal(title={"type": "plain_text", "text": "x" * 25})

    with pytest.raises(SlackApiError, match="invalid_arguments"):
        await web_client(slack).views_open(trigger_id=trigger, view=long_title)
    await web_client(slack).views_open(trigger_id=trigger, view=a_modal())


async def test_an_unanswered_submission_leaves_the_modal_open(slack: SlackServer):
    app, _ = opening(slack, a_modal(callback_id="unknown"))
    ts = await posted(slack, actions(a_button()))

    async with listening(slack, app):
        await slack.presses(AGENT, DESK, ts, "claim")
        delivery = await slack.submits(AGENT, answer="Done.")

    assert (delivery.taken, slack.view_of(AGENT)["callback_id"]) == (False, "unknown")
