"""A page of somebody else's site that embeds the widget, served from an origin of its own."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from playwright.async_api import Page

from bot.channels.web import serving


@dataclass(slots=True, kw_only=True)
class Shop:
    """A site with one page. `policy` is its content security policy, with `{candor}` for the service's origin."""

    url: str = ""
    lang: str = "en"
    direction: str = "ltr"
    policy: str = ""
    settings: dict[str, object] = field(default_factory=dict)
    candor: str = ""

    async def show(self, page: Page, candor: str, **changes: object) -> None:
        """Open it in *page*, with the loader of the service at *candor*."""
        for name, value in changes.items():
            setattr(self, name, value)
        self.candor = candor
        await page.add_init_script(f"window.candorSettings = {json.dumps(self.settings)}")
        await page.goto(f"{self.url}/prices?token=secret#part")

    async def answer(self, _request: web.Request) -> web.Response:
        policy = {"Content-Security-Policy": self.policy.format(candor=self.candor)} if self.policy else {}
        return web.Response(text=self._html(), content_type="text/html", headers=policy)

    def _html(self) -> str:
        return (
            f'<!doctype html><html lang="{self.lang}" dir="{self.direction}"><head><title>Shop</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<script src="{self.candor}/widget.js" async></script></head>'
            "<body><main><h1>Shop</h1><p>What it costs.</p></main></body></html>"
        )


@asynccontextmanager
async def opened_shop() -> AsyncIterator[Shop]:
    """Serve the site; its name is another than the service's, so that browsers take them for strangers."""
    shop, app = Shop(), web.Application()
    app.router.add_get("/{path:.*}", shop.answer)
    async with serving(app, host="127.0.0.1", port=0) as url:
        shop.url = url.replace("127.0.0.1", "localhost")
        yield shop
