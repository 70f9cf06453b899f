"""How Slack tells an app: signed requests to its URL, or envelopes over its sockets, again when nobody took them.

What was told is kept in `told`. Nothing is sent again by itself: `retries` does it when a test says so.
"""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

import aiohttp

from tests.vendors.local_server import Body
from tests.vendors.slack_events import envelope
from tests.vendors.slack_scopes import needed_for_event
from tests.vendors.slack_sockets import Sockets
from tests.vendors.slack_workspace import Workspace

SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5"  # noqa: S105 - of a server that plays Slack
EVENTS, ACTIONS = "events", "actions"
MAX_DELIVERIES = 4  # the first, and three more


def signature(raw: bytes, *, at_s: float, secret: str = SIGNING_SECRET) -> dict[str, str]:
    """Return the headers that prove that *raw* comes from Slack and was sent at *at_s*."""
    moment = str(int(at_s))
    digest = hmac.new(secret.encode(), b"v0:" + moment.encode() + b":" + raw, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": moment, "X-Slack-Signature": f"v0={digest}"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What came of telling the app once, and how long that took; status 0 is no answer at all."""

    status: int
    took_s: float = 0.0
    answer: Body = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def taken(self) -> bool:
        return 200 <= self.status < 300

    @property
    def reason(self) -> str:
        """Why it is sent again, in Slack's words."""
        return "http_error" if self.status else "http_timeout"


@dataclass(slots=True, kw_only=True)
class Push:
    """Something to tell the app, and how often it was told."""

    kind: str
    body: Body
    deliveries: list[Delivery] = field(default_factory=list)

    @property
    def event(self) -> Body:
        found: Body = self.body["event"]
        return found

    @property
    def last(self) -> Delivery:
        return self.deliveries[-1]


@dataclass(slots=True, kw_only=True)
class Pushes:
    """What is told to the app. Set `url` to where it listens, or let it open a socket; with `held` nothing goes out."""

    workspace: Workspace
    sockets: Sockets
    url: str = ""
    held: bool = False
    patience_s: float = 10.0  # Slack's own is 3 s, which a busy machine may miss
    told: list[Push] = field(default_factory=list)
    scopes: frozenset[str] | None = None
    session: aiohttp.ClientSession | None = None
    under_way: set[asyncio.Task[Delivery | None]] = field(default_factory=set)

    def event(self, event: Body) -> None:
        """Tell an event, if the app may know of it, without waiting for the app."""
        kind = str(event.get("channel_type") or self._kind_of(event.get("channel")))
        scope = needed_for_event(str(event["type"]), kind)
        if self.scopes is not None and scope and scope not in self.scopes:
            return
        body = envelope(event, self.workspace.new_id("Ev"), now_s=self.workspace.now())
        self._begin(Push(kind=EVENTS, body=body))

    async def action(self, body: Body) -> Delivery:
        """Tell what a person did, and return what the app answered."""
        push = Push(kind=ACTIONS, body=body)
        self.told.append(push)
        return await self.deliver(push)

    async def deliver(
        self, push: Push, *, retry: int = 0, reason: str = "http_timeout", url: str = ""
    ) -> Delivery:
        """Tell *push* once more: to *url*, or to where the app is; with *retry* as a repetition."""
        loop = asyncio.get_running_loop()
        begun_s = loop.time()
        if url or not self.sockets.open:
            delivery = await self._post(push, retry, reason, url or self.url)
        else:
            delivery = await self._send(push, retry, reason)
        push.deliveries.append(replace(delivery, took_s=loop.time() - begun_s))
        return push.last

    async def retries(self) -> int:
        """Send each event again that the app did not take, as Slack does three times; return how many those were."""
        left = [push for push in self.told if _is_owed(push)]
        for push in left:
            await self.deliver(push, retry=len(push.deliveries), reason=push.last.reason)
        return len(left)

    async def settled(self) -> None:
        """Wait until the app answered whatever it was told, and what it was told meanwhile."""
        while self.under_way:
            await asyncio.gather(*self.under_way)

    async def answered(self, pushes: Sequence[Push]) -> None:
        """Wait until each of *pushes* was answered, or would have been."""
        await asyncio.gather(*(task for task in self.under_way if task.get_name() in _names(pushes)))

    def _begin(self, push: Push) -> None:
        self.told.append(push)
        if self.held or not (self.url or self.sockets.open):
            return
        task: asyncio.Task[Delivery | None] = asyncio.create_task(self.deliver(push), name=_name(push))
        self.under_way.add(task)
        task.add_done_callback(self.under_way.discard)

    def _kind_of(self, channel: object) -> str:
        found = self.workspace.channels.get(channel) if isinstance(channel, str) else None
        return found.kind if found else "channel"

    async def _post(self, push: Push, retry: int, reason: str, url: str) -> Delivery:
        raw, content_type = _encoded(push)
        headers = {
            "Content-Type": content_type,
            "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
            **signature(raw, at_s=self.workspace.now()),
            **({"X-Slack-Retry-Num": str(retry), "X-Slack-Retry-Reason": reason} if retry else {}),
        }
        assert self.session is not None
        assert url, "nobody listens: set `app_url`, or let the app open a socket"
        timeout = aiohttp.ClientTimeout(total=self.patience_s)
        try:
            async with self.session.post(
                f"{url}/slack/{push.kind}", data=raw, headers=headers, timeout=timeout
            ) as response:
                return Delivery(
                    status=response.status,
                    answer=_body_of(await response.text()),
                    headers=response.headers.copy(),
                )
        except (aiohttp.ClientError, TimeoutError):
            return Delivery(status=0)

    async def _send(self, push: Push, retry: int, reason: str) -> Delivery:
        kind = "events_api" if push.kind == EVENTS else "interactive"
        answer = await self.sockets.tell(
            kind, push.body, envelope_id=self.workspace.new_id("env-"), retry=retry, reason=reason
        )
        return Delivery(status=0) if answer is None else Delivery(status=200, answer=answer)


def _is_owed(push: Push) -> bool:
    tried = push.deliveries
    if push.kind != EVENTS or not tried or len(tried) >= MAX_DELIVERIES:
        return False
    return not any(one.taken or one.headers.get("X-Slack-No-Retry") == "1" for one in tried)


def _encoded(push: Push) -> tuple[bytes, str]:
    said = json.dumps(push.body)
    if push.kind == EVENTS:
        return said.encode(), "application/json"
    return urlencode({"payload": said}).encode(), "application/x-www-form-urlencoded"


def _body_of(text: str) -> Body:
    try:
        found = json.loads(text)
    except ValueError:
        return {"text": text} if text else {}
    return found if isinstance(found, dict) else {"text": text}


def _name(push: Push) -> str:
    return f"slack-push-{push.body['event_id']}"


def _names(pushes: Sequence[Push]) -> set[str]:
    return {_name(push) for push in pushes if push.kind == EVENTS}
