"""The second look at close candidates. It is an improvement only: without an answer the order stays and the turn goes on."""

import asyncio

import structlog

from bot.core.gate import is_enough
from bot.core.reranking import compared_text, reranked, to_compare
from bot.core.turn import Stage
from bot.errors import OutsideFailure
from bot.model_ports import Reranker
from bot.service.trace import Trace

log = structlog.get_logger()

ORDER_KEPT = "order_kept"


async def look_again(reranker: Reranker, question: str, trace: Trace, *, within_s: float) -> None:
    """Let *reranker* choose which topic comes first in *trace*; it is not asked where only one is close, or the gate will stop the turn."""
    close = to_compare(trace.ranked)
    stopped = trace.threshold is not None and not is_enough(trace.best_cosine, trace.threshold)
    if stopped or not close:
        return
    async with trace.stage(Stage.RERANK) as note:
        try:
            async with asyncio.timeout(within_s):
                scores = await reranker.rerank(question, [compared_text(passage) for passage in close])
        except (OutsideFailure, TimeoutError) as failure:
            # Inside the stage, which thus worked: a broken one would end the turn and need a reason.
            note.finding = f"{ORDER_KEPT}: {type(failure).__name__}"
            log.warning(ORDER_KEPT, error=type(failure).__name__, why=str(failure))
        else:
            trace.ranked = reranked(trace.ranked, scores)
