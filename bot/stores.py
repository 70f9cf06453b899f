"""Everything that is kept, whatever keeps it."""

from dataclasses import dataclass

from bot.customer_ports import AttachmentStore, CustomerStore, RatingStore
from bot.desk_ports import AccountStore, DeskStore
from bot.ports import ConversationStore, Duties, Elsewhere, Ledger
from bot.privacy_ports import Erasure
from bot.traffic_ports import TrafficReads


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """What is kept: conversations, what their drafts used, what agents read and write beside them, the customers, and the agents.

    `elsewhere` and `duties` are what the processes that share it know of each other.
    """

    conversations: ConversationStore
    ledger: Ledger
    desk: DeskStore
    customers: CustomerStore
    ratings: RatingStore
    attachments: AttachmentStore
    accounts: AccountStore
    erasure: Erasure
    elsewhere: Elsewhere
    duties: Duties
    traffic: TrafficReads
