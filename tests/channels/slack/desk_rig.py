"""The agents' desk in Slack over a real local server: what its people press and write comes in over HTTP, cards and threads go out.

There is no bot here: the customer writes in the widget and waits for a person.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.memory.accounts import MemoryAccountStore
from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.desk import MemoryDeskStore
from bot.adapters.memory.slack import MemorySlackStore
from bot.channels.slack.bolt_app import Identity, bolt_app, dispatch
from bot.channels.slack.calling import Calling
from bot.channels.slack.card_facts import CardReading
from bot.channels.slack.desk import SlackDesk, register
from bot.channels.slack.desk_actions import DeskActions
from bot.channels.slack.desk_modals import INLINE, DeskModals
from bot.channels.slack.desk_room import DeskRoom
from bot.channels.slack.desk_thread import DeskThread
from bot.channels.slack.directory import SlackDirectory
from bot.channels.slack.health import SlackHealth
from bot.channels.slack.keys import inbox_row
from bot.channels.slack.pacing import Pacing
from bot.channels.slack.people import People
from bot.channels.slack.receiving import Receiver
from bot.channels.slack.rendering import Rendered
from bot.channels.slack.routes import SlackDoor
from bot.channels.slack.seen import Seeing
from bot.channels.slack.showing import SlackNotifier
from bot.channels.slack.showing_customer import CustomerShowing, NoStreams
from bot.channels.slack.showing_desk import DeskShowing
from bot.channels.slack.speaking import Speaking
from bot.channels.web import serving
from bot.core.accounts import Agent, AgentRole
from bot.core.audit import Change
from bot.core.conversation import AgentId, Conversation, ConversationId, Message
from bot.core.notes import Note
from bot.core.outbox import Announcement
from bot.core.slack_rows import InboxKind, Place, Side, SlackThread
from bot.errors import StoreUnavailable
from bot.service.customer import CustomerService
from bot.service.delivering import Deliveries
from bot.service.desk import DeskService
from bot.service.live import LiveHub
from tests.builders import CONVERSATION, a_conversation, a_customer_message
from tests.service.rig import REPLIES
from tests.vendors.slack_pushes import SIGNING_SECRET
from tests.vendors.slack_server import AGENT, BOT_TOKEN, DESK, OTHER_AGENT, SlackServer, slack_server
from tests.vendors.slack_transcripts import shown_text
from tests.vendors.slack_workspace import TEAM
from tests.waiting import wait_until

MAX, ZOE = AgentId("max"), AgentId("zoe")  # AGENT and OTHER_AGENT in Slack, by their e-mail addresses
QUESTION = "Where is my parcel?"


class NoBot:
    """Stands where turns are started."""

    def start(self, conversation: ConversationId) -> None:
        return


class ScriptedSlackStore(MemorySlackStore):
    """Does not say what a place is, as often as it is told to."""

    fails = 0

    async def thread(self, place: Place, side: Side) -> SlackThread | None:
        if self.fails:
            self.fails -= 1
            raise StoreUnavailable("threads")
        return await super().thread(place, side)


@dataclass(slots=True, kw_only=True)
class DeskRig:
    """One waiting customer, and the desk's channel."""

    slack: SlackServer
    clock: ManualClock
    store: MemoryConversationStore
    kept: ScriptedSlackStore
    accounts: MemoryAccountStore
    agents: DeskService
    customers: CustomerService
    receiver: Receiver
    deliveries: Deliveries
    room: DeskRoom
    speaking: Speaking
    desk: MemoryDeskStore
    said: int = field(default=0)

    async def says(self, text: str = QUESTION) -> None:
        """Let the customer write in the widget."""
        self.said += 1
        await self.customers.receive(a_customer_message(text, channel_message_id=f"m{self.said}"))
        await self.settled()

    async def hands_over(self) -> str:
        """Let the customer ask, and the bot give up; return the card's `ts`."""
        await self.says()
        read = await self.state()
        now_ms = self.clock.now_ms()
        moved = read.queued(since_ms=now_ms, now_ms=now_ms)
        await self.store.change(read, moved, Change(who="bot", what="handoff", at_ms=now_ms))
        await self.settled()
        return await self.card()

    async def claimed(self, agent: AgentId = MAX) -> str:
        """Let an agent have what was handed over; return the card's `ts`."""
        card = await self.hands_over()
        await self.agents.claim(CONVERSATION, agent, lease_ms=900_000)
        await self.settled()
        return card

    async def card(self) -> str:
        """Return the `ts` of the newest card."""
        desk = [one for one in await self.kept.threads_of(CONVERSATION) if one.side is Side.DESK]
        return desk[-1].place.thread_ts

    async def settled(self) -> None:
        """Wait until everything that came in was worked on, and everything that is due was told."""
        await wait_until(lambda: self.receiver.is_idle)
        await self.deliveries.finish()
        await self.slack.pushes.settled()
        await wait_until(lambda: self.receiver.is_idle)

    async def writes(self, user: str, text: str, *, thread: str = "", **more: object) -> str:
        """Let somebody write in the newest card's thread, or in *thread*."""
        place = thread or await self.card()
        ts = await self.slack.says(user, DESK, text, thread_ts=place, **more)
        await self.settled()
        return ts

    async def presses(self, user: str, action: str, *, on: str = "") -> None:
        """Let somebody press a button of the newest card, or of the message *on*."""
        await self.slack.presses(user, DESK, on or await self.card(), action)
        await self.settled()

    async def again(self, ts: str) -> None:
        """Work once more on what told of the message *ts*, as after a crash before it was noted as done."""
        (push,) = [one for one in self.slack.pushes.told if one.body.get("event", {}).get("ts") == ts]
        row = inbox_row(InboxKind.EVENT, push.body, now_ms=self.clock.now_ms())
        assert row is not None
        await self.receiver.dispatch(row)
        await self.settled()

    async def submits(self, user: str, **values: str) -> None:
        """Let somebody send the form that they see."""
        await self.slack.submits(user, **values)
        await self.settled()

    async def state(self) -> Conversation:
        return await self.store.conversation(CONVERSATION)

    async def messages(self) -> tuple[Message, ...]:
        return (await self.store.snapshot(CONVERSATION, after=0)).messages

    async def sent(self) -> list[str]:
        """Return what agents have said to the customer."""
        return [message.text for message in await self.messages() if message.author is not None]

    async def notes(self) -> tuple[Note, ...]:
        return await self.store.notes(CONVERSATION)

    async def noted(self) -> list[tuple[str, str]]:
        """Return the notes, by author."""
        return [(note.author, note.text) for note in await self.notes()]

    async def audit(self) -> list[tuple[str, str]]:
        return [(row.who, row.what) for row in await self.store.audit(CONVERSATION)]

    def whispers(self, user: str) -> list[str]:
        """Return what somebody alone was told."""
        return [shown_text(whisper) for whisper in self.slack.whispered(user)]

    def last_whisper(self, user: str) -> str:
        """Return the `ts` of what somebody was told last, to press its buttons."""
        return str(self.slack.whispered(user)[-1]["ts"])

    async def draft(self, agent: AgentId) -> str:
        return await self.desk.draft(CONVERSATION, agent)


