"""Slack's own client for Socket Mode, which keeps what it hears before it acknowledges it, and connects anew only when it is told to.

The client by itself believes its last ping to be a pong, waits without an end while it connects, and comes back at once
wherever it is one too many (FAULTS 1.3): that is all left to `socket_supervisor`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import assert_never

import structlog
from aiohttp import ClientError
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.slack.keys import Payload
from bot.channels.slack.socket_frames import Envelope, Hello, Leave, to_said
from bot.channels.slack.socket_supervisor import PING_S
from bot.errors import OutsideFailure, Refused
from bot.service.background import Background

log = structlog.get_logger()

NEVER = 0.0
CLOSING_S = 2.0  # for what was heard and is not acknowledged yet
GOODBYE_S = 1.0

Take = Callable[[Payload], Awaitable[None]]


class HearingClient(SocketModeClient):
    """The client with its own reconnecting off; every text goes to *heard*."""

    def __init__(
        self, heard: Callable[[str], None], *, app_token: str, web_client: AsyncWebClient, ping_s: float
    ) -> None:
        super().__init__(
            app_token=app_token,
            logger=_quiet(),
            web_client=web_client,
            auto_reconnect_enabled=False,
            ping_interval=ping_s,
        )
        # Without any, the client would take its next ping for a pong.
        self.last_ping_pong_time = NEVER
        self._heard = heard

    async def enqueue_message(self, message: str) -> None:
        """The client's own queue runs its listeners in tasks that nobody holds."""
        self._heard(message)


@dataclass(slots=True, kw_only=True)
class SlackSocket:
    """One client from its first connection until it is closed; *take* keeps a payload or raises."""

    app_token: str
    web_client: AsyncWebClient
    take: Take
    ping_s: float = PING_S
    _client: HearingClient = field(init=False)
    _is_greeted: bool = False
    _background: Background = field(default_factory=Background)

    def __post_init__(self) -> None:
        self._client = HearingClient(
            self.hear, app_token=self.app_token, web_client=self.web_client, ping_s=self.ping_s
        )

    @property
    def last_pong(self) -> float:
        """When the ping was sent that was answered last, by the client's clock; NEVER before."""
        return self._client.last_ping_pong_time or NEVER

    @property
    def is_open(self) -> bool:
        """Whether Slack greeted the connection and did not end it."""
        session = self._client.current_session
        return self._is_greeted and session is not None and not session.closed

    async def connect(self) -> None:
        """Connect, in place of the connection that there was; may wait without an end."""
        self._is_greeted = False
        await self._client.connect_to_new_endpoint(force=True)

    async def close(self) -> None:
        """Acknowledge what was kept, and leave; what is still said is said again to the next."""
        await self._background.drain(grace_s=CLOSING_S)
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_S):
                await self._client.disconnect()  # type: ignore[no-untyped-call]  # the SDK does not say what it returns
        # Without its session the client cannot wait ten seconds for a peer that is gone.
        await self._client.aiohttp_client_session.close()
        await self._client.close()  # type: ignore[no-untyped-call]  # the same

    def hear(self, text: str) -> None:
        """Take a frame in; returns at once."""
        match said := to_said(text):
            case Hello():
                self._is_greeted = True
            case Leave():
                log.info("slack_socket_ends", reason=said.reason)
                self._is_greeted = False
            case Envelope():
                self._background.start(self._keep(said), name=f"slack:{said.id}")
            case None:
                log.info("slack_socket_said_something_else")
            case _:
                assert_never(said)

    async def _keep(self, envelope: Envelope) -> None:
        """What is not acknowledged Slack sends again."""
        try:
            await self.take(envelope.payload)
        except Refused as refused:
            log.warning("slack_sent_nonsense", problem=str(refused))
        except OutsideFailure as failure:
            log.warning("slack_not_kept", error=type(failure).__name__)
            return
        except Exception:  # a defect must not end the connection
            log.exception("slack_not_kept")
            return
        await self._acknowledge(envelope)

    async def _acknowledge(self, envelope: Envelope) -> None:
        try:
            await self._client.send_socket_mode_response({"envelope_id": envelope.id})
        except (ClientError, ConnectionError, AttributeError) as failure:  # no socket is left, or none yet
            log.info("slack_not_acknowledged", error=type(failure).__name__)


def _quiet() -> logging.Logger:
    """The client tells of each attempt; the supervisor tells of what matters."""
    logger = logging.getLogger("candor.slack_socket")
    logger.setLevel(logging.CRITICAL)
    return logger
