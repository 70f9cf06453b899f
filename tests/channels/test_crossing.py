"""No customer ever gets at another's conversation, whatever they send beside their own token (FAULTS W5, R-W3)."""

from functools import partial
from itertools import permutations

import pytest
import pytest_asyncio

from bot.channels.websockets import NOT_AUTHENTICATED
from tests.channels.rig import close_code, running_rig
from tests.waiting import wait_until

CUSTOMERS = 50  # every other of them is known to the site
REFUSED = {(401, "token_refused")}


def secret_of(n: int) -> str:
    return f"marker-{n:02}-of-nobody-else"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crowd():
    """Fifty customers, each of whom has said something that nobody else may see, and been answered."""
    async with running_rig() as rig:
        known = [
            {"identity": rig.identity(sub=f"customer-{n}", name=secret_of(n))} for n in range(0, CUSTOMERS, 2)
        ]
        crowd = [await rig.open(**(known[n // 2] if n % 2 == 0 else {})) for n in range(CUSTOMERS)]
        for n, customer in enumerate(crowd):
            await customer.say(f"{secret_of(n)}: how do I reschedule?")
        for customer in crowd:
            await wait_until(partial(settled, customer))
        yield rig, crowd


async def settled(customer):
    _, found = await customer.events()
    return found if not found["answering"] else None


def pairs(crowd):
    return permutations(enumerate(crowd), 2)


def spliced(mine, theirs):
    """Return tokens put together from two."""
    head, claims, signature = mine.token.split(".")
    other_head, other_claims, other_signature = theirs.token.split(".")
    return (
        f"{head}.{other_claims}.{signature}",
        f"{other_head}.{other_claims}.{signature}",
        f"{head}.{claims}.{other_signature}",
    )


def error(result):
    status, body = result
    return status, body.get("error", {}).get("code")


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_no_token_that_names_another_opens_anything(crowd):
    rig, customers = crowd
    for (_, mine), (_, theirs) in pairs(customers):
        for token in spliced(mine, theirs):
            assert rig.tokens.ticket_of(token) is None


@pytest.mark.parametrize("path", ["events", "transcript"])
async def test_nobody_reads_another_whatever_they_name(crowd, path):
    rig, customers = crowd
    for (m, mine), (t, theirs) in pairs(customers):
        named = {
            "after": "0",
            "conversation": theirs.conversation,
            "token": theirs.token,
            "id": theirs.conversation,
        }
        url = f"{rig.url}/widget/v1/{path}"
        async with rig.http.get(url, params=named, headers=mine.bearer) as response:
            text = await response.text()
        assert secret_of(m) in text
        assert secret_of(t) not in text


async def test_another_customers_cursor_shows_what_is_ones_own(crowd):
    _, customers = crowd
    ahead = max([(await customer.events())[1]["events"][-1]["seq"] for customer in customers])
    for n, customer in enumerate(customers):
        _, found = await customer.events(after=str(ahead + 1))
        assert found["reset"]
        assert all(secret_of(other) not in str(found) for other in range(CUSTOMERS) if other != n)


async def test_nobody_writes_to_another_or_judges_for_them(crowd):
    rig, customers = crowd
    before = [await rig.store.conversation(customer.conversation) for customer in customers]
    for (_, mine), (_, theirs) in pairs(customers):
        beside = {"conversation": theirs.conversation, "token": theirs.token}
        bodies = {
            "messages": {"client_message_id": "x", "text": "from another", **beside},
            "handoff": {"client_message_id": "x", **beside},
            "feedback": {"client_message_id": "x", "helped": True, "message_seq": 2, **beside},
            "rating": {"client_message_id": "x", "score": 1, **beside},
            "logout": beside,
        }
        for path, body in bodies.items():
            assert (await mine.post(path, body))[0] == 400

    assert [await rig.store.conversation(customer.conversation) for customer in customers] == before


async def test_a_write_reaches_the_writer_alone(crowd):
    rig, customers = crowd
    for n, customer in enumerate(customers):
        before = await whole(rig, customers)
        await customer.say(f"{secret_of(n)} again", message_id=f"again-{n}")
        await wait_until(partial(settled, customer))
        after = await whole(rig, customers)
        assert [m for m in range(CUSTOMERS) if before[m] != after[m]] == [n]


async def test_a_file_is_kept_with_its_sender_alone_though_all_files_have_one_id(crowd):
    rig, customers = crowd
    for n, customer in enumerate(customers):
        before = await whole(rig, customers)
        assert await sends_a_file(customer, name=f"{secret_of(n)}.png") == 202
        await wait_until(partial(settled, customer))
        after = await whole(rig, customers)
        assert [m for m in range(CUSTOMERS) if before[m] != after[m]] == [n]


async def sends_a_file(customer, *, name):
    headers = {**customer.bearer, "X-Candor-Message-Id": "file-1", "X-Candor-File-Name": name}
    url = f"{customer.rig.url}/widget/v1/attachments"
    async with customer.rig.http.post(url, data=b"\x89PNG", headers=headers) as response:
        return response.status


async def whole(rig, customers):
    return [await rig.store.snapshot(customer.conversation, after=0) for customer in customers]


async def test_nobody_is_let_into_another_conversation_by_saying_who_they_are(crowd):
    rig, customers = crowd
    for (m, mine), (t, theirs) in pairs(customers):
        identity = rig.identity(sub=f"customer-{m - m % 2}")
        _, session = await theirs.post("identify", {"identity": identity})
        assert session["conversation"] == (mine.conversation if m % 2 == 0 else customers[m - 1].conversation)
        if t // 2 != m // 2:
            assert secret_of(t) not in str(session)


async def test_every_socket_tells_of_one_conversation(crowd):
    _, customers = crowd
    for (m, mine), (t, theirs) in zip(enumerate(customers), enumerate(customers[1:], 1), strict=False):
        async with mine.socket() as ws:
            snapshot = await ws.receive_str(timeout=10)
        assert (secret_of(m) in snapshot, secret_of(t) in snapshot) == (True, False)
        mine_spliced = spliced(mine, theirs)[0]
        theirs_token, theirs.token = theirs.token, mine_spliced
        async with theirs.socket() as ws:
            assert await close_code(ws) == NOT_AUTHENTICATED.code
        theirs.token = theirs_token


async def test_what_is_no_more_is_refused_like_what_never_was(crowd):
    rig, _ = crowd
    erased = rig.customer({"token": rig.tokens.issue("erased"), "conversation": "erased"})
    forged = rig.customer({"token": erased.token[:-1], "conversation": "erased"})
    gone, never = [await everything_of(customer) for customer in (erased, forged)]

    assert gone == never
    assert {error(answer) for answer in gone} == REFUSED


async def everything_of(customer):
    """Try every route."""
    body = {"client_message_id": "x"}
    return [
        await customer.say("Hello?"),
        await customer.events(),
        await customer.post("handoff", body),
        await customer.post("feedback", {**body, "helped": True, "message_seq": 1}),
        await customer.post("rating", {**body, "score": 1}),
        await customer.post("sessions", {}),
        await customer.post("logout", {}),
    ]
