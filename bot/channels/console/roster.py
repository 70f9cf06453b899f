"""The agents as the console shows them: their names, and whose console is open."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from bot.channels.events import Event
from bot.channels.wording import Names
from bot.core.accounts import Agent
from bot.core.conversation import AgentId
from bot.desk_ports import AccountStore
from bot.ports import Clock

FRESH_S = 5.0  # a colleague who was added a moment ago has no name before that


@dataclass(slots=True, kw_only=True)
class Roster:
    """Reads the names once for many rows. Methods may raise StoreUnavailable."""

    accounts: AccountStore
    clock: Clock
    _names: Names = field(default_factory=dict[AgentId, str])
    _read_s: float | None = None
    _open: Counter[AgentId] = field(default_factory=Counter[AgentId])

    async def names(self) -> Names:
        """Return every agent's name, disabled agents' too, as of a moment ago."""
        now_s = self.clock.monotonic_s()
        if self._read_s is None or now_s - self._read_s >= FRESH_S:
            self._names = _names(await self.accounts.agents())
            self._read_s = now_s
        return self._names

    async def colleagues(self) -> list[Event]:
        """Return those who can sign in, by name, and who of them has a console open."""
        agents = [a for a in await self.accounts.agents() if a.password_hash and a.disabled_ms is None]
        return [
            {"id": a.id, "name": a.name, "role": a.role, "here": a.id in self._open}
            for a in sorted(agents, key=lambda agent: (agent.name.casefold(), agent.id))
        ]

    @contextmanager
    def here(self, agent: AgentId) -> Iterator[None]:
        """Count one open console of *agent* for as long as the block lasts."""
        self._open[agent] += 1
        try:
            yield
        finally:
            self._open[agent] -= 1
            self._open += Counter()  # drops who has none


def _names(agents: tuple[Agent, ...]) -> Mapping[AgentId, str]:
    return {agent.id: agent.name for agent in agents}
