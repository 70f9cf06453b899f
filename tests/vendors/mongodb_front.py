"""A front that speaks MongoDB's wire protocol: it answers what concerns vector search itself and passes on all else.

What stands behind it knows no `$vectorSearch`. Commands that fail as they are told, and connections that are cut, are its own too.
"""

import asyncio
import struct
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

import bson
from pymongo import AsyncMongoClient

from tests.vendors.mongodb_search import SearchIndex, SearchRefused, searched

Command = dict[str, Any]
Reply = dict[str, Any]

_HEADER = struct.Struct("<iiii")
_OP_MSG = 2013


@dataclass(slots=True, kw_only=True)
class MongoFront:
    """A running front. `indexes` by database, collection and name; `refuse` may answer any command with an error.

    A new index is READY unless `building` says otherwise. `deny` answers a command with an error after it was carried out, and while
    it `is_down` nobody is answered at all.
    """

    behind: str
    port: int = 0
    building: str = "READY"
    indexes: dict[tuple[str, str, str], SearchIndex] = field(default_factory=dict)
    refuse: Callable[[Command], Reply | None] = lambda _command: None
    deny: Callable[[Command], Reply | None] = lambda _command: None
    is_down: bool = False
    commands: list[str] = field(default_factory=list)

    @property
    def uri(self) -> str:
        return f"mongodb://127.0.0.1:{self.port}"

    def index_of(self, name: str) -> SearchIndex:
        """Return the newest index of a name."""
        return [one for key, one in self.indexes.items() if key[2] == name][-1]

    async def answered(self, command: Command, client: AsyncMongoClient[Reply]) -> Reply | None:
        """Return the reply to a command; None for one that is passed on."""
        name = next(iter(command))
        self.commands.append(name)
        if (refusal := self.refuse(command)) is not None:
            return refusal
        match name:
            case "createSearchIndexes":
                return self._created(command)
            case "dropSearchIndex":
                self.indexes.pop((command["$db"], command[name], command["name"]), None)
                return {"ok": 1}
            case "aggregate" if command["pipeline"]:
                return await self._aggregated(command, client)
        return None

    def _created(self, command: Command) -> Reply:
        made = []
        for one in command["indexes"]:
            key = (command["$db"], command["createSearchIndexes"], one["name"])
            self.indexes[key] = SearchIndex(
                name=one["name"], definition=one["definition"], status=self.building
            )
            made.append({"id": one["name"], "name": one["name"]})
        return {"ok": 1, "indexesCreated": made}

    async def _aggregated(self, command: Command, client: AsyncMongoClient[Reply]) -> Reply | None:
        first = command["pipeline"][0]
        where = command["$db"], command["aggregate"]
        if "$listSearchIndexes" in first:
            wanted = first["$listSearchIndexes"].get("name")
            found = [
                one.described()
                for key, one in self.indexes.items()
                if key[:2] == where and wanted in (None, key[2])
            ]
            return _cursor(where, found)
        if any("$vectorSearch" in stage for stage in command["pipeline"][1:]):
            return refusal("$vectorSearch is only valid as the first stage in a pipeline")
        if "$vectorSearch" not in first:
            return None
        stage = first["$vectorSearch"]
        documents = await client[where[0]][where[1]].find().to_list()
        try:
            found_ones = searched(self.indexes.get((*where, stage["index"])), stage, documents)
        except SearchRefused as refused:
            return refusal(str(refused))
        shaped = [{**document, "score": score} for document, score in found_ones]
        return _cursor(where, [_projected(one, command["pipeline"][1:]) for one in shaped])


def _projected(found: Reply, stages: list[Command]) -> Reply:
    """Do what a `$project` asks for: fields that are kept, and the score under the name that it is given."""
    for stage in stages:
        wanted = stage["$project"]
        kept = {name: found[name] for name, how in wanted.items() if how == 1 and name in found}
        scores = {
            name: found["score"] for name, how in wanted.items() if how == {"$meta": "vectorSearchScore"}
        }
        found = {"_id": found["_id"], **kept, **scores}
    return found


