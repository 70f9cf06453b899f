"""What a conversation begins with beside its messages: categories to tap, whether images are kept, how many articles there are."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import web

from bot.channels.bodies import json_answer
from bot.channels.events import Event
from bot.core.categories import Categories
from bot.service.files import FileService


async def nobody_counts() -> int:
    """Stand for a service that does not know its articles."""
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """What this installation offers a customer."""

    files: FileService
    categories: Categories = field(default_factory=Categories)
    count_articles: Callable[[], Awaitable[int]] = nobody_counts

    async def to_event(self, locale: str) -> Event:
        """Translate the offers in the customer's language."""
        return {
            "categories": list(self.categories.in_language(locale)),
            "attachments": self.files.keeps_images,
            "articles": await self.count_articles(),
        }

    async def welcome(self, request: web.Request) -> web.Response:
        """Answer with the offers before there is a conversation: merely looking at the widget opens none."""
        return json_answer(await self.to_event(request.query.get("locale", "en")))
