"""Why an agent's move was refused, in a sentence with the colleague's name in it. Pure."""

from bot.channels.problems import ProblemJson, to_problem
from bot.channels.wording import Names, agent_name
from bot.core.conversation import AgentId
from bot.errors import ClaimLost, ClaimRefused, ConversationChanged, CustomerWrote, Refused

KEPT = " What you wrote is kept as a draft."


def to_refusal(refused: Refused, agent: AgentId, names: Names, *, kept: bool) -> ProblemJson:
    """Return the problem to answer with; *kept* says that a reply which was not sent is the agent's draft now."""
    draft = KEPT if kept else ""
    match refused:
        case ClaimRefused(holder=str(holder)):
            return ProblemJson(409, "claim_refused", f"{agent_name(holder, names)} has already claimed it.")
        case ClaimRefused():
            return ProblemJson(409, "claim_refused", "Nobody waits for an agent here any more.")
        case ClaimLost(holder=holder):
            return ProblemJson(409, "claim_lost", _lost(holder, agent, names) + draft)
        case CustomerWrote():
            sentence = "The customer has written again. Read it before you resolve the conversation."
            return ProblemJson(409, "customer_wrote", sentence)
        case ConversationChanged():
            sentence = "Something happened here at the same time. Please look, then try again." + draft
            return ProblemJson(409, "conversation_changed", sentence)
        case _:
            return to_problem(refused)


def _lost(holder: str | None, agent: AgentId, names: Names) -> str:
    if holder is None or holder == agent:
        return "You do not have this conversation: your claim ran out. Claim it again to go on."
    return f"{agent_name(holder, names)} has this conversation now."
