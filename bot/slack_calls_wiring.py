"""Builds what calls Slack: the client, its pace and its health, and what says each thing once."""

import asyncio
from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.slack.attempting import Attempting
from bot.channels.slack.bolt_app import Identity
from bot.channels.slack.calling import Calling
from bot.channels.slack.customer_people import CustomerPeople
from bot.channels.slack.health import SlackHealth, SlackObserver
from bot.channels.slack.pacing import Pacing
from bot.channels.slack.probing import SlackProbe
from bot.channels.slack.speaking import Speaking
from bot.ports import Clock
from bot.settings import Settings
from bot.slack_ports import SlackStore

CALL_S = 20  # a call that takes longer has an outcome that nobody knows, and is looked up


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackCalls:
    """Everything through which Slack is called. Nothing is asked of it before there is something to say."""

    client: AsyncWebClient
    identity: Identity
    health: SlackHealth
    attempting: Attempting
    calling: Calling
    people: CustomerPeople
    speaking: Speaking
    probe: SlackProbe


def calls_of(
    settings: Settings, token: str, store: SlackStore, clock: Clock, observer: SlackObserver
) -> SlackCalls:
    """Return what calls Slack as the bot that *token* is of."""
    client, health = slack_client(settings, token), SlackHealth(observer=observer)
    attempting = Attempting(health=health)
    calling = Calling(pacing=Pacing(clock=clock, wait=asyncio.sleep), health=health)
    return SlackCalls(
        client=client,
        identity=Identity(client),
        health=health,
        attempting=attempting,
        calling=calling,
        people=CustomerPeople(client=client, attempting=attempting, clock=clock),
        speaking=Speaking(client=client, store=store, clock=clock, calling=calling),
        probe=SlackProbe(client=client, calling=calling, channel=settings.slack_handoff_channel),
    )


def slack_client(settings: Settings, token: str) -> AsyncWebClient:
    """Return a client that tries nothing again by itself: it would post twice (FAULTS §1.2)."""
    base_url = f"{settings.slack_base_url}/"
    return AsyncWebClient(token=token, base_url=base_url, timeout=CALL_S, retry_handlers=[])
