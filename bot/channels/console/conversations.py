"""One conversation over HTTP: what an agent reads of it, and each thing an agent does to it."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from aiohttp import web

from bot.channels.bodies import json_answer, json_body, parse_cursor
from bot.channels.console.frames import (
    DraftBody,
    MarkBody,
    NoteBody,
    NothingBody,
    ReplyBody,
    ResolveBody,
    TransferBody,
    to_mark_kind,
)
from bot.channels.console.guard import ANSWERS_CUSTOMERS, ANYONE, Guard
from bot.channels.console.refusals import to_refusal
from bot.channels.console.showing import Showing
from bot.channels.console.views import to_history, to_mark, to_message, to_note, to_state
from bot.channels.events import Event
from bot.core.accounts import Agent, AgentRole
from bot.core.conversation import AgentId, Conversation, ConversationId
from bot.errors import ConversationUnknown, InputRejected, Refused
from bot.service.desk import DeskService

PATH = "/console/v1/conversations/{id:[A-Za-z0-9_-]{1,64}}"

Handle = Callable[[web.Request, ConversationId, Agent], Awaitable[Event]]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversations:
    """The routes below one conversation. Who only works on articles may do all but speak to a customer."""

    desk: DeskService
    guard: Guard
    showing: Showing

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get(PATH, self._handled(self.read), allow_head=False),
            web.get(f"{PATH}/history", self._handled(self.history), allow_head=False),
            web.post(f"{PATH}/claim", self._answering(self.claim)),
            web.post(f"{PATH}/release", self._answering(self.release)),
            web.post(f"{PATH}/return", self._answering(self.return_to_bot)),
            web.post(f"{PATH}/transfer", self._answering(self.transfer)),
            web.post(f"{PATH}/resolve", self._answering(self.resolve)),
            web.post(f"{PATH}/reply", self._answering(self.reply, keeps_text=True)),
            web.put(f"{PATH}/draft", self._answering(self.keep_draft)),
            web.post(f"{PATH}/note", self._handled(self.add_note)),
            web.post(f"{PATH}/marks", self._handled(self.mark)),
            web.delete(f"{PATH}/marks/{{kind}}/{{seq}}", self._handled(self.unmark)),
        ]

    async def read(self, request: web.Request, conversation: ConversationId, agent: Agent) -> Event:
        after = parse_cursor(request.query.get("after"))
        notes_after = parse_cursor(request.query.get("notes_after"), name="notes_after")
        view = await self.desk.view(conversation, agent.id, after=after, notes_after=notes_after)
        return await self.showing.view(view, agent.id)

    async def history(self, _request: web.Request, conversation: ConversationId, agent: Agent) -> Event:
        rows = await self.desk.history(conversation)
        if not rows:
            raise ConversationUnknown(conversation)
        return to_history(rows, await self.showing.reader(agent.id))

    async def claim(self, request: web.Request, conversation: ConversationId, agent: Agent) -> Event:
        await json_body(request, NothingBody)
        return await self._state(await self.desk.claim(conversation, agent.id), agent)

    async def release(self, request: web.Request, conversation: ConversationId, agent: Agent) -> Event:
        await json_body(request, NothingBody)
        return await self._state(await self.desk.release(conversation, agent.id), agent)

    async def return_to_bot(self, request: web.Request, conversation: ConversationId, agent: Agent) -> Event:
        await json_body(request, NothingBody)
        return await self._state(await self.desk.return_to_bot(conversation, agent.id), agent)

    async def transfer(self, request: web.Request, conversation: ConversationId, agent: Agent) -> Event:
        to = AgentId((await json_body(request, TransferBody)).to)
        return await self._state(await self.desk.transfer(conversation, agent.id, to=to), agent)

    async def resolve(self, request: web.Request, conversation: ConversationId, agent: Agent) -> Event:
        body = await json_body(request, ResolveBody)
        resolved = await self.desk.resolve(conversation, agent.id, body.code, seen=body.seen)
        return await self._state(resolved, agent)

    async def reply(self, request: web.Request, conversation: ConversationId, agent: Agent) -> Event:
        body = await json_body(request, ReplyBody)
        said = await self.desk.reply(
            conversation, agent.id, text=body.text, message_id=body.client_message_id, seen=body.seen
        )
        return {
            **await self._current(conversation, agent),
            "message": to_message(said, await self.showing.reader(agent.id)),
        }

    async def keep_draft(self, request: web.Request, conversation: ConversationId, agent: Agent) -> Event:
        body = await json_body(request, DraftBody)
        state = await self._current(conversation, agent)
        await self.desk.keep_draft(conversation, agent.id, body.text)
        return state

    async def add_note(self, request: web.Request, conversation: ConversationId, agent: Agent) -> Event:
        body = await json_body(request, NoteBody)
        note = await self.desk.add_note(
            conversation, agent.id, text=body.text, message_id=body.client_message_id
        )
        return {
            **await self._current(conversation, agent),
            "note": to_note(note, await self.showing.reader(agent.id)),
        }

    async def mark(self, request: web.Request, conversation: ConversationId, agent: Agent) -> Event:
        body = await json_body(request, MarkBody)
        mark = await self.desk.mark(conversation, agent.id, kind=body.kind, seq=body.seq, remark=body.remark)
        return {
            **await self._current(conversation, agent),
            "mark": to_mark(mark, await self.showing.reader(agent.id)),
        }

    async def unmark(self, request: web.Request, conversation: ConversationId, agent: Agent) -> Event:
        kind = to_mark_kind(request.match_info["kind"])
        seq = parse_cursor(request.match_info["seq"], name="seq")
        await self.desk.unmark(conversation, kind=kind, seq=seq)
        return await self._current(conversation, agent)

    async def _current(self, conversation: ConversationId, agent: Agent) -> Event:
        return await self._state(await self.desk.store.conversation(conversation), agent)

    async def _state(self, conversation: Conversation, agent: Agent) -> Event:
        return to_state(conversation, await self.showing.reader(agent.id))

    def _answering(self, handle: Handle, *, keeps_text: bool = False) -> Handler:
        """Serve those alone who may speak to customers."""
        return self._handled(handle, roles=ANSWERS_CUSTOMERS, keeps_text=keeps_text)

    def _handled(
        self, handle: Handle, *, roles: Collection[AgentRole] = ANYONE, keeps_text: bool = False
    ) -> Handler:
        """Let agents in, and put a refusal into the words of the console."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            agent = (await self.guard.agent(request, roles=roles)).agent
            try:
                answer = await handle(request, ConversationId(request.match_info["id"]), agent)
            except InputRejected:
                raise
            except Refused as exc:
                names = await self.showing.roster.names()
                raise to_refusal(exc, agent.id, names, kept=keeps_text) from exc
            return json_answer(answer)

        return guarded
