"""What every passage index promises of words: what holds them is found however far its vector, scored as BM25 says."""

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.knowledge import LOOKED_AT_BESIDE, Article, ArticleStatus, FoundPassage, Passage, SearchQuery
from bot.core.lexical import Words, bm25, terms
from tests.contract.knowledge_rig import IMPLEMENTATIONS, KnowledgeRig, knowledge_rig
from tests.knowledge_builders import a_passage, an_article, toward

FAR = 170
OPERATORS = (
    'said "AND"',
    "lesson AND NOT refund",
    "NEAR(lesson, 2)",
    "lesson* + ^refund",
    "words : lesson",
    '") OR passage_words MATCH ("x',
    "'; DROP TABLE passages; --",
    "{words} -lesson",
    "()",
    "\x00lesson\ufffd",
)


@pytest.fixture(params=IMPLEMENTATIONS)
def rig(request, tmp_path):
    with knowledge_rig(request.param, tmp_path) as opened:
        yield opened


def looking_for(text: str, **fields) -> SearchQuery:
    """Return a search straight ahead, for the words of *text*."""
    defaults = {"vector": toward(0), "locales": ("en",), "words": (Words(terms=frozenset(terms(text))),)}
    return SearchQuery(**{**defaults, **fields})


def holding(text: str, article_id: str = "KB1", *, degrees: float = FAR, position: int = 0, **fields):
    """Return an article with one passage of *text*, as far away as it gets unless its angle is given."""
    article = an_article(article_id, title="T", **fields)
    passage = a_passage(f"{article_id}#{position}", position=position, text=text, embedded_text=text)
    return article, [(passage, toward(degrees))]


def near(count: int):
    """Return articles straight ahead that hold nothing that is looked for."""
    return [holding("something else", f"NEAR{n}", degrees=n) for n in range(count)]


async def found_by_id(rig: KnowledgeRig, query: SearchQuery) -> Mapping[str, FoundPassage]:
    return {found.passage.id: found for found in (await rig.index.search(query)).passages}


async def worded_ids(rig: KnowledgeRig, query: SearchQuery) -> list[str]:
    """Return the passages that hold the words."""
    return sorted(one for one, found in (await found_by_id(rig, query)).items() if found.lexical > 0)


async def test_a_passage_far_by_its_vector_is_found_by_its_words(rig):
    rig.publish_passages(*near(3), holding("Enter the code E-4711 again.", "FAR"))

    found = (await rig.index.search(looking_for("what is E-4711?", limit=2))).passages

    assert [one.passage.id for one in found] == ["NEAR0#0", "NEAR1#0", "FAR#0"]
    assert [one.lexical > 0 for one in found] == [False, False, True]
    assert found[-1].cosine == pytest.approx(-0.985, abs=1e-3)


async def test_what_holds_the_words_and_is_near_is_found_once(rig):
    rig.publish_passages(*near(2), holding("refund", "BOTH", degrees=0))

    assert list(await found_by_id(rig, looking_for("refund"))) == ["BOTH#0", "NEAR0#0", "NEAR1#0"]


async def test_no_more_are_found_by_words_than_by_vector_and_they_hold_them_best(rig):
    texts = {f"FAR{n}": "refund " * n + "other " * (9 - n) for n in range(1, 6)}
    rig.publish_passages(*near(9), *(holding(text, one) for one, text in texts.items()))

    assert await worded_ids(rig, looking_for("refund", limit=2)) == ["FAR4#0", "FAR5#0"]


async def test_a_search_without_words_finds_the_nearest_and_scores_no_words(rig):
    rig.publish_passages(*near(2), holding("refund", "FAR"))

    found = await found_by_id(rig, looking_for("", words=(), limit=2))

    assert list(found) == ["NEAR0#0", "NEAR1#0"]
    assert {(one.lexical, one.article_lexical) for one in found.values()} == {(0.0, 0.0)}


@pytest.mark.parametrize(
    ("fields", "is_found"),
    [
        pytest.param({}, True, id="there"),
        pytest.param({"locale": "de"}, False, id="another locale"),
        pytest.param({"status": ArticleStatus.DRAFT}, False, id="a draft"),
        pytest.param({"status": ArticleStatus.RETIRED}, False, id="retired"),
        pytest.param({"status": ArticleStatus.SUPERSEDED}, False, id="superseded"),
    ],
)
async def test_words_are_looked_for_only_where_the_search_looks(rig, fields, is_found):
    rig.publish_passages(*near(1), holding("refund", "FAR", **fields))

    assert await worded_ids(rig, looking_for("refund")) == (["FAR#0"] if is_found else [])


