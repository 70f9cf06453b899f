"""Everything that is kept, whatever keeps it: conversations with what belongs to them, and articles."""

from dataclasses import dataclass

from bot.content_ports import ArticleCatalogue
from bot.customer_ports import AttachmentStore, CustomerStore, RatingStore
from bot.desk_ports import AccountStore, DeskStore
from bot.ports import ConversationStore, Duties, Elsewhere, Ledger, PassageIndex
from bot.privacy_ports import Erasure
from bot.slack_ports import SlackStore
from bot.sync_ports import KnowledgeWriter
from bot.traffic_ports import TrafficReads


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """What is kept: conversations, what their drafts used, what agents read and write beside them, the customers, the agents, and Slack.

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
    slack: SlackStore


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleStores:
    """What reads and writes articles, for searches, for kb_sync, and for the people who keep them."""

    index: PassageIndex
    writer: KnowledgeWriter
    catalogue: ArticleCatalogue
