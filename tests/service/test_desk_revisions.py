"""SL7: what an agent edits or deletes of what was sent is edited or deleted for the customer, and stands in the audit."""

import pytest

from bot.core.conversation import CLAIM_LEASE_MS, Kind, Role, Status
from bot.core.revisions import revised
from bot.errors import InputRejected
from bot.service.live import Changed, CutOff, ReadUpTo
from tests.service.desk_rig import ANNA, BEN, Desk


async def revise(desk: Desk, text: str | None, *, id: str = "r1", revision: str = "1", agent=ANNA):
    return await desk.service.revise(
        desk.rig.conversation, agent, message_id=id, text=text, revision=revision
    )


async def said(desk: Desk) -> list[str]:
    return [m.text for m in revised(await desk.rig.messages()) if m.author is not None]


async def test_an_edit_changes_what_was_sent_and_is_in_the_audit_once(desk: Desk):
    await desk.claimed()
    sent = await desk.reply("Troot?")

    edit = await revise(desk, "Trout?")

    assert edit is not None
    assert await revise(desk, "Trout?") == edit
    assert (edit.revises, edit.author, await said(desk)) == (sent.seq, ANNA, ["Trout?"])
    assert await desk.audit() == [
        ("customer", "opened"), ("bot", "handoff"), (ANNA, "claimed"), (ANNA, "edited"),
    ]  # fmt: skip


async def test_a_deletion_ends_it_and_no_edit_revives_it(desk: Desk):
    await desk.claimed()
    await desk.reply("Trout?")

    await revise(desk, None, revision="2")
    late = await revise(desk, "Troot?", revision="3")

    assert late is not None
    assert (late.kind, await said(desk)) == (Kind.TOMBSTONE, [])
    assert (await desk.audit())[-1] == (ANNA, "deleted")


async def test_an_older_edit_that_comes_late_changes_nothing(desk: Desk):
    await desk.claimed()
    await desk.reply("Trout?")

    await revise(desk, "the newer", revision="2")
    await revise(desk, "the older", revision="1")

    assert await said(desk) == ["the newer"]


async def test_it_may_be_edited_after_the_conversation_is_resolved_and_moves_nothing(desk: Desk):
    await desk.claimed()
    await desk.reply("Troot?")
    before = await desk.resolve()

    await revise(desk, "Trout?")

    after = await desk.rig.state()
    assert (after.status, after.epoch, after.answered_seq) == (
        Status.RESOLVED,
        before.epoch,
        before.answered_seq,
    )
    assert await said(desk) == ["Trout?"]


async def test_an_edit_neither_answers_the_customer_nor_renews_the_claim(desk: Desk):
    await desk.claimed()
    await desk.reply("Troot?")
    await desk.rig.say("and the price?")
    before = await desk.rig.state()
    desk.rig.clock.advance(CLAIM_LEASE_MS // 2)

    await revise(desk, "Trout?")

    after = await desk.rig.state()
    assert (after.answered_seq, after.waiting_since_ms, after.lease_until_ms) == (
        before.answered_seq,
        before.waiting_since_ms,
        before.lease_until_ms,
    )


async def test_only_what_its_author_sent_can_be_revised(desk: Desk):
    await desk.claimed()
    await desk.reply("Trout?")

    assert await revise(desk, "Salmon?", agent=BEN) is None
    assert await revise(desk, "Salmon?", id="never sent") is None
    assert await said(desk) == ["Trout?"]


async def test_an_edit_to_nothing_is_refused(desk: Desk):
    await desk.claimed()
    await desk.reply("Trout?")

    with pytest.raises(InputRejected):
        await revise(desk, " \n")


async def test_whoever_watches_is_told(desk: Desk):
    await desk.claimed()
    sent = await desk.reply("Troot?")

    with desk.rig.live.watch(desk.rig.conversation) as watcher:
        await revise(desk, "Trout?")
        watcher.offer(CutOff(overloaded=False))

        assert [e async for e in watcher.events()] == [
            Changed(),
            ReadUpTo(by=Role.AGENT, seq=sent.seq),
            CutOff(overloaded=False),
        ]
