"""Negations and limiting words, in five languages: what makes "you can cancel" another statement than "you can't cancel".

Each is one of a few classes, so that "cannot", "not able to" and "impossible" are the same one. Texts are single clauses or sentences.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from bot.core.languages import language_in
from bot.core.number_words import in_digits
from bot.core.quantities import REMEMBERED


class Limit(StrEnum):
    """What limits a statement."""

    NOT = "not"
    ONLY = "only"
    EXCEPT = "except"
    ALWAYS = "always"
    BEFORE = "before"
    AFTER = "after"
    IF = "if"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The classes that a text states, and those that it also meets: "once you have paid" says what "after" does."""

    stated: frozenset[Limit]
    met: frozenset[Limit]

    @property
    def negated(self) -> bool:
        return Limit.NOT in self.stated


def _any(*forms: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(forms)})(?![\w-])")


# Set phrases that hold such a word and limit nothing, or another thing than the word by itself.
HARMLESS = _any(
    r"no (?:later|more|less|fewer|earlier|sooner) than", r"not (?:later|more|less|earlier) than", r"not (?:only|just)",
    r"no matter", r"(?:whether )?or not", r"(?:do not|don't|no need to) (?:worry|hesitate|forget)", r"no (?:worries|problem)",
    r"only (?:need|have|needs|has|takes?)", r"after (?:that|this|which)", r"before (?:that|this)", r"(?:as|what|even) if",
    r"if you (?:want|need|would|wish|prefer|like|have any|still)", r"if (?:necessary|needed|possible|prompted|asked|so|not)",
    r"no (?:solo|mas de|menos de|mas tarde de)", r"no (?:te|se) (?:preocupes?|olvides?)", r"no (?:dudes?|olvides?)(?: en)?", r"no obstante",
    r"despues de eso", r"si (?:quieres|quiere|necesitas|necesita|deseas|desea|prefieres)", r"si es necesario",
    r"nicht (?:nur|mehr als|weniger als|spater als|fruher als)", r"oder nicht", r"keine sorge", r"kein problem", r"nicht vergessen",
    r"wenn (?:sie|du) (?:mochten|wollen|wunschen|mochtest|willst)", r"bei bedarf",
    r"non seulement", r"pas (?:seulement|plus de|moins de|plus tard que)", r"n'(?:hesitez|oubliez) pas", r"ne vous inquietez pas",
    r"ou (?:pas|non)", r"apres cela", r"si (?:vous (?:voulez|souhaitez|preferez)|tu veux|besoin|necessaire)",
    r"nao (?:so|apenas|somente|mais (?:de|que)|menos de)", r"nao (?:se preocupe|hesite|se esqueca|deixe de)", r"ou nao", r"sem problemas?",
    r"depois disso", r"se (?:quiser|precisar|desejar|preferir|necessario)",
)  # fmt: skip
FREE_OF_CHARGE = _any(
    r"(?:no|without(?: an?y?)?|any) (?:extra |additional |further )?(?:costs?|charges?|fees?|payments?)", r"free(?: of charge)?",
    r"(?:not|never|\w+n't) (?:be )?charged", r"sin (?:ningun )?(?:costes?|costos?|cargos?|coste adicional|gastos?)",
    r"(?:ohne|keine) (?:zusatz)?(?:kosten|gebuhr(?:en)?|aufpreis)", r"sans (?:frais|supplement)", r"sem (?:custos?|taxas?)(?: adicional)?",
)  # fmt: skip
EXCEPT = _any(
    "unless", "except", "excluding", "apart from", "aside from", "other than", "with the exception",
    "salvo", "excepto", "a menos que", "a no ser que", "es sei denn", "ausser", "ausgenommen", "mit ausnahme",
    "sauf", "a moins", "excepte", "hormis", "a l'exception", "exceto", "a nao ser que", "com excecao",
)  # fmt: skip
ONLY = _any(
    "only", "solely", "exclusively", "solo", "solamente", "unicamente", "exclusivamente", "nur", "ausschliesslich",
    "lediglich", "seule?s?", "seulement", "uniquement", "exclusivement", "somente", "apenas", r"(?:ne |n')(?:y )?\w+ que",
)  # fmt: skip
NOT = _any(
    r"not", r"never", r"cannot", r"(?:can|won|don|doesn|didn|isn|aren|wasn|weren|shouldn|couldn|wouldn|mustn)'?t",
    r"none", r"nobody", r"nothing", r"neither", r"nor", r"nowhere", r"without", r"unable", r"impossible", r"unavailable",
    r"forbidden", r"prohibited", r"disallowed", r"ineligible", r"excluded", r"unsupported", r"non-?(?:refundable|transferable)\w*",
    r"nunca", r"jamas", r"ningun\w*", r"nada", r"nadie", r"ni", r"sin", r"imposible", r"tampoco", r"prohibid[oa]s?",
    r"nicht", r"kein\w*", r"nie", r"niemals", r"nichts", r"niemand", r"ohne", r"unmoglich", r"weder", r"verboten", r"untersagt",
    r"ne", r"pas", r"jamais", r"aucune?", r"rien", r"sans", r"interdite?s?", r"n'\w+",
    r"nao", r"nenhum\w*", r"ninguem", r"nem", r"sem", r"impossivel", r"proibid[oa]s?",
)  # fmt: skip
NO = _any("no", "non")
ALWAYS = _any(
    "always", "every time", "anytime", "(?:at )?any time", "in (?:all|any|every) cases?", "whatever happens", "unlimited", "forever",
    "siempre", "en cualquier momento", "en todos los casos", "ilimitad[oa]s?", "immer", "jederzeit", "in jedem fall", "unbegrenzt",
    "toujours", "a tout moment", "dans tous les cas", "illimitee?s?", "sempre", "a qualquer momento", "em todos os casos",
)  # fmt: skip
BEFORE = _any(
    "before", "prior to", "in advance", "ahead of", "beforehand", "until", "till", "at the latest", "up to",
    "antes", "hasta", "(?:con|de) antelacion", "a mas tardar", "bevor", "vor", "vorher", "bis", "im voraus", "spatestens",
    "avant", "jusqu'\\w+", "a l'avance", "au plus tard", "ate", "com antecedencia",
)  # fmt: skip
AFTER = _any("after", "nach", "nachdem", "despues", "tras", "apres", "depois", "apos")
MEETS_AFTER = _any(
    "once", "when", "as soon as", "following", "later", "then", "una vez", "cuando", "sobald", "wenn", "danach", "une fois", "des que",
    "quand", "lorsque", "ensuite", "uma vez", "assim que", "quando",
)  # fmt: skip
NO_LATER = _any("no(?:t)? later than", "no mas tarde de(?:l)?", "nicht spater als", "pas plus tard que")
# How far an amount goes is read with the amount.
UNTIL_AMOUNT = re.compile(
    r"(?<![\w-])(?:up to|until|till|bis(?: zu)?|hasta|jusqu'a|ate)(?: (?:the|las?|los|zum?|as))? ?(?=[$\u20ac\u00a3]?\d)"
)
# A condition at the end narrows what was said; one at the beginning is mostly the situation that the customer is in.
IF_BEHIND = re.compile(
    r"\w[^.!?]*?(?<![\w-])(?:if|provided(?: that)?|as long as|wenn|falls|sofern|siempre que|a condition|si)(?![\w-])"
)
MEETS_IF = _any(
    "if", "when", "since", "because", "as", "in case", "once", "provided", "as long as", "where", "wenn", "falls", "sofern", "da", "weil",
    "si", "cuando", "como", "porque", "siempre que", "quand", "comme", "puisque", "lorsque", "se", "quando", "caso", "desde que",
)  # fmt: skip
CLASSES: Mapping[Limit, re.Pattern[str]] = {
    Limit.EXCEPT: EXCEPT,
    Limit.ONLY: ONLY,
    Limit.NOT: NOT,
    Limit.ALWAYS: ALWAYS,
    Limit.BEFORE: BEFORE,
    Limit.AFTER: AFTER,
}
CLAUSE_END = re.compile(
    r"\s*[;\u2013\u2014]\s*|\s+-\s+|,\s+(?=(?:and|but|or|y|pero|sino|und|aber|sondern|oder|et|mais|e|mas|ou|so|however|while|whereas)\s)"
    r"|\s+(?=(?:but|however|whereas|pero|sino|aber|sondern|jedoch|cependant|porem)\s)"
)


