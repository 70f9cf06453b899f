"""`export`: the turns that the store recorded, as conversations to replay and to label. It reads, and writes one file."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.core.desk import MarkKind
from bot.desk_ports import DeskStore
from bot.errors import InputRejected
from bot.evaluation.candidates import to_candidates
from bot.evaluation.traffic import to_row
from bot.places import require_data
from bot.ports import ConversationStore
from bot.settings import Settings
from bot.store_wiring import opened_stores

Write = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """How much was written."""

    conversations: int
    turns: int


async def export(
    settings: Settings, write: Write, *, since: datetime | None, marked: bool = False
) -> Exported:
    """Write a line for each turn settled since then, those of a conversation together; a time without a zone is UTC.

    *marked* are only those turns that agents marked since then, with their marks.
    """
    require_data(settings)
    async with opened_stores(settings) as stores:
        if marked:
            return await _candidates(stores.conversations, stores.desk, write, since_ms=_ms(since))
        return await _written(stores.conversations, write, since_ms=_ms(since))


async def _written(store: ConversationStore, write: Write, *, since_ms: int) -> Exported:
    conversations = await store.conversations_with_turns(since_ms=since_ms)
    turns = 0
    for conversation in conversations:
        seen = await store.snapshot(conversation, after=0)
        for turn in await store.turns(conversation):
            if turn.covers and turn.settled_ms >= since_ms:
                write(_line(to_row(turn, seen.messages, locale=seen.conversation.locale)))
                turns += 1
    return Exported(conversations=len(conversations), turns=turns)


async def _candidates(store: ConversationStore, desk: DeskStore, write: Write, *, since_ms: int) -> Exported:
    marks = [mark for kind in MarkKind for mark in await desk.marked(kind, since_ms=since_ms)]
    by_time = sorted(marks, key=lambda mark: (mark.at_ms, mark.conversation))
    conversations = tuple(dict.fromkeys(mark.conversation for mark in by_time))
    turns = 0
    for conversation in conversations:
        seen, recorded = await store.snapshot(conversation, after=0), await store.turns(conversation)
        own = [mark for mark in by_time if mark.conversation == conversation]
        for row in to_candidates(recorded, seen.messages, own, locale=seen.conversation.locale):
            write(_line(row))
            turns += 1
    return Exported(conversations=len(conversations), turns=turns)


def _line(row: Mapping[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _ms(since: datetime | None) -> int:
    if since is None:
        return 0
    return int((since if since.tzinfo else since.replace(tzinfo=UTC)).timestamp() * 1000)


@contextmanager
def opened(out: Path) -> Iterator[Write]:
    """Open a file that its owner alone may read, because it holds what customers wrote; it is there whole or not at all."""
    part = out.with_name(f"{out.name}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600, exist_ok=False)
        with part.open("w", encoding="utf-8") as lines:
            yield lines.write
        part.replace(out)
    except OSError as exc:
        raise InputRejected(str(out), f"cannot be written ({exc.strerror})", "name another file") from exc
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
