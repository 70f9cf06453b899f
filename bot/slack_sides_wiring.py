"""Builds the two sides of Slack's channel: what customers do there, and what agents do."""

from dataclasses import dataclass

from bot.adapters.prompt_files import Language
from bot.channels.slack.answers import Answers
from bot.channels.slack.assistant import AssistantView
from bot.channels.slack.customers import SlackCustomers
from bot.channels.slack.desk import SlackDesk
from bot.channels.slack.desk_actions import DeskActions
from bot.channels.slack.desk_modals import DeskModals
from bot.channels.slack.desk_room import DeskRoom
from bot.channels.slack.desk_thread import DeskThread
from bot.channels.slack.directory import SlackDirectory
from bot.channels.slack.earlier import EarlierReplies
from bot.channels.slack.people import People
from bot.channels.slack.places import CustomerPlaces
from bot.service.customer import CustomerService
from bot.service.desk import DeskService
from bot.settings import Settings
from bot.slack_speech_wiring import SlackSpeech
from bot.stores import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackParts:
    """What the channel is built over."""

    speech: SlackSpeech
    stores: Stores
    customers: CustomerService
    agents: DeskService
    spoken: Language


def customers_side(settings: Settings, parts: SlackParts) -> SlackCustomers:
    """Return what listens to customers."""
    speech, store = parts.speech, parts.stores.slack
    places = CustomerPlaces(
        store=store,
        customers=parts.customers,
        profiles=parts.stores.customers,
        people=speech.calls.people,
        locale=settings.kb_locale,
    )
    view = AssistantView(
        client=speech.calls.client,
        attempting=speech.calls.attempting,
        places=places,
        streams=speech.streams,
        replies=parts.spoken.replies,
        categories=parts.spoken.categories,
    )
    return SlackCustomers(
        places=places,
        view=view,
        answers=Answers(places=places, view=view),
        earlier=EarlierReplies(client=speech.calls.client, attempting=speech.calls.attempting),
        speaking=speech.calls.speaking,
        replies=parts.spoken.replies,
        categories=parts.spoken.categories,
    )


def desk_side(settings: Settings, parts: SlackParts, channel: str) -> SlackDesk:
    """Return what listens to agents in the channel of the desk."""
    speech, store = parts.speech, parts.stores.slack
    people = People(
        directory=SlackDirectory(
            client=speech.calls.client, calling=speech.calls.speaking.calling, channel=channel
        ),
        accounts=parts.stores.accounts,
        store=store,
        clock=parts.customers.clock,
        listed=frozenset(settings.slack_agents),
    )
    room = DeskRoom(agents=parts.agents, places=store, people=people, whispers=speech.calls.speaking)
    return SlackDesk(
        actions=DeskActions(room=room),
        modals=DeskModals(room=room, client=speech.calls.client, channel=channel),
        thread=DeskThread(room=room, channel=channel),
    )
