"""The protocol as a small model: every order of what customer, bot, agents, sweep, relay and a crash do (FAULTS §4.2).

Whoever acts reads in one step and writes in another, so that anything may come in between. A protection can be switched off.
"""

from collections import deque
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

BOT, QUEUED, CLAIMED, RESOLVED = "bot", "queued", "claimed", "resolved"
SWEEP, ANNA, BEN = 0, 1, 2
MESSAGES, HANDOFFS, CRASHES, TURNS = 2, 2, 1, 2
EPOCHS = 3  # after so many owners nobody at the desk begins anything new
NOTHING: frozenset[int] = frozenset()


class Off(StrEnum):
    """A protection that is missing."""

    NONE = "none"
    BOT_FENCE = "the bot writes whatever happened meanwhile"
    ONE_STEP = "the bot checks, then writes"
    NEWEST = "the bot does not look for newer messages"
    OUTBOX = "a handoff is saved, then posted"
    SAVED_FIRST = "a handoff is posted, then saved"
    TOLD_AGAIN = "only a handoff of the bot's is announced"
    AGENT_FENCE = "agents and the sweep check, then write"
    READ_FIRST = "a conversation is resolved without a look for newer messages"


class Turn(NamedTuple):
    """What a running turn has read; `checked` and `posted` are used where a protection is off."""

    epoch: int
    answered: int
    written: int
    checked: bool = False
    posted: bool = False


class Act(NamedTuple):
    """What an agent or the sweep is about to write, and what it has read."""

    name: str
    status: str
    epoch: int
    written: int


class State(NamedTuple):
    """The store, what runs in the process, and what is going on at the desk. `posting` is told when nothing dies before."""

    status: str = BOT
    epoch: int = 0
    agent: int = 0
    alive: bool = False
    written: int = 0
    answered: int = 0
    opened: int = 0
    open: int = 0
    outbox: frozenset[int] = NOTHING
    told: frozenset[int] = NOTHING
    turns: tuple[Turn, ...] = ()
    acts: tuple[Act | None, Act | None, Act | None] = (None, None, None)
    posting: frozenset[int] = NOTHING
    relaying: int | None = None
    crashes: int = 0
    broken: str = ""


Step = tuple[str, State]


def steps(s: State, off: Off, *, epochs: int = EPOCHS) -> Iterator[Step]:
    """Return all that can happen next."""
    yield from _customer(s)
    yield from _bot(s, off)
    for who in (SWEEP, ANNA, BEN):
        act = s.acts[who]
        if act is not None:
            yield f"{who} writes {act.name}", _acted(s, who, act, off)
        elif s.epoch < epochs:
            yield from ((f"{who} decides {name}", _with_act(s, who, name)) for name in _allowed(s, who))
    if s.status == CLAIMED and s.alive:
        yield "the lease passes", s._replace(alive=False)
    yield from _relay(s)
    if s.crashes < CRASHES:
        dead = {"turns": (), "posting": NOTHING, "relaying": None, "acts": (None, None, None)}
        yield "crash", s._replace(**dead, crashes=s.crashes + 1)


def _customer(s: State) -> Iterator[Step]:
    if s.written < MESSAGES:
        opened = _owned(s, BOT, after=s.epoch) if s.status == RESOLVED else s
        yield "the customer writes", opened._replace(written=s.written + 1)


def _bot(s: State, off: Off) -> Iterator[Step]:
    if s.status == BOT and s.written > s.answered and len(s.turns) < TURNS:
        begun = Turn(s.epoch, s.answered, s.written)
        yield "a turn begins", s._replace(turns=tuple(sorted((*s.turns, begun))))
    for turn in s.turns:
        rest = list(s.turns)
        rest.remove(turn)
        idle = s._replace(turns=tuple(rest))
        if off is Off.ONE_STEP and not turn.checked:
            checked = (*rest, turn._replace(checked=True)) if _holds(s, turn, off) else rest
            yield "the bot checks", s._replace(turns=tuple(sorted(checked)))
            continue
        if not turn.posted:
            yield "the bot answers", _answered(idle, turn, off)
        if s.opened < HANDOFFS:
            yield from _handing_over(s, idle, turn, off)


def _holds(s: State, turn: Turn, off: Off) -> bool:
    if off is Off.BOT_FENCE or turn.checked:
        return True
    newest = off is Off.NEWEST or (s.written == turn.written and s.answered < s.written)
    return s.status == BOT and s.epoch == turn.epoch and newest


def _answered(s: State, turn: Turn, off: Off) -> State:
    if not _holds(s, turn, off):
        return s
    return s._replace(answered=max(s.answered, turn.written), broken=_said_wrongly(s, turn))


def _said_wrongly(s: State, turn: Turn) -> str:
    if s.status != BOT:
        return "the bot speaks after a handoff or a claim"
    return "a message is answered twice" if s.answered > turn.answered else ""


def _handing_over(s: State, idle: State, turn: Turn, off: Off) -> Iterator[Step]:
    if off is Off.SAVED_FIRST and not turn.posted:
        posted = tuple(sorted((*idle.turns, turn._replace(posted=True))))
        yield "the bot posts its handoff", s._replace(turns=posted, told=s.told | {turn.epoch + 1})
    elif _holds(s, turn, off):
        queued = _queued(idle, off, after=s.epoch)._replace(answered=s.written, broken=_said_wrongly(s, turn))
        yield "the bot hands over", queued._replace(open=s.open + 1, opened=s.opened + 1)
    else:
        yield (
            "a handoff is dropped",
            idle._replace(broken="people are told of a handoff that is none" if turn.posted else ""),
        )


