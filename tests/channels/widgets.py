"""The widget's channel over memory stores, for every server that tests start."""

from dataclasses import replace

from bot.adapters.memory.attachments import MemoryAttachmentStore
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.ratings import MemoryRatingStore
from bot.channels.widget.access import Access
from bot.channels.widget.demo import DemoSignIn
from bot.channels.widget.identities import IdentityTokens
from bot.channels.widget.offers import Offers
from bot.channels.widget.routes import Widget
from bot.channels.widget.standing import Standings
from bot.channels.widget.throttle import Throttle
from bot.channels.widget.tokens import SessionTokens
from bot.core.customers import Subject
from bot.ports import Clock
from bot.service.arrivals import Arrivals
from bot.service.files import FileService
from bot.service.rating import RatingService
from tests.channels.identity_tokens import IDENTITY_KEY, SITE
from tests.service.rig import REPLIES

GENEROUS = "100000/1 second"


def a_widget(store: MemoryConversationStore, arrivals: Arrivals, tokens: SessionTokens, **fields) -> Widget:
    """Return the channel, with generous limits and no images kept unless *fields* say otherwise; one that is None says nothing."""
    customers = arrivals.customers
    ratings = RatingService(
        store=store, ratings=MemoryRatingStore(store), clock=customers.clock, live=customers.live
    )
    widget = Widget(
        customers=customers,
        access=Access(tokens=tokens, arrivals=arrivals),
        identities=IdentityTokens([IDENTITY_KEY], clock=customers.clock, audience=SITE),
        throttle=Throttle(messages=GENEROUS, local_sessions=GENEROUS),
        offers=keeping_names(arrivals),
        ratings=ratings,
        replies=REPLIES,
    )
    said = {name: value for name, value in fields.items() if value is not None}
    return replace(widget, **{"standings": Standings(rating_of=ratings.score_of), **said})


def a_demo(clock: Clock) -> DemoSignIn:
    """Return what vouches for the sample's customer, to the widget above."""
    return DemoSignIn(subject=Subject("customer-1001"), audience=SITE, clock=clock, key=IDENTITY_KEY)


def keeping_names(arrivals: Arrivals) -> Offers:
    """Return the offers of an installation that keeps of a file nothing but its name."""
    return Offers(files=FileService(customers=arrivals.customers))


def keeping_images(store: MemoryConversationStore, arrivals: Arrivals) -> Offers:
    """Return the offers of an installation that keeps the images that customers send."""
    attachments = MemoryAttachmentStore(store)
    return Offers(files=FileService(customers=arrivals.customers, attachments=attachments))
