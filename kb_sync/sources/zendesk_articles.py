"""An exported article to articles: one for each translation, and why something of it is none. Pure."""

import re
from collections.abc import Iterator, Mapping

from bot.core.languages import normal_locale
from bot.errors import InputRejected
from kb_sync.sources.fields import to_article
from kb_sync.sources.source import LeftOut, Problem, SourcedArticle
from kb_sync.sources.zendesk_pages import ExportedArticle, Translation

EVERGREEN = "evergreen"  # the label that exempts an article from ageing

_OWN_PATH = re.compile(r"""(\b(?:href|src)\s*=\s*["'])/(?!/)""", re.IGNORECASE)

Read = SourcedArticle | LeftOut | Problem


def articles_of(exported: ExportedArticle, sections: Mapping[int, str], *, address: str) -> Iterator[Read]:
    """Yield each translation as an article, in the order of their ids, or say why it is left out.

    Its id is the article's number, with the locale behind it (`360001.fr`) unless that is the one it was written in first.
    """
    if exported.is_restricted:
        yield _left_out(
            exported, "only some people may read it (user segment), and the bot answers everybody"
        )
        return
    if not exported.translations:
        yield _left_out(exported, "it has no text in any language")
        return
    for translation in sorted(exported.translations, key=lambda one: _id(exported, one)):
        yield _article(exported, translation, sections.get(exported.section_id or 0, ""), address)


def is_outdated(exported: ExportedArticle) -> bool:
    """Whether a translation that customers may read is marked as older than its original."""
    shown = () if exported.is_restricted else exported.translations or ()
    return any(one.outdated and not one.draft for one in shown)


def _article(exported: ExportedArticle, translation: Translation, section: str, address: str) -> Read:
    origin = f"article {exported.id} ({translation.locale})"
    if translation.hidden:
        return LeftOut(origin=origin, reason="this translation is hidden")
    labels = sorted(exported.label_names or ())
    fields = {
        "id": _id(exported, translation),
        "title": translation.title,
        "url": translation.html_url,
        "category": section,
        "tags": labels,
        "locale": translation.locale,
        "draft": translation.draft,
        "last_modified": _changed(exported, translation),
        "evergreen": EVERGREEN in (label.casefold() for label in labels),
    }
    html = _OWN_PATH.sub(rf"\1{address}/", translation.body or "")
    body = f"<article>{html}</article>"  # so that it is read as HTML also where it begins with plain words
    try:
        return SourcedArticle(article=to_article(fields, body), origin=origin)
    except InputRejected as exc:
        return Problem(origin=origin, problem=f"its {exc.field} {exc.problem}", remedy=exc.remedy)


def _id(exported: ExportedArticle, translation: Translation) -> str:
    locale = normal_locale(translation.locale)
    return str(exported.id) if locale == normal_locale(exported.source_locale) else f"{exported.id}.{locale}"


def _changed(exported: ExportedArticle, translation: Translation) -> str | None:
    """Return when the text was changed: `updated_at` of an article moves with its place, its votes and its labels too."""
    is_original = normal_locale(translation.locale) == normal_locale(exported.source_locale)
    moment = (exported.edited_at if is_original else None) or translation.updated_at
    return None if moment is None else moment.isoformat()


def _left_out(exported: ExportedArticle, reason: str) -> LeftOut:
    return LeftOut(origin=f"article {exported.id}", reason=reason)
