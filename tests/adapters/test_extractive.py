"""Answers in the articles' own words: the right section, whole steps, and the right one of two rivals."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.extractive import ExtractiveAnswerer
from bot.adapters.prompt_files import load_replies, load_rules
from bot.core.conversation import Role, Source
from bot.core.grounding import Grounded, draft_gate, question_gate
from bot.core.knowledge import ArticleId, PassageId
from bot.core.prompt import Abstained, AnswerRequest, Asked, Block, Evidence, Finished, Stop
from tests.builders import a_bot_message, a_found_passage, a_message, a_passage, a_ranked_passage

PROMPTS = Path(__file__).parents[2] / "prompts"
REPLIES = load_replies(PROMPTS)
ANSWERER = ExtractiveAnswerer(REPLIES, load_rules(PROMPTS))
GENERAL, LATE, EARLY = (
    "How to Reschedule a Lesson",
    "Rescheduling With Less Than 24 Hours Notice",
    "Rescheduling Early",
)
STEPS = "Open your lessons and move the lesson for free.\n\n1. Open **My lessons**.\n2. Click **Reschedule**."
ASKING_STEPS = (
    "Only your tutor can agree to this.\n\n1. Open **My lessons**.\n2. Click **Ask for a new time**."
)
QUESTION = "How do I reschedule a class?"
IS_IT_LESS = "Is it less than 24 hours before your lesson?"


def ranked(text, *, title=GENERAL, position=0, headings=(), rival=True):
    passage = a_passage(
        text,
        id=PassageId(f"{title}#{position}"),
        article_id=ArticleId(title),
        position=position,
        headings=headings,
    )
    return a_ranked_passage(found=a_found_passage(passage=passage, title=title), rival=rival)


BOTH = (ranked(STEPS), ranked(ASKING_STEPS, title=LATE))


async def drafted(*passages, question=QUESTION, history=(), locale="en"):
    """Return the draft, after checking that the answer gate passes it."""
    evidence = Evidence(passages=passages)
    request = AnswerRequest(question=question, evidence=evidence, history=tuple(history), locale=locale)
    draft = [piece async for piece in ANSWERER.draft(request)]
    if isinstance(end := draft[-1], Asked):
        assert question_gate(end, evidence, [question]) == Grounded()
    elif isinstance(end, Finished):
        assert draft_gate(draft[:-1], evidence, [question]) == Grounded()
    return draft


def quoted(draft):
    """Return the articles that a draft cites, and the Markdown of its quotations."""
    blocks = [piece for piece in draft if isinstance(piece, Block)]
    articles = {citation.passage.partition("#")[0] for block in blocks for citation in block.citations}
    return articles, "\n\n".join(block.text for block in blocks if block.citations)


def after(question):
    """Return the history in which the bot answered and asked *question*."""
    return (a_message(QUESTION, seq=1), a_bot_message(f"1. Open **My lessons**.\n\n{question}", seq=2))


async def test_an_answer_names_the_article_and_quotes_it_whole():
    intro, *blocks, end = await drafted(ranked(STEPS, rival=False))

    assert intro == Block(text=REPLIES.text("quote_intro", "en", title=GENERAL), fixed=True)
    assert "\n\n".join(block.text for block in blocks) == STEPS
    assert [block.citations[0].quote for block in blocks] == [
        "Open your lessons and move the lesson for free.",
        "1. Open **My lessons**.",
    ]
    assert end == Finished(stop=Stop.COMPLETE)


@pytest.mark.parametrize("locale", ["es", "de", "fr", "pt-BR", "xx"])
async def test_fixed_sentences_are_in_the_customers_language(locale):
    draft = await drafted(*BOTH, locale=locale)

    assert draft[0].text == REPLIES.text("quote_intro", locale, title=GENERAL)
    assert draft[-1].options[0] == REPLIES.text(
        "condition_less", locale, limit=REPLIES.text("amount_hours", locale, number="24")
    )


async def test_an_article_and_its_exception_end_in_a_question():
    draft = await drafted(*reversed(BOTH))

    assert quoted(draft)[0] == {GENERAL}
    assert draft[-2] == Block(
        text=REPLIES.text("exception_less", "en", limit="24 hours", title=LATE), fixed=True
    )
    assert draft[-1] == Finished(stop=Stop.COMPLETE, options=("Less than 24 hours", "More than 24 hours"))


@pytest.mark.parametrize(
    ("reply", "article"),
    [
        ("yes", LATE),
        ("no", GENERAL),
        ("less", LATE),
        ("more than a day", GENERAL),
        ("no its more than 24 hours", GENERAL),
        ("yeah less than a day", LATE),
        ("nope", GENERAL),
        ("yep", LATE),
        ("more", GENERAL),
        ("it's in 3 hours", LATE),
        ("within 24 hours", LATE),
        ("no, more than that", GENERAL),
        ("yes it is", LATE),
        ("over 24h away", GENERAL),
        ("next week", GENERAL),
        ("Less than 24 hours", LATE),
        ("More than 24 hours", GENERAL),
    ],
)
@pytest.mark.parametrize("passages", [BOTH, BOTH[::-1]], ids=["general first", "exception first"])
async def test_a_bare_reply_picks_the_article(reply, article, passages):
    asked = REPLIES.text("exception_less", "en", limit="24 hours", title=LATE)

    for question in (IS_IT_LESS, asked):
        draft = await drafted(*passages, question=reply, history=after(question))

        assert quoted(draft)[0] == {article}
        assert draft[-1] == Finished(stop=Stop.COMPLETE)


@pytest.mark.parametrize(("reply", "article"), [("no", LATE), ("yes", GENERAL), ("nope, in 3 hours", LATE)])
async def test_the_question_may_be_about_the_other_side(reply, article):
    draft = await drafted(
        *BOTH, question=reply, history=after("Is it more than 24 hours before your lesson?")
    )

    assert quoted(draft)[0] == {article}


async def test_a_condition_in_the_first_message_is_not_asked_about():
    draft = await drafted(*BOTH, question="My lesson is in 3 hours, how can I move it?")

    assert quoted(draft)[0] == {LATE}
    assert draft[-1] == Finished(stop=Stop.COMPLETE)


async def test_a_condition_stated_earlier_still_holds():
    history = (*after(IS_IT_LESS), a_message("yes", seq=3), a_bot_message("Ask your tutor.", seq=4))

    assert quoted(await drafted(*BOTH, question="where is that button?", history=history))[0] == {LATE}


async def test_a_message_that_the_history_holds_too_is_read_once():
    history = (*after(IS_IT_LESS), a_message("no", seq=3))

    assert quoted(await drafted(*BOTH, question="no", history=history))[0] == {GENERAL}


async def test_an_open_reply_is_asked_again():
    draft = await drafted(*BOTH, question="its tomorrow", history=after(IS_IT_LESS))

    assert draft[-1].options == ("Less than 24 hours", "More than 24 hours")


async def test_two_exceptions_without_a_general_article_are_asked_about():
    early = ranked(STEPS, title="Rescheduling More Than 24 Hours Before")

    draft = await drafted(early, BOTH[1])

    assert [type(piece) for piece in draft] == [Asked]
    assert draft[0].options == ("More than 24 hours", "Less than 24 hours")
    assert {c.passage for c in draft[0].citations} == {early.found.passage.id, BOTH[1].found.passage.id}
    reply = await drafted(early, BOTH[1], question="less", history=after(draft[0].text))
    assert quoted(reply)[0] == {LATE}


async def test_a_rival_without_words_is_still_asked_about():
    early = ranked("![x](x.png)", title="Rescheduling More Than 24 Hours Before")

    draft = await drafted(early, BOTH[1])

    assert {citation.passage for citation in draft[0].citations} == {BOTH[1].found.passage.id}


async def test_different_limits_are_offered_as_they_are():
    draft = await drafted(ranked(STEPS, title="Rescheduling More Than 3 Days Before"), BOTH[1])

    assert draft == [
        Asked(text=REPLIES.text("which_applies", "en"), options=("More than 3 days", "Less than 24 hours"),
              citations=draft[0].citations)
    ]  # fmt: skip


async def test_one_day_is_named_in_hours():
    draft = await drafted(BOTH[0], ranked(ASKING_STEPS, title="Rescheduling With Less Than a Day to Go"))

    assert draft[-1].options == ("Less than 24 hours", "More than 24 hours")


async def test_the_section_that_fits_the_condition_is_quoted():
    early = ranked("Move it yourself.", position=1, headings=("More than 24 hours before",), rival=False)
    late = ranked("Ask your tutor.", position=2, headings=("Less than 24 hours before",), rival=False)

    draft = await drafted(early, late, question="less", history=after(IS_IT_LESS))

    assert quoted(draft)[1] == "**Less than 24 hours before**\n\nAsk your tutor."


async def test_what_an_agent_wrote_is_no_statement_of_the_customer():
    history = (*after(IS_IT_LESS), a_message("I say less than 24 hours", seq=3, role=Role.AGENT))

    assert quoted(await drafted(*BOTH, question="no", history=history))[0] == {GENERAL}


async def test_an_articles_lead_says_what_it_applies_to():
    lead = "This is for a lesson that starts in more than 24 hours."
    general = ranked(f"{lead}\n\n{STEPS}", title=EARLY)

    assert quoted(await drafted(BOTH[1], general, question="no", history=after(IS_IT_LESS)))[0] == {EARLY}


async def test_an_article_on_something_else_is_no_rival():
    cancelling = ranked("Cancel it.", title="Cancelling a Lesson With Less Than 24 Hours Notice")

    draft = await drafted(BOTH[0], cancelling)

    assert quoted(draft)[0] == {GENERAL}
    assert draft[-1].options == ()


async def test_a_distant_article_is_not_asked_about_but_serves_who_states_its_condition():
    distant = ranked(ASKING_STEPS, title=LATE, rival=False)

    assert (await drafted(BOTH[0], distant))[-1].options == ()
    assert quoted(await drafted(BOTH[0], distant, question="less", history=after(IS_IT_LESS)))[0] == {LATE}


async def test_a_reply_is_read_against_the_article_that_the_bot_showed():
    source = Source(id=GENERAL, title=GENERAL, url="")
    history = (a_message(QUESTION), a_bot_message(IS_IT_LESS, seq=2, sources=(source,)))
    refunds = ranked("Refunds take days.", title="Requesting a Refund")

    assert quoted(await drafted(refunds, *BOTH, question="yes", history=history))[0] == {LATE}


async def test_steps_that_were_cut_between_passages_are_one_list():
    first = ranked("Do this:\n\n1. Open it.\n1. Choose it.", position=1, headings=("Steps",), rival=False)
    second = ranked("1. Choose it.\n1. Confirm it.\n\nDone.", position=2, headings=("Steps",), rival=False)

    for passages in ((first, second), (second, first)):
        _, text = quoted(await drafted(*passages))

        assert text == "**Steps**\n\nDo this:\n\n1. Open it.\n1. Choose it.\n1. Confirm it.\n\nDone."


async def test_a_short_opening_goes_on_to_the_steps():
    opening = ranked("Moving a lesson is free.", rival=False)
    steps = ranked("1. Open it.\n2. Move it.", position=1, headings=("Steps",), rival=False)

    assert (
        quoted(await drafted(opening, steps))[1]
        == "Moving a lesson is free.\n\n**Steps**\n\n1. Open it.\n2. Move it."
    )


async def test_navigation_images_and_jumps_are_left_out():
    text = (
        "In this article:\n\n- [Steps](#steps)\n\nSee also: [Other](https://help.example/2)\n\n"
        "1. Open it.\n\n    ![A button](img/button.png)\n\n    It is green.\n2. Move it.\n\n<!-- note -->"
    )

    assert quoted(await drafted(ranked(text, rival=False)))[1] == "1. Open it.\n    It is green.\n2. Move it."


async def test_a_long_list_is_cut_between_steps_and_says_so():
    steps = [
        f"{n}. Choose **entry {n}** and then wait until the page has told you to go on." for n in range(1, 30)
    ]
    draft = await drafted(ranked("\n".join(steps), rival=False))

    _, text = quoted(draft)
    assert text.splitlines() == steps[: len(text.splitlines())]
    assert 1_000 < len(text) <= 1_200
    assert Block(text=REPLIES.text("read_more", "en"), fixed=True) in draft


async def test_an_announcement_without_its_steps_is_left_out():
    draft = await drafted(ranked("Moving is free.\n\nFollow these steps:", rival=False))

    assert quoted(draft)[1] == "Moving is free."
    assert Block(text=REPLIES.text("read_more", "en"), fixed=True) in draft


async def test_without_anything_to_quote_it_says_so():
    assert isinstance((await drafted())[0], Abstained)
    assert isinstance((await drafted(ranked("![x](x.png)")))[0], Abstained)


@given(
    st.lists(st.tuples(st.sampled_from([GENERAL, LATE, EARLY]), st.text(max_size=200)), min_size=1), st.text()
)
def test_any_evidence_gives_a_grounded_draft_that_ends_once(texts, question):
    passages = [ranked(text, title=title, position=at) for at, (title, text) in enumerate(texts)]
    coroutine = drafted(*passages, question=question)

    with pytest.raises(StopIteration) as stopped:
        coroutine.send(None)

    ends = [piece for piece in stopped.value.value if not isinstance(piece, Block)]
    assert len(ends) == 1


@pytest.mark.parametrize("question", ["How do I reschedule a class?", "wie kann ich eine Stunde verschieben"])
async def test_who_asks_for_a_way_gets_the_steps_and_not_the_nearest_remark(question):
    remark = ranked("You can also ask your tutor to open another slot.", position=4, rival=False)
    steps = ranked("1. Open it.\n2. Move it.", position=1, headings=("Steps",), rival=False)

    assert (
        quoted(await drafted(remark, steps, question=question))[1] == "**Steps**\n\n1. Open it.\n2. Move it."
    )


async def test_who_asks_for_a_fact_gets_the_nearest_passage():
    remark = ranked("Your tutor can open another slot.", position=4, rival=False)
    steps = ranked("1. Open it.\n2. Move it.", position=1, headings=("Steps",), rival=False)

    text = quoted(await drafted(remark, steps, question="can my tutor open another slot"))[1]

    assert text.startswith("Your tutor can open another slot.")
