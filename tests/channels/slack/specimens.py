"""One of everything that we show in Slack, with harmless and with hostile words: for the limits, and for the page that draws them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.channels.slack import hints, modals
from bot.channels.slack.actions import ButtonValue
from bot.channels.slack.cards import CardFacts, card, moment, waiting_again
from bot.channels.slack.messages import Audience, fixed, to_customer
from bot.channels.slack.rendering import Block, Rendered
from bot.channels.slack.room import note_to_room, to_room
from bot.core.conversation import AgentId, Channel, Kind, Message, Role, Source, Status
from bot.core.notes import BOT, Note, summary_key
from tests.builders import CONVERSATION, NOON_MS, a_bot_message, a_message
from tests.service.rig import REPLIES

LATER_MS = NOON_MS + 60_000
VALUE = ButtonValue(conversation=CONVERSATION, spell=3, seq=7)
HOSTILE = (
    "<!channel> <@U1> <http://evil.example|bank> @here *bold* _it_ ~no~ `x` ```y``` :tada: &amp; \u202egnirts"
)
LONG = "Each word of this is to be read in its order. " * 220
MARKDOWN = """## Moving a lesson

Open **My Lessons**, choose the lesson and press *Reschedule*. You need `20 credits`, ~~not 30~~.

1. Choose a *new* time.
   - It must be free.
     - Grey times are **taken**.
   - It must be within 30 days.
