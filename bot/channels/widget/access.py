"""Whose token a request or a socket has. A token that is forged, too old, signed out or of what is no more is refused in one way."""

from dataclasses import dataclass

from aiohttp import web

from bot.channels.problems import ProblemJson
from bot.channels.widget.tokens import SessionTokens
from bot.core.conversation import ConversationId
from bot.core.customers import Ticket
from bot.errors import AccessRefused, ConversationUnknown, IdentityRequired
from bot.service.arrivals import Arrivals


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Lets a browser into its own conversation, and into no other. Methods may raise StoreUnavailable."""

    tokens: SessionTokens
    arrivals: Arrivals

    async def conversation_of(self, request: web.Request) -> ConversationId:
        """Return the conversation of the request's token; ProblemJson 401."""
        ticket = self.ticket_of(request)
        if ticket is None:
            raise token_refused()
        try:
            await self.arrivals.admit(ticket)
        except (AccessRefused, ConversationUnknown) as exc:
            raise to_problem(exc) from exc
        return ticket.conversation

    async def is_admitted(self, ticket: Ticket) -> bool:
        """Say whether a ticket still lets into its conversation."""
        try:
            await self.arrivals.admit(ticket)
        except (AccessRefused, ConversationUnknown):
            return False
        return True

    def ticket_of(self, request: web.Request) -> Ticket | None:
        """Return what the request's token stands for; None when it has none that we signed."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        return self.tokens.ticket_of(token) if scheme.lower() == "bearer" else None


def to_problem(refused: AccessRefused | ConversationUnknown) -> ProblemJson:
    """Say what is asked for; a valid token of a conversation that is no more is as good as none."""
    return identity_required() if isinstance(refused, IdentityRequired) else token_refused()


def token_refused() -> ProblemJson:
    message = "This conversation cannot be continued here. Open a new one."
    return _unauthorized("token_refused", message)


def identity_required() -> ProblemJson:
    return _unauthorized("identity_required", "Please sign in on this site to chat with us.")


def identity_refused() -> ProblemJson:
    message = "We could not confirm who you are. Please sign in on this site again."
    return _unauthorized("identity_refused", message)


def _unauthorized(code: str, message: str) -> ProblemJson:
    return ProblemJson(401, code, message, headers={"WWW-Authenticate": "Bearer"})