@asynccontextmanager
async def running_desk() -> AsyncIterator[DeskRig]:
    """Start Slack and the desk, with one conversation that the bot has."""
    async with slack_server() as slack:
        rig = await _rig(slack)
        door = SlackDoor(secret=SIGNING_SECRET, receiver=rig.receiver, clock=rig.clock)
        app = web.Application()
        app.add_routes(door.routes())
        async with serving(app, host="127.0.0.1", port=0) as slack.app_url:
            yield rig
            await rig.receiver.drain(grace_s=5)


async def _rig(slack: SlackServer) -> DeskRig:
    clock, live = ManualClock(), LiveHub()
    slack.workspace.now = lambda: clock.now_ms() / 1000
    store = MemoryConversationStore(told=frozenset({Announcement.SLACK}))
    kept, accounts, desk = ScriptedSlackStore(store), MemoryAccountStore(), MemoryDeskStore(store)
    for agent, user in ((MAX, AGENT), (ZOE, OTHER_AGENT)):
        await accounts.add_agent(an_account(agent, f"{user.lower()}@acme.example"))
    await store.open_conversation(a_conversation())
    agents = DeskService(
        store=store, desk=desk, colleagues=accounts, turns=NoBot(), replies=REPLIES, clock=clock, live=live,
    )  # fmt: skip
    client = AsyncWebClient(token=BOT_TOKEN, base_url=slack.api_url, retry_handlers=[], timeout=5)
    calling = Calling(pacing=Pacing(clock=clock, wait=clock.sleep), health=SlackHealth())
    speaking = Speaking(client=client, store=kept, clock=clock, calling=calling)
    directory = SlackDirectory(client=client, calling=calling, channel=DESK)
    people = People(directory=directory, accounts=accounts, store=kept, clock=clock)
    room = DeskRoom(agents=agents, places=kept, people=people, whispers=speaking)
    return DeskRig(
        slack=slack, clock=clock, store=store, kept=kept, accounts=accounts, agents=agents, room=room,
        speaking=speaking, desk=desk,
        customers=CustomerService(store=store, turns=NoBot(), clock=clock, live=live),
        receiver=_receiver(client, kept, room, clock),
        deliveries=_deliveries(store, kept, desk, accounts, speaking, clock),
    )  # fmt: skip


