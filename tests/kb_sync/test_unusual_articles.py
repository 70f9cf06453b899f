"""Articles as long, as bare or as foreign as they come are cut within the limits, or named as skipped (FAULTS R-K8)."""

import pytest

from bot.core.chunking import TokenLimit, has_text, passages_of
from bot.core.knowledge import Article
from kb_sync.reading import state_of
from kb_sync.sources.fields import to_article
from kb_sync.sources.source import Delivery, SourcedArticle

MEGABYTE = 1_000_000
MAX_CHARACTERS = 1_200
LIMIT = TokenLimit(tokens=256, count=lambda text: len(text) // 3 + 2)
LANGUAGES = """
    Ihre Rückerstattung dauert drei Tage. | Your refund takes three days. | Votre remboursement prend trois jours.
    | Su reembolso tarda tres días. | Il rimborso richiede tre giorni. | O reembolso demora três dias.
    | Uw terugbetaling duurt drie dagen. | Din återbetalning tar tre dagar. | Din refusjon tar tre dager.
    | Din refusion tager tre dage. | Palautus kestää kolme päivää. | Endurgreiðsla tekur þrjá daga.
    | Zwrot trwa trzy dni. | Vrácení peněz trvá tři dny. | Vrátenie peňazí trvá tri dni. | A visszatérítés három nap.
    | Rambursarea durează trei zile. | Възстановяването отнема три дни. | Povrat traje tri dana. | Повраћај траје три дана.
    | Vračilo traja tri dni. | Возврат занимает три дня. | Повернення триває три дні. | Η επιστροφή διαρκεί τρεις ημέρες.
    | Para iadesi üç gün sürer. | Tagasimakse võtab kolm päeva. | Atmaksa ilgst trīs dienas. | Grąžinimas trunka tris dienas.
    | Fógraíonn an t-aisíoc trí lá. | يستغرق رد الأموال ثلاثة أيام. | ההחזר אורך שלושה ימים. | بازپرداخت سه روز طول می‌کشد.
    | वापसी में तीन दिन लगते हैं। | ফেরত পেতে তিন দিন লাগে। | பணத்தைத் திரும்பப் பெற மூன்று நாட்கள் ஆகும்.
    | การคืนเงินใช้เวลาสามวัน | Việc hoàn tiền mất ba ngày. | Pengembalian dana memakan waktu tiga hari.
    | 退款需要三天。 | 返金には三日かかります。 | 환불은 사흘이 걸립니다. | Marejesho huchukua siku tatu.
    | თანხის დაბრუნებას სამი დღე სჭირდება. | Վերադարձը տևում է երեք օր։
""".replace("\n", " ").split(" | ")  # noqa: RUF001 - letters of other alphabets are meant


def read(body: str) -> Article:
    return to_article({"id": "KB1", "title": "Refunds"}, body)


def as_long_as(characters: int, text: str) -> str:
    return text * (characters // len(text) + 1)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(as_long_as(MEGABYTE // 10, "Open the calendar. "), id="one paragraph"),
        pytest.param(as_long_as(MEGABYTE // 10, "word"), id="one word"),
        pytest.param(as_long_as(MEGABYTE // 10, "Open the calendar.\n\n## Next\n\n"), id="sections"),
        pytest.param(
            "<p>" + as_long_as(MEGABYTE, "Open the <b>calendar</b> now and choose. ") + "</p>", id="HTML"
        ),
        pytest.param("| a | b |\n|---|---|\n" + as_long_as(MEGABYTE // 10, "| one | two |\n"), id="table"),
        pytest.param("* " + as_long_as(MEGABYTE // 10, "退款需要三天。"), id="without spaces"),
    ],
)
@pytest.mark.timeout(120)
def test_a_huge_article_is_cut_within_the_limits(body):
    passages = passages_of(read(body), LIMIT)

    assert len(passages) > 100
    assert max(len(one.text) for one in passages) <= MAX_CHARACTERS
    assert max(LIMIT.count(one.embedded_text) for one in passages) <= LIMIT.tokens


@pytest.mark.parametrize(
    "body",
    [
        "![](a.png)\n\n![](b.png)",
        '<p><img src="a.png"></p><figure><img src="b.png" alt=""></figure>',
        "<!-- to be written -->",
        "## To be written",
        '<div style="display:none">secret</div>',
        "<p>&nbsp;</p><p>&#8203;</p>",
        "",
    ],
    ids=["images", "HTML images", "comment", "heading", "hidden", "spaces", "nothing"],
)
def test_an_article_without_words_is_named_as_skipped(body):
    articles = [read(body), to_article({"id": "KB2", "title": "Rooms"}, "Open the calendar.")]

    state = state_of(
        Delivery(articles=tuple(SourcedArticle(article=one, origin=f"{one.id}.md") for one in articles)),
        name="x",
    )

    assert [(one.id, one.origin) for one in state.skipped] == [("KB1", "KB1.md")]


def test_images_with_a_description_are_an_article():
    article = read('![A red button](a.png)\n\n<img src="b.png" alt="A green one">')

    assert [one.text for one in passages_of(article, LIMIT)] == ["A red button\n\nA green one"]


@pytest.mark.parametrize(
    "body",
    [
        "```sh\n" + "sudo dmesg --follow | grep tty\n" * 500 + "```",
        "<pre>" + "line &lt;b&gt; of code\n" * 500 + "</pre>",
    ],
    ids=["Markdown", "HTML"],
)
def test_an_article_of_code_alone_is_cut_between_lines_in_fences(body):
    passages = passages_of(read(body), LIMIT)

    assert len(passages) > 5
    assert all(one.text.startswith("```") and one.text.endswith("```") for one in passages)
    assert max(len(one.text) for one in passages) <= MAX_CHARACTERS


def test_an_article_in_forty_languages_loses_none_of_them():
    article = read("\n\n".join(f"<p>{text.strip()}</p>" for text in LANGUAGES))

    passages = passages_of(article, LIMIT)

    assert len(LANGUAGES) >= 40
    assert has_text(article)
    assert [text for text in LANGUAGES if not any(text.strip() in one.text for one in passages)] == []
    assert max(LIMIT.count(one.embedded_text) for one in passages) <= LIMIT.tokens
