"""A local server that plays Slack: Web API, Events API, interactivity and Socket Mode over one workspace.

Read `calls` for what the app asked, `transcript` for what people see. `fails` plays faults of `slack_faults`.
"""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
import pytest
from aiohttp import web

from tests.vendors import slack_chat, slack_reading, slack_streams, slack_views
from tests.vendors.local_server import Body, serving
from tests.vendors.slack_faults import Fault
from tests.vendors.slack_people import SlackPeople
from tests.vendors.slack_scopes import EVENTS, SCOPES, needed, needed_for_event
from tests.vendors.slack_transcripts import transcript
from tests.vendors.slack_workspace import Refused, Workspace

BOT_TOKEN, APP_TOKEN = "xoxb-candor", "xapp-candor"
CUSTOMER, AGENT, OTHER_AGENT = "U0CUSTOMER", "U0AGENT", "U0OTHER"
DESK, HELP = "C0DESK", "C0HELP"
ANYTHING = "*"

Method = Callable[[Workspace, Body], Body]
METHODS: dict[str, Method] = {
    "assistant.threads.setStatus": slack_streams.set_status,
    "assistant.threads.setSuggestedPrompts": slack_streams.set_prompts,
    "assistant.threads.setTitle": slack_streams.set_title,
    "auth.test": slack_reading.auth_test,
    "chat.appendStream": slack_streams.append_stream,
    "chat.delete": slack_chat.delete,
    "chat.getPermalink": slack_chat.get_permalink,
    "chat.postEphemeral": slack_chat.post_ephemeral,
    "chat.postMessage": slack_chat.post_message,
    "chat.startStream": slack_streams.start_stream,
    "chat.stopStream": slack_streams.stop_stream,
    "chat.update": slack_chat.update,
    "conversations.history": slack_reading.history,
    "conversations.info": slack_reading.info,
    "conversations.join": slack_reading.join,
    "conversations.list": slack_reading.channels,
    "conversations.members": slack_reading.members,
    "conversations.open": slack_reading.open_direct,
    "conversations.replies": slack_reading.replies,
    "users.info": slack_reading.person,
    "users.lookupByEmail": slack_reading.person_by_email,
    "views.open": slack_views.open_view,
    "views.push": slack_views.push_view,
    "views.update": slack_views.update_view,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of the Web API."""

    method: str
    args: Body
    token: str
    at_s: float


@dataclass(slots=True, kw_only=True)
class SlackServer(SlackPeople):
    """The running server. Set `app_url` to where the app listens, `scopes` to what its token may do (all, unless set)."""

    calls: list[Call] = field(default_factory=list)
    responses: list[Body] = field(default_factory=list)
    faults: dict[str, list[Fault]] = field(default_factory=dict)
    outage: Fault | None = None

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/"

    @property
    def app_url(self) -> str:
        return self.pushes.url

    @app_url.setter
    def app_url(self, url: str) -> None:
        self.pushes.url = url

    @property
    def scopes(self) -> frozenset[str] | None:
        return self.pushes.scopes

    @scopes.setter
    def scopes(self, scopes: frozenset[str] | None) -> None:
        self.pushes.scopes = scopes

    def fails(self, method: str, *faults: Fault) -> None:
        """Play *faults*, one a call, to the next calls of *method* (`ANYTHING`: of any)."""
        self.faults.setdefault(method, []).extend(faults)

    def goes_down(self, fault: Fault) -> None:
        """Play *fault* to every call until `comes_back`."""
        self.outage = fault

    def comes_back(self) -> None:
        self.outage = None

    def called(self, method: str) -> list[Body]:
        """Return the arguments of every call of *method*."""
        return [call.args for call in self.calls if call.method == method]

    def posted(self, channel: str, thread_ts: str = "") -> list[Body]:
        """Return what the app itself wrote there and still stands, oldest first."""
        place = self.workspace.channel(channel)
        shown = place.thread(thread_ts) if thread_ts else place.in_order()
        return [message for message in shown if message.get("bot_id") == slack_chat.OWN["bot_id"]]

    def whispered(self, user: str) -> list[Body]:
        """Return the ephemeral messages that *user* saw."""
        return [whisper for whisper in self.workspace.whispers if whisper["to"] == user]

    def transcript(self, channel: str, thread_ts: str = "") -> list[str]:
        """Return what a person sees there, a line a message."""
        return transcript(self.workspace, channel, thread_ts)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer a call of the Web API, well or badly."""
        method = request.match_info["method"]
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        call = Call(method=method, args=await _arguments(request), token=token, at_s=self.workspace.now())
        self.calls.append(call)
        fault = self._fault(method)
        if fault is not None:
            return await fault(request, lambda: self._answer(call))
        return web.json_response(self._answer(call), headers=self._scopes_header())

    async def respond(self, request: web.Request) -> web.StreamResponse:
        """Take what the app sends to a `response_url`."""
        self.responses.append(await request.json())
        return web.Response(text="ok")

    def _fault(self, method: str) -> Fault | None:
        for name in (method, ANYTHING):
            if waiting := self.faults.get(name):
                return waiting.pop(0)
        return self.outage

    def _answer(self, call: Call) -> Body:
        try:
            if call.method == "apps.connections.open":
                return self._socket(call)
            _authorize(call, BOT_TOKEN)
            self._permit(call)
            return METHODS[call.method](self.workspace, call.args)
        except Refused as refused:
            return refused.answer

    def _socket(self, call: Call) -> Body:
        _authorize(call, APP_TOKEN)
        ticket = self.workspace.new_id("ticket")
        self.sockets.tickets.add(ticket)
        return {"ok": True, "url": f"{self.url.replace('http', 'ws', 1)}/link?ticket={ticket}"}

    def _permit(self, call: Call) -> None:
        if call.method not in METHODS:
            raise Refused("unknown_method", req_method=call.method)
        channel = call.args.get("channel")
        known = self.workspace.channels.get(channel) if isinstance(channel, str) else None
        scope = needed(call.method, known.kind if known else "channel")
        if self.scopes is not None and scope and scope not in self.scopes:
            raise Refused("missing_scope", needed=scope, provided=",".join(sorted(self.scopes)))

    def _scopes_header(self) -> Mapping[str, str]:
        every = {needed(method, kind) for method in SCOPES for kind in ("channel", "group", "im", "mpim")}
        every |= {
            needed_for_event(event, kind) for event in EVENTS for kind in ("channel", "group", "im", "mpim")
        }
        granted = self.scopes if self.scopes is not None else every - {""}
        return {"x-oauth-scopes": ",".join(sorted(granted))}


@asynccontextmanager
async def slack_server() -> AsyncIterator[SlackServer]:
    """Play a workspace with a customer, two agents in the desk's channel, and a channel where people ask."""
    server = SlackServer()
    for user, name in ((CUSTOMER, "Ana Customer"), (AGENT, "Max Agent"), (OTHER_AGENT, "Zoe Agent")):
        server.workspace.add_person(user, real_name=name)
    server.workspace.add_channel(DESK, name="desk", members=(AGENT, OTHER_AGENT))
    server.workspace.add_channel(HELP, name="help", members=(CUSTOMER, AGENT))
    routes = [
        web.post("/api/{method}", server.answer),
        web.get("/api/{method}", server.answer),
        web.post("/response/{number}", server.respond),
        web.get("/link", server.sockets.serve),
    ]
    async with serving(server, routes), aiohttp.ClientSession() as server.pushes.session:
        yield server
        await server.pushes.settled()


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    """A Slack workspace with the app installed."""
    async with slack_server() as running:
        yield running


def _authorize(call: Call, token: str) -> None:
    if not call.token:
        raise Refused("not_authed")
    if call.token in {BOT_TOKEN, APP_TOKEN} - {token}:
        raise Refused("not_allowed_token_type")
    if call.token != token:
        raise Refused("invalid_auth")


async def _arguments(request: web.Request) -> Body:
    """Return the arguments: JSON, a form, or in the query; in the last two what is JSON stands as text."""
    told: Body = dict(request.query)
    if request.content_type == "application/json":
        sent: Body = await request.json()
        return told | sent
    told |= dict(await request.post())
    for name in ("blocks", "chunks", "metadata", "prompts", "view"):
        if isinstance(told.get(name), str):
            told[name] = json.loads(told[name])
    return told
