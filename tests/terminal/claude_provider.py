"""A model's provider for whole commands: the local server in a thread of its own, because a command runs a loop of its own."""

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp import web

from tests.vendors.anthropic_server import Call, answers, anthropic_server, says
from tests.vendors.local_server import Body, Reply

NUMBERED = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)


@contextmanager
def model_server(reply: Reply) -> Iterator[str]:
    """Serve *reply* again and again; yield the address."""
    loop = asyncio.new_event_loop()
    started, stopping, address = threading.Event(), asyncio.Event(), []

    async def serve() -> None:
        async with anthropic_server(reply) as server:
            address.append(server.url)
            started.set()
            await stopping.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        assert started.wait(10)
        yield address[0]
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join(10)
        loop.close()


def quotes_and_judges(*, doubted: str = "nothing", judging: Reply | None = None) -> Reply:
    """Answer with the first search result's first part; support what is asked about unless a passage is titled *doubted*."""

    async def reply(request: web.Request, body: Body) -> web.StreamResponse:
        if body["tools"][0]["name"] == "give_verdicts":
            return await (judging or _verdicts(body, doubted))(request, body)
        results = (b for m in body["messages"] for b in m["content"] if b["type"] == "search_result")
        return await answers(says(next(results)["content"][0]["text"]))(request, body)

    return reply


def _verdicts(body: Body, doubted: str) -> Reply:
    asked = body["messages"][0]["content"]
    supported = f"\n{doubted}\n" not in asked
    why = "" if supported else "It says so itself."
    sentences = NUMBERED.findall(asked[asked.index("<sentences-") :])
    verdicts = [{"sentence": int(number), "supported": supported, "why": why} for number, _ in sentences]
    return answers(Call(name="give_verdicts", input={"verdicts": verdicts}), stop="tool_use")
