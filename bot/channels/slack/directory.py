"""Reads of Slack who belongs to the desk's channel and who somebody is. Nothing here decides what that allows."""

from collections.abc import Mapping
from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.slack.calling import Calling
from bot.core.credentials import EMAIL, LONGEST_NAME
from bot.core.customers import one_line
from bot.errors import InputRejected

PAGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Colleague:
    """Somebody as Slack knows them; `teams` are the workspaces they belong to, `email` None where it is not vouched for."""

    user: str
    teams: frozenset[str]
    name: str
    email: str | None = None
    is_person: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackDirectory:
    """What Slack says of people. Methods raise NotDelivered when Slack does not answer, or not what was asked."""

    client: AsyncWebClient
    calling: Calling
    channel: str

    async def members(self) -> frozenset[str]:
        """Return the ids of who is in the desk's channel, of all pages."""
        found: list[str] = []
        cursor = ""
        while True:
            page = await self._page(cursor)
            found += [member for member in _list(page.get("members")) if isinstance(member, str)]
            cursor = _text(_table(page.get("response_metadata")).get("next_cursor"))
            if not cursor:
                return frozenset(found)

    async def colleague(self, user: str) -> Colleague:
        """Return who has this id."""
        answer = await self.calling.make(
            "users.info", self.channel, lambda: self.client.users_info(user=user)
        )
        return to_colleague(user, _table(answer.get("user")))

    async def _page(self, cursor: str) -> Mapping[str, object]:
        return await self.calling.make(
            "conversations.members",
            self.channel,
            lambda: self.client.conversations_members(
                channel=self.channel, cursor=cursor or None, limit=PAGE
            ),
        )


def to_colleague(user: str, info: Mapping[str, object]) -> Colleague:
    """Return the person of a `users.info` answer; a bot and who has left are none."""
    profile = _table(info.get("profile"))
    names = (profile.get("display_name"), profile.get("real_name"), info.get("name"))
    email = _text(profile.get("email")).strip()
    own = _list(_table(info.get("enterprise_user")).get("teams"))
    confirmed = info.get("is_email_confirmed") is not False and EMAIL.fullmatch(email) is not None
    return Colleague(
        user=user,
        teams=frozenset(team for team in (info.get("team_id"), *own) if isinstance(team, str)),
        name=next((name for name in map(_name, names) if name), user),
        email=email if confirmed else None,
        is_person=not (info.get("deleted") or info.get("is_bot")),
    )


def _name(raw: object) -> str:
    try:
        return one_line(_text(raw))[:LONGEST_NAME].strip()
    except InputRejected:
        return ""


def _text(raw: object) -> str:
    return raw if isinstance(raw, str) else ""


def _list(raw: object) -> list[object]:
    return raw if isinstance(raw, list) else []


def _table(raw: object) -> Mapping[str, object]:
    return raw if isinstance(raw, dict) else {}
