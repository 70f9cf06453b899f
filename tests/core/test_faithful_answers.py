"""Answers as a careful model writes them, each from one article of the sample: the gate must not stand in their way."""

from pathlib import Path

import pytest

from bot.core.grounding import Grounded, House, answer_gate
from bot.core.knowledge import PassageId
from bot.core.prompt import Block, Citation, Evidence
from tests.builders import a_found_passage, a_passage, a_ranked_passage

ARTICLES = Path(__file__).parents[2] / "kb_sync" / "sample" / "articles"
# The article, the customer's language and words, what is quoted, and how it is put.
ANSWERS = [
    (
        2,
        "en",
        "How do I contact you?",
        "During [opening hours](/articles/KB000001) a person usually replies in about 5 minutes.",
        "In the chat, a reply usually takes about 5 minutes during opening hours.",
    ),
    (
        2,
        "en",
        "How do I contact you?",
        "Write to support@parlato.example from the email address of your account.",
        "You can email support@parlato.example from your account's email address.",
    ),
    (
        2,
        "en",
        "How do I contact you?",
        "We answer within 1 working day.",
        "Emails are answered within 1 working day.",
    ),
    (
        2,
        "en",
        "Do you need my password?",
        "Please never send us your password or your full card number.",
        "Never send us your password or full card number.",
    ),
    (
        5,
        "en",
        "What do I get back, class in 6 hours?",
        "between 24 hours and 4 hours before the start | 50 % of the lesson price",
        "Between 24 hours and 4 hours before the start you get back 50% of the lesson price.",
    ),
    (
        5,
        "en",
        "what if i cancel 2 hours before",
        "less than 4 hours before the start | nothing",
        "If you cancel less than 4 hours before the start, you get nothing back.",
    ),
    (
        5,
        "en",
        "what if i cancel 2 hours before",
        "less than 4 hours before the start | nothing",
        "You get no credits back if you cancel less than 4 hours before the start.",
    ),
    (
        5,
        "en",
        "I was ill",
        "Send us a note from a doctor or a similar proof by email within 3 days of the lesson.",
        "If you were ill, email us a doctor's note or similar proof within 3 days of the lesson.",
    ),
    (
        5,
        "en",
        "I was ill",
        "We return all credits, at most twice in a calendar year.",
        "We then return all credits, at most twice in a calendar year.",
    ),
    (
        5,
        "en",
        "I was ill",
        "We return all credits, at most twice in a calendar year.",
        "All credits are returned, up to two times in a calendar year.",
    ),
    (
        8,
        "en",
        "My tutor cancelled",
        "All credits go back to your wallet at once, however short the notice.",
        "When your tutor cancels, all credits go back to your wallet at once, however short the notice was.",
    ),
    (
        8,
        "en",
        "My tutor cancelled",
        "If the tutor cancelled less than 24 hours before the class, 5 bonus credits are added.",
        "You also get 5 bonus credits if the tutor cancelled less than 24 hours before the class.",
    ),
    (
        8,
        "en",
        "My tutor proposes a new time",
        "You have 12 hours to answer, but at the latest until the original start.",
        "You have 12 hours to reply, and at the latest until the original start.",
    ),
    (
        8,
        "en",
        "My tutor proposes a new time",
        "If you decline or do not answer, the lesson is cancelled and all credits come back.",
        "If you decline or don't answer, the lesson is cancelled and you get all credits back.",
    ),
    (
        8,
        "en",
        "does it count?",
        "A change proposed by your tutor does not count towards your own limit of 2 reschedules.",
        "No, a change your tutor proposes doesn't count towards your limit of 2 reschedules.",
    ),
    (
        11,
        "en",
        "where is my refund?",
        "As a rule the money goes back to the payment method that you used for the purchase.",
        "Your refund goes back to the payment method you used for the purchase.",
    ),
    (
        11,
        "en",
        "my card has expired",
        "Nothing needs to be done in most cases: the bank forwards the money to your new card.",
        "In most cases you don't need to do anything: your bank forwards the money to your new card.",
    ),
    (
        11,
        "en",
        "can you pay to my friend",
        "We cannot send a refund to another person's card or account.",
        "A refund can't be sent to someone else's card or account.",
    ),
    (
        11,
        "en",
        "gift card",
        "Credits from a gift card, a promo code or a referral can go back only to your Parlato wallet.",
        "Credits from a gift card can only go back to your Parlato wallet.",
    ),
    (11, "en", "gift card", "They are never paid out as money.", "They can't be paid out as money."),
    (
        14,
        "en",
        "Can I pay with PayPal?",
        "PayPal | yes | yes | yes",
        "Yes, PayPal is accepted for credits, subscriptions and gift cards.",
    ),
    (
        14,
        "en",
        "fee?",
        "There is no extra fee for any method.",
        "There's no extra fee for any payment method.",
    ),
    (14, "en", "fee?", "There is no extra fee for any method.", "No payment method costs extra."),
    (
        14,
        "en",
        "cash?",
        "We do not take cash, cheques, bank transfers or cryptocurrency.",
        "No, cash, cheques, bank transfers and cryptocurrency aren't accepted.",
    ),
    (
        14,
        "en",
        "how long",
        "With SEPA direct debit the credits appear after 2 working days; with all other methods at once.",
        "With SEPA direct debit, credits appear after 2 working days.",
    ),
    (
        17,
        "en",
        "change currency?",
        "You can change it once every 30 days.",
        "You can change your currency once every 30 days.",
    ),
    (
        17,
        "en",
        "change currency?",
        "Open **Settings > Payments > Currency**.",
        "To change your currency, open **Settings > Payments > Currency**.",
    ),
    (
        17,
        "en",
        "change currency?",
        "1. Open **Settings > Payments > Currency**.\n2. Choose the new currency.\n3. Click **Save**.",
        "1. Open **Settings > Payments > Currency**.\n2. Choose the new currency.\n3. Click **Save**.",
    ),
    (
        17,
        "en",
        "subscription",
        "A running subscription keeps its currency until the next renewal.",
        "Your current subscription keeps its currency until it next renews.",
    ),
    (
        20,
        "en",
        "price?",
        "100 credits | 100 EUR | 3",
        "100 credits cost 100 EUR and come with 3 bonus credits.",
    ),
    (
        20,
        "en",
        "expire?",
        "Bonus credits are valid for 60 days, bought credits for 12 months",
        "Bonus credits are valid for 60 days and bought credits for 12 months.",
    ),
    (23, "en", "delete account", "Deleting is final after 14 days.", "Deletion becomes final after 14 days."),
    (
        23,
        "en",
        "delete account",
        "Sign in during that time to bring it back.",
        "You can sign in during those 14 days to bring your account back.",
    ),
    (
        23,
        "en",
        "delete account",
        "For 14 days the account is only hidden.",
        "Your account is only hidden for 14 days.",
    ),
    (
        23,
        "en",
        "invoices?",
        "Invoices are kept for 6 years, as Spanish law asks.",
        "We keep invoices for 6 years, as required by Spanish law.",
    ),
    (
        23,
        "es",
        "¿Cómo puedo borrar mi cuenta?",
        "Open **Settings > Account**.",
        "Abre **Settings > Account**.",
    ),
    (
        23,
        "es",
        "¿Cómo puedo borrar mi cuenta?",
        "For 14 days the account is only hidden.",
        "Durante 14 días la cuenta solo está oculta.",
    ),
    (
        23,
        "de",
        "Wie kann ich mein Konto löschen?",
        "Deleting is final after 14 days.",
        "Das Löschen ist nach 14 Tagen endgültig.",
    ),
    (
        11,
        "de",
        "Mein Geld?",
        "We cannot send a refund to another person's card or account.",
        "Wir können eine Erstattung nicht auf die Karte einer anderen Person senden.",
    ),
    (
        5,
        "fr",
        "Annulation d'une leçon ?",
        "less than 4 hours before the start | nothing",
        "Si vous annulez moins de 4 heures avant le début, vous ne récupérez rien.",
    ),
]


def evidence_of(number: int) -> Evidence:
    (path,) = ARTICLES.glob(f"KB{number:06d}-*.md")
    _, head, body = path.read_text("utf-8").split("---", 2)
    title = next(line.removeprefix("title: ") for line in head.splitlines() if line.startswith("title: "))
    found = a_found_passage(title=title, passage=a_passage(body.strip(), headings=(title,)))
    return Evidence(passages=(a_ranked_passage(found=found),))


@pytest.mark.parametrize(("number", "locale", "asked", "quote", "text"), ANSWERS)
def test_a_faithful_answer_passes(number, locale, asked, quote, text):
    block = Block(text=text, citations=(Citation(passage=PassageId("KB000003#0"), quote=quote),))

    assert answer_gate(block, evidence_of(number), (asked,), House(locale=locale)) == Grounded()
