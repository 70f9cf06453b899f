"""Who a customer is, as the embedding site vouches for it, and on which page they write. Pure.

A conversation belongs to one subject, or to nobody who is known, from its beginning on: it never changes hands. None of this
reaches a prompt.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NewType
from urllib.parse import urlsplit

from bot.core.conversation import Conversation, ConversationId, Status
from bot.core.credentials import EMAIL, LONGEST_EMAIL
from bot.core.hidden import HIDING
from bot.core.inbound import MAX_TEXT_CHARACTERS, clean_text
from bot.errors import InputRejected, MoveRefused

Subject = NewType("Subject", str)

LONGEST = 200  # characters of a name, a title and an address


@dataclass(frozen=True, slots=True, kw_only=True)
class Customer:
    """Who writes. `subject` is the site's own id of them; None for somebody nobody vouches for, who has no name either."""

    subject: Subject | None = None
    name: str | None = None
    email: str | None = None

    @property
    def verified(self) -> bool:
        """Whether the site vouches for who it is."""
        return self.subject is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A proof by the site of who a customer is, and when it was signed."""

    subject: Subject
    name: str | None = None
    email: str | None = None
    issued_ms: int

    @property
    def customer(self) -> Customer:
        """Return whom it proves."""
        return Customer(subject=self.subject, name=self.name, email=self.email)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """What a browser's token stands for: a conversation, until its customer signs out once more."""

    conversation: ConversationId
    epoch: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Where the customer writes. `url` is an http or https address without query, fragment and credentials; empty when there is none."""

    url: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is known of a conversation's customer.

    `identity_ms` is when the site signed the newest proof of it; `token_epoch` counts the sign-outs: tokens of an earlier one are void.
    """

    customer: Customer = field(default_factory=Customer)
    page: Page | None = None
    identity_ms: int = 0
    token_epoch: int = 0

    def renewed(self, customer: Customer, page: Page | None, *, identity_ms: int) -> "Profile":
        """Return the profile once the same customer came again; MoveRefused for any other."""
        if customer.subject != self.customer.subject:
            raise MoveRefused("a conversation never passes from one customer to another")
        return replace(
            self,
            customer=customer,
            page=self.page if page is None else page,
            identity_ms=max(self.identity_ms, identity_ms),
        )

    def signed_out(self) -> "Profile":
        """Return the profile with every token void that was given out so far."""
        return replace(self, token_epoch=self.token_epoch + 1)


def first_profile(customer: Customer, page: Page | None, *, identity_ms: int, last_seq: int) -> Profile:
    """Return the profile of a conversation that had none; MoveRefused when somebody unknown has written in it already."""
    if customer.verified and last_seq > 0:
        raise MoveRefused("what somebody unknown has written never becomes another's")
    return Profile(customer=customer, page=page, identity_ms=identity_ms)


def latest_open(latest_first: Iterable[Conversation]) -> ConversationId | None:
    """Return the conversation to go on with; None when each is resolved."""
    unfinished = (state.id for state in latest_first if state.status is not Status.RESOLVED)
    return next(unfinished, None)


def to_subject(raw: str) -> Subject:
    """Return a subject just as it is; InputRejected when cleaning would make another's of it."""
    if not raw or len(raw) > LONGEST or one_line(raw) != raw:
        raise InputRejected("sub", "is empty, long or holds hidden characters", "use a short plain id")
    return Subject(raw)


def to_name(raw: str | None) -> str | None:
    """Return a name that is safe to keep; None when nothing of it can be seen."""
    line = one_line(raw or "")
    return line if any(unicodedata.category(character)[0] not in "ZCM" for character in line) else None


def to_address(raw: str | None) -> str | None:
    """Return an e-mail address; None for what is none."""
    line = one_line((raw or "")[: LONGEST_EMAIL + 1])
    return line if EMAIL.fullmatch(line) else None


def cleaned_page(*, url: str, title: str) -> Page | None:
    """Return a page that is safe to keep; None when there is nothing to say of it."""
    page = Page(url=_web_address(url), title=one_line(title))
    return page if page.url or page.title else None


def one_line(raw: str) -> str:
    """Return *raw* on one line, without characters that hide or turn others, cut to its longest; InputRejected for broken Unicode."""
    shown = "".join(character for character in raw[:MAX_TEXT_CHARACTERS] if character not in HIDING)
    return " ".join(clean_text(shown, field="text").split())[:LONGEST].strip()


def _web_address(raw: str) -> str:
    """Return the address of a page; queries and credentials are left out, because they may hold what opens an account."""
    try:
        parts = urlsplit(one_line(raw))
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host:
        return ""
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}{f':{port}' if port else ''}{parts.path}"[:LONGEST]