def _receiver(client: AsyncWebClient, kept: MemorySlackStore, room: DeskRoom, clock: ManualClock) -> Receiver:
    app = bolt_app(client, identity=Identity(client))
    register(
        app,
        SlackDesk(
            actions=DeskActions(room=room),
            modals=DeskModals(room=room, client=client, channel=DESK),
            thread=DeskThread(room=room, channel=DESK),
        ),
    )
    return Receiver(
        store=kept,
        dispatch=lambda row: dispatch(app, row),
        clock=clock,
        jitter=lambda: 0.5,
        alarms=SlackHealth(),
        inline=INLINE,
    )


def _deliveries(
    store: MemoryConversationStore,
    kept: MemorySlackStore,
    desk: MemoryDeskStore,
    accounts: MemoryAccountStore,
    speaking: Speaking,
    clock: ManualClock,
) -> Deliveries:
    async def names() -> dict[AgentId, str]:
        return {agent.id: agent.name for agent in await accounts.agents()}

    async def called(_team: str, _user: str) -> None:
        return None

    reading = CardReading(store=store, desk=desk, replies=REPLIES, clock=clock)

    async def home() -> Place:
        return Place(team=TEAM, channel=DESK)

    notifier = SlackNotifier(
        seeing=Seeing(store=store, names=names, called=called),
        store=kept,
        speaking=speaking,
        customers=CustomerShowing(speaking=speaking, store=kept, replies=REPLIES, streams=NoStreams()),
        desk=DeskShowing(speaking=speaking, store=kept, reading=reading, clock=clock, home=home),
    )
    kinds = frozenset({Announcement.SLACK})
    return Deliveries(store=store, notifier=notifier, kinds=kinds, clock=clock, jitter=lambda: 0.5)


def read(hint: Rendered) -> str:
    """Return a hint as a person reads it."""
    return shown_text({"text": hint.text, "blocks": list(hint.blocks)})


def an_account(agent: AgentId, email: str, **fields) -> Agent:
    unless_given = {"name": agent.title(), "role": AgentRole.AGENT, "created_ms": 0}
    return Agent(id=agent, email=email, **(unless_given | fields))
