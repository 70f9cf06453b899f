"""The elements of HTML by what becomes of them in Markdown."""

_UNSEEN_NAMES = """
    audio canvas embed form head iframe math noscript object script select style svg template textarea title video
"""
_BLOCK_NAMES = """
    address article aside blockquote body center details dd div dl dt fieldset figcaption figure footer header html main
    nav p section summary
"""
_INLINE_NAMES = """
    abbr acronym area b base bdi bdo big button caption cite col colgroup data del dfn em font i input ins kbd label link
    mark meta nobr param picture q ruby rb rp rt s samp small source span strike strong sub sup tbody tfoot thead time
    track tt u var wbr
"""
_HANDLED_NAMES = "a code img li ol table td th tr ul"
_VOID_NAMES = "area base br col embed hr img input link meta param source track wbr"

UNSEEN = frozenset(_UNSEEN_NAMES.split())  # what they hold is no text of the article
AROUND = {
    **dict.fromkeys(_BLOCK_NAMES.split(), ("\n\n", "\n\n")),
    **{f"h{level}": (f"\n\n{'#' * level} ", "\n\n") for level in range(1, 7)},
    "br": ("\n", ""),
    "hr": ("\n\n---\n\n", ""),
    "pre": ("\n\n```\n", "\n```\n\n"),
}  # the Markdown before and after what they hold
VOID = frozenset(_VOID_NAMES.split())  # these have no end
KNOWN = UNSEEN | AROUND.keys() | frozenset(_INLINE_NAMES.split()) | frozenset(_HANDLED_NAMES.split())
