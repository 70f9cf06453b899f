"""How a customer rates what was finished."""

from dataclasses import dataclass
from typing import Annotated

from aiohttp import web
from pydantic import Field

from bot.channels.bodies import MessageId, Strict, json_answer, json_body
from bot.channels.events import Event
from bot.channels.problems import ProblemJson
from bot.channels.throttling import throttled
from bot.channels.widget.access import Access, token_refused
from bot.channels.widget.throttle import Throttle
from bot.core.ratings import HIGHEST, LOWEST, Rating
from bot.errors import ConversationUnknown, MoveRefused
from bot.service.rating import RatingService


class RatingBody(Strict):
    client_message_id: MessageId
    score: Annotated[int, Field(ge=LOWEST, le=HIGHEST)]
    comment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """The route for ratings."""

    access: Access
    throttle: Throttle
    ratings: RatingService

    async def rate(self, request: web.Request) -> web.Response:
        """Rate the last finished episode; it may be rated again, and a repeat gets the answer of before."""
        conversation = await self.access.conversation_of(request)
        body = await json_body(request, RatingBody)
        wait_s = self.throttle.admit_message(conversation, body.client_message_id)
        if wait_s is not None:
            raise throttled(wait_s, "You are writing faster than we can read.")
        try:
            rating = await self.ratings.rate(
                conversation, message_id=body.client_message_id, score=body.score, comment=body.comment
            )
        except MoveRefused as exc:
            raise ProblemJson(409, "not_resolved", "There is nothing to rate yet.") from exc
        except ConversationUnknown as exc:
            raise token_refused() from exc
        return json_answer(to_rating(rating))


def to_rating(rating: Rating) -> Event:
    return {
        "client_message_id": rating.message_id,
        "episode": rating.episode,
        "score": rating.score,
        "comment": rating.comment,
        "at": rating.at_ms,
    }
