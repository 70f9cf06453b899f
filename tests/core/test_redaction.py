"""What a line must not hold is left out of it, and what operators read in it stays: ids, times, counts, scores."""

import random
import string

import pytest

from bot.core.check_digits import is_card, is_iban
from bot.core.redaction import LONGEST, escaped, redacted
from tests.personal import KINDS, generated


@pytest.mark.parametrize("kind", KINDS)
def test_no_generated_value_remains(kind):
    chance = random.Random(f"redaction of {kind}")  # noqa: S311 - repeatable

    kept = [
        value
        for value in (KINDS[kind](chance) for _ in range(300))
        if value in redacted(f"it is {value}, thanks")
    ]

    assert kept == []


@pytest.mark.parametrize(
    ("text", "remains"),
    [
        ("write to ana.b+x@example.co.uk, please", "write to [e-mail], please"),
        ("path /a/ana%40shop.example", "path /a/[e-mail]"),
        ("DE89 3704 0044 0532 0130 00 and more", "[IBAN] and more"),
        ("paid with 4111 1111 1111 1111 12/27", "paid with [card] 12/27"),
        ("card4111111111111111", "card[card]"),
        ("call +49 (0)30 123 45 67 now", "call [phone] now"),
        ("Cookie: a=b; c=d", "Cookie: [secret]"),
        ("Authorization: Bearer abc.def-123456", "Authorization: Bearer [secret]"),
        ("redis://ana:open@10.0.0.1/1", "redis://[secret]@10.0.0.1/1"),
        ("got b'GET /ana HTTP/1.1' from it", "got [bytes] from it"),
        ("password=hunter2&x=1", "password=[secret]&x=1"),
        ("value [input_value='my text', input_type=str]", "value [input_value=[secret], input_type=str]"),
        ("wrong key aGVsbG8, it said", "wrong key aGVsbG8, it said"),
    ],
)
def test_the_rest_of_a_sentence_stays(text, remains):
    assert redacted(text) == remains


def test_an_over_long_header_line_is_left_out_whole():
    line = "400: Got more than 8190 bytes when reading: 'x-id: 7; session=abc def'. "

    assert redacted(line + "\nnext") == "400: Got more than 8190 bytes when reading: [bytes]\nnext"


def test_what_is_known_word_for_word_is_left_out_wherever_it_stands():
    assert (
        redacted("https://hook.example/T0/abcdefgh refused", secrets=["https://hook.example/T0/abcdefgh"])
        == "[secret] refused"
    )


def ours(chance: random.Random) -> list[str]:
    """Return things that our lines do hold."""
    at_ms = chance.randrange(1_600_000_000_000, 1_999_999_999_999)
    hexadecimal = "".join(chance.choices("0123456789abcdef", k=64))
    return [
        hexadecimal[:32],
        hexadecimal,
        str(at_ms),
        str(at_ms // 1000),
        str(at_ms * 1000),
        str(chance.random()),
        repr([chance.uniform(-1, 1) for _ in range(5)]),
        str(chance.randrange(1_000_000_000)),
        f"{chance.random() * 10_000:.3f} ms",
        f"2026-11-{chance.randrange(10, 30)}T{chance.randrange(10, 24)}:{chance.randrange(10, 60)}:07.{at_ms % 1_000_000:06}Z",
        f"2026-11-{chance.randrange(10, 30)} 09:{chance.randrange(10, 60)}:07,123",
        ".".join(str(chance.randrange(256)) for _ in range(4)) + f":{chance.randrange(65_536)}",
        f"handoff:{hexadecimal[:32]}:{chance.randrange(9)}",
        f"KB{chance.randrange(1_000_000):06}#{chance.randrange(40)}",
        f'File "/srv/candor/bot/core/truth.py", line {chance.randrange(900)}, in is_truthful',
        f"0x7f{hexadecimal[:10]}",
    ]  # fmt: skip


def test_ids_times_counts_and_scores_stay_readable():
    chance = random.Random("what is ours")  # noqa: S311 - repeatable

    texts = [text for _ in range(500) for text in ours(chance)]

    assert [text for text in texts if redacted(text) != text] == []
    assert [text for text in texts if redacted(f"a {text}, b") != f"a {text}, b"] == []


def test_a_card_needs_its_check_digit():
    assert is_card("4111111111111111")
    assert is_card("\uff14111111111111111")
    assert not is_card("4111111111111112")
    assert redacted("4111111111111112") == "4111111111111112"


def test_an_account_number_needs_its_check_digits_and_its_country():
    assert is_iban("GB82WEST12345698765432")
    assert not is_iban("GB83WEST12345698765432")
    assert not is_iban("ZZ82WEST12345698765432")


def test_a_long_text_is_cut():
    assert len(redacted("word " * LONGEST)) < LONGEST + 40


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    [
        "1 ",
        "4 1 ",
        "a@",
        "1",
        "+1 ",
        "b'",
        "4-",
        "A1a-",
        "(0",
        "DE12 ",
        "cookie",
        "input_value=",
        "://",
        "eyJa.",
    ],
)
def test_no_text_takes_long(piece):
    redacted(piece * (LONGEST // len(piece)))


def test_control_characters_become_their_codes():
    assert escaped("\x1b[2J\r\nlevel\u202e\x9b") == "\\x1b[2J\\r\\nlevel\\u202e\\x9b"
    assert escaped("a\nb\x07", kept="\n") == "a\nb\\x07"
    assert escaped(string.printable[:95]) == string.printable[:95]


def test_generated_values_differ():
    assert len(set(generated(1_000))) > 990
