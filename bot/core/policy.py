"""The numbers that decisions depend on, with where each comes from."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalPolicy:
    """How the retrieval query is made and searched.

    `window_weight` is the share of the window's vector in the blend, the rest is the bare message's (DESIGN §5.4). A bare
    reply says nothing by itself, so the window alone is searched with: a question that names no subject, or a
    statement of at most `bare_reply_words` words that may name one, unless its own best raw cosine reaches `stands_alone`.
    """

    window_messages: int = 4
    window_weight: float = 0.3
    bare_reply_words: int = 2
    stands_alone: float = 0.5
    limit: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPolicy:
    """How close matches are ordered (DESIGN §5.5); `close_margin` and `rival_margin` are raw cosine."""

    similarity_weight: float = 0.8
    freshness_weight: float = 0.2
    freshness_days: float = 365.0
    undated_freshness: float = 0.5
    close_margin: float = 0.10
    rival_margin: float = 0.10
    max_articles: int = 3
    max_passages: int = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class GatePolicy:
    """The evidence gate's threshold, raw cosine; None when the embedding fingerprint is not calibrated."""

    threshold: float | None
    near_miss_margin: float = 0.08


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadlines:
    """Wall-clock limits in seconds; the turn's own is the outermost (FAULTS L1)."""

    turn_s: float = 30.0
    embed_s: float = 10.0
    search_s: float = 5.0
    draft_s: float = 25.0
    lost_after_s: float = 60.0  # FAULTS H4


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPolicy:
    """Everything a turn needs to know that is not data. `gate_threshold` is the operator's own, raw cosine."""

    retrieval: RetrievalPolicy = field(default_factory=RetrievalPolicy)
    ranking: RankingPolicy = field(default_factory=RankingPolicy)
    deadlines: Deadlines = field(default_factory=Deadlines)
    gate_threshold: float | None = None
    bot_enabled: bool = True
    retrieval_enabled: bool = True
    offer_before_handoff: bool = False
    max_input_tokens: int = 8_000  # FAULTS L10
    kb_locale: str = "en"
    answer_history: int = 10  # text messages, DESIGN §5.7
