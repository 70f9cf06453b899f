"""The whole service with its outbox, told to a local Slack through the real client; time moves only where a test or a pause moves it."""

from dataclasses import dataclass, field, replace

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.memory.slack import MemorySlackStore
from bot.channels.slack.attempting import Attempting
from bot.channels.slack.calling import Calling
from bot.channels.slack.card_facts import CardReading
from bot.channels.slack.customer_people import CustomerPeople
from bot.channels.slack.health import SlackHealth
from bot.channels.slack.pacing import Pacing
from bot.channels.slack.seen import Seeing
from bot.channels.slack.showing import SlackNotifier
from bot.channels.slack.showing_customer import CustomerShowing, NoStreams, Streams
from bot.channels.slack.showing_desk import DeskShowing
from bot.channels.slack.speaking import Speaking
from bot.core.conversation import AgentId, Channel, ConversationId
from bot.core.outbox import EVERYTHING, SLACK, OutboxRow
from bot.core.slack_rows import Place, Side, SlackThread
from bot.service.delivering import Deliveries
from tests.builders import a_conversation, a_customer_message
from tests.service.desk_rig import ANNA, BEN, Desk, a_desk
from tests.service.rig import REPLIES, Rig, a_rig
from tests.vendors.slack_server import BOT_TOKEN, CUSTOMER, DESK, SlackServer
from tests.vendors.slack_workspace import TEAM

NAMES = {ANNA: "Anna", BEN: "Ben"}
HOME = Place(team=TEAM, channel=DESK)
DIRECT = Place(team=TEAM, channel=f"D{CUSTOMER[1:]}")
IN_SLACK = ConversationId("c-slack")
DAY_MS = 24 * 3_600_000
ROUNDS = 60  # an hour at the longest pause, and more


# Without repr, as the service's rig.
@dataclass(slots=True, kw_only=True, repr=False)
class Sending:
    """One conversation with its desk, and how both are shown in Slack."""

    server: SlackServer
    rig: Rig
    desk: Desk
    store: MemorySlackStore
    streams: Streams = field(default_factory=NoStreams)
    has_desk: bool = True
    health: SlackHealth = field(default_factory=SlackHealth)
    timeout_s: int = 5
    notifier: SlackNotifier = field(init=False)

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Let another process tell from now on: what was in memory is gone."""
        clock, stores, health = self.rig.clock, self.rig.store, self.health
        client = AsyncWebClient(
            token=BOT_TOKEN, base_url=self.server.api_url, retry_handlers=[], timeout=self.timeout_s
        )
        calling = Calling(pacing=Pacing(clock=clock, wait=clock.sleep), health=health)
        speaking = Speaking(client=client, store=self.store, clock=clock, calling=calling)
        reading = CardReading(
            store=stores,
            desk=self.desk.store,
            replies=REPLIES,
            clock=clock,
            public_url="https://support.example",
        )
        desk = DeskShowing(speaking=speaking, store=self.store, reading=reading, clock=clock, home=_home)
        customers = CustomerShowing(
            speaking=speaking, store=self.store, replies=REPLIES, streams=self.streams
        )
        people = CustomerPeople(client=client, attempting=Attempting(health=health), clock=clock)
        self.notifier = SlackNotifier(
            seeing=Seeing(store=stores, names=_names, called=people.called), store=self.store,
            speaking=speaking, customers=customers, desk=desk if self.has_desk else None,
        )  # fmt: skip

    @property
    def speaking(self) -> Speaking:
        return self.notifier.speaking

    @property
    def id(self) -> ConversationId:
        return self.rig.conversation

    async def told(self) -> None:
        """Deliver whatever is due, once."""
        deliveries = Deliveries(
            store=self.rig.store,
            notifier=self.notifier,
            kinds=SLACK,
            clock=self.rig.clock,
            jitter=lambda: 0.0,
        )
        await deliveries.finish()

    async def told_in_the_end(self) -> None:
        """Deliver until nothing waits, as long as that takes."""
        for _ in range(ROUNDS):
            await self.told()
            waiting = await self.waiting()
            if not waiting:
                return
            now_ms = self.rig.clock.now_ms()
            later = [row.due_ms - now_ms for row in waiting if row.due_ms > now_ms]
            self.rig.clock.advance(min(later, default=1))
        raise AssertionError(f"never told: {await self.waiting()}")

    async def waiting(self) -> tuple[OutboxRow, ...]:
        """Return what Slack has not been told yet."""
        return tuple(row for row in await self.rig.store.outbox(limit=999) if row.kind in SLACK)

    async def asks_in_slack(self) -> None:
        """Let the customer of a new conversation write to the bot in a direct message."""
        await self.rig.store.open_conversation(a_conversation(id=IN_SLACK, channel=Channel.SLACK))
        self.rig.conversation = IN_SLACK
        self.server.workspace.direct(CUSTOMER)
        await self.store.bind(
            SlackThread(conversation=IN_SLACK, side=Side.CUSTOMER, place=DIRECT, user=CUSTOMER)
        )

    async def customer_says(self, text: str, *, id: str | None = None, **fields) -> None:
        """Let the customer write while time goes on."""
        self.rig.clock.advance(1_000)
        message_id = id or f"id of {text}"
        message = a_customer_message(text, conversation=self.id, channel_message_id=message_id)
        await self.rig.customers.receive(replace(message, **fields))
        await self.rig.idle()

    async def agent_says(self, text: str, *, id: str = "r1", agent: AgentId = ANNA) -> None:
        """Let the agent reply while time goes on."""
        self.rig.clock.advance(1_000)
        await self.desk.reply(text, id=id, agent=agent)

    async def claimed(self, agent: AgentId = ANNA) -> None:
        """Let the bot hand over, and an agent claim for as long as any test takes."""
        await self.desk.hand_over()
        self.rig.clock.advance(1_000)
        await self.desk.service.claim(self.id, agent, lease_ms=DAY_MS)

    async def room(self) -> str:
        """Return the `ts` of the newest card, which is its thread's."""
        threads = await self.store.threads_of(self.id)
        return [thread.place.thread_ts for thread in threads if thread.side is Side.DESK][-1]

    async def in_room(self) -> list[str]:
        """Return what stands in the newest card's thread, the card left out."""
        return self.server.transcript(DESK, await self.room())[1:]

    def cards(self) -> list[str]:
        """Return what stands in the desk's channel itself."""
        return self.server.transcript(DESK)

    def with_customer(self) -> list[str]:
        """Return what the customer sees in the direct message."""
        return self.server.transcript(DIRECT.channel)


async def a_sending(server: SlackServer, **fields) -> Sending:
    """Return a service that is told to *server*, at the service's time."""
    rig = await a_rig()
    rig.store._told = EVERYTHING
    server.workspace.now = lambda: rig.clock.now_ms() / 1000
    desk, store = await a_desk(rig), MemorySlackStore(rig.store)
    return Sending(server=server, rig=rig, desk=desk, store=store, **fields)


async def _home() -> Place:
    return HOME


async def _names():
    return NAMES
