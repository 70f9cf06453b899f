"""Internal notes: what agents read beside a conversation. They have a sequence of their own and never reach a customer or a prompt."""

from dataclasses import dataclass

BOT = "bot"  # the author of notes that Candor writes by itself
SUMMARY = "summary:"  # how the keys of handoff summaries begin; the epoch follows


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One note; `seq` is gapless among the conversation's notes, `author` an agent's id or BOT.

    Of two notes with the same `key` in a conversation only the first is kept.
    """

    seq: int
    author: str
    text: str
    at_ms: int
    key: str | None = None


def summary_key(epoch: int) -> str:
    """Return the key of the note that sums up the handoff which began *epoch*."""
    return f"{SUMMARY}{epoch}"
