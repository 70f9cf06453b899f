"""Sentences that promise a person, in five languages: only a handoff may make such a promise come true.

An article may describe what the team does; that is a quotation. A draft's own "I'll connect you" is not.
"""

import re

from bot.core.quantities import folded

PERSON = (
    r"(?:some(?:one|body)|(?:a|an|our|one of our|the|another)\s+(?:\w+\s+){0,3}?(?:agents?|colleagues?|persons?|people|humans?"
    r"|teams?|specialists?|experts?|representatives?|advis[eo]rs?|staff|support|operators?|members?|managers?)(?:\s+\w+){0,3}?"
    r"|customer (?:service|support|care)|support)"
)
WILL = r"(?:will|shall|is going to|are going to|'ll|can now|should)\s+(?:\w+\s+){0,2}?"
CONTACTS = (
    r"(?:contact|call|reach|get back|get in touch|reply|respond|answer|write|e?-?mail|message|follow up|be (?:with|in touch)"
    r"|help|assist|take (?:over|it from)|look into|review|join|handle|pick (?:this|it) up|investigate)"
)
BOT_DOES = (
    r"(?:i|we|let me|i'm|i am|we're|we are|i've|i have|we've|we have)\b\s*(?:\w+|'\w+)?\s*(?:\w+\s+){0,3}?"
)

HANDED_ON = r"(?:pass|forward|hand|escalat|refer|relay|assign|report)(?:e?d)?|sent"
ENGLISH_TOO = (
    rf"\b(?:i|we)(?:'ll|'ve|'m|'re| will| have| am| are| can)?\s+(?:\w+\s+){{0,2}}?(?:{HANDED_ON}|passing|forwarding|handing|sending|arrang\w+)\b"
    r".{0,40}?\b(?:team|agents?|colleagues?|person|human|people|specialists?|support|representatives?|staff|someone|call-?back)\b",
    r"\b(?:i|we)(?:'ll|'m|'re| will| am| are| can)? (?:now )?(?:transfer|connect|redirect)(?:ring|ing)? you\b",
    r"\bexpect (?:a|an) (?:call|reply|answer|response) from\b",
    r"\bwe(?:'ll| will| are going to) (?:\w+ )?(?:get back to|contact you|call you|reach out|be in touch|follow up|respond|reply)\b",
    rf"\b(?:has|have) been (?:{HANDED_ON}) (?:on )?to {PERSON}",
)
SPANISH_PERSON = r"(?:agentes?|persona|companer[oa]s?|equipo|especialistas?|humano|asesora?|representante|alguien|colega|operadora?)"
SPANISH = (
    r"\b(?:te|le|os|les) (?:conect|pon(?:go|dre|emos)|pas(?:o|are|amos)|transfier|transferi|comunic|derivar)\w*\b",
    rf"\b{SPANISH_PERSON}\b.{{0,30}}?\b(?:(?:te|le|se|os|les) (?:comunicar|pondra|contactar|llamar|responder|escribir|ayudar|atender)\w*"
    r"|(?:va|van|ira)\b.{0,15}?(?:ayudar|responder|contactar|llamar|atender|escribir)\w*|(?:respondera|contactara|llamara)n?\b)",
    rf"\b(?:he|hemos|voy a|vamos a|estoy)\s+(?:avis|reenvi|pas|envi|transf|notific|escal|deriv|remit|contact|conect|comunic|transm)\w*\b.{{0,40}}?\b{SPANISH_PERSON}",
    r"\b(?:voy|vamos) a (?:transferir|conectar|pasar|derivar|poner)(?:te|le|os|les)\b",
    r"\bnos pondremos en contacto|\b(?:te|le|os|les) (?:contactaremos|responderemos|llamaremos)\b",
)
GERMAN_PERSON = r"(?:mitarbeiter\w*|kolleg\w*|team|mensch(?:en)?|jemand\w*|support|berater\w*|experte\w*|spezialist\w*|kundenservice)"
GERMAN = (
    r"\b(?:ich|wir) (?:\w+ )?(?:verbinde|leite|ubergebe|vermittle|stelle)n?\b.{0,40}?\b(?:sie|dich|es|ihre?|deine?|das)\b",
    rf"\b{GERMAN_PERSON}\b.{{0,30}}?\b(?:meldet|melden|hilft|kummert|kontaktiert|antwortet|ruft|ubernimmt|schreibt|wird|werden)\b"
    r".{0,60}?\b(?:ihnen|dir|sich|sie|dich|darum|weiter|an|melden|kontaktieren|anrufen|antworten|helfen|kummern)\b",
    rf"\b(?:ich|wir)\b (?:\w+ )?(?:geben?|leiten?|haben?|schicken?|holen?|ubergeben?|informieren?|verstandigen?|werden?)\b.{{0,40}}?\b{GERMAN_PERSON}\b",
    rf"\bvon (?:einem|einer|unserem) {GERMAN_PERSON}.{{0,15}}?\b(?:kontaktiert|angerufen|betreut)\b",
    r"\bwir (?:melden|kummern|kontaktieren|antworten|rufen)\b",
)
FRENCH_PERSON = r"(?:conseill\w+|agents?|personne|equipe|collegues?|quelqu'un|specialistes?|humain\w*|operateur\w*|support)"
FRENCH = (
    r"\b(?:je|nous) (?:vous|te) (?:met|mets|mettons|mettrai|transf|passe|redirig|connect|orient)\w*\b",
    rf"\b{FRENCH_PERSON}\b.{{0,30}}?\b(?:(?:vous|te) (?:contact|rappel|appel|repond|ecri|recontact|aide)\w*|prendra contact|va (?:vous|te)\b)",
    rf"\b(?:j'ai|je|nous avons|nous) (?:transm|transf|envoy|prevenu|averti|signal|contact|inform|alert|pass)\w*\b.{{0,40}}?\b{FRENCH_PERSON}",
    r"\bnous (?:reviendrons|(?:vous|te) (?:contacterons|repondrons|rappellerons|recontacterons))\b",
)
PORTUGUESE_PERSON = (
    r"(?:atendentes?|pessoa|equip[ea]|colegas?|alguem|especialistas?|humano|agentes?|suporte|operador\w*)"
)
PORTUGUESE = (
    r"\b(?:vou|vamos|irei) (?:te |lhe |o |a )?(?:conectar|transferir|passar|encaminhar|direcionar)\w*\b",
    rf"\b{PORTUGUESE_PERSON}\b.{{0,40}}?\b(?:vai|vao|ira|entrara|respondera|ligara|contactara|ajudara)\b",
    rf"\b(?:encaminhei|enviei|avisei|passei|notifiquei|transferi|encaminhamos|estou|vou|irei|vamos)\b.{{0,50}}?\b{PORTUGUESE_PERSON}\b",
    r"\b(?:entraremos em conta(?:c)?to|retornaremos|responderemos)\b",
)