2. Press **Confirm**; see [our rules](https://help.example/rules?a=1&b=2).

> Less than 12 hours before, the lesson is paid in full.

| Before the lesson | You get back |
| --- | ---: |
| 12 hours or more | 100 % |
| less | nothing |

```
GET /lessons?status=open
    and <nothing> & more
```

![A calendar](https://help.example/calendar.png)"""
SOURCES = (
    Source(id="a1", title="Moving & cancelling <lessons>", url="https://help.example/moving"),
    Source(id="a2", title="An article without an address of its own", url="/articles/a2"),
)
TO = Audience(conversation=CONVERSATION, replies=REPLIES, locale="en", site="https://candor.example")
ANSWER = a_bot_message(MARKDOWN, seq=2, sources=SOURCES)
SHORT = replace(ANSWER, text="Open **My Lessons** and choose *Reschedule*.")
ASK = a_bot_message("Which of these applies to you?", seq=2, options=("It is tomorrow", "It is next week"))
REPLY = a_message(
    "I have moved your lesson to Friday, 10:00.", seq=5, role=Role.AGENT, author=AgentId("lena")
)
FACTS = CardFacts(
    conversation=CONVERSATION,
    spell=3,
    status=Status.QUEUED,
    customer="Anna Schmidt",
    verified=True,
    reason_text="no article was found about this",
    evidence="No article is about it; nearest article “Moving a lesson”, 0.41 of the 0.52 that it takes",
    channel=Channel.WIDGET,
    summary="Asked: “Can I bring my dog to the lesson?”\nSaid so far: no answer yet\nOpen: no article was found about this",
    last=(
        a_message("Can I bring my dog to the lesson?"),
        a_bot_message("I looked through **our articles** and found none about this.", seq=2),
        a_message("no", seq=3, kind=Kind.FEEDBACK),
    ),
    console_url="https://candor.example/console#/conversation/c1",
    waiting_since_ms=NOON_MS,
)
HELD = replace(FACTS, status=Status.CLAIMED, holder="Lena Vogel", lease_until_ms=NOON_MS + 900_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """Something shown: messages, or a form."""

    messages: tuple[Rendered, ...] = ()
    form: Block | None = None


def specimens() -> Mapping[str, Specimen]:
    """Return one of everything, by what it is."""
    shown = {**_for_customers(), **_cards(), **_in_the_room(), **_hints()}
    return {
        **{name: Specimen(messages=messages) for name, messages in shown.items()},
        **{name: Specimen(form=form) for name, form in _forms().items()},
    }


def _for_customers() -> Mapping[str, tuple[Rendered, ...]]:
    return {
        "customer: answer": to_customer(ANSWER, TO, last=True),
        "customer: answer that is not the last": to_customer(SHORT, TO),
        "customer: answer after “yes”": to_customer(SHORT, TO, last=True, chosen="Yes"),
        "customer: answer that was interrupted": to_customer(replace(SHORT, interrupted=True), TO, last=True),
        "customer: question with options": to_customer(ASK, TO, last=True),
        "customer: long options": to_customer(
            replace(ASK, options=("It is " + "very " * 30, "No")), TO, last=True
        ),
        "customer: handoff": to_customer(
            a_bot_message("I am passing you on.", kind=Kind.NOTICE, reason="no_evidence"), TO, last=True
        ),
        "customer: lookup that failed": to_customer(
            a_bot_message("I could not look that up.", kind=Kind.NOTICE, reason="records_unavailable"),
            TO,
            last=True,
        ),
        "customer: agent": to_customer(REPLY, TO, agent="Lena Vogel", last=True),
        "customer: agent without a name": to_customer(REPLY, TO),
        "customer: agent, hostile": to_customer(replace(REPLY, text=HOSTILE), TO, agent=HOSTILE),
        "customer: file by an agent": to_customer(replace(REPLY, kind=Kind.FILE, text="plan.pdf"), TO),
        "customer: deleted": to_customer(a_message("", kind=Kind.TOMBSTONE, role=Role.AGENT), TO),
        "customer: long answer": to_customer(a_bot_message(LONG), TO, last=True),
        "customer: hostile answer": to_customer(a_bot_message(HOSTILE), TO, last=True),
        "customer: in German": to_customer(
            replace(ANSWER, text="So geht es."), replace(TO, locale="de"), last=True
        ),
        "customer: fixed sentence": (fixed(TO.text("thanks_for_feedback")),),
    }


def _cards() -> Mapping[str, tuple[Rendered, ...]]:
    hostile = replace(
        FACTS,
        customer=HOSTILE,
        evidence=HOSTILE,
        summary=HOSTILE,
        last=(a_message(HOSTILE), a_bot_message(HOSTILE)),
    )
    longest = replace(
        HELD, customer=LONG, reason_text=LONG, evidence=LONG, summary=LONG, last=(a_message(LONG),) * 9
    )
    return {
        "card: waiting": (_card(FACTS),),
        "card: claimed": (_card(HELD),),
        "card: with the bot again": (_card(replace(FACTS, status=Status.BOT)),),
        "card: resolved": (_card(replace(FACTS, status=Status.RESOLVED, resolution="Question answered")),),
        "card: taken over, without a console": (
            _card(replace(HELD, evidence="", summary=None, last=(), console_url=None, verified=False)),
        ),
        "card: hostile": (_card(hostile),),
        "card: everything long": (_card(longest),),
        "card: waiting again": (waiting_again(FACTS),),
    }


def _in_the_room() -> Mapping[str, tuple[Rendered, ...]]:
    return {
        "room: customer": _told(a_message("Is it allowed?")),
        "room: customer, hostile": to_room(a_message(HOSTILE), customer=HOSTILE, agent=None),
        "room: customer, long": _told(a_message(LONG)),
        "room: customer changed a message": _told(a_message("Is it allowed now?", revises=1)),
        "room: customer deleted a message": _told(a_message("", kind=Kind.TOMBSTONE)),
        "room: customer chose a topic": _told(a_message("Lessons", kind=Kind.CATEGORY)),
        "room: customer sent a file": _told(a_message("plan.pdf", kind=Kind.FILE)),
        "room: customer asked for a person": _told(a_message("A person, please", kind=Kind.PERSON_REQUEST)),
        "room: it helped": _told(a_message("yes", kind=Kind.FEEDBACK)),
        "room: it did not help": _told(a_message("no", kind=Kind.FEEDBACK)),
        "room: bot": _told(SHORT),
        "room: bot asks": _told(ASK),
        "room: agent": _told(REPLY, agent="Lena Vogel"),
        "room: agent, in two messages": _told(replace(REPLY, text=LONG * 2), agent="Lena Vogel"),
        "room: agent deleted": _told(replace(REPLY, text="", kind=Kind.TOMBSTONE), agent="Lena Vogel"),
        "room: note": note_to_room(
            Note(seq=1, author="lena", text=HOSTILE, at_ms=NOON_MS), author="Lena Vogel"
        ),
        "room: summary": note_to_room(
            Note(seq=2, author=BOT, text=FACTS.summary or "", at_ms=NOON_MS, key=summary_key(3)), author="Bot"
        ),
    }


def _hints() -> Mapping[str, tuple[Rendered, ...]]:
    return {
        "hint: earlier handoff": (hints.expired(),),
        "hint: not yours": (hints.not_yours("Lena Vogel", VALUE),),
        "hint: closed": (hints.closed(),),
        "hint: unknown thread": (hints.unknown_thread(),),
        "hint: beside the cards": (hints.no_thread(),),
        "hint: the claim runs out": (hints.lease_ends(VALUE, until=moment(LATER_MS)),),
    }


def _forms() -> Mapping[str, Block]:
    name = "Anna Schmidt"
    return {
        "form: reply": modals.reply_form(VALUE, customer=name, wrote="Is it allowed?", text="Dear Anna,"),
        "form: reply, nothing begun": modals.reply_form(VALUE, customer=name, wrote=""),
        "form: reply, hostile and long": modals.reply_form(VALUE, customer=HOSTILE, wrote=LONG, text=LONG),
        "form: resolve": modals.resolve_form(VALUE, customer=name),
    }


def _card(facts: CardFacts) -> Rendered:
    return card(facts, now_ms=LATER_MS)


def _told(message: Message, agent: str | None = None) -> tuple[Rendered, ...]:
    return to_room(message, customer="Anna Schmidt", agent=agent)
