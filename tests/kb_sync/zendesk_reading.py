"""Reads the help center that the local server plays, with waits that cost no time."""

from dataclasses import dataclass, field

import pytest

from bot.errors import SourceRejected
from kb_sync.sources.source import Delivery
from kb_sync.sources.zendesk import ZendeskHelpCenter
from tests.kb_sync.folders import CountedReading
from tests.vendors.zendesk_server import EMAIL, TOKEN, ZendeskServer


@dataclass(slots=True)
class Waits:
    """What was waited for, in seconds."""

    seconds: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def a_help_center(server: ZendeskServer, **fields) -> ZendeskHelpCenter:
    """Return the source that reads *server* as the right agent."""
    return ZendeskHelpCenter(server.url, **({"email": EMAIL, "token": TOKEN, "wait": Waits()} | fields))


async def read(server: ZendeskServer, **fields) -> Delivery:
    """Return everything that the server holds."""
    return await a_help_center(server, **fields).read(CountedReading())


async def refusal_of(server: ZendeskServer, **fields) -> SourceRejected:
    """Read what cannot be read, and return why; the sentence names the source and hides the token."""
    with pytest.raises(SourceRejected) as refused:
        await read(server, **fields)
    said = str(refused.value)
    assert said.startswith(f"zendesk:{server.url}: ")
    assert (TOKEN in said, "\n" in said) == (False, False)
    return refused.value