PROMISES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{PERSON}\s*(?:{WILL}){CONTACTS}\b",
        r"\b(?:connect|transfer|redirect|introduc|put|pass)(?:e|ing|ting|ring)?\s+you\b.{0,20}?\b(?:to|with|through|over|on)\b",
        r"\b(?:transfer|redirect|pass|hand|refer)(?:ing|ring)?\s+(?:this|it|that|your \w+|the \w+)\b.{0,20}?\b(?:to|over|on)\b"
        rf".{{0,30}}?\b{PERSON}",
        rf"\b{BOT_DOES}(?:forward|escalat|notif|alert|inform|ask|tell|flag|assign|rais|open|creat|hand|loop|bring|get)\w*\s.{{0,30}}?"
        r"\b(?:team|agents?|colleagues?|person|human|people|specialists?|support|representatives?|tickets?|staff|someone|somebody)\b",
        rf"\b(?:you will|you'll|you should|expect to)\s+(?:\w+\s+)?(?:hear(?: back)? from|be (?:contacted|called|connected|transferred)"
        rf"|(?:get|receive) (?:a|an) (?:call|reply|answer|e?-?mail|message|response) from)\s+{PERSON}?",
        r"\b(?:\w+ )?(?:agent|person|human|colleague|someone|somebody) (?:is|are) (?:on (?:the|their|his|her) way|coming|joining|taking over)",
        *ENGLISH_TOO,
        *SPANISH,
        *GERMAN,
        *FRENCH,
        *PORTUGUESE,
    )
)


def promises_person(text: str) -> bool:
    """Whether a text says that a person is coming, or that the bot fetches one."""
    words = " ".join(folded(text.replace("*", "")).split())
    return any(pattern.search(words) for pattern in PROMISES)
