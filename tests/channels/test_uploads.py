"""How a customer sends a file: an image where these are kept, elsewhere its name alone; never what is no image, never too much."""

import asyncio
import io
from collections.abc import AsyncIterator

import aiohttp
import pytest

from bot.channels.widget.throttle import Throttle
from bot.core.attachments import LARGEST_BYTES, MediaType
from bot.core.conversation import Kind
from tests.channels.rig import GENEROUS, Customer, Rig, running_rig

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))


@pytest.fixture
async def keeping() -> AsyncIterator[Rig]:
    """A server that keeps images."""
    async with running_rig(keeps_images=True) as rig:
        yield rig


@pytest.fixture
async def ana(keeping: Rig) -> Customer:
    return await keeping.open()


async def send(customer, content=PNG, *, message_id="f1", name="bill.png", **headers):
    """Send a file as the widget does; a header given as None is left out."""
    given = {
        **customer.bearer,
        "Content-Type": "image/png",
        "X-Candor-Message-Id": message_id,
        "X-Candor-File-Name": name,
        **{header.replace("_", "-"): value for header, value in headers.items()},
    }
    url = f"{customer.rig.url}/widget/v1/attachments"
    sent = {name: value for name, value in given.items() if value is not None}
    data = io.BytesIO(content) if isinstance(content, bytes) else content
    async with customer.rig.http.post(url, data=data, headers=sent) as response:
        return response.status, await response.json()


async def kept(customer):
    """The images that are kept of the customer's conversation."""
    return await customer.rig.widget.offers.files.attachments.attachments(customer.conversation)


async def test_an_image_is_kept_and_its_message_goes_to_a_person(ana, keeping):
    status, receipt = await send(ana, name="R%C3%A9sum%C3%A9%20.png")
    await asyncio.gather(*keeping.turns.tasks)

    (message, *_) = (await keeping.store.snapshot(ana.conversation, after=0)).messages
    image = await keeping.widget.offers.files.attachments.attachment(ana.conversation, "f1")
    assert (status, receipt["seq"], receipt["client_message_id"]) == (202, 1, "f1")
    assert (message.kind, message.text) == (Kind.FILE, "Résumé .png")
    assert (image.content, image.media_type) == (PNG, MediaType.PNG)


async def test_the_customer_reads_the_name_and_never_gets_the_bytes_back(ana):
    await send(ana)

    _, found = await ana.events()
    assert (found["events"][0]["kind"], found["events"][0]["text"]) == ("file", "bill.png")
    assert not {"attachment", "media_type", "size"} & found["events"][0].keys()


async def test_fifty_repeats_are_one_image_and_one_message(ana, keeping):
    results = await asyncio.gather(*(send(ana) for _ in range(8)))
    results += [await send(ana) for _ in range(42)]

    assert sorted(status for status, _ in results) == [200] * 49 + [202]
    assert len({str(body) for _, body in results}) == 1
    assert len(await kept(ana)) == 1


async def test_the_same_id_with_another_image_or_name_is_a_conflict(ana):
    await send(ana)

    other_bytes = await send(ana, PNG + b"more")
    other_name = await send(ana, name="other.png")

    assert [status for status, _ in (other_bytes, other_name)] == [409, 409]
    assert other_bytes[1]["error"]["code"] == "message_conflict"


@pytest.mark.parametrize(
    "content",
    [b"<svg onload=alert(1)>", b"<!doctype html>", b"GIF87", b"%PDF-1.7", b"MZ\x90", b"", b"\x00" * 99],
    ids=ascii,
)
async def test_what_is_no_image_is_refused_whatever_its_name_and_type_say(ana, content):
    status, refused = await send(ana, content)

    assert (status, refused["error"]["code"]) == (415, "unsupported_file")
    assert await kept(ana) == ()
    assert (await ana.events())[1]["events"] == []


@pytest.mark.parametrize("declared", ["text/html", "image/svg+xml", "application/octet-stream"])
async def test_what_is_not_declared_as_an_image_is_refused(ana, declared):
    assert (await send(ana, Content_Type=declared))[0] == 415


async def test_the_largest_image_is_taken_and_one_byte_more_is_not(ana):
    largest = PNG + bytes(LARGEST_BYTES - len(PNG))

    taken, _ = await send(ana, largest)
    refused, problem = await send(ana, largest + b"\x00", message_id="f2")

    assert (taken, refused, problem["error"]["code"]) == (202, 413, "file_too_large")
    assert [head.size for head in await kept(ana)] == [LARGEST_BYTES]


async def test_a_body_that_does_not_say_how_long_it_is_is_cut_off_at_the_limit(ana):
    async def endless() -> AsyncIterator[bytes]:
        yield PNG
        for _ in range(96):
            yield bytes(65_536)

    try:
        status, refused = await send(ana, endless())
    except aiohttp.ClientError:
        return  # the server hung up on what it will not read
    assert (status, refused["error"]["code"]) == (413, "file_too_large")
    assert await kept(ana) == ()


async def test_a_conversation_holds_only_so_many_images(ana):
    largest = PNG + bytes(LARGEST_BYTES - len(PNG))

    results = [await send(ana, largest, message_id=f"f{n}") for n in range(5)]

    assert [status for status, _ in results] == [202] * 4 + [413]
    assert results[-1][1]["error"]["code"] == "no_room"
    assert (await send(ana, largest, message_id="f0"))[0] == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"X_Candor_Message_Id": None},
        {"X_Candor_Message_Id": "a b"},
        {"X_Candor_File_Name": None},
        {"X_Candor_File_Name": "%20"},
        {"X_Candor_File_Name": "%FF%FE"},
        {"X_Candor_File_Name": "x" * 4_001},
    ],
    ids=str,
)
async def test_a_file_without_an_id_or_a_readable_name_is_refused(ana, wrong):
    status, refused = await send(ana, **wrong)

    assert (status, refused["error"]["code"]) == (400, "input_rejected")
    assert await kept(ana) == ()


@pytest.mark.parametrize(
    ("name", "shown"), [("..%2F..%2Fetc%2Fpasswd", "passwd"), ("a%0D%0Ab.png", "a b.png")]
)
async def test_no_name_reaches_beyond_its_line(ana, name, shown):
    await send(ana, name=name)

    assert (await ana.events())[1]["events"][0]["text"] == shown


async def test_where_none_are_kept_the_name_goes_to_a_person_and_the_bytes_nowhere(rig, customer):
    status, _ = await send(customer, b"%PDF-1.7", name="bill.pdf", Content_Type="application/pdf")

    _, found = await customer.events()
    assert (status, found["events"][0]["kind"], found["events"][0]["text"]) == (202, "file", "bill.pdf")
    assert not rig.widget.offers.files.keeps_images


async def test_whoever_has_no_token_or_comes_from_elsewhere_sends_nothing(ana):
    assert (await send(ana, Authorization="Bearer none"))[0] == 401
    assert (await send(ana, Origin="https://evil.example"))[0] == 403
    assert await kept(ana) == ()


async def test_sending_too_many_is_refused_before_they_are_read():
    throttle = Throttle(messages="1/10 minutes", local_sessions=GENEROUS)
    async with running_rig(keeps_images=True, throttle=throttle) as rig:
        customer = await rig.open()

        results = [await send(customer, message_id=f"f{n}") for n in (1, 2, 1)]

        assert [status for status, _ in results] == [202, 429, 200]
