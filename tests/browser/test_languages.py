"""Every language has the same sentences, with the same values to fill in."""

import re

import pytest

from bot.channels.widget.pages import FOLDER

pytestmark = pytest.mark.browser

PLACEHOLDER = re.compile(r"\{(\w+)\}")
FAMILIES = ("words", "rarely")
LANGUAGES = ("de", "es", "fr", "pt")
READ = "async ([family, language]) => (await import(`/widget/static/x/app/${family}-${language}.js`))[family]"
SPEAK = """async ([locale, sentence, values]) => {
  const { speak, fill } = await import("/widget/static/x/app/words.js");
  await speak(locale);
  return fill(sentence, values);
}"""


def flat(words: dict[str, object], prefix: str = "") -> dict[str, str]:
    """Return each sentence by its dotted name."""
    found: dict[str, str] = {}
    for name, value in words.items():
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: str(value)}
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("family", FAMILIES)
async def test_a_language_says_all_that_english_says(page, live_server, family, language):
    await page.goto(live_server)
    english, other = [flat(await page.evaluate(READ, [family, each])) for each in ("en", language)]

    assert other.keys() == english.keys()
    placeholders = {name: set(PLACEHOLDER.findall(text)) for name, text in english.items()}
    assert {name: set(PLACEHOLDER.findall(text)) for name, text in other.items()} == placeholders
    assert [name for name, text in other.items() if not text.strip()] == []


@pytest.mark.parametrize("family", FAMILIES)
async def test_every_sentence_is_said_somewhere(page, live_server, family):
    await page.goto(live_server)
    sentences = await page.evaluate(READ, [family, "en"])
    modules = [path for path in FOLDER.glob("app/*.js") if not path.stem.startswith(FAMILIES)]
    code = " ".join(path.read_text(encoding="utf-8") for path in [*modules, FOLDER / "app" / "words.js"])

    assert [name for name in sentences if not re.search(rf"\b{name}\b", code)] == []


@pytest.mark.parametrize(
    ("locale", "amount"),
    [
        ("en", "1,234"),
        ("de", "1.234"),
        ("pt-BR", "1.234"),
        ("ar", "1,234"),
    ],
)
async def test_amounts_are_written_as_the_locale_writes_them(page, live_server, locale, amount):
    await page.goto(live_server)

    assert await page.evaluate(SPEAK, [locale, "{count}", {"count": 1234}]) == amount


async def test_a_name_from_the_right_leaves_the_sentence_around_it_as_it_is(page, live_server):
    await page.goto(live_server)
    ruth = "\N{HEBREW LETTER RESH}\N{HEBREW LETTER VAV}\N{HEBREW LETTER TAV}"

    said = await page.evaluate(SPEAK, ["en", "{name} writes", {"name": ruth}])

    assert said == f"\N{FIRST STRONG ISOLATE}{ruth}\N{POP DIRECTIONAL ISOLATE} writes"
