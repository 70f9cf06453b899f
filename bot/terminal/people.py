"""What is kept of one person or in one conversation: found, handed out as one document, or erased. Works while `serve` runs."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from rich.console import Console

from bot.adapters.system_clock import SystemClock
from bot.core.conversation import ConversationId
from bot.core.erasure import OPERATOR, FoundBy, Trace
from bot.errors import ConversationUnknown, Refused, StoreUnavailable
from bot.places import require_data
from bot.settings import Settings
from bot.slack_speech_wiring import SpeechParts, speech_of
from bot.store_wiring import opened_stores
from bot.stores import Stores
from bot.terminal.texts import isolated, titled
from bot.turn_wiring import language

_FOUND_BY = {
    FoundBy.ID: "its id",
    FoundBy.SUBJECT: "the subject that the site vouched for",
    FoundBy.EMAIL: "the address that the site vouched for",
    FoundBy.WRITTEN: "the address, which the customer wrote",
}
_ABOUT = {
    "times": "milliseconds since 1970-01-01 UTC",
    "notes, marks, unsent_replies": "written by agents for each other; the customer never saw them",
    "turns": "how the bot came to each of its answers",
    "attachments": "the bytes of images are in base64",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Whom or what a command is about; one of the two is given."""

    person: str | None = None
    conversation: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What was erased now, and what had been before."""

    erased: tuple[ConversationId, ...] = ()
    earlier: tuple[ConversationId, ...] = ()


async def found(settings: Settings, asked: Asked) -> tuple[Trace, ...]:
    """Return the conversations; none when the one that was asked for is erased already. Refused when there is nothing."""
    async with _opened(settings) as stores:
        if asked.conversation is not None:
            return await _one(stores, ConversationId(asked.conversation))
        person = (asked.person or "").strip()
        traces = await stores.erasure.traces_of(person) if person else ()
    if not traces:
        raise Refused(f"nothing is kept of {person!r}: neither as a subject nor as an e-mail address")
    return traces


async def erase(settings: Settings, asked: Asked, traces: Sequence[Trace]) -> Done:
    """Erase what was found, and whatever else the file still holds of it; what was posted in Slack is taken back first."""
    async with _opened(settings) as stores:
        await _take_back(settings, stores, traces)
        erasure, conversations = stores.erasure, [trace.conversation for trace in traces]
        now_ms = SystemClock().now_ms()
        erased = await erasure.erase(conversations, who=OPERATOR, at_ms=now_ms) if conversations else ()
        try:
            await erasure.scrub(copying=True)
        except StoreUnavailable as exc:
            raise StoreUnavailable(
                f"{len(erased)} conversations are erased, but remains may still be in the file's free space; "
                f"run the command again with --conversation. {exc}"
            ) from exc
    earlier = () if conversations or asked.conversation is None else (ConversationId(asked.conversation),)
    return Done(erased=erased, earlier=earlier)


async def everything(settings: Settings, asked: Asked) -> Mapping[str, object]:
    """Return all that is kept as one document (GDPR, articles 15 and 20)."""
    traces = await found(settings, asked)
    if not traces:
        raise Refused(f"conversation {asked.conversation} was erased")
    async with _opened(settings) as stores:
        kept = [await stores.erasure.everything(trace.conversation) for trace in traces]
    return {
        "person": asked.person,
        "exported_ms": SystemClock().now_ms(),
        "about": _ABOUT,
        "conversations": [
            {"found_by": trace.by, **tables} for trace, tables in zip(traces, kept, strict=True)
        ],
    }


async def _take_back(settings: Settings, stores: Stores, traces: Sequence[Trace]) -> None:
    parts = SpeechParts(
        store=stores.conversations, stores=stores, replies=language().replies, clock=SystemClock()
    )
    if (speech := speech_of(settings, parts)) is not None:
        for trace in traces:
            await speech.take_back(trace.conversation)


def show(traces: Sequence[Trace], console: Console) -> None:
    """Print what would be erased."""
    table = titled("Conversations to erase")
    for heading in ("conversation", "opened", "messages", "found by"):
        table.add_column(heading)
    for trace in traces:
        opened = datetime.fromtimestamp(trace.created_ms / 1000, tz=UTC).strftime("%Y-%m-%d %H:%M UTC")
        table.add_row(isolated(trace.conversation), opened, str(trace.messages), _FOUND_BY[trace.by])
    console.print(table)


def say(done: Done, console: Console) -> None:
    """Print what was done."""
    for conversation in done.earlier:
        console.print(isolated(f"{conversation} was erased before; its remains are gone too."))
    if done.erased:
        console.print(
            f"{len(done.erased)} erased: no table, no search and no free space of the file holds them any more."
        )
        console.print("Backups that were made before still do.")


def to_json(done: Done) -> Mapping[str, object]:
    """Return what `erase --json` prints."""
    return {"erased": list(done.erased), "erased_before": list(done.earlier)}


async def _one(stores: Stores, conversation: ConversationId) -> tuple[Trace, ...]:
    try:
        state = await stores.conversations.conversation(conversation)
    except ConversationUnknown:
        if await stores.erasure.erasure_of(conversation) is None:
            raise
        return ()
    return (
        Trace(conversation=state.id, by=FoundBy.ID, created_ms=state.created_ms, messages=state.last_seq),
    )


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[Stores]:
    require_data(settings)
    async with opened_stores(settings) as stores:
        yield stores
