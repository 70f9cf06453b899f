"""What of a sentence only repeats the customer: "you wrote that 7 lessons are gone", "since your class starts in 5 hours, …".

Only there do the customer's own figures support anything: nobody gets a refund of 500 by asking for it.
"""

import re
from itertools import pairwise

from bot.core.quantities import folded

# Where another thought begins, which is no echo any more.
NEXT_THOUGHT = re.compile(
    r"[,;:\u2013\u2014]\s+|\s+(?=(?:so|therefore|then|which|and|but|we|i|asi que|entonces|pero|also|daher|dann|aber|wir|donc|alors|nous|mais"
    r"|entao|portanto|por isso)\s)",
    re.IGNORECASE,
)
SAID = re.compile(
    r"\b(?:you (?:have |just |also )?(?:wrote|write|said|say|mention(?:ed)?|asked|ask|told|describe[d]?|are asking|stated)|your (?:message|question)"
    r"|(?:escribes|escribio|escribiste|dices|dijiste|mencionas|mencionaste|preguntas|menciono|tu (?:mensaje|pregunta))"
    r"|(?:sie|du) (?:schreib\w*|schrieb\w*|sag\w*|erwahn\w*|frag\w*|haben geschrieben)|(?:ihre|deine) (?:nachricht|frage)"
    r"|vous (?:ecrivez|avez (?:ecrit|dit|mentionne|demande)|dites|mentionnez|demandez)|votre (?:message|question)"
    r"|voce (?:escreveu|disse|mencionou|perguntou)|sua (?:mensagem|pergunta))\b"
)
SUPPOSED = re.compile(
    r"[\s,;:\u2013\u2014]*(?:(?:and|but|so|then|also|y|und|et|e)\s+)?(?:if|when|since|because|as|given that|in case|si|cuando|como|ya que|puesto que|wenn|falls|da|weil"
    r"|quand|comme|puisque|lorsque|quando|ja que|caso|se (?:voce|quiser|for|houver|falt\w+|sua|seu|a sua|o seu))\b"
)


def without_echoes(sentence: str) -> str:
    """Return the thoughts of a sentence that are its own; a question has none."""
    return "" if re.search(r"\?[\"')\]*_]*$", sentence.strip()) else divided(sentence)[0]


def divided(sentence: str) -> tuple[str, str]:
    """Return the thoughts of a sentence that are its own, and those that repeat or suppose something."""
    parts = [0, *(match.start() for match in NEXT_THOUGHT.finditer(sentence)), len(sentence)]
    thoughts = [sentence[start:end] for start, end in pairwise(parts)]
    own = "".join(thought for thought in thoughts if not _is_echo(thought))
    return own.strip(" ,;:\u2013\u2014"), "".join(filter(_is_echo, thoughts)).strip()


def _is_echo(thought: str) -> bool:
    words = folded(thought)
    return bool(SAID.search(words) or SUPPOSED.match(words))