def _allowed(s: State, who: int) -> tuple[str, ...]:
    if who == SWEEP:
        return ("expire",) if s.status == CLAIMED and not s.alive else ()
    if s.status == CLAIMED and s.agent == who and s.alive:
        return ("reply", "transfer", "release", "return", "resolve")
    return ("claim",) if s.status in (BOT, QUEUED) else ()


def _with_act(s: State, who: int, name: str, *, done: bool = False) -> State:
    acts = list(s.acts)
    acts[who] = None if done else Act(name, s.status, s.epoch, s.written)
    return s._replace(acts=(acts[SWEEP], acts[ANNA], acts[BEN]))


def _acted(s: State, who: int, act: Act, off: Off) -> State:
    s = _with_act(s, who, act.name, done=True)
    if off is not Off.AGENT_FENCE and (s.status, s.epoch) != (act.status, act.epoch):
        return s
    return _moved(s, who, act, off)


def _moved(s: State, who: int, act: Act, off: Off) -> State:
    match act.name:
        case "claim":
            return _owned(s, CLAIMED, after=act.epoch, agent=who)._replace(answered=s.written)
        case "transfer":
            return _owned(s, CLAIMED, after=act.epoch, agent=BEN if who == ANNA else ANNA)
        case "reply":
            late = "" if (s.status, s.agent) == (CLAIMED, who) else "a late reply is shown"
            return s._replace(answered=max(s.answered, act.written), broken=late)
        case "return":
            return _owned(s, BOT, after=act.epoch)
        case "resolve":
            return _resolved(s, act, off)
        case _:
            return _queued(s, off, after=act.epoch, again=True)


def _resolved(s: State, act: Act, off: Off) -> State:
    unread = s.written > act.written
    if unread and off is not Off.READ_FIRST:
        return s
    broken = "a message is closed over, unread" if unread else ""
    done = _owned(s, RESOLVED, after=act.epoch)
    return done._replace(answered=s.written, broken=broken or done.broken)


def _queued(s: State, off: Off, *, after: int, again: bool = False) -> State:
    s = _owned(s, QUEUED, after=after)
    if off is Off.OUTBOX:
        return s._replace(posting=s.posting | {s.epoch})
    if off is Off.SAVED_FIRST or (again and off is Off.TOLD_AGAIN):
        return s
    return s._replace(outbox=s.outbox | {s.epoch})


def _owned(s: State, status: str, *, after: int, agent: int = 0) -> State:
    """Change the owner, in the epoch that follows the one that was read."""
    return s._replace(
        status=status,
        epoch=after + 1,
        agent=agent,
        alive=status == CLAIMED,
        open=0 if status in (BOT, RESOLVED) else s.open,
        told=frozenset(epoch for epoch in s.told if epoch > after),
        broken="one epoch has two owners" if after + 1 <= s.epoch else s.broken,
    )


def _relay(s: State) -> Iterator[Step]:
    """Posting and marking are two steps; a crash between them posts again, under the same key."""
    for epoch in s.posting:
        yield "a handoff is posted", s._replace(posting=s.posting - {epoch}, told=s.told | {epoch})
    if s.relaying is not None:
        yield "the relay marks", s._replace(outbox=s.outbox - {s.relaying}, relaying=None)
    elif s.outbox:
        first = min(s.outbox)
        yield (
            "the relay posts",
            s._replace(relaying=first, told=s.told | ({first} if first >= s.epoch else NOTHING)),
        )


def broken(s: State) -> str:
    """Return which promise the state breaks; empty when none."""
    if s.open > 1:
        return "two handoffs are open"
    if s.broken:
        return s.broken
    if s.status == QUEUED and s.epoch not in s.outbox | s.told | s.posting:
        return "a customer waits, and nobody is told"
    return ""


class Searched(NamedTuple):
    """How many states there are, and the shortest way to each broken promise."""

    states: int
    broken: dict[str, tuple[str, ...]]


def search(off: Off = Off.NONE, *, epochs: int = EPOCHS, until: str | None = None) -> Searched:
    """Visit every state that can be reached, or until a promise is broken; what follows a broken one is not looked at."""
    start = State()
    came_from: dict[State, tuple[State, str] | None] = {start: None}
    waiting = deque([start])
    found: dict[str, State] = {}
    while waiting and until not in found:
        s = waiting.popleft()
        if problem := broken(s):
            found.setdefault(problem, s)
            continue
        for name, after in steps(s, off, epochs=epochs):
            if after not in came_from:
                came_from[after] = (s, name)
                waiting.append(after)
    return Searched(len(came_from), {problem: _way_to(s, came_from) for problem, s in found.items()})


def _way_to(s: State, came_from: dict[State, tuple[State, str] | None]) -> tuple[str, ...]:
    way: list[str] = []
    while (before := came_from[s]) is not None:
        s, name = before
        way.append(name)
    return tuple(reversed(way))
