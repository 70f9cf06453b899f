"""Bolt finds the listener, and hides nothing that went wrong (FAULTS 1.2, R-S6, R-S9)."""

import json
from collections.abc import AsyncIterator

import pytest
from slack_bolt.async_app import AsyncApp
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.slack.bolt_app import Identity, ListenerFailed, bolt_app, dispatch
from bot.channels.slack.outcomes import Unsaid
from bot.core.slack_rows import InboxKind, InboxRow
from bot.errors import StoreUnavailable
from tests.channels.slack.payloads_sent import a_message, a_press, a_submission, an_event
from tests.vendors.slack_faults import breaks, drops, refuses
from tests.vendors.slack_server import BOT_TOKEN, HELP, SlackServer, slack_server
from tests.vendors.slack_workspace import BOT, BOT_USER, TEAM


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    async with slack_server() as slack:
        yield slack


@pytest.fixture
def client(slack):
    return AsyncWebClient(token=BOT_TOKEN, base_url=slack.api_url, retry_handlers=[])


@pytest.fixture
def app(client):
    return bolt_app(client, identity=Identity(client))


def a_row(payload):
    return InboxRow(key="T1:Ev1", kind=InboxKind.EVENT, payload=json.dumps(payload), received_ms=0, due_ms=0)


def listen(app: AsyncApp, *, raises: Exception | None = None):
    """Listen to messages, and return what was heard."""
    heard = []

    async def listener(event, context, client):
        heard.append((event["text"], context.bot_user_id, client.token))
        if raises:
            raise raises

    app.event("message")(listener)
    return heard


async def test_a_message_reaches_its_listener_with_a_client_that_may_speak(app):
    heard = listen(app)

    await dispatch(app, a_row(an_event(a_message(text="Hi"))))

    assert heard == [("Hi", BOT_USER, BOT_TOKEN)]


@pytest.mark.parametrize("payload", [a_press("candor_claim"), a_submission()], ids=lambda sent: sent["type"])
async def test_buttons_and_forms_reach_theirs(app, payload):
    heard = []

    async def listener(ack, body):
        await ack()
        heard.append(body["type"])

    app.action("candor_claim")(listener)
    app.view("candor_reply_modal")(listener)
    await dispatch(app, a_row(payload))

    assert heard == [payload["type"]]


@pytest.mark.parametrize("defect", [KeyError("text"), StoreUnavailable("down"), TimeoutError()], ids=repr)
async def test_what_a_listener_raises_is_raised(app, defect):
    listen(app, raises=defect)

    with pytest.raises(type(defect)):
        await dispatch(app, a_row(an_event()))


async def test_what_a_matcher_raises_is_raised(app):
    async def broken(body):
        raise StoreUnavailable("down")

    async def listener():
        pass

    app.event("message", matchers=[broken])(listener)

    with pytest.raises(StoreUnavailable):
        await dispatch(app, a_row(an_event()))


@pytest.mark.parametrize("fault", [refuses("invalid_auth"), breaks(500), drops()])
async def test_a_slack_that_does_not_say_who_the_bot_is_loses_nothing(app, slack, fault):
    """Bolt itself would answer that all is done, and never call the listener."""
    heard = listen(app)
    slack.fails("auth.test", fault)
    with pytest.raises(Unsaid):
        await dispatch(app, a_row(an_event()))

    await dispatch(app, a_row(an_event()))
    await dispatch(app, a_row(an_event()))

    assert len(heard) == 2
    assert len(slack.called("auth.test")) == 2


async def test_slack_being_down_for_a_listener_is_an_outage_and_a_defect_is_one(app, slack):
    async def listener(client):
        await client.chat_postMessage(channel=HELP, text="Hi")

    app.event("message")(listener)
    slack.fails("chat.postMessage", breaks(500), refuses("invalid_blocks"))

    with pytest.raises(Unsaid):
        await dispatch(app, a_row(an_event()))
    with pytest.raises(Exception, match="invalid_blocks") as defect:
        await dispatch(app, a_row(an_event()))
    assert not isinstance(defect.value, Unsaid)


async def test_what_nobody_listens_to_needs_nothing(app):
    listen(app)

    await dispatch(app, a_row(an_event({"type": "reaction_added", "user": "U1"})))
    await dispatch(app, a_row(a_press("somebody_else_s")))


@pytest.mark.parametrize("own", [{"user": BOT_USER}, {"bot_id": BOT}], ids=["user", "bot"])
async def test_what_the_bot_itself_wrote_reaches_nobody(app, own):
    heard = listen(app)

    await dispatch(app, a_row(an_event(a_message(**own))))

    assert heard == []


async def test_a_listener_that_says_no_failed(app):
    async def listener(ack):
        return BoltResponse(status=503)

    app.event("message")(listener)

    with pytest.raises(ListenerFailed):
        await dispatch(app, a_row(an_event()))


async def test_the_bot_knows_its_workspace(client):
    assert await Identity(client).team() == TEAM
