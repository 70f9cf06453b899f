"""Signs the sample's customer in on the demo page, as a site's own server does. Only there where no real customer's records are read."""

from dataclasses import dataclass, field

import jwt
from aiohttp import web

from bot.channels.bodies import json_answer
from bot.channels.widget.identities import ALGORITHM
from bot.core.customers import Subject
from bot.ports import Clock

LIFE_S = 600
NAME = "Demo customer"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoSignIn:
    """Vouches for one invented customer, with a key that signs nothing else."""

    subject: Subject
    audience: str
    clock: Clock
    key: str = field(repr=False)

    async def answer(self, _request: web.Request) -> web.Response:
        return json_answer({"identity": self.identity()})

    def identity(self) -> str:
        """Return a fresh proof. Not in whole seconds: it must be younger than a sign-out a moment ago."""
        now_s = self.clock.now_ms() / 1000
        claims = {
            "sub": self.subject,
            "aud": self.audience,
            "iat": now_s,
            "exp": now_s + LIFE_S,
            "name": NAME,
        }
        return jwt.encode(claims, self.key, ALGORITHM)
