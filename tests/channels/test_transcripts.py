"""The conversation as a file: all that the customer saw, nothing that they did not, and for nobody else."""

import asyncio

from bot.core.audit import Change
from bot.core.notes import Note
from tests.builders import an_agent_message
from tests.channels.rig import Customer
from tests.channels.test_ratings import resolve


async def transcript(customer: Customer, **headers) -> tuple[int, str, dict[str, str]]:
    url = f"{customer.rig.url}/widget/v1/transcript"
    async with customer.rig.http.get(url, headers={**customer.bearer, **headers}) as response:
        return response.status, await response.text(), dict(response.headers)


async def test_it_is_a_text_to_download_that_nobody_keeps(rig, customer):
    await customer.say("How do I reschedule a class?")
    await asyncio.gather(*rig.turns.tasks)

    status, text, headers = await transcript(customer)

    assert status == 200
    assert headers["Content-Type"] == "text/plain; charset=utf-8"
    assert headers["Content-Disposition"].startswith('attachment; filename="conversation-2')
    assert (headers["X-Content-Type-Options"], headers["Cache-Control"]) == ("nosniff", "no-store")
    assert "· You\n    How do I reschedule a class?\n" in text
    assert "· Automated assistant\n    From our article:\n" in text
    assert "→ How to Reschedule a Lesson" in text


async def test_no_note_and_no_number_of_ours_is_in_it(rig, customer):
    await customer.say("How do I reschedule a class?")
    await asyncio.gather(*rig.turns.tasks)
    await rig.store.add_note(customer.conversation, Note(seq=0, author="anna", text="difficult", at_ms=1))

    _, text, _ = await transcript(customer)

    assert not [word for word in ("difficult", "cosine", "score", "anna", customer.token) if word in text]


async def test_an_agent_who_is_no_longer_known_is_a_person_of_ours(rig, customer):
    await resolve(rig, customer.conversation)
    await customer.say("Thank you")
    await asyncio.gather(*rig.turns.tasks)
    read = await rig.store.conversation(customer.conversation)
    said = Change(who="anna", what="replied", at_ms=1, messages=(an_agent_message("You are welcome"),))
    await rig.store.change(read, read, said)

    assert "· A person from our team\n    You are welcome\n" in (await transcript(customer))[1]


async def test_only_its_own_customer_reads_it_and_only_on_our_pages(rig, customer):
    await customer.say("my secret")
    other = await rig.open()

    assert "my secret" not in (await transcript(other))[1]
    assert (await transcript(customer, Authorization="Bearer none"))[0] == 401
    assert (await transcript(customer, Origin="https://evil.example"))[0] == 403


async def test_an_empty_conversation_has_an_empty_transcript(customer):
    status, text, _ = await transcript(customer)

    assert (status, text) == (200, "Transcript of your conversation. Times are in UTC.\n")
