"""Brings what was posted of a message in line with what it says now: changed when it was edited, taken back when it was deleted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.channels.slack.keys_of_posts import parts_of
from bot.channels.slack.rendering import Rendered
from bot.channels.slack.room_entries import numbered
from bot.channels.slack.speaking import Speaking
from bot.core.slack_rows import SlackPost


@dataclass(frozen=True, slots=True, kw_only=True)
class Mending:
    """Mends through the bot's voice. Every step may be taken again."""

    speaking: Speaking

    async def changed(self, key: str, parts: Sequence[Rendered], posts: Iterable[SlackPost]) -> None:
        """Let the posts of a message, of which *key* is the first, show *parts*; what was never posted stays so."""
        there = parts_of(key, posts)
        if not there:
            return
        wanted = numbered(key, parts)
        for part_key, rendered in wanted[: len(there)]:
            await self.speaking.change(part_key, rendered)
        for post in there[len(wanted) :]:
            await self.speaking.remove(post.key)
        for part_key, rendered in wanted[len(there) :]:
            await self.speaking.say(part_key, there[0].conversation, there[0].place, rendered)

    async def removed(self, key: str, posts: Iterable[SlackPost], *, instead: Rendered | None = None) -> None:
        """Take the posts of a message back."""
        for post in parts_of(key, posts):
            await self.speaking.remove(post.key, instead=instead)
