"""Which bytes are an image, and what a file may be called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.attachments import LONGEST_NAME, MediaType, cleaned_file_name, image_type
from bot.errors import InputRejected

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
JPEG = b"\xff\xd8\xff\xe0" + bytes(20)
WEBP = b"RIFF\x24\x00\x00\x00WEBPVP8 " + bytes(20)
GIF = b"GIF89a" + bytes(20)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (PNG, MediaType.PNG),
        (JPEG, MediaType.JPEG),
        (WEBP, MediaType.WEBP),
        (GIF, MediaType.GIF),
        (b"GIF87a", MediaType.GIF),
        (b"GIF88a", None),
        (b"RIFF\x24\x00\x00\x00WAVEfmt ", None),
        (b"RIFF", None),
        (PNG[:7], None),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", None),
        (b"<!doctype html><script>alert(1)</script>", None),
        (b"%PDF-1.7", None),
        (b" " + PNG, None),
        (b"BM" + bytes(20), None),
        (b"", None),
    ],
    ids=lambda value: ascii(value[:12]) if isinstance(value, bytes) else str(value),
)
def test_an_image_is_known_by_how_its_bytes_begin(content, found):
    assert image_type(content) is found


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("receipt.png", "receipt.png"),
        ("  my  receipt.png\n", "my receipt.png"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ana\\receipt.png", "receipt.png"),
        ("rechnung-\u202egnp.exe", "rechnung-gnp.exe"),
        ("Quittung für März.jpg", "Quittung für März.jpg"),
        ("a\x00b\x1b.png", "ab.png"),
        ("x" * 300, "x" * LONGEST_NAME),
    ],
)
def test_a_name_is_one_line_without_folders_and_tricks(raw, name):
    assert cleaned_file_name(raw) == name


@pytest.mark.parametrize("raw", ["", " ", "\u200b", "folder/", "\ufe0f", "x" * 4_001, "\ud800"], ids=ascii)
def test_a_name_of_which_nothing_can_be_shown_is_refused(raw):
    with pytest.raises(InputRejected, match="file name"):
        cleaned_file_name(raw)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_whatever_a_file_is_called_its_name_is_harmless(raw):
    try:
        name = cleaned_file_name(raw)
    except InputRejected:
        return
    assert 0 < len(name) <= LONGEST_NAME
    assert name == cleaned_file_name(name)
    assert not set(name) & {"/", "\\", "\n", "\r", "\x00", "\u202e"}
