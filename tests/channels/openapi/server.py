"""The whole application on a real socket, over the memory stores: what the document describes, all of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from aiohttp import web

from bot.adapters.memory.customers import MemoryCustomerStore
from bot.adapters.prometheus.observer import PrometheusObserver
from bot.channels.articles.routes import Articles
from bot.channels.console.throttle import Throttle as ConsoleThrottle
from bot.channels.health import Health
from bot.channels.web import serving, web_application
from bot.channels.widget.throttle import Throttle
from bot.core.accounts import AgentRole
from bot.core.conversation import ConversationId
from bot.service.arrivals import Arrivals
from tests.channels.console.office import Office, Page, opened_office
from tests.channels.widgets import a_demo, a_widget, keeping_images
from tests.service.shelf import ARTICLES, Shelf

GENEROUS = "1000000/1 second"


@dataclass(frozen=True, slots=True, kw_only=True)
class Everything:
    """The running application, one customer's token, and one admin's browser."""

    url: str
    app: web.Application
    token: str
    conversation: ConversationId
    admin: Page


@asynccontextmanager
async def everything() -> AsyncIterator[Everything]:
    """Start the server; its customer has a conversation that the admin has claimed, in which each has said something."""
    async with opened_office() as office:
        app = _application(office)
        async with serving(app, host="127.0.0.1", port=0) as url:
            admin = (await office.hire("Olga Berg", AgentRole.ADMIN)).at(url)
            conversation = await office.waiting()
            await admin.claim(conversation)
            await admin.reply(conversation)
            yield Everything(
                url=url,
                app=app,
                token=office.tokens.issue(conversation, epoch=0),
                conversation=conversation,
                admin=admin,
            )


def _application(office: Office) -> web.Application:
    arrivals = Arrivals(customers=office.customers, store=MemoryCustomerStore(office.store))
    widget = a_widget(
        office.store,
        arrivals,
        office.tokens,
        throttle=Throttle(messages=GENEROUS, sessions=GENEROUS, local_sessions=GENEROUS),
        offers=keeping_images(office.store, arrivals),
        demo=a_demo(office.customers.clock),
    )
    throttle = ConsoleThrottle(sign_ins=GENEROUS, invitations=GENEROUS)
    return web_application(
        widget=widget,
        articles=Articles(read=Shelf.holding(ARTICLES).index.article),
        health=Health(checks={"store": _passes}, metrics=PrometheusObserver().text),
        console=replace(office.console, throttle=throttle),
    )


async def _passes() -> dict[str, str | int | float | bool | None]:
    return {}
