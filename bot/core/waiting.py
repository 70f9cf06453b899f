"""What a customer who waits for a person is told, and when: their place, an honest wait, the hours, and an e-mail address. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from bot.core.business_hours import WEEKDAYS, BusinessHours, WallTime
from bot.core.caps import DAY_MS
from bot.core.conversation import Conversation, Kind, Message, Role, Status
from bot.core.desk import LATE_MS
from bot.core.facts import emails_in
from bot.core.replies import Replies
from bot.core.revisions import revised

RECENT_MS = 7 * DAY_MS
MOST_WAITS = 20
FEWEST_WAITS = 3  # with fewer the median says nothing
SOON_MS = 120_000
MINUTE_MS = 60_000
MOST_MINUTES = 90  # a longer wait is told in hours


class Notice(StrEnum):
    """What is told while a customer waits, each once in a wait."""

    SOON = "2m"
    LATE = "10m"
    CLOSED = "closed"
    EMAIL = "email"


ASK_FOR_EMAIL = frozenset({Notice.LATE, Notice.CLOSED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Where a customer stands: the place in the queue, how long others waited, whether agents are there, and when they are next.

    `position` is None outside the queue, `expected_ms` while it is not known, `opens_ms` while it is open.
    """

    position: int | None = None
    expected_ms: int | None = None
    open_now: bool = True
    opens_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What a notice is written from: the wait, what the wall shows when it opens next, and the customer's address."""

    wait: Wait
    opens: WallTime | None = None
    contact: str | None = None


def expected_wait_ms(recent: Sequence[int]) -> int | None:
    """Return the median of recent waits; None when there are too few to tell."""
    return int(median(recent)) if len(recent) >= FEWEST_WAITS else None


def notice_due(conversation: Conversation, hours: BusinessHours | None, *, now_ms: int) -> Notice | None:
    """Return what a queued customer should have been told by now, of several the last; None when nothing is due.

    Outside the hours no minutes are counted: nobody is there who could be late.
    """
    since_ms = conversation.waiting_since_ms
    if conversation.status is not Status.QUEUED or since_ms is None:
        return None
    opened_ms = since_ms if hours is None else hours.opened_ms(now_ms)
    if opened_ms is None:
        return Notice.CLOSED
    waited_ms = now_ms - max(since_ms, opened_ms)
    if waited_ms >= LATE_MS:
        return Notice.LATE
    return Notice.SOON if waited_ms >= SOON_MS else None


def untold(conversation: Conversation, due: Notice | None, messages: Iterable[Message]) -> tuple[Notice, ...]:
    """Return what is left to tell: *due*, and a word about the address that came after one was asked for."""
    told = {message.channel_message_id: message.seq for message in messages}
    asked = [told[key] for notice in ASK_FOR_EMAIL if (key := notice_id(conversation, notice)) in told]
    given = bool(asked) and contact_in(m for m in messages if m.seq > min(asked)) is not None
    wanted = [due, Notice.EMAIL if given else None]
    return tuple(notice for notice in wanted if notice and notice_id(conversation, notice) not in told)


def notice_id(conversation: Conversation, notice: Notice) -> str:
    """Return the id of the message that tells *notice*: the same in every process, so that none repeats it in this wait."""
    return f"wait:{conversation.waiting_since_ms}:{notice}"


def notice_text(notice: Notice, situation: Situation, replies: Replies, locale: str) -> str:
    """Return the notice in the customer's words."""
    text = _told(notice, situation, replies, locale)
    asks = notice in ASK_FOR_EMAIL and situation.contact is None
    return f"{text} {replies.text('ask_email', locale)}" if asks else text


def contact_in(messages: Iterable[Message]) -> str | None:
    """Return the last e-mail address that the customer wrote; None when there is none."""
    written = [m.text for m in revised(messages) if m.role is Role.CUSTOMER and m.kind is Kind.TEXT]
    return next((address for text in reversed(written) if (address := _last_address(text))), None)


def _told(notice: Notice, situation: Situation, replies: Replies, locale: str) -> str:
    match notice:
        case Notice.SOON:
            wait = _wait_in_words(situation.wait.expected_ms, replies, locale)
            return replies.text("wait_2m", locale, position=str(situation.wait.position), wait=wait)
        case Notice.LATE:
            return replies.text("wait_10m", locale)
        case Notice.CLOSED if situation.opens is not None:
            return replies.text("closed", locale, opens=_opening_in_words(situation.opens, replies, locale))
        case Notice.CLOSED:
            raise ValueError("a closed desk opens at some time")
        case Notice.EMAIL:
            return replies.text("email_noted", locale, email=situation.contact or "")


def _wait_in_words(expected_ms: int | None, replies: Replies, locale: str) -> str:
    """Rounded up: less than two minutes are two, so that no wait sounds shorter than it was."""
    if expected_ms is None:
        return replies.text("wait_unknown", locale)
    minutes = max(2, -(-expected_ms // MINUTE_MS))
    if minutes <= MOST_MINUTES:
        amount = replies.text("amount_minutes", locale, number=str(minutes))
    else:
        amount = replies.text("amount_hours", locale, number=str(-(-minutes // 60)))
    return replies.text("wait_known", locale, amount=amount)


def _opening_in_words(opens: WallTime, replies: Replies, locale: str) -> str:
    weekday = replies.text(f"weekday_{WEEKDAYS[opens.weekday]}", locale)
    return replies.text("opens_at", locale, weekday=weekday, time=opens.time, zone=opens.zone)


def _last_address(text: str) -> str | None:
    """An address without a dot after its @ reaches nobody from outside."""
    found = [address for address in emails_in(text) if "." in address.rpartition("@")[2]]
    return max(found, key=text.casefold().rfind, default=None)
