"""Says things in Slack once each: what is posted is kept under a key, and what became of a post is found out before it is made again."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.slack.calling import Calling
from bot.channels.slack.finding import Finding, is_threaded, metadata_of
from bot.channels.slack.outcomes import NO_MESSAGE, NO_THREAD, NOT_OURS, Ending, Failure, Unsaid
from bot.channels.slack.pacing import Pacing
from bot.channels.slack.rendering import Rendered
from bot.core.conversation import ConversationId
from bot.core.slack_rows import Place, SlackPost
from bot.errors import NotDelivered
from bot.ports import Clock
from bot.slack_ports import SlackStore

log = structlog.get_logger()

IN_FLIGHT_MS = 30_000  # longer than any client waits: until then a post without an outcome may still arrive
_NOT_MADE = frozenset({Ending.TOO_MUCH, Ending.UNREACHED, Ending.LASTING, Ending.REFUSED, Ending.GONE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaking:
    """The bot's voice in Slack. *client* must not try again by itself. Methods raise NotDelivered, unless they say otherwise."""

    client: AsyncWebClient
    store: SlackStore
    clock: Clock
    calling: Calling

    async def say(
        self,
        key: str,
        conversation: ConversationId,
        place: Place,
        rendered: Rendered,
        *,
        broadcast: bool = False,
    ) -> str:
        """Post something once per key, and return its `ts`; *broadcast* shows a thread's message in the channel too."""
        earlier = await self.store.post(key)
        ts = await self._where(earlier) if earlier is not None else None
        if ts is not None:
            return ts
        async with self._pacing.turn(place.channel):
            post = await self._begun(key, conversation, place, rendered)
            return await self._kept(post, await self._made(post, rendered, broadcast=broadcast))

    async def adopt(
        self,
        key: str,
        conversation: ConversationId,
        place: Place,
        rendered: Rendered,
        finish: Callable[[], Awaitable[str | None]],
    ) -> bool:
        """Keep what is shown already as the post *key*: *finish* returns where it is, None when it is nowhere; return whether it is there.

        Before it is kept *finish* may be asked any number of times.
        """
        if await self.store.post(key) is not None:
            return False
        ts = await finish()
        if ts is None:
            return False
        await self._kept(await self._begun(key, conversation, place, rendered), ts)
        return True

    async def change(self, key: str, rendered: Rendered) -> None:
        """Let a post show something else; what was never posted is left to who posts it, and what somebody deleted is forgotten."""
        post = await self.store.post(key)
        ts = await self._where(post) if post is not None else None
        digest = digest_of(rendered)
        if post is None or ts is None or post.digest == digest:
            return
        async with self._pacing.turn(post.place.channel):
            is_there = await self._changed(post, ts, rendered)
        if is_there:
            await self.store.posted(key, ts=ts, digest=digest)
        else:
            await self.store.drop_post(key)

    async def remove(self, key: str, *, instead: Rendered | None = None) -> None:
        """Take a post back; where Slack does not allow that, it shows *instead* from now on."""
        post = await self.store.post(key)
        if post is None:
            return
        ts = await self._where(post)
        if ts is not None:
            async with self._pacing.turn(post.place.channel):
                await self._removed(post, ts, instead)
        await self.store.drop_post(key)

    async def whisper(self, place: Place, user: str, rendered: Rendered) -> None:
        """Say something to one person only, now or never; it is not kept, and never raises."""
        client = self.client
        try:
            await self.calling.make(
                "chat.postEphemeral",
                place.channel,
                lambda: client.chat_postEphemeral(
                    channel=place.channel,
                    user=user,
                    thread_ts=place.thread_ts or None,
                    text=rendered.text,
                    blocks=_blocks(rendered),
                ),
            )
        except Unsaid as unsaid:
            log.warning("slack_not_whispered", channel=place.channel, error=unsaid.failure.code)

    async def find_post(self, key: str) -> str | None:
        """Return where a post is, also one whose outcome was not known; None when it is nowhere."""
        post = await self.store.post(key)
        return None if post is None else await self._where(post)

    @property
    def _pacing(self) -> Pacing:
        return self.calling.pacing

    async def _begun(
        self, key: str, conversation: ConversationId, place: Place, rendered: Rendered
    ) -> SlackPost:
        """Note that a post is about to be made."""
        post = SlackPost(
            key=key,
            conversation=conversation,
            place=place,
            begun_ms=self.clock.now_ms(),
            digest=digest_of(rendered),
        )
        # One that is equal and not the same is another process's, of the same moment.
        if await self.store.begin_post(post) is not post:
            raise NotDelivered("somebody else is posting it", wait_s=IN_FLIGHT_MS / 1000)
        return post

    async def _where(self, post: SlackPost) -> str | None:
        """Find out where a post is; one that is nowhere may be begun anew."""
        if post.ts is not None:
            return post.ts
        waits_ms = post.begun_ms + IN_FLIGHT_MS - self.clock.now_ms()
        if waits_ms > 0:
            raise NotDelivered("what became of a post is not known yet", wait_s=waits_ms / 1000)
        ts = await Finding(client=self.client, calling=self.calling).find(post)
        if ts is None:
            await self.store.drop_post(post.key)
            return None
        log.info("slack_post_found", key=post.key)
        await self.store.posted(post.key, ts=ts, digest=post.digest)
        return ts

    async def _made(self, post: SlackPost, rendered: Rendered, *, broadcast: bool) -> str:
        """Post it; what is known not to have been posted may be begun anew."""
        try:
            return await self._posted(post, rendered, broadcast=broadcast)
        except Unsaid as unsaid:
            if unsaid.failure.ending in _NOT_MADE:
                await self.store.drop_post(post.key)
            raise

    async def _posted(self, post: SlackPost, rendered: Rendered, *, broadcast: bool) -> str:
        place, client = post.place, self.client
        try:
            answer = await self.calling.make(
                "chat.postMessage",
                place.channel,
                lambda: client.chat_postMessage(
                    channel=place.channel,
                    thread_ts=place.thread_ts or None,
                    reply_broadcast=broadcast or None,
                    text=rendered.text,
                    blocks=_blocks(rendered),
                    metadata=metadata_of(post.key, post.conversation),
                    unfurl_links=False,
                    unfurl_media=False,
                ),
            )
        except Unsaid as unsaid:
            return await self._posted(post, _plainer(post, rendered, unsaid), broadcast=broadcast)
        ts = answer.get("ts")
        if not isinstance(ts, str):
            raise Unsaid(Failure(code="no_ts", ending=Ending.UNKNOWN))
        await self._require_thread(post, ts, answer)
        return ts

    async def _require_thread(self, post: SlackPost, ts: str, answer: Mapping[str, object]) -> None:
        """Take back what was meant for a thread whose first message was deleted: Slack says nothing and shows it to the whole channel."""
        if not post.place.thread_ts or is_threaded(answer):
            return
        if await Finding(client=self.client, calling=self.calling).find(post) is None:
            await self._removed(post, ts, None)
            raise Unsaid(Failure(code=NO_THREAD, ending=Ending.GONE))

    async def _kept(self, post: SlackPost, ts: str) -> str:
        """Keep where a post is; when its conversation was erased meanwhile, the post must go as well."""
        await self.store.posted(post.key, ts=ts, digest=post.digest)
        if await self.store.post(post.key) is None:
            await self._removed(post, ts, None)
        return ts

    async def _changed(self, post: SlackPost, ts: str, rendered: Rendered) -> bool:
        """Change what a post shows; return whether it is there still."""
        channel, client = post.place.channel, self.client
        try:
            await self.calling.make(
                "chat.update",
                channel,
                # Without `parse` a changed text is read for names and addresses, unlike a new one.
                lambda: client.chat_update(
                    channel=channel, ts=ts, text=rendered.text, blocks=list(rendered.blocks), parse="none"
                ),
            )
        except Unsaid as unsaid:
            if unsaid.failure.ending is Ending.GONE:
                log.warning("slack_post_not_changed", key=post.key, error=unsaid.failure.code)
                return unsaid.failure.code not in (NO_MESSAGE, NOT_OURS)
            return await self._changed(post, ts, _plainer(post, rendered, unsaid))
        return True

    async def _removed(self, post: SlackPost, ts: str, instead: Rendered | None) -> None:
        channel, client = post.place.channel, self.client
        try:
            await self.calling.make(
                "chat.delete", channel, lambda: client.chat_delete(channel=channel, ts=ts)
            )
        except Unsaid as unsaid:
            if unsaid.failure.ending is not Ending.GONE:
                raise
            if instead is not None and unsaid.failure.code != NO_MESSAGE:
                await self._changed(post, ts, instead)


def digest_of(rendered: Rendered) -> str:
    """Return what is equal for what looks the same."""
    shown = json.dumps([rendered.text, rendered.blocks], sort_keys=True)
    return hashlib.sha256(shown.encode()).hexdigest()[:32]


def _blocks(rendered: Rendered) -> list[dict[str, object]] | None:
    return list(rendered.blocks) or None


def _plainer(post: SlackPost, rendered: Rendered, unsaid: Unsaid) -> Rendered:
    """Return the bare words of what Slack does not take, so that a defect of ours costs the looks only; else raise *unsaid*."""
    if unsaid.failure.ending is not Ending.REFUSED or not rendered.blocks:
        raise unsaid
    log.error("slack_blocks_refused", key=post.key, error=unsaid.failure.code)
    return replace(rendered, blocks=())
