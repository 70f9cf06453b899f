"""Webhooks: what an integrator's server is sent, signed, and what becomes of it when that server misbehaves (FAULTS H5)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest
from structlog.testing import capture_logs

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.webhook.notifier import WebhookAccess, opened_webhook
from bot.core.accounts import Agent, AgentRole
from bot.core.audit import Change
from bot.core.conversation import Kind, Source
from bot.core.notes import Note
from bot.core.outbox import WEBHOOKS
from bot.core.outcome import ReasonCode
from bot.service.relay import Relay
from tests.builders import NOON_MS, a_bot_message, a_handoff, a_message
from tests.contract.scene import ANNA, Scene
from tests.vendors.local_server import Body, Reply, hangs, refusal, resets
from tests.vendors.webhook_receiver import (
    SECRET,
    WebhookReceiver,
    drips_headers,
    floods,
    redirects,
    takes,
    webhook_receiver,
)
from tests.waiting import wait_until

CANARY = "canary-7f3a"
ACCOUNT = Agent(id=ANNA, email="anna@candor.example", name="Anna B.", role=AgentRole.AGENT, created_ms=0)


class Silent:
    """An observer that nobody looks at."""

    def outbox_seen(self, *, oldest_s, waiting):
        return

    def queue_seen(self, *, waiting, claimed, longest_s):
        return


class DyingStore(MemoryConversationStore):
    """A store whose process dies when it marks a row, as long as `dies`."""

    dies = False

    async def delivered(self, key, *, at_ms):
        if self.dies:
            await asyncio.Event().wait()
        await super().delivered(key, at_ms=at_ms)


async def account(agent):
    return ACCOUNT if agent == ANNA else None


@dataclass
class Line:
    """A conversation on a store, the relay to a receiver, and that receiver."""

    store: DyingStore
    scene: Scene
    relay: Relay
    receiver: WebhookReceiver
    clock: ManualClock

    async def delivered(self) -> list[Body]:
        """Let the relay tell what is due; return the bodies that arrived since."""
        earlier = len(self.receiver.bodies)
        await replace(self.relay).drain(grace_s=5)
        return self.receiver.bodies[earlier:]

    async def waiting(self) -> list[str]:
        return [row.key for row in await self.scene.store.outbox(limit=99)]


@asynccontextmanager
async def a_line(*replies: Reply, timeout_s: float = 5, url: str | None = None) -> AsyncIterator[Line]:
    store, clock = DyingStore(told=WEBHOOKS), ManualClock(NOON_MS)
    async with webhook_receiver(*replies) as receiver:
        access = WebhookAccess(url=url or f"{receiver.url}/hook", secret=SECRET)
        async with opened_webhook(
            access, store=store, account=account, clock=clock, timeout_s=timeout_s
        ) as notifier:
            relay = Relay(
                store=store,
                notifiers=dict.fromkeys(WEBHOOKS, notifier),
                clock=clock,
                observer=Silent(),
                jitter=lambda: 0.0,
            )
            scene = await Scene.open(store)
            yield Line(store=store, scene=scene, relay=relay, receiver=receiver, clock=clock)


async def test_a_conversation_is_told_in_order_from_the_question_to_the_resolution():
    async with a_line() as line:
        await line.scene.bot_hands_over(a_handoff(ReasonCode.NO_EVIDENCE))
        claimed = await line.scene.agent_claims()
        replied = claimed.replied_by(ANNA, now_ms=NOON_MS)
        reply = a_message("Hi, I am Anna.", role="agent", author=ANNA, channel_message_id="agent:anna:1")
        said = Change(who=ANNA, what="replied", at_ms=NOON_MS, messages=(reply,))
        await line.scene.store.change(claimed, replied, said)
        ended = Change(who=ANNA, what="resolved", at_ms=NOON_MS, detail="answered")
        await line.scene.store.change(replied, replied.resolved_by(ANNA, now_ms=NOON_MS), ended)

        told = await line.delivered()

    asked, handed_off, notice, claim, answered, resolved = told
    assert [one["event"].split(".")[1] for one in told] == [
        "created", "handed_off", "created", "claimed", "created", "resolved"
    ]  # fmt: skip
    assert (asked["message"]["role"], notice["message"]["automated"]) == ("customer", True)
    assert (handed_off["reason"], resolved["resolution"]) == ("no_evidence", "answered")
    assert claim["conversation"]["agent"] == {"id": "anna", "name": "Anna B."}
    assert answered["message"]["agent"] == answered["conversation"]["agent"] == claim["conversation"]["agent"]
    assert (answered["message"]["text"], answered["conversation"]["state"]) == ("Hi, I am Anna.", "claimed")


async def test_a_message_is_told_with_all_that_its_customer_sees():
    async with a_line() as line:
        await line.scene.customer_writes("Where?")
        source = Source(id="a1", title="Lessons", url="https://help.example/a1")
        said = a_bot_message("Here.", sources=(source,), options=("Yes",), turn="t1")
        await line.scene.bot_settles(await line.scene.turn_begins(), messages=[said])

        told = await line.delivered()

    conversation = {
        "id": "c1", "state": "bot", "epoch": 0, "episode": 1, "agent": None, "channel": "widget", "locale": "en"
    }  # fmt: skip
    assert told[1] == {
        "event": "message.created",
        "delivery": "message.created:c1:2",
        "created_at": told[1]["created_at"],
        "conversation": conversation,
        "message": {
            "seq": 2, "role": "bot", "automated": True, "agent": None, "kind": "text", "text": "Here.", "at": said.at_ms,
            "sources": [{"id": "a1", "title": "Lessons", "url": "https://help.example/a1"}],
            "options": ["Yes"], "interrupted": False, "reason": None, "revises": None,
        },
    }  # fmt: skip


async def test_the_headers_say_when_and_which_and_a_signature_that_the_receiver_verified():
    async with a_line() as line:
        await line.scene.customer_writes("Ünïcode ✓")
        (told,) = await line.delivered()
        (headers,) = line.receiver.headers

    assert told["message"]["text"] == "Ünïcode ✓"
    assert headers["X-Candor-Timestamp"] == str(NOON_MS // 1000)
    assert headers["X-Candor-Delivery"] == told["delivery"]
    assert (headers["Content-Type"], headers["User-Agent"]) == ("application/json", "Candor-Webhook/1")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        pytest.param(refusal(500, {}, None), "answers 500", id="500"),
        pytest.param(refusal(400, {}, None), "answers 400", id="400"),
        pytest.param(refusal(410, {}, None), "gone for good (410); unset WEBHOOK_URL", id="410"),
        pytest.param(redirects(), "redirects (308), which is not followed", id="redirect"),
        pytest.param(hangs(), "did not answer in time", id="hang"),
        pytest.param(drips_headers(), "did not answer in time", id="slow headers"),
        pytest.param(resets(), "cannot be reached (ServerDisconnectedError)", id="reset"),
    ],
)
async def test_whatever_is_not_taken_is_tried_again_under_the_same_delivery_id(reply, said):
    async with a_line(reply, takes(), timeout_s=0.3) as line:
        await line.scene.customer_writes()
        with capture_logs() as logs:
            await line.delivered()
        line.clock.advance(1_000)
        await line.delivered()

        assert said in str(logs[0]["problem"])
        assert line.receiver.deliveries == ["message.created:c1:1"] * 2
        assert line.receiver.bodies[0] == line.receiver.bodies[1]
        assert (await line.waiting(), line.receiver.redirected) == ([], 0)


async def test_a_receiver_that_is_too_busy_is_left_alone_for_as_long_as_it_asks():
    async with a_line(refusal(429, {}, "40.5"), takes()) as line:
        await line.scene.customer_writes()
        await line.delivered()
        line.clock.advance(40_499)
        early = await line.delivered()
        line.clock.advance(1)

        assert (early, len(await line.delivered())) == ([], 1)


@pytest.mark.parametrize("asked", ["soon", "", "-5", "nan", "Wed, 21 Oct 2026 07:28:00 GMT"])
async def test_a_wait_that_is_no_number_of_seconds_is_not_asked_for(asked):
    async with a_line(refusal(429, {}, asked), takes()) as line:
        await line.scene.customer_writes()
        await line.delivered()
        line.clock.advance(1_000)

        assert len(await line.delivered()) == 1


async def test_what_the_receiver_says_is_not_read():
    async with a_line(floods(), takes()) as line:
        await line.scene.customer_writes()

        assert len(await line.delivered()) == 1
        assert await line.waiting() == []


async def test_a_receiver_that_is_away_gets_everything_in_order_when_it_is_back():
    async with a_line(*[refusal(503, {}, None)] * 3, takes()) as line:
        for text in ("one", "two", "three"):
            await line.scene.customer_writes(text)
        while await line.waiting():
            await line.delivered()
            line.clock.advance(900_000)

        texts = [body["message"]["text"] for body in line.receiver.bodies]
        assert texts == ["one", "one", "one", "one", "two", "three"]


async def test_after_a_crash_between_post_and_mark_the_receiver_can_tell_the_repeat():
    """FAULTS R-H5: posted again after the restart, and not doubled for whoever looks at the delivery id."""
    async with a_line() as line:
        await line.scene.customer_writes()
        line.store.dies = True
        crash = asyncio.create_task(line.delivered())
        await wait_until(lambda: line.receiver.bodies)
        crash.cancel()
        line.store.dies = False

        await line.delivered()

        assert line.receiver.deliveries == ["message.created:c1:1"] * 2
        assert await line.waiting() == []


async def test_nothing_that_agents_write_to_each_other_is_told():
    async with a_line() as line:
        await line.scene.store.add_note(line.scene.id, Note(seq=0, author=ANNA, text=CANARY, at_ms=0))
        hidden = a_bot_message(CANARY, kind=Kind.NOTE, turn="t1")
        await line.scene.customer_writes()
        await line.scene.bot_settles(await line.scene.turn_begins(), messages=[hidden])
        await line.scene.bot_hands_over(a_handoff(detail=CANARY), turn="t2")

        told = await line.delivered()

        assert len(told) == 4
        assert CANARY not in repr(told)
        assert await line.waiting() == []


async def test_what_is_told_is_who_had_the_conversation_then_and_not_who_has_it_now():
    async with a_line() as line:
        await line.scene.bot_hands_over(a_handoff())
        await line.scene.agent_claims()
        await line.scene.agent_returns_to_bot()

        told = await line.delivered()

    states = [(one["conversation"]["state"], one["conversation"]["epoch"]) for one in told]
    assert states == [("bot", 0), ("queued", 1), ("queued", 1), ("claimed", 2)]


async def test_a_conversation_that_an_agent_took_over_and_gave_up_waits_without_a_reason_code():
    async with a_line() as line:
        await line.scene.customer_writes()
        taken = await line.scene.agent_takes_over()
        await line.scene.moves(taken, taken.released_by(ANNA, now_ms=NOON_MS), what="released")

        told = await line.delivered()

    assert (told[-1]["event"], told[-1]["reason"]) == ("conversation.handed_off", "taken_over")


async def test_the_address_is_not_in_the_log_because_it_may_hold_a_token():
    async with a_line(url="http://127.0.0.1:1/hook?t0ken") as line:
        await line.scene.customer_writes()
        with capture_logs() as logs:
            await line.delivered()

    assert "cannot be reached (ClientConnectorError)" in repr(logs)
    assert "t0ken" not in repr(logs)
