"""The canned replies: texts that the people who write articles prepare, and that agents change before they send them."""

from dataclasses import dataclass

from bot.core.desk import CannedReply
from bot.core.desk_input import required_text
from bot.desk_ports import DeskStore
from bot.errors import InputRejected

MOST = 500  # more than that nobody finds anything in


@dataclass(frozen=True, slots=True, kw_only=True)
class CannedReplies:
    """Reads and changes them. Methods may raise StoreUnavailable."""

    desk: DeskStore

    async def all(self) -> tuple[CannedReply, ...]:
        """Return them by title."""
        return await self.desk.canned_replies()

    async def save(self, reply: CannedReply) -> CannedReply:
        """Keep *reply* in place of the one with its id, and return it as it is kept; InputRejected when nothing is left of a text."""
        kept = CannedReply(
            id=reply.id,
            title=" ".join(required_text(reply.title, field="title").split()),
            text=required_text(reply.text),
            locale=reply.locale,
        )
        ids = {one.id for one in await self.desk.canned_replies()}
        if kept.id not in ids and len(ids) >= MOST:
            raise InputRejected("id", f"would be one of more than {MOST}", "remove one that nobody uses")
        await self.desk.save_canned_reply(kept)
        return kept

    async def remove(self, reply_id: str) -> None:
        """Remove one; one that is not there is left alone."""
        await self.desk.remove_canned_reply(reply_id)