async def test_a_draft_is_found_by_its_words_when_drafts_are_asked_for(rig):
    rig.publish_passages(*near(1), holding("refund", "FAR", status=ArticleStatus.DRAFT))

    assert await worded_ids(rig, looking_for("refund", statuses=frozenset({ArticleStatus.DRAFT}))) == [
        "FAR#0"
    ]


async def test_the_words_of_an_article_that_was_written_again_are_those_of_its_new_text(rig):
    rig.publish_passages(*near(1), holding("refund by card", "KB1"))

    rig.change(holding("voucher", "KB1", position=3))

    assert await worded_ids(rig, looking_for("refund card")) == []
    assert await worded_ids(rig, looking_for("voucher")) == ["KB1#3"]
    assert (await found_by_id(rig, looking_for("refund")))["KB1#3"].article_lexical == 0.0


async def test_a_retired_article_is_not_found_by_its_words(rig):
    rig.publish_passages(*near(1), holding("refund", "KB1"))

    rig.change(retired=["KB1"])

    assert await worded_ids(rig, looking_for("refund", statuses=frozenset(ArticleStatus))) == []


async def test_what_is_being_built_is_not_found_by_its_words_until_it_is_published(rig):
    rig.publish_passages(*near(1), holding("refund", "KB1"))
    rig.begin(holding("voucher", "KB2"), fingerprint="local/next")

    assert await worded_ids(rig, looking_for("voucher")) == []
    assert await worded_ids(rig, looking_for("refund")) == ["KB1#0"]


async def test_nothing_is_left_of_the_words_two_generations_ago(rig):
    """Else each change of the articles would make every word seem common."""
    rig.publish_passages(*(holding("refund " * 5, f"OLD{n}") for n in range(9)))
    for _ in range(2):
        rig.publish_passages(*near(3), holding("refund", "KB1"))

    found = await found_by_id(rig, looking_for("refund"))

    texts = [terms("something else")] * 3 + [("refun",)]
    assert found["KB1#0"].lexical == pytest.approx(bm25({"refun"}, texts)[-1], abs=1e-6)


async def test_the_weights_of_several_sets_of_words_count(rig):
    rig.publish_passages(*near(3), holding("refund", "KB1"), holding("voucher", "KB2"))
    refund, voucher = (
        Words(terms=frozenset(terms(word)), weight=w) for word, w in (("refund", 1), ("voucher", 0.5))
    )

    found = await found_by_id(rig, looking_for("", words=(refund, voucher)))

    assert found["KB1#0"].lexical == pytest.approx(2 * found["KB2#0"].lexical)
    assert found["KB1#0"].article_lexical == pytest.approx(2 * found["KB2#0"].article_lexical)


async def test_words_that_stand_apart_in_an_article_score_for_the_whole_of_it(rig):
    apart = [
        (a_passage(f"KB1#{n}", position=n, text=t, embedded_text=t), toward(9)) for n, t in enumerate("xy")
    ]
    rig.publish_passages(*near(3), (an_article("KB1", title="Refunds"), apart))

    found = await found_by_id(rig, looking_for("refund y"))

    assert (found["KB1#0"].lexical, found["KB1#1"].lexical > 0) == (0.0, True)
    assert found["KB1#0"].article_lexical == found["KB1#1"].article_lexical > found["KB1#1"].lexical


@pytest.mark.parametrize("text", OPERATORS)
async def test_what_a_search_engine_would_read_as_an_operator_is_only_words(rig, text):
    rig.publish_passages(*near(1), holding(f"x {text} x", "KB1"))

    assert await worded_ids(rig, looking_for(text)) == (["KB1#0"] if terms(text) else [])


@pytest.mark.parametrize("words", [(), (Words(terms=frozenset()),), (Words(terms=frozenset({"zzzzz"})),)])
async def test_words_that_nothing_holds_find_nothing(rig, words):
    rig.publish_passages(*near(1))

    assert await worded_ids(rig, looking_for("", words=words)) == []


