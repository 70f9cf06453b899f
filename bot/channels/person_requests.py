"""What a press of the button for a person says, in the customer's language. Pure."""

from bot.core.replies import language_of

PERSON_REQUESTS = {
    "en": "I would like to talk to a person",
    "de": "Ich möchte mit einem Menschen sprechen",
    "es": "Quiero hablar con una persona",
    "fr": "Je voudrais parler à une personne",
    "pt": "Quero falar com uma pessoa",
}


def person_request(locale: str) -> str:
    """Return the request as a text of the customer's."""
    return PERSON_REQUESTS[language_of(locale)]
