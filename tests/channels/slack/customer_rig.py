"""Customers in a local Slack, over HTTP: what they write reaches the real service through Bolt, and its outbox is told to them.

The bot is the service's own rig: a shelf of articles and an answerer that a test can script.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.memory.customers import MemoryCustomerStore
from bot.adapters.prompt_files import load_categories
from bot.channels.slack.answers import Answers
from bot.channels.slack.assistant import AssistantView
from bot.channels.slack.attempting import Attempting
from bot.channels.slack.bolt_app import Identity, bolt_app, dispatch
from bot.channels.slack.customer_people import CustomerPeople
from bot.channels.slack.customers import SlackCustomers, register
from bot.channels.slack.earlier import EarlierReplies
from bot.channels.slack.places import CustomerPlaces
from bot.channels.slack.receiving import Receiver
from bot.channels.slack.routes import SlackDoor
from bot.channels.slack.streams import AnswerStreams
from bot.channels.web import serving
from bot.core.conversation import Channel, Conversation, ConversationId, Message
from bot.core.prompt import DraftPiece
from bot.core.slack_rows import Place, Side, SlackThread
from tests.channels.slack.sending_rig import DIRECT, Sending, a_sending
from tests.service.rig import PROMPTS, QUESTION, REPLIES, Rig
from tests.service.stand_ins import Point
from tests.service.test_showing_blocks import COMPLETE, FIRST, SECOND
from tests.vendors.slack_people import MENTION
from tests.vendors.slack_pushes import SIGNING_SECRET
from tests.vendors.slack_server import BOT_TOKEN, CUSTOMER, HELP, SlackServer, slack_server
from tests.vendors.slack_transcripts import shown_text
from tests.vendors.slack_workspace import TEAM
from tests.waiting import wait_until

DM = DIRECT.channel


# Without repr, as the service's rig.
@dataclass(slots=True, kw_only=True, repr=False)
class Customers:
    """A workspace of customers, and the service behind it."""

    slack: SlackServer
    sending: Sending
    side: SlackCustomers
    receiver: Receiver
    profiles: MemoryCustomerStore

    @property
    def rig(self) -> Rig:
        return self.sending.rig

    async def says(
        self, text: str = QUESTION, *, channel: str = DM, user: str = CUSTOMER, **more: object
    ) -> str:
        """Let somebody write, and wait until everything that follows is over; return the message's `ts`."""
        ts = await self.slack.says(user, channel, text, **more)
        await self.settled()
        return ts

    async def mentions(self, text: str = QUESTION, **more: object) -> str:
        """Let somebody ask the bot in a channel."""
        return await self.says(f"{MENTION} {text}", channel=HELP, **more)

    async def edits(self, channel: str, ts: str, text: str) -> None:
        await self.slack.edits(channel, ts, text)
        await self.settled()

    async def deletes(self, channel: str, ts: str) -> None:
        await self.slack.deletes(channel, ts)
        await self.settled()

    async def presses(self, channel: str, ts: str, action: str, *, user: str = CUSTOMER) -> None:
        await self.slack.presses(user, channel, ts, action)
        await self.settled()

    async def opens_assistant(self) -> str:
        """Let the customer open the assistant; return the thread's `ts`."""
        ts = await self.slack.opens_assistant(CUSTOMER)
        await self.settled()
        return ts

    def below(self, thread: str) -> list[str]:
        """Return what the bot said in an assistant's thread."""
        return [shown_text(message) for message in self.slack.posted(DM, thread) if message["ts"] != thread]

    async def streams(self, thread: str, *ending: DraftPiece | Exception) -> list[str]:
        """Let an answer stream with a pause after its first block; return what stood there meanwhile."""
        held = Point(waits=True)
        self.rig.answerer.script = (FIRST, held, *(ending or (SECOND, COMPLETE)))
        started = len(self.slack.called("chat.startStream"))
        await self.slack.says(CUSTOMER, DM, QUESTION, thread_ts=thread)
        await wait_until(lambda: len(self.slack.called("chat.startStream")) > started)
        await wait_until(self.side.view.streams.is_idle)
        early = self.below(thread)
        held.opened.set()
        await self.settled()
        return early

    async def dies(self) -> None:
        """Let the process end in the middle of everything, and another one take its place."""
        for task in tuple(self.rig.runner._running.values()):
            task.cancel()
        await self.rig.idle()
        await self.side.view.drain(grace_s=0)
        self.restarts()

    def restarts(self) -> None:
        """Let another process tell customers from now on."""
        self.side = a_side(self.sending, self.profiles)
        self.sending.streams = self.side.view.streams
        self.sending.restart()

    async def settled(self) -> None:
        """Wait until all that came in was worked on, each turn is settled and told, and nothing new came of it."""
        before = -1
        while before != len(self.slack.pushes.told):
            before = len(self.slack.pushes.told)
            await self.slack.pushes.settled()
            await wait_until(lambda: self.receiver.is_idle)
            await self.rig.idle()
            await wait_until(lambda: self.side.view.is_idle)
            await self.sending.told_in_the_end()

    async def threads(self) -> tuple[SlackThread, ...]:
        """Return every customer's thread."""
        kept = self.sending.store._threads.values()
        return tuple(thread for thread in kept if thread.side is Side.CUSTOMER)

    async def conversation(self, channel: str = DM, thread_ts: str = "") -> ConversationId:
        """Return which conversation a place is."""
        place = Place(team=TEAM, channel=channel, thread_ts=thread_ts)
        thread = await self.sending.store.thread(place, Side.CUSTOMER)
        assert thread is not None, f"{place} is no conversation"
        return thread.conversation

    async def state(self, channel: str = DM, thread_ts: str = "") -> Conversation:
        return await self.rig.store.conversation(await self.conversation(channel, thread_ts))

    async def messages(self, channel: str = DM, thread_ts: str = "") -> tuple[Message, ...]:
        conversation = await self.conversation(channel, thread_ts)
        return (await self.rig.store.snapshot(conversation, after=0)).messages

    async def reasons(self, channel: str = DM, thread_ts: str = "") -> list[str]:
        """Return the reason of each handoff, oldest first."""
        rows = await self.rig.store.handoffs(await self.conversation(channel, thread_ts))
        return [row.reason for row in rows]

    def shown(self, channel: str = DM, thread_ts: str = "") -> list[str]:
        """Return what the bot says there, as people see it."""
        return [shown_text(message) for message in self.slack.posted(channel, thread_ts)]

    def whispers(self, user: str = CUSTOMER) -> list[str]:
        return [str(whisper["text"]) for whisper in self.slack.whispered(user)]

    def opened(self) -> Sequence[Conversation]:
        """Return every conversation of Slack's, used or not."""
        return [state for state in self.rig.store.states() if state.channel is Channel.SLACK]