async def test_beside_a_search_the_best_cosines_to_other_vectors_are_told(rig):
    rig.publish_passages(
        holding("x", "KB1", degrees=0),
        holding("x", "KB2", degrees=60),
        holding("x", "DE", degrees=90, locale="de"),
    )

    result = await rig.index.search(looking_for("", limit=1, beside=(toward(60), toward(180))))

    assert [one.passage.id for one in result.passages] == ["KB1#0"]
    assert result.beside == (pytest.approx((1, 0.5)), pytest.approx((-0.5, -1)))


async def test_no_more_cosines_beside_are_told_than_anybody_looks_at(rig):
    rig.publish_passages(*near(LOOKED_AT_BESIDE + 5))

    (beside,) = (await rig.index.search(looking_for("", limit=1, beside=(toward(0),)))).beside

    assert len(beside) == LOOKED_AT_BESIDE
    assert list(beside) == sorted(beside, reverse=True)


async def test_beside_a_search_where_nothing_is_no_cosine_is_told(rig):
    rig.publish_passages(*near(1))

    drafts = looking_for("", statuses=frozenset({ArticleStatus.DRAFT}), beside=(toward(0),))

    assert (await rig.index.search(drafts)).beside == ((),)
    assert (await rig.index.search(looking_for(""))).beside == ()


SOME_WORDS = st.lists(st.sampled_from(("refund", "lesson", "Wi-Fi", "Café", "e", "4711", "and")), max_size=9)
SOME_ARTICLES = st.lists(
    st.tuples(SOME_WORDS, st.lists(SOME_WORDS, min_size=1, max_size=3)), min_size=1, max_size=5
)


def written(articles) -> list[tuple[Article, list[Passage]]]:
    return [
        (
            an_article(f"KB{a}", title=" ".join(title)),
            [
                a_passage(
                    f"KB{a}#{n}", position=n, text=" ".join(text), embedded_text=" ".join([*title, *text])
                )
                for n, text in enumerate(texts)
            ],
        )
        for a, (title, texts) in enumerate(articles)
    ]


def scores(wanted: Iterable[str], texts: Mapping[str, str]) -> Mapping[str, float]:
    return dict(zip(texts, bm25(wanted, [terms(text) for text in texts.values()]), strict=True))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(articles=SOME_ARTICLES, wanted=SOME_WORDS)
@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
async def test_passages_and_articles_score_as_bm25_says(implementation, tmp_path_factory, articles, wanted):
    contents = written(articles)
    with knowledge_rig(implementation, tmp_path_factory.mktemp("kb")) as rig:
        rig.publish_passages(*((a, [(p, toward(0)) for p in passages]) for a, passages in contents))
        found = await found_by_id(rig, looking_for(" ".join(wanted)))

    by_passage = {p.id: p.embedded_text for _, passages in contents for p in passages}
    by_article = {a.id: " ".join([a.title, *(p.text for p in passages)]) for a, passages in contents}
    looked_for = set(terms(" ".join(wanted)))
    by_words = {one.passage.id: one.lexical for one in found.values()}
    by_all_words = {one.article_id: one.article_lexical for one in found.values()}
    assert by_words == pytest.approx(scores(looked_for, by_passage), abs=1e-6)
    assert by_all_words == pytest.approx(scores(looked_for, by_article), abs=1e-6)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(min_size=1), wanted=st.text())
@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
async def test_any_text_can_be_kept_and_looked_for(implementation, tmp_path_factory, text, wanted):
    with knowledge_rig(implementation, tmp_path_factory.mktemp("kb")) as rig:
        rig.publish_passages(holding(text), holding("other"), holding("another"))
        found = await found_by_id(rig, looking_for(wanted))

    if not set(terms(text)) & set(terms(wanted)):
        assert found["KB1#0"].lexical == 0.0


async def test_passages_in_other_languages_take_no_place_among_those_that_hold_the_words(rig):
    article = an_article("DE", locale="de")
    german = [(a_passage(f"DE#{n}", embedded_text=f"lesson {n}"), toward(n / 10)) for n in range(250)]
    rig.publish_passages((article, german), holding("a lesson, said in many other words", "EN"), *near(3))

    assert await worded_ids(rig, looking_for("lesson", limit=3)) == ["EN#0"]
