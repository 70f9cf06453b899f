"""An answerer that does something, such as publishing a sync, between reading the evidence and its first word."""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass

from bot.core.prompt import Abstained, AnswerRequest, Asked, Block, DraftPiece, Finished
from tests.service.rig import Rig
from tests.service.stand_ins import quoting

Work = Callable[[], object]
Writes = Callable[[AnswerRequest], Sequence[DraftPiece | Work]]


@dataclass(slots=True, kw_only=True)
class Interrupted:
    """Does the next of `works` before each draft; a draft is what `writes` makes of the request, a work in it is done on the way."""

    works: list[Work]
    writes: Writes = quoting
    can_abstain: bool = False
    streams: bool = True
    name: str = "interrupted"

    async def draft(self, request: AnswerRequest) -> AsyncGenerator[DraftPiece, None]:
        if self.works:
            self.works.pop(0)()
        for step in self.writes(request):
            if isinstance(step, Block | Asked | Abstained | Finished):
                yield step
            else:
                step()


def meanwhile(rig: Rig, *works: Work, writes: Writes = quoting) -> None:
    """Let each of *works* happen while one draft is written."""
    rig.answerer.inner = Interrupted(works=list(works), writes=writes)
