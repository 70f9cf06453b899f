"""What is kept of Slack under the names of the core's fields, and read back: the same for a row of a table and for a document."""

from dataclasses import asdict

from bot.core.belongings import KeptInboxRow
from bot.core.conversation import AgentId, ConversationId
from bot.core.slack_rows import InboxKind, InboxRow, Place, Side, SlackPerson, SlackPost, SlackThread
from bot.stored_rows import Kept

Fields = dict[str, str | int | None]


def from_inbox(row: InboxRow) -> Fields:
    """Return the fields of something that came in."""
    return {**asdict(row), "kind": str(row.kind)}


def to_inbox(kept: Kept) -> InboxRow:
    """Read something that came in."""
    return InboxRow(
        key=kept["key"],
        kind=InboxKind(kept["kind"]),
        payload=kept["payload"],
        received_ms=kept["received_ms"],
        due_ms=kept["due_ms"],
        effect=kept["effect"],
        attempts=kept["attempts"],
        error=kept["error"],
    )


def to_kept_inbox(kept: Kept) -> KeptInboxRow:
    """Read something that came in, with what became of it."""
    return KeptInboxRow(row=to_inbox(kept), done_ms=kept["done_ms"], dead_ms=kept["dead_ms"])


def from_place(place: Place) -> Fields:
    """Return the fields of a place, which stand among those of what is there."""
    return asdict(place)


def to_place(kept: Kept) -> Place:
    """Read a place."""
    return Place(team=kept["team"], channel=kept["channel"], thread_ts=kept["thread_ts"])


def from_thread(thread: SlackThread) -> Fields:
    """Return the fields of a thread."""
    return {
        **from_place(thread.place),
        "conversation": thread.conversation,
        "side": str(thread.side),
        "user": thread.user,
        "spell": thread.spell,
        "shown_seq": thread.shown_seq,
        "shown_note": thread.shown_note,
    }


def to_thread(kept: Kept) -> SlackThread:
    """Read a thread."""
    return SlackThread(
        conversation=ConversationId(kept["conversation"]),
        side=Side(kept["side"]),
        place=to_place(kept),
        user=kept["user"],
        spell=kept["spell"],
        shown_seq=kept["shown_seq"],
        shown_note=kept["shown_note"],
    )


def from_post(post: SlackPost) -> Fields:
    """Return the fields of a post."""
    return {
        **from_place(post.place),
        "key": post.key,
        "conversation": post.conversation,
        "begun_ms": post.begun_ms,
        "ts": post.ts,
        "digest": post.digest,
    }


def to_post(kept: Kept) -> SlackPost:
    """Read a post."""
    return SlackPost(
        key=kept["key"],
        conversation=ConversationId(kept["conversation"]),
        place=to_place(kept),
        begun_ms=kept["begun_ms"],
        ts=kept["ts"],
        digest=kept["digest"],
    )


def from_person(person: SlackPerson) -> Fields:
    """Return the fields of a person."""
    return asdict(person)


def to_person(kept: Kept) -> SlackPerson:
    """Read a person."""
    return SlackPerson(team=kept["team"], user=kept["user"], agent=AgentId(kept["agent"]))
