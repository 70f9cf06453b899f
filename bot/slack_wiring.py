"""Builds Slack's channel: what it hears over HTTP or a socket reaches customers' and agents' services through listeners."""

import random
from collections.abc import Coroutine
from dataclasses import dataclass

from slack_bolt.async_app import AsyncApp

from bot.channels.health import Check
from bot.channels.slack.assistant import AssistantView
from bot.channels.slack.bolt_app import bolt_app, dispatch
from bot.channels.slack.customers import register as listen_to_customers
from bot.channels.slack.desk import register as listen_to_agents
from bot.channels.slack.desk_modals import INLINE
from bot.channels.slack.receiving import DEAD_DAYS, Receiver
from bot.channels.slack.reminders import Reminders
from bot.channels.slack.routes import SlackDoor
from bot.channels.slack.socket_mode import SlackSocket
from bot.channels.slack.socket_supervisor import SocketSupervisor
from bot.service.customer import CustomerService
from bot.service.desk import DeskService
from bot.settings import Settings
from bot.slack_sides_wiring import SlackParts, customers_side, desk_side
from bot.turns_wiring import Opened


@dataclass(frozen=True, slots=True, kw_only=True)
class Slack:
    """The running channel: its door, and what goes on for as long as the service does."""

    receiver: Receiver
    view: AssistantView
    check: Check
    door: SlackDoor | None
    rounds: tuple[Coroutine[None, None, None], ...]

    async def drain(self, *, grace_s: float) -> None:
        """Let what is under way end for *grace_s* seconds; the next process does the rest."""
        await self.receiver.drain(grace_s=grace_s)
        await self.view.drain(grace_s=grace_s)


def slack_of(opened: Opened, customers: CustomerService, agents: DeskService) -> Slack | None:
    """Return the channel; None where nothing speaks in Slack."""
    if opened.speech is None:
        return None
    parts = SlackParts(
        speech=opened.speech,
        stores=opened.stores,
        customers=customers,
        agents=agents,
        spoken=opened.spoken,
    )
    return _listening(opened.settings, parts)


def _listening(settings: Settings, parts: SlackParts) -> Slack:
    speech = parts.speech
    app = bolt_app(speech.calls.client, identity=speech.calls.identity)
    side = customers_side(settings, parts)
    rounds: list[Coroutine[None, None, None]] = []
    if settings.slack_handoff_channel is not None:  # first, so that what is said in its threads is the desk's
        listen_to_agents(app, desk_side(settings, parts, settings.slack_handoff_channel))
        rounds.append(_reminders(parts).run_forever())
    listen_to_customers(app, side)
    receiver = _receiver(settings, parts, app)
    rounds += [receiver.run_forever(), speech.calls.probe.warn()]
    if settings.slack_app_token is not None:
        rounds.append(_socket(parts, settings.slack_app_token.get_secret_value(), receiver).run_forever())
    return Slack(
        receiver=receiver,
        view=side.view,
        check=speech.calls.health.check,
        door=_door(settings, parts, receiver),
        rounds=tuple(rounds),
    )


def _reminders(parts: SlackParts) -> Reminders:
    return Reminders(
        desk=parts.stores.desk,
        store=parts.stores.slack,
        whispers=parts.speech.calls.speaking,
        clock=parts.customers.clock,
        duties=parts.stores.duties,
    )


def _receiver(settings: Settings, parts: SlackParts, app: AsyncApp) -> Receiver:
    return Receiver(
        store=parts.stores.slack,
        dispatch=lambda row: dispatch(app, row),
        clock=parts.customers.clock,
        jitter=random.random,
        alarms=parts.speech.calls.health,
        inline=INLINE,
        dead_days=min(settings.retention_days or DEAD_DAYS, DEAD_DAYS),
        duties=parts.stores.duties,
    )


def _socket(parts: SlackParts, token: str, receiver: Receiver) -> SocketSupervisor:
    return SocketSupervisor(
        opened=lambda: SlackSocket(app_token=token, web_client=parts.speech.calls.client, take=receiver.take),
        health=parts.speech.calls.health,
        clock=parts.customers.clock,
        jitter=random.random,
    )


def _door(settings: Settings, parts: SlackParts, receiver: Receiver) -> SlackDoor | None:
    """Return where Slack sends events; None without the secret under which it signs them."""
    secret = settings.slack_signing_secret
    if secret is None:
        return None
    return SlackDoor(secret=secret.get_secret_value(), receiver=receiver, clock=parts.customers.clock)
