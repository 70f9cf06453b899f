"""Who is signed in to the console: passwords, sessions, and the use of an invitation. Only digests of secrets are stored.

A wrong address, a wrong password, no password yet and a disabled account are refused alike and take as long, so that nobody
learns who works here.
"""

import secrets
from dataclasses import dataclass, field, replace
from hashlib import sha256

import structlog

from bot.core.accounts import SESSION_MS, Agent, Session
from bot.core.credentials import require_good_password, to_password
from bot.desk_ports import AccountStore, Passwords
from bot.errors import AccessRefused
from bot.ports import Clock

SECRET_BYTES = 32
LONGEST_SECRET = 128  # ours have 43 characters

NOT_SIGNED_IN = "This e-mail address and password do not fit together."
NOT_INVITED = "This link is used up, too old or incomplete. Ask an admin for a new one."

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """An agent in one browser."""

    agent: Agent
    session: Session


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A sign-in that has just been made; only now is its cookie's secret known."""

    secret: str = field(repr=False)
    signed_in: SignedIn


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """What agents do to get in and out. Methods may raise StoreUnavailable."""

    store: AccountStore
    passwords: Passwords
    clock: Clock

    async def sign_in(self, email: str, password: str, *, old: str | None = None) -> NewSession:
        """Begin a session with a new secret, and end that of the *old* cookie; AccessRefused, always with the same sentence."""
        given = to_password(password)
        agent = await self.store.agent_by_email(email.strip())
        password_hash = agent.password_hash if agent else None
        fits = await self.passwords.fits(given, password_hash)
        if not fits or agent is None or password_hash is None or agent.disabled_ms is not None:
            log.info("sign_in_refused", agent=agent.id if agent else None)
            raise AccessRefused(NOT_SIGNED_IN)
        if self.passwords.is_outdated(password_hash):
            stronger = await self.passwords.hash(given)
            await self.store.rehash(agent.id, stronger, was=password_hash)
            agent = replace(agent, password_hash=stronger)
        return await self._begin(agent, old)

    async def session(self, secret: str) -> SignedIn | None:
        """Return who has this cookie; None when it is none of ours, was ended or is too old, or the agent is disabled."""
        if len(secret) > LONGEST_SECRET:
            return None
        found = await self.store.session(digest_of(secret), now_ms=self.clock.now_ms())
        return SignedIn(session=found[0], agent=found[1]) if found else None

    async def sign_out(self, secret: str) -> None:
        """End a session; one that is over already is left alone."""
        await self.store.end_session(digest_of(secret))

    async def look(self, invitation: str) -> Agent:
        """Return whom an invitation is for; AccessRefused when it cannot be used any more."""
        agent = await self.store.invited(digest_of(invitation), now_ms=self.clock.now_ms())
        if agent is None:
            raise AccessRefused(NOT_INVITED)
        return agent

    async def accept(self, invitation: str, password: str, *, old: str | None = None) -> NewSession:
        """Set the password with an invitation, once, and sign in as `sign_in` does; InputRejected for a poor password."""
        given = to_password(password)
        invited = await self.look(invitation)
        require_good_password(given, email=invited.email, name=invited.name)
        hashed = await self.passwords.hash(given)
        agent = await self.store.accept(digest_of(invitation), hashed, now_ms=self.clock.now_ms())
        if agent is None:
            raise AccessRefused(NOT_INVITED)
        log.info("password_set", agent=agent.id)
        return await self._begin(agent, old)

    async def _begin(self, agent: Agent, old: str | None) -> NewSession:
        secret, now_ms = new_secret(), self.clock.now_ms()
        session = Session(
            digest=digest_of(secret),
            agent=agent.id,
            csrf=new_secret(),
            created_ms=now_ms,
            expires_ms=now_ms + SESSION_MS,
        )
        if old is not None:
            await self.store.end_session(digest_of(old))
        await self.store.begin_session(session)
        await self._require_unchanged(agent, session)
        log.info("signed_in", agent=agent.id)
        return NewSession(secret=secret, signed_in=SignedIn(agent=agent, session=session))

    async def _require_unchanged(self, agent: Agent, session: Session) -> None:
        """Undo a session that began while the password was set anew or the agent disabled: that had to end all sessions."""
        current = await self.store.agent(agent.id)
        if current is None or (current.password_hash, current.disabled_ms) != (agent.password_hash, None):
            await self.store.end_session(session.digest)
            raise AccessRefused(NOT_SIGNED_IN)


def digest_of(secret: str) -> str:
    """Return the form in which a secret is stored; ours are random, so they need no salt and no slow hash."""
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def new_secret() -> str:
    """Return a secret that cannot be guessed."""
    return secrets.token_urlsafe(SECRET_BYTES)
