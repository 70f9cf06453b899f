"""Where Slack sends events and what people press: nothing is read of a request before Slack's signature under it was verified.

What a request says of its own type and charset is not looked at: Slack signs the bytes alone.
"""

import json
from dataclasses import dataclass
from urllib.parse import parse_qs

from aiohttp import web

from bot.channels.bodies import json_answer
from bot.channels.problems import ProblemJson
from bot.channels.slack.keys import Payload
from bot.channels.slack.receiving import Receiver
from bot.channels.slack.signing import is_signed
from bot.errors import InputRejected
from bot.ports import Clock

LARGEST_BYTES = 1024 * 1024
FIELDS = 16  # of a form; Slack sends one


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackDoor:
    """The two routes; each takes what is meant for the other, because an app may be set up with one address for both."""

    secret: str
    receiver: Receiver
    clock: Clock

    def routes(self) -> list[web.RouteDef]:
        return [web.post("/slack/events", self.receive), web.post("/slack/actions", self.receive)]

    async def receive(self, request: web.Request) -> web.Response:
        """Keep what Slack sent, and acknowledge it; 503 when it could not be kept, so that Slack sends it again."""
        body = await request.clone(client_max_size=LARGEST_BYTES).read()
        if not is_signed(
            body,
            secret=self.secret,
            timestamp=request.headers.get("X-Slack-Request-Timestamp"),
            signature=request.headers.get("X-Slack-Signature"),
            now_ms=self.clock.now_ms(),
        ):
            raise ProblemJson(401, "not_signed", "This is not signed by Slack.")
        payload = to_payload(body)
        if payload.get("type") == "url_verification":
            return json_answer({"challenge": str(payload.get("challenge", ""))})
        await self.receiver.take(payload)
        return web.Response()


def to_payload(body: bytes) -> Payload:
    """Read what Slack sent: JSON, or a form that has it in a field; InputRejected when it is neither."""
    try:
        text = body.decode()
        if not text.lstrip().startswith("{"):
            (text,) = parse_qs(text, strict_parsing=True, max_num_fields=FIELDS)["payload"]
        payload = json.loads(text)
    except (ValueError, KeyError, RecursionError):
        payload = None
    if not isinstance(payload, dict):
        raise InputRejected("body", "is neither JSON nor a form with JSON in it", "send what Slack documents")
    return payload
