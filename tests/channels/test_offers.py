"""What a conversation begins with beside its messages, and what a category that was tapped becomes."""

from bot.channels.widget.offers import Offers
from bot.core.categories import Categories
from bot.core.conversation import Kind
from bot.core.replies import LANGUAGES
from bot.service.files import FileService
from tests.channels.rig import running_rig

CATEGORIES = Categories.from_mapping({"category": [dict.fromkeys(LANGUAGES, "Lessons") | {"pt": "Aulas"}]})


async def a_count() -> int:
    return 63


async def test_a_session_offers_categories_the_number_of_articles_and_whether_images_are_kept(rig):
    offers = Offers(
        files=FileService(customers=rig.widget.customers), categories=CATEGORIES, count_articles=a_count
    )

    assert await offers.to_event("pt") == {"categories": ["Aulas"], "attachments": False, "articles": 63}


async def test_who_has_no_conversation_is_offered_the_same_and_gets_none():
    async with running_rig(offered={"categories": CATEGORIES, "count_articles": a_count}) as rig:
        url = f"{rig.url}/widget/v1/welcome"
        async with rig.http.get(url, params={"locale": "pt-BR"}) as response:
            offered = await response.json()

        assert offered == {"categories": ["Aulas"], "attachments": False, "articles": 63}
        assert rig.store.states() == ()


async def test_a_foreign_site_is_offered_nothing(rig):
    url, headers = f"{rig.url}/widget/v1/welcome", {"Origin": "https://evil.example"}
    async with rig.http.get(url, headers=headers) as response:
        assert response.status == 403


async def test_both_a_new_session_and_a_resumed_one_have_them(customer):
    _, resumed = await customer.post("sessions", {})

    assert (resumed["categories"], resumed["attachments"], resumed["articles"]) == ([], False, 0)


async def test_an_installation_that_keeps_images_says_so():
    async with running_rig(keeps_images=True) as rig:
        customer = await rig.open()

        assert (await customer.post("sessions", {}))[1]["attachments"] is True


async def test_a_category_is_stored_as_what_it_is_and_is_another_message_than_its_words(rig, customer):
    body = {"client_message_id": "c1", "text": "Lessons", "category": True}
    status, receipt = await customer.post("messages", body)
    repeated = await customer.post("messages", body)
    as_text, _ = await customer.post("messages", {**body, "category": False})

    (message, *_) = (await rig.store.snapshot(customer.conversation, after=0)).messages
    assert (status, repeated, as_text) == (202, (200, receipt), 409)
    assert (message.kind, message.text) == (Kind.CATEGORY, "Lessons")


async def test_a_category_without_words_is_refused(customer):
    status, _ = await customer.post("messages", {"client_message_id": "c1", "text": " ", "category": True})

    assert status == 400
