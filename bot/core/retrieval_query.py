"""The retrieval query: the last text messages, without scaffolding and refusal echoes (DESIGN §5.3).

The current message is always last and always whole; when the embedder's token limit is near, the oldest words go first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.core.conversation import Kind, Message, Role
from bot.core.markdown import ends_in_question
from bot.core.turn import DroppedMessage, RetrievalQuery

SEPARATOR = "\n"

Predicate = Callable[[str], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowRules:
    """How texts are read: phrase rules, the embedder's own tokenizer and limit, and the sizes of `RetrievalPolicy`."""

    is_refusal_echo: Predicate
    carries_text: Predicate
    count_tokens: Callable[[str], int]
    token_limit: int
    messages: int = 4
    told_words: int = 30


def retrieval_query(
    earlier: Sequence[Message], current: Message, bare: str, rules: WindowRules
) -> RetrievalQuery:
    """Return the window that ends in *current*; *earlier* is oldest first, *bare* is what the customer asks now.

    Messages of other kinds than TEXT, refusal echoes, messages without words and repeats are left out before counting.
    """
    window: list[Message] = [current]
    dropped: list[DroppedMessage] = []
    for message in reversed(earlier):
        why = _why_left_out(message, window, rules)
        if why is None:
            window.append(message)
        else:
            dropped.append(DroppedMessage(seq=message.seq, why=why))
    window.reverse()
    texts = _trimmed([_counted(m, rules) for m in window], rules)
    cut = window[: len(window) - len(texts)]
    dropped.extend(DroppedMessage(seq=m.seq, why="token_limit") for m in cut)
    return RetrievalQuery(
        text=SEPARATOR.join(texts),
        bare=bare,
        own=bare,
        said=SEPARATOR.join(_texts_of(window[len(cut) :], texts, of_customer=True)),
        told=SEPARATOR.join(_texts_of(window[len(cut) :], texts, of_customer=False)),
        used=tuple(m.seq for m in window[len(cut) :]),
        dropped=tuple(sorted(dropped, key=lambda d: d.seq)),
    )


def as_bare_reply(query: RetrievalQuery) -> RetrievalQuery:
    """Return the query of a message that says nothing by itself: its own words are all that the customer wrote in the window."""
    return replace(query, own=query.said, is_bare_reply=True)


def answers_a_question(query: RetrievalQuery, earlier: Sequence[Message]) -> bool:
    """Return whether the last message before the current one, of those used, asks the customer something; so does a feedback prompt."""
    used = frozenset(query.used)
    before = next((m for m in reversed(earlier) if m.seq in used or _is_feedback_prompt(m)), None)
    return before is not None and before.role is not Role.CUSTOMER and ends_in_question(before.text)


def stands_out(cosines: Sequence[float], lead: float) -> bool:
    """Return whether the best of falling *cosines* leads the mean of those from the third on by *lead*: the message names its subject itself.

    The second is left out, because a good passage often has a twin.
    """
    rest = cosines[2:]
    return bool(rest) and cosines[0] - sum(rest) / len(rest) >= lead


def _why_left_out(message: Message, newer: Sequence[Message], rules: WindowRules) -> str | None:
    if message.kind is not Kind.TEXT:
        return f"kind_{message.kind}"
    if is_refusal(message, rules.is_refusal_echo):
        return "refusal_echo"
    if not rules.carries_text(message.text):
        return "no_words"
    if _folded(message) == _folded(newer[-1]):
        return "repeat"
    return None if len(newer) < rules.messages else "older_than_window"


def is_refusal(message: Message, is_refusal_echo: Predicate) -> bool:
    """Return whether a bot message said that it could not help: flagged by us, or known by its phrase."""
    return message.role is Role.BOT and (message.refusal or is_refusal_echo(message.text))


def _is_feedback_prompt(message: Message) -> bool:
    return message.role is Role.BOT and message.kind is Kind.FEEDBACK


def _counted(message: Message, rules: WindowRules) -> str:
    """Return what of a message counts: all that a customer wrote, and the end of what others did, where questions stand."""
    text = message.text.strip()
    words = text.split()
    if message.role is Role.CUSTOMER or len(words) <= rules.told_words:
        return text
    return " ".join(words[len(words) - rules.told_words :])


def _texts_of(window: Sequence[Message], texts: Sequence[str], *, of_customer: bool) -> list[str]:
    return [text for m, text in zip(window, texts, strict=True) if (m.role is Role.CUSTOMER) is of_customer]


def _folded(message: Message) -> tuple[Role, str]:
    return message.role, " ".join(message.text.casefold().split())


def _trimmed(texts: Sequence[str], rules: WindowRules) -> list[str]:
    """Cut words from the oldest text on until the rest fits; the last text is never cut."""
    kept = list(texts)
    while len(kept) > 1 and not _fits(kept, rules):
        shorter = _longest_suffix(kept[0], kept[1:], rules)
        kept = [shorter, *kept[1:]] if shorter else kept[1:]
    return kept


def _longest_suffix(oldest: str, newer: Sequence[str], rules: WindowRules) -> str:
    """Return the longest tail of words of *oldest* that fits before *newer*; empty when none does."""
    words = oldest.split()
    low, high = 1, len(words)
    while low < high:
        middle = (low + high) // 2
        if _fits([" ".join(words[middle:]), *newer], rules):
            high = middle
        else:
            low = middle + 1
    tail = " ".join(words[low:])
    return tail if tail and _fits([tail, *newer], rules) else ""


def _fits(texts: Sequence[str], rules: WindowRules) -> bool:
    return rules.count_tokens(SEPARATOR.join(texts)) <= rules.token_limit


def blended(window: Sequence[float], own: Sequence[float], *, window_weight: float) -> tuple[float, ...]:
    """Return the weighted sum of two unit vectors.

    A passage's dot product with it is the weighted mean of its cosines to both, because the dot product is linear; that is what
    is searched by (DESIGN §5.4). The sum is shorter than one unless both are equal, and must not be normalised.
    """
    rest = 1.0 - window_weight
    return tuple(window_weight * w + rest * b for w, b in zip(window, own, strict=True))