@asynccontextmanager
async def running_customers() -> AsyncIterator[Customers]:
    """Start Slack and the service, with a customer who has a direct message with the bot."""
    async with slack_server() as slack:
        customers = await _customers(slack)
        door = SlackDoor(secret=SIGNING_SECRET, receiver=customers.receiver, clock=customers.rig.clock)
        app = web.Application()
        app.add_routes(door.routes())
        async with serving(app, host="127.0.0.1", port=0) as slack.app_url:
            yield customers
            await customers.receiver.drain(grace_s=5)
            await customers.side.view.drain(grace_s=5)


async def _customers(slack: SlackServer) -> Customers:
    sending = await a_sending(slack)
    profiles = sending.desk.store._customers
    slack.workspace.direct(CUSTOMER)
    side = a_side(sending, profiles)
    sending.streams = side.view.streams
    sending.restart()
    return Customers(
        slack=slack, sending=sending, side=side, profiles=profiles, receiver=a_receiver(sending, side)
    )


def a_side(sending: Sending, profiles: MemoryCustomerStore) -> SlackCustomers:
    """Return the customers' side as one process has it."""
    client, clock = sending.speaking.client, sending.rig.clock
    attempting = Attempting(health=sending.health)
    people = CustomerPeople(client=client, attempting=attempting, clock=clock)
    service, categories = sending.rig.customers, load_categories(PROMPTS)
    places = CustomerPlaces(
        store=sending.store, customers=service, profiles=profiles, people=people, locale="en"
    )
    streams = AnswerStreams(
        client=client,
        attempting=attempting,
        store=sending.store,
        conversations=sending.rig.store,
        clock=clock,
    )
    view = AssistantView(
        client=client, attempting=attempting, places=places, streams=streams, replies=REPLIES,
        categories=categories,
    )  # fmt: skip
    return SlackCustomers(
        places=places, view=view, answers=Answers(places=places, view=view),
        earlier=EarlierReplies(client=client, attempting=attempting),
        speaking=sending.speaking, replies=REPLIES, categories=categories,
    )  # fmt: skip


def a_receiver(sending: Sending, side: SlackCustomers) -> Receiver:
    """Return the way from Slack to *side*."""
    client = a_client(sending.server)
    app = bolt_app(client, identity=Identity(client))
    register(app, side)
    return Receiver(
        store=sending.store,
        dispatch=lambda row: dispatch(app, row),
        clock=sending.rig.clock,
        jitter=lambda: 0.5,
        alarms=sending.health,
    )


def a_client(slack: SlackServer) -> AsyncWebClient:
    """Return a client that tries nothing again by itself."""
    return AsyncWebClient(token=BOT_TOKEN, base_url=slack.api_url, retry_handlers=[], timeout=5)
