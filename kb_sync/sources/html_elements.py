"""Which angle brackets in a text open an element of HTML; all others, such as <port> in a command, are text and stay."""

import re
from html import escape, unescape

_UNSEEN_NAMES = """
    annotation annotation-xml applet area audio base canvas datalist embed frameset head iframe input link map meta meter
    noembed noframes noscript object optgroup option param progress script select source style svg template textarea
    title track video
"""
_BLOCK_NAMES = """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody td
    tfoot th thead tr ul
"""
_INLINE_NAMES = """
    a abbr acronym b bdi bdo big br button cite code col colgroup data del dfn em font frame i img ins kbd label mark
    math nobr output picture q rb rp rt rtc ruby s samp slot small span strike strong sub sup time tt u var wbr
"""
_VOID_NAMES = "area base br col embed hr img input link meta param source track wbr"

UNSEEN = frozenset(_UNSEEN_NAMES.split())  # what they hold is no text of the article
BLOCKS = frozenset(_BLOCK_NAMES.split())
_VOID = frozenset(_VOID_NAMES.split())  # these have no end
KNOWN = UNSEEN | BLOCKS | frozenset(_INLINE_NAMES.split())

_TAG = re.compile(
    r"""<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*)(?=[\s/>])(?P<rest>(?>[^<>"']+|"[^"]*"|'[^']*')*+)>"""
)
_HIDES = re.compile(r"\s(?:hidden|style\s*=)", re.IGNORECASE)
_DECLARATION = re.compile(r"<(?:![A-Za-z\[]|\?[A-Za-z])[^<>]*>")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_OPENS = re.compile("[<&]")


def holds_element(text: str) -> bool:
    """Return whether *text* holds a tag of HTML, or a declaration of it."""
    return any(_is_element(tag) for tag in _TAG.finditer(text)) or _DECLARATION.search(text) is not None


def begins_with_block(text: str) -> bool:
    """Return whether the first thing in *text* is an element that stands apart from what is around it."""
    tag = _TAG.match(text.lstrip())
    return tag is not None and tag["name"].lower() in BLOCKS


def depth_after(text: str, depth: int) -> int:
    """Return how many elements are open behind *text* when *depth* of them are before it."""
    for tag in _TAG.finditer(text):
        if _is_element(tag) and tag["name"].lower() not in _VOID:
            depth = max(depth - 1, 0) if tag["end"] else depth + 1
    return depth


def elements_only(text: str) -> str:
    """Return *text* as HTML in which every angle bracket and ampersand of the text is escaped."""
    text = _DECLARATION.sub("", _ENTITY.sub(lambda found: escape(unescape(found[0])), text))
    names = {tag["name"].lower() for tag in _TAG.finditer(text) if _is_element(tag)}
    pieces: list[str] = []
    at = 0
    for tag in _TAG.finditer(text):
        if _is_element(tag) or (tag["end"] and tag["name"].lower() in names):
            pieces += (_escaped(text[at : tag.start()]), tag[0])
            at = tag.end()
    return "".join((*pieces, _escaped(text[at:])))


def decoded(text: str) -> str:
    """Return *text*, which holds no element, with the signs that its entities stand for."""
    return literal(_ENTITY.sub(lambda found: unescape(found[0]), text)) if _ENTITY.search(text) else text


def literal(text: str) -> str:
    """Return *text* with a backslash before each sign that Markdown would read as HTML."""
    return _OPENS.sub(_as_literal, text)


def _as_literal(found: re.Match[str]) -> str:
    text, at = found.string, found.start()
    tag, entity = _TAG.match(text, at), _ENTITY.match(text, at)
    stands_for_itself = entity is None or unescape(entity[0]) == entity[0]
    if not (tag and _is_element(tag)) and not _DECLARATION.match(text, at) and stands_for_itself:
        return found[0]
    before = at
    while before and text[before - 1] == "\\":  # these would take the new one's meaning, so each is doubled
        before -= 1
    return "\\" * (at - before + 1) + found[0]


def _escaped(text: str) -> str:
    entities = (_ENTITY.split(text), _ENTITY.findall(text))
    escaped = [part.replace("&", "&amp;").replace("<", "&lt;") for part in entities[0]]
    return "".join(part for pair in zip(escaped, [*entities[1], ""], strict=True) for part in pair)


def _is_element(tag: re.Match[str]) -> bool:
    return tag["name"].lower() in KNOWN or _HIDES.search(tag["rest"]) is not None
