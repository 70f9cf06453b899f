"""The listeners of the agents' desk: what its people press, fill in and write. Each may be called again for the same."""

from collections.abc import Mapping
from dataclasses import dataclass

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.context.async_context import AsyncBoltContext

from bot.channels.slack.actions import Action, Callback
from bot.channels.slack.desk_actions import DeskActions
from bot.channels.slack.desk_mentions import mentioned, with_names
from bot.channels.slack.desk_modals import INLINE, DeskModals
from bot.channels.slack.desk_presses import to_press, to_submission
from bot.channels.slack.desk_thread import DeskThread
from bot.channels.slack.payloads import Ignored, to_event

Body = Mapping[str, object]

PRESSED = frozenset({Action.CLAIM, Action.RETURN, Action.RELEASE, Action.KEEP, Action.TAKE_OVER})
SUBMITTED = frozenset({Callback.REPLY, Callback.RESOLVE})


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackDesk:
    """The desk in Slack."""

    actions: DeskActions
    modals: DeskModals
    thread: DeskThread


def register(app: AsyncApp, desk: SlackDesk) -> None:
    """Let the desk listen. Of the listeners for messages the first that wants one gets it, so this comes before the customers'."""
    _listen_to_buttons(app, desk)
    _listen_to_forms(app, desk)
    _listen_in_threads(app, desk.thread)


def _listen_to_buttons(app: AsyncApp, desk: SlackDesk) -> None:
    async def pressed(ack: AsyncAck, body: Body) -> None:
        await ack()
        await desk.actions.pressed(to_press(body))

    async def opens_form(ack: AsyncAck, body: Body) -> None:
        await ack()
        await desk.modals.pressed(to_press(body))

    async def opens_page(ack: AsyncAck) -> None:
        await ack()

    for action in PRESSED:
        app.action(action.value)(pressed)
    for action in INLINE:
        app.action(action.value)(opens_form)
    app.action(Action.CONSOLE.value)(opens_page)


def _listen_to_forms(app: AsyncApp, desk: SlackDesk) -> None:
    async def submitted(ack: AsyncAck, body: Body) -> None:
        await ack()
        await desk.modals.submitted(to_submission(body))

    for callback in SUBMITTED:
        app.view(callback.value)(submitted)


def _listen_in_threads(app: AsyncApp, thread: DeskThread) -> None:
    async def is_ours(body: Body, context: AsyncBoltContext) -> bool:
        event = to_event(body, bot_user=context.bot_user_id or "")
        return not isinstance(event, Ignored) and await thread.is_ours(event)

    async def heard(body: Body, context: AsyncBoltContext) -> None:
        bot_user = context.bot_user_id or ""
        names = await thread.names(mentioned(body, bot_user=bot_user), team=str(body.get("team_id")))
        event = to_event(with_names(body, names), bot_user=bot_user)
        if not isinstance(event, Ignored):
            await thread.heard(event)

    for kind in ("message", "app_mention"):
        app.event(kind, matchers=[is_ours])(heard)
