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
        # Spanish
        r"\b(?:te|le|os|les) (?:conect|pon(?:go|dre|emos)|pas(?:o|are|amos)|transfier|transferi|comunic|derivar)\w*\b.{0,40}",
        r"\b(?:un|una|nuestro|nuestra|alguien)\b.{0,40}?\b(?:(?:te|le|se) (?:contactar|llamar|responder|escribir|ayudar|atender"
        r"|pondra en contacto)\w*|se pondra en contacto)",
        # German
        r"\b(?:verbinde|leite|ubergebe|vermittle|stelle)\b.{0,20}?\b(?:sie|dich|es|ihre?|deine?|das)\b.{0,60}",
        r"\b(?:jemand|ein(?:e|er|en)?|unser(?:e|em|er)?)\b.{0,40}?\b(?:wird|werden|meldet|melden)\b.{0,60}?\b(?:melden|kontaktieren"
        r"|anrufen|antworten|helfen|bei (?:ihnen|dir)|kummern)",
        # French
        r"\b(?:je|nous) (?:vous|te) (?:met|mets|mettons|mettrai|transf|passe|redirig|connect|orient)\w*\b.{0,60}",
        r"\b(?:un|une|notre|quelqu'un)\b.{0,40}?\b(?:vous|te) (?:contacter|rappeler|appeler|repondr|ecrir|recontacter|aider)\w*",
        # Portuguese
        r"\b(?:vou|vamos|irei) (?:te |lhe |o |a )?(?:conectar|transferir|passar|encaminhar|direcionar)\w*\b.{0,60}",
        r"\b(?:um|uma|nosso|nossa|alguem)\b.{0,40}?\b(?:vai|ira|entrara em contato|entrara em contacto|respondera|ligara|contactara)\b"
        r".{0,30}",
    )
)


def promises_person(text: str) -> bool:
    """Whether a text says that a person is coming, or that the bot fetches one."""
    words = " ".join(folded(text.replace("*", "")).split())
    return any(pattern.search(words) for pattern in PROMISES)