def _cursor(where: tuple[str, str], documents: list[Reply]) -> Reply:
    return {"ok": 1, "cursor": {"id": 0, "ns": ".".join(where), "firstBatch": documents}}


def refusal(message: str, code: int = 8) -> Reply:
    """Return an error as a server sends it."""
    return {"ok": 0, "errmsg": message, "code": code, "codeName": "UnknownError"}


@asynccontextmanager
async def mongodb_front(behind: str) -> AsyncIterator[MongoFront]:
    """Run a front for the server at the address *behind*."""
    front = MongoFront(behind=behind)
    client: AsyncMongoClient[Reply] = AsyncMongoClient(behind)
    host, _, port = behind.removeprefix("mongodb://").partition(":")
    lines: set[asyncio.StreamWriter] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        lines.update({writer, far_writer})
        try:
            await _relay(front, client, (reader, writer), (far_reader, far_writer))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # whoever was connected has gone
        finally:
            for line in (writer, far_writer):
                line.close()
                lines.discard(line)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    front.port = server.sockets[0].getsockname()[1]
    try:
        yield front
    finally:
        server.close()
        for line in list(lines):
            line.close()
        await client.close()


@contextmanager
def front_in_background(behind: str) -> Iterator[MongoFront]:
    """Run a front on a thread of its own, for those who block."""
    ready: Future[MongoFront] = Future()
    loop = asyncio.new_event_loop()
    ended = asyncio.Event()

    async def run() -> None:
        async with mongodb_front(behind) as front:
            ready.set_result(front)
            await ended.wait()

    thread = Thread(target=lambda: loop.run_until_complete(run()), name="mongodb-front", daemon=True)
    thread.start()
    try:
        yield ready.result(timeout=20)
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(timeout=20)
        loop.close()


async def _relay(
    front: MongoFront,
    client: AsyncMongoClient[Reply],
    near: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    far: tuple[asyncio.StreamReader, asyncio.StreamWriter],
) -> None:
    """Answer one request after the other; a driver waits for each reply before it asks again."""
    while True:
        request, header, body = await _message(near[0])
        if front.is_down:
            return
        command = _command(body) if header[3] == _OP_MSG else None
        reply = None if command is None else await front.answered(command, client)
        if reply is None:
            far[1].write(request)
            await far[1].drain()
            answer, _, _ = await _message(far[0])
            denied = None if command is None else front.deny(command)
            answer = answer if denied is None else _encoded(denied, to=header[1])
        else:
            answer = _encoded(reply, to=header[1])
        near[1].write(answer)
        await near[1].drain()


async def _message(reader: asyncio.StreamReader) -> tuple[bytes, tuple[int, ...], bytes]:
    start = await reader.readexactly(_HEADER.size)
    header = _HEADER.unpack(start)
    body = await reader.readexactly(header[0] - _HEADER.size)
    return start + body, header, body


def _command(body: bytes) -> Command:
    """Return the command with the documents of its sequences put in."""
    command: Command = {}
    for kind, piece in _sections(body[4:]):
        if kind == 0:
            command = {**bson.decode(piece), **command}
        else:
            name_end = piece.index(b"\0", 4)
            command[piece[4:name_end].decode()] = bson.decode_all(piece[name_end + 1 :])
    return command


def _sections(rest: bytes) -> Iterator[tuple[int, bytes]]:
    while len(rest) > 4:
        size = struct.unpack_from("<i", rest, 1)[0]
        yield rest[0], rest[1 : 1 + size]
        rest = rest[1 + size :]


def _encoded(reply: Reply, *, to: int) -> bytes:
    body = struct.pack("<IB", 0, 0) + bson.encode(reply)
    return _HEADER.pack(_HEADER.size + len(body), 1, to, _OP_MSG) + body
