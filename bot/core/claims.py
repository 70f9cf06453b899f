"""Words of what a company owes, grants or asks for, in five languages: none may be in an answer whose sources have none of its kind.

They are to policies what digits are to prices: small, and expensive when wrong.
"""

import re
from functools import lru_cache

from bot.core.quantities import REMEMBERED, folded

_FORMS = {
    "no charge": r"free|gratis|gratuit\w*|kostenlos\w*|kostenfrei\w*|umsonst|gratuita\w*"
    r"|(?:no|without(?: an?y?)?) (?:\w+ )?(?:costs?|charges?|fees?|payment)|(?:not|\w+n't|never) (?:be )?charged"
    r"|sin (?:coste|costo|cargo)s?|ohne (?:kosten|gebuhr\w*)|keine (?:kosten|gebuhr\w*)|sans frais|sem (?:custo|taxa)s?",
    "refund": r"refund\w*|money back|reimburs\w*|repay\w*|reembols\w*|devolucion\w*|devolv\w*|(?:ruck)?erstatt\w*|geld zuruck|rembours\w*"
    r"|returned|paid back|estorn\w*",
    "compensation": r"compensat\w*|indemni[sz]\w*|goodwill|compensacion|indemnizacion|entschadig\w*|schadenersatz|dedommag\w*|compensacao",
    "discount": r"discount\w*|coupons?|vouchers?|promo(?: ?codes?)?|rebates?|descuento\w*|cupon\w*|rabatt\w*|gutschein\w*|reduction"
    r"|remise|bon d'achat|descontos?|cupom|cupons",
    "gift": r"gifts?|prizes?|bonus\w*|rewards?|regalos?|premios?|geschenk\w*|cadeaux?|presentes?",
    "guarantee": r"guarant\w*|warrant\w*|assured|garant\w*|gewahrleist\w*",
    "without end": r"unlimited|lifetime|forever|ilimitad\w*|unbegrenzt\w*|illimit\w*|a vie|de por vida|vitalici\w*|lebenslang\w*",
    "rank": r"premium|vip|upgrad\w*|administrators?|admin|root|superuser|developer mode|administrador\w*|administrateur\w*|entwicklermodus",
    "secret": r"passwords?|passcodes?|pin(?: code)?|cvv|cvc|card number|iban|ssn|social security|one-?time code|verification code|api keys?"
    r"|contrasenas?|clave|numero de (?:la )?tarjeta|passwort\w*|kennwort\w*|kartennummer|mot de passe|numero de (?:la )?carte"
    r"|senhas?|numero do cartao",
    "law": r"lawsuit|liable|liability|sue|legal action|demanda judicial|haftung|haftbar|klage|responsabilidad legal|poursuites",
    "crypto": r"bitcoins?|crypto\w*|wallet|kryptowahrung\w*|criptomoneda\w*|criptomoeda\w*",
    "danger": r"hacked|suspended|blocked|compromised|hackead\w*|gehackt|gesperrt|pirate|suspendu\w*|bloquead\w*|suspens\w*",
    "instructions": r"system prompt|instructions?|jailbr\w*|guardrails?|language model|prompt|dan mode|unrestricted"
    r"|instrucciones|anweisung(?:en)?|instrucoes",
}
CLAIMS = {kind: re.compile(rf"(?<!\w)(?:{forms})(?!\w)") for kind, forms in _FORMS.items()}
# "Feel free" and "a free slot" grant nothing.
OTHERWISE = re.compile(r"feel free|free (?:time|slots?|places?|spots?|seats?|up)\b|presentes? (?:em|no|na)\b")


@lru_cache(maxsize=REMEMBERED)
def claims_in(text: str) -> frozenset[str]:
    """Return the kinds of claims that a text makes."""
    words = OTHERWISE.sub(" ", " ".join(folded(text).split()))
    return frozenset(kind for kind, pattern in CLAIMS.items() if pattern.search(words))
