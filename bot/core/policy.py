"""The numbers that decisions depend on, with where each comes from."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalPolicy:
    """How the retrieval query is made and searched. Where each number comes from: README, "What each number of retrieval buys".

    Of a message that is not the customer's, the last `told_words` words count: long answers would drown the question. The
    search blends the window's vector with that of the customer's own words, `window_weight` being the window's share
    (DESIGN §5.4). The own words are the bare message. A bare reply says nothing by itself, so they are all that the
    customer wrote in the window: a very short question of at most `bare_question_words` words that may name a subject is
    one, and a statement of at most `bare_reply_words` of them, or `answering_words` after a question of the bot's. A message whose
    own best raw cosine reaches `stands_alone` is no bare reply; one whose best leads the next ones by `stands_out` is not about
    the titles named before it. Words of others' messages count `told_weight` in a bare reply's lexical search.
    The gate weighs the best cosines of both vectors, `gate_window_weight` being the window's share, and trusts them up to
    `gate_disagreement` beyond the best passage's blended cosine.
    """

    window_messages: int = 4
    told_words: int = 30
    window_weight: float = 0.47
    gate_window_weight: float = 0.4
    gate_disagreement: float = 0.05
    bare_question_words: int = 1
    bare_reply_words: int = 2
    answering_words: int = 4
    stands_alone: float = 0.6
    stands_out: float = 0.2
    told_weight: float = 0.7
    limit: int = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPolicy:
    """How what was found is ordered (DESIGN §5.5); `close_margin` and `rival_margin` are raw cosine.

    `lexical_weight` is the share of words beside meaning, `title_weight` what an article gains whose whole title was said;
    both shape `fusion.relevance`.
    """

    lexical_weight: float = 0.3
    title_weight: float = 0.6
    similarity_weight: float = 0.9
    freshness_weight: float = 0.1
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
    rerank_s: float = 3.0  # an improvement; nobody is handed over for want of it
    draft_s: float = 25.0
    # Two plans, two statements and the words together stay below the turn's own limit.
    plan_s: float = 7.0
    query_s: float = 4.0  # the database gives up on a statement a second earlier
    word_s: float = 6.0
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