@lru_cache(maxsize=REMEMBERED)
def limits_of(text: str) -> Limits:
    """Return what limits a clause or sentence."""
    words = " ".join(in_digits(text).split())
    stated = frozenset(_stated(_plain(words), language_in(words)))
    met = {Limit.AFTER} if MEETS_AFTER.search(words) else set[Limit]()
    met |= {Limit.IF} if MEETS_IF.search(words) else set()
    # "Not unless" and "only if" say the same.
    if {Limit.NOT, Limit.EXCEPT} <= stated:
        stated = stated - {Limit.NOT, Limit.EXCEPT} | {Limit.ONLY}
    return Limits(stated=stated, met=stated | met)


def clauses_of(sentence: str) -> tuple[str, ...]:
    """Split a sentence where another statement begins: "you can move it, but you can't cancel it" holds two."""
    return tuple(part for part in CLAUSE_END.split(sentence) if re.search(r"\w", part))


def _plain(words: str) -> str:
    words = UNTIL_AMOUNT.sub(" ", NO_LATER.sub("until ", words))
    return FREE_OF_CHARGE.sub(" ", HARMLESS.sub(" ", words))


def _stated(words: str, language: str | None) -> Iterator[Limit]:
    if re.search(r"(?<![\w-])so(?![\w-])", words) and language == "pt":
        yield Limit.ONLY
    if IF_BEHIND.match(words):
        yield Limit.IF
    # "No" is "in the" in Portuguese.
    if language != "pt" and NO.search(EXCEPT.sub(" ", words)):
        yield Limit.NOT
    for limit, pattern in CLASSES.items():
        if pattern.search(words):
            yield limit
        if limit in (Limit.EXCEPT, Limit.ONLY):
            # "A menos que" and "ne … que" hold words of other classes.
            words = pattern.sub(" ", words)
