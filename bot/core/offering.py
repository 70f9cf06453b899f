"""What is said where nothing was found, when the operator prefers an offer to a handoff (DESIGN §6). Pure."""

from bot.core.outcome import Ask, Handoff, ReasonCode
from bot.core.policy import TurnPolicy


def offered_first(handoff: Handoff, policy: TurnPolicy, *, offered: bool) -> Ask | Handoff:
    """Return the offer to rephrase in place of a `no_evidence` handoff; the handoff itself the second time in a row.

    *offered* says that the bot's last message was such an offer. Its words are a fixed reply, so the offer has none.
    """
    stays = offered or not policy.offer_before_handoff or handoff.reason is not ReasonCode.NO_EVIDENCE
    return handoff if stays else Ask(text="", offer=True)
