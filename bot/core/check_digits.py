"""Numbers that carry their own check digits: payment cards (Luhn) and bank accounts (IBAN, ISO 13616). Pure.

A number that only looks like one is left alone: the check is what tells a card from an id or a time.
"""

CARD_LENGTHS = range(13, 20)
# The first digit of every card scheme (ISO/IEC 7812); times since 1970 in any unit begin with 1 until the year 2033.
CARD_FIRST = range(2, 7)
# How long each country's numbers are (SWIFT's IBAN registry); without it, one id in seven would pass for a number.
_IBAN_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO",
        16: "BE",
        18: "DK FK FI FO GL NL SD",
        19: "MK SI",
        20: "AT BA EE KZ LT LU MN XK",
        21: "CH CR HR LI LV",
        22: "BG BH DE GB GE HN IE ME RS",
        23: "AE GI IL IQ OM SO TL",
        24: "AD CZ DZ ES MD PK RO SA SE SK TN VG",
        25: "AO CV LY MZ PT ST",
        26: "IR IS TR",
        27: "BF BI BJ CF CG CI CM DJ FR GA GQ GR GW IT KM MA MC MG ML MR NE SM SN TD TG",
        28: "AL AZ BY CY DO GT HU LB NI PL SV",
        29: "BR EG PS QA UA",
        30: "JO KW MU YE",
        31: "MT SC",
        32: "LC",
        33: "RU",
    }.items()
    for country in countries.split()
}


def is_card(digits: str) -> bool:
    """Return whether *digits*, of any script, are a payment card's number."""
    plain = "".join(str(int(digit)) for digit in digits)
    return len(plain) in CARD_LENGTHS and int(plain[0]) in CARD_FIRST and _luhn(plain) % 10 == 0


def iban_length(start: str) -> int:
    """Return how long an account number is that begins with this country code; 0 for a country that has none."""
    return _IBAN_LENGTHS.get(start[:2].upper(), 0)


def is_iban(text: str) -> bool:
    """Return whether *text*, without separators, is a bank account's number."""
    if not text.isascii() or not text.isalnum() or len(text) != iban_length(text):
        return False
    moved = text[4:] + text[:4]
    return int("".join(str(int(character, 36)) for character in moved)) % 97 == 1


def _luhn(digits: str) -> int:
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return sum(int(digit) for digit in digits[-1::-2]) + sum(doubled)
