"""What a customer presses under an answer: whether it helped, one of its options, a person, another try. Each is a message of theirs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import structlog
from slack_bolt.context.ack.async_ack import AsyncAck

from bot.channels.person_requests import person_request
from bot.channels.slack.actions import Action
from bot.channels.slack.assistant import AssistantView
from bot.channels.slack.desk_presses import Press, to_press
from bot.channels.slack.places import CustomerPlaces
from bot.channels.slack.writers import signed
from bot.core.conversation import DID_NOT_HELP, HELPED, Channel, Conversation, Kind, Message, Role
from bot.core.inbound import CustomerMessage, clean_text
from bot.core.outcome import ReasonCode
from bot.errors import ConversationUnknown, InputRejected, MessageConflict

log = structlog.get_logger()

PRESSED = re.compile(
    rf"^(?:{Action.HELPED}|{Action.NOT_HELPED}|{Action.PERSON}|{Action.RETRY}|{Action.OPTION})(?::[0-9]{{1,2}})?$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The buttons in customers' threads."""

    places: CustomerPlaces
    view: AssistantView

    async def pressed(self, ack: AsyncAck, body: Mapping[str, object]) -> None:
        """Hand in what a press says; a second press of the same says nothing new."""
        await ack()
        press = to_press(body)
        try:
            await self._hand_in(press)
        except (ConversationUnknown, MessageConflict) as refused:
            log.info("slack_press_ignored", action=press.action, refusal=type(refused).__name__)

    async def _hand_in(self, press: Press) -> None:
        about, customers = press.value, self.places.customers
        judged = await customers.snapshot(about.conversation, after=about.seq - 1)
        answer = next((m for m in judged.messages if m.seq == about.seq), None)
        if answer is None or answer.role is not Role.BOT:
            raise InputRejected("value", "names no answer of the bot's", "press a newer button")
        message = to_pressed(press, answer, judged.conversation)
        thread = await self.places.customers_thread(about.conversation)
        if thread is not None:
            self.view.follow(thread)
        await customers.receive(message)


def to_pressed(press: Press, answer: Message, state: Conversation) -> CustomerMessage:
    """Return what a press says of *answer*; its id is the same however often who pressed does so again."""
    about = f"{state.id}:{answer.seq}"
    match press.action:
        case Action.HELPED | Action.NOT_HELPED:
            text = HELPED if press.action is Action.HELPED else DID_NOT_HELP
            return _message(state, signed(f"slack:feedback:{about}", press.user), text, Kind.FEEDBACK)
        case Action.PERSON:
            text = person_request(state.locale)
            return _message(state, signed(f"slack:person:{about}", press.user), text, Kind.PERSON_REQUEST)
        case Action.RETRY if answer.reason == ReasonCode.RECORDS_UNAVAILABLE:
            return _message(state, signed(f"slack:retry:{about}", press.user), press.value.text, Kind.RETRY)
        case Action.OPTION if press.value.text in answer.options:
            at = answer.options.index(press.value.text)
            return _message(
                state, signed(f"slack:option:{about}:{at}", press.user), press.value.text, Kind.TEXT
            )
        case _:
            raise InputRejected("value", "is no option of the answer", "press a newer button")


def _message(state: Conversation, message_id: str, text: str, kind: Kind) -> CustomerMessage:
    return CustomerMessage(
        conversation=state.id,
        channel=Channel.SLACK,
        channel_message_id=message_id,
        text=clean_text(text),
        kind=kind,
    )
