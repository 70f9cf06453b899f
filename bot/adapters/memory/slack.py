"""The Slack store in dictionaries, over the in-memory conversations. No method waits for anything but those."""

from dataclasses import replace

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.slack_inbox import MemorySlackInbox
from bot.core.conversation import AgentId, ConversationId
from bot.core.slack_rows import Place, Side, SlackPerson, SlackPost, SlackThread


class MemorySlackStore(MemorySlackInbox):
    """What is kept of Slack, as long as the process lives."""

    def __init__(self, conversations: MemoryConversationStore) -> None:
        super().__init__()
        self._conversations = conversations
        self._threads: dict[tuple[Place, Side], SlackThread] = {}
        self._posts: dict[str, SlackPost] = {}
        self._people: dict[tuple[str, str], SlackPerson] = {}

    async def bind(self, thread: SlackThread) -> SlackThread:
        at = (thread.place, thread.side)
        if at in self._threads:
            return self._threads[at]
        await self._conversations.conversation(thread.conversation)
        self._threads[at] = replace(thread)  # another object, as one that is read from elsewhere
        return thread

    async def thread(self, place: Place, side: Side) -> SlackThread | None:
        return self._threads.get((place, side))

    async def threads_of(self, conversation: ConversationId) -> tuple[SlackThread, ...]:
        theirs = (one for one in self._threads.values() if one.conversation == conversation)
        return tuple(sorted(theirs, key=_by_side_and_spell))

    async def shown(self, thread: SlackThread, *, seq: int = 0, note: int = 0) -> None:
        at = (thread.place, thread.side)
        kept = self._threads.get(at)
        if kept is not None and kept.conversation == thread.conversation:
            self._threads[at] = replace(
                kept, shown_seq=max(kept.shown_seq, seq), shown_note=max(kept.shown_note, note)
            )

    async def begin_post(self, post: SlackPost) -> SlackPost:
        if post.key in self._posts:
            return self._posts[post.key]
        await self._conversations.conversation(post.conversation)
        self._posts[post.key] = replace(post)
        return post

    async def posted(self, key: str, *, ts: str, digest: str) -> None:
        if key in self._posts:
            self._posts[key] = replace(self._posts[key], ts=ts, digest=digest)

    async def post(self, key: str) -> SlackPost | None:
        return self._posts.get(key)

    async def posts_of(self, conversation: ConversationId) -> tuple[SlackPost, ...]:
        theirs = (one for one in self._posts.values() if one.conversation == conversation)
        return tuple(sorted(theirs, key=lambda post: (post.begun_ms, post.key)))

    async def drop_post(self, key: str) -> None:
        self._posts.pop(key, None)

    async def post_at(self, place_channel: str, ts: str) -> SlackPost | None:
        there = (p for p in self._posts.values() if p.place.channel == place_channel and p.ts == ts)
        return next(there, None)

    async def link(self, person: SlackPerson) -> None:
        self._people[(person.team, person.user)] = person

    async def person(self, team: str, user: str) -> SlackPerson | None:
        return self._people.get((team, user))

    async def person_of(self, agent: AgentId) -> SlackPerson | None:
        theirs = (self._people[one] for one in sorted(self._people) if self._people[one].agent == agent)
        return next(theirs, None)

    def forget(self, conversation: ConversationId) -> None:
        """Drop all that belongs to an erased conversation."""
        theirs = tuple(one for one in self._threads.values() if one.conversation == conversation)
        self.forget_payloads(conversation, tuple(thread.place for thread in theirs))
        for thread in theirs:
            del self._threads[(thread.place, thread.side)]
        self._posts = {key: post for key, post in self._posts.items() if post.conversation != conversation}


def _by_side_and_spell(thread: SlackThread) -> tuple[str, int, str, str, str]:
    place = thread.place
    return thread.side, thread.spell, place.team, place.channel, place.thread_ts
