"""Plants a marker in every field of a conversation that a customer, an agent or the embedding site can write."""

import json
import zlib

from bot.adapters.sqlite.attachments import SqliteAttachmentStore
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.customers import SqliteCustomerStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.desk import SqliteDeskStore
from bot.adapters.sqlite.ledger import SqliteLedger
from bot.adapters.sqlite.ratings import SqliteRatingStore
from bot.adapters.sqlite.slack import SqliteSlackStore
from bot.core.attachments import Attachment, MediaType
from bot.core.caps import UNCAPPED, Spending
from bot.core.conversation import AgentId, ConversationId, Kind, TurnId
from bot.core.customers import Customer, Page, Subject
from bot.core.desk import Mark, MarkKind
from bot.core.notes import Note
from bot.core.outbox import EVERYTHING
from bot.core.outcome import ReasonCode
from bot.core.prompt import Usage
from bot.core.ratings import Rating
from bot.core.revisions import agents_revision
from bot.core.slack_rows import InboxKind, InboxRow, Place, Side, SlackPerson, SlackPost, SlackThread
from bot.core.turn import RetrievalQuery
from tests.builders import NOON_MS, a_handoff, a_ranked_passage, an_answer
from tests.contract.scene import Scene

ANNA = AgentId("anna")


async def planted(database: SqliteDatabase, conversation: ConversationId, marker: str) -> None:
    """Open *conversation*, let it go through everything, and leave it with an agent who is about to reply."""
    store = SqliteConversationStore(database, told=EVERYTHING)
    scene = await Scene.open(store, conversation)
    await _known(database, conversation, marker)
    await _answered(scene, marker)
    await _handed_over(scene, marker)
    await _kept_beside(database, scene, marker)
    await _shown_in_slack(database, conversation, marker)
    await _half_answered(database, scene, marker)


async def _known(database: SqliteDatabase, conversation: ConversationId, marker: str) -> None:
    customers = SqliteCustomerStore(database)
    customer = Customer(
        subject=Subject(f"subject {marker}"), name=f"Ana {marker}", email=f"{marker}@shop.example"
    )
    page = Page(url=f"https://shop.example/{marker}", title=f"Shop {marker}")
    await customers.save_profile(conversation, customer, page, identity_ms=NOON_MS)
    await customers.sign_out(conversation, at_ms=NOON_MS)


async def _answered(scene: Scene, marker: str) -> None:
    await scene.customer_writes(f"How do I reschedule {marker}?", channel_message_id=f"m1-{marker}")
    start = await scene.turn_begins()
    await scene.bot_shows(start, f"{marker}, open", turn=f"t1-{scene.id}")
    await scene.bot_settles(start, an_answer(f"Open {marker}."), turn=f"t1-{scene.id}", **_evidence(marker))
    await scene.customer_writes(f"no {marker}", kind=Kind.FEEDBACK, channel_message_id=f"m2-{marker}")


def _evidence(marker: str) -> dict[str, object]:
    query = RetrievalQuery(text=f"my {marker}", bare=marker, own=marker, said=marker, told=marker, used=(1,))
    return {"query": query, "ranked": (a_ranked_passage(),), "best_cosine": 0.8}


async def _handed_over(scene: Scene, marker: str) -> None:
    handoff = a_handoff(ReasonCode.UNRESOLVED, detail=f"said {marker}")
    await scene.bot_settles(await scene.turn_begins(), handoff, turn=f"t2-{scene.id}")
    await scene.agent_claims()
    sent = (await scene.agent_replies(f"Dear {marker},", id=f"r1-{marker}")).messages[-1]
    edit = agents_revision(sent, f"Dearest {marker},", revision="1")
    read = await scene.state()
    await scene.changes(read, read, edit, what="edited")


async def _kept_beside(database: SqliteDatabase, scene: Scene, marker: str) -> None:
    desk, conversation = SqliteDeskStore(database), scene.id
    await scene.store.add_note(
        conversation, Note(seq=0, author=ANNA, text=f"{marker} is kind", at_ms=NOON_MS, key=marker)
    )
    mark = Mark(
        conversation=conversation, kind=MarkKind.WRONG_ANSWER, seq=2, agent=ANNA, at_ms=NOON_MS, remark=marker
    )
    await desk.add_mark(mark)
    await desk.keep_draft(conversation, ANNA, f"Sorry, {marker}", at_ms=NOON_MS)
    await desk.mark_read(conversation, customer=1, agent=1)
    rating = Rating(
        message_id=f"r-{marker}", episode=1, score=5, comment=f"thanks from {marker}", at_ms=NOON_MS
    )
    await SqliteRatingStore(database).rate(conversation, rating)
    image = Attachment(
        message_id=f"f-{marker}", media_type=MediaType.GIF, content=b"GIF89a" + marker.encode() * 9
    )
    await SqliteAttachmentStore(database).keep(conversation, image, most_bytes=10_000)
    await scene.customer_writes(f"{marker}.gif", kind=Kind.FILE, channel_message_id=image.message_id)


async def _shown_in_slack(database: SqliteDatabase, conversation: ConversationId, marker: str) -> None:
    """Let a direct message be the conversation, and three more messages wait there, one of them as a dead letter."""
    slack, place = SqliteSlackStore(database), slack_place(conversation)
    await slack.link(SlackPerson(team=place.team, user="UANNA", agent=ANNA))
    await slack.bind(
        SlackThread(conversation=conversation, side=Side.CUSTOMER, place=place, user=f"U {marker}")
    )
    post = SlackPost(key=f"m:{conversation}:2:0", conversation=conversation, place=place, begun_ms=NOON_MS)
    await slack.begin_post(post)
    await slack.posted(post.key, ts=f"2.{marker}", digest=marker)
    for number in range(3):
        await slack.keep(a_slack_message(place, f"{marker} {number}", number=number))
    await slack.postponed(f"{place.channel}:1", until_ms=NOON_MS, error=f"about {marker}")
    await slack.died(f"{place.channel}:2", at_ms=NOON_MS, error=f"about {marker}")


def slack_place(conversation: ConversationId) -> Place:
    """Return a place whose ids do not name the conversation."""
    return Place(team="T1", channel=f"D{zlib.crc32(conversation.encode())}")


def a_slack_message(place: Place, text: str, *, number: int) -> InboxRow:
    """Return a message that came in."""
    event = {"type": "message", "channel": place.channel, "text": text, "ts": f"{number}.000100"}
    return InboxRow(
        key=f"{place.channel}:{number}",
        kind=InboxKind.EVENT,
        payload=json.dumps({"team_id": place.team, "event": event}),
        received_ms=NOON_MS + number,
        due_ms=NOON_MS + number,
        effect=f"{place.team}:{place.channel}:{number}.000100",
    )


async def _half_answered(database: SqliteDatabase, scene: Scene, marker: str) -> None:
    """Give the conversation back to the bot, which was writing when everything was erased."""
    await scene.agent_returns_to_bot()
    await scene.customer_writes(f"And {marker} again?", channel_message_id=f"m3-{marker}")
    await scene.bot_shows(await scene.turn_begins(), f"{marker}, also", turn=f"t3-{scene.id}")
    usage = Usage(input_tokens=5, output_tokens=5, cost_usd=0.1)
    spending = Spending(turn=TurnId(f"t3-{scene.id}"), conversation=scene.id, usage=usage, at_ms=NOON_MS)
    await SqliteLedger(database).spend(spending, caps=UNCAPPED, since_ms=0)
