"""What is kept of customers is on one line, without what hides or turns letters, and holds no key to anything."""

from dataclasses import replace

import pytest

from bot.core.conversation import ConversationId, Status
from bot.core.customers import (
    LONGEST,
    Customer,
    Identity,
    Page,
    Profile,
    Subject,
    cleaned_page,
    first_profile,
    latest_open,
    to_address,
    to_name,
    to_subject,
)
from bot.errors import InputRejected, MoveRefused
from tests.builders import a_conversation

ANA = Customer(subject=Subject("ana"), name="Ana")


@pytest.mark.parametrize("raw", ["ana", "7", "auth0|5f7c", "ana@shop.example", "Ána Ü", "a" * LONGEST])
def test_a_subject_is_kept_letter_by_letter(raw):
    assert to_subject(raw) == raw


@pytest.mark.parametrize(
    "raw",
    ["", " ana", "a\u0308", "a\nb", "a  b", "ana\u202e", "a\x00b", "a" * (LONGEST + 1), "\ud800"],
    ids=ascii,
)
def test_a_subject_that_cleaning_would_make_anothers_is_refused(raw):
    with pytest.raises(InputRejected):
        to_subject(raw)


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("Ana Costa", "Ana Costa"),
        ("  Ana\r\n\tCosta\x07 ", "Ana Costa"),
        ("Ana\u202eatsoC\u2066\u200b", "AnaatsoC"),
        ("\u0633\u0627\u0631\u0627", "\u0633\u0627\u0631\u0627"),
        ("\u0645\u06cc\u200c\u062e\u0648", "\u0645\u06cc\u200c\u062e\u0648"),
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
        ("n" * 5_000, "n" * LONGEST),
        ("\u200b\u200d\u0301", None),
        (" \n", None),
        (None, None),
    ],
    ids=ascii,
)
def test_a_name_stands_on_one_line_and_shows_what_it_holds(raw, kept):
    assert to_name(raw) == kept


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("ana@shop.example", "ana@shop.example"),
        (" ana@shop.example\n", "ana@shop.example"),
        ("ana", None),
        ("ana@shop.example, ben@shop.example", None),
        ("<ana@shop.example>", None),
        ("a" * 250 + "@shop.example", None),
        (None, None),
    ],
)
def test_what_is_no_address_is_left_out(raw, kept):
    assert to_address(raw) == kept


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("https://shop.example", "https://shop.example"),
        ("http://shop.example:8080/a/b", "http://shop.example:8080/a/b"),
        ("https://shop.example/reset?token=secret", "https://shop.example/reset"),
        ("https://shop.example/#access_token=secret", "https://shop.example/"),
        ("https://ana:secret@shop.example/cart", "https://shop.example/cart"),
        ("https://[::1]:8443/cart", "https://[::1]:8443/cart"),
        ("HTTPS://Shop.Example/Cart", "https://shop.example/Cart"),
        ("https://shop.example/\u202ecart", "https://shop.example/cart"),
        ("https://shop.example/" + "a" * 500, "https://shop.example/" + "a" * (LONGEST - 21)),
        ("javascript:alert(1)", ""),
        ("data:text/html,<script>", ""),
        ("file:///home/ana", ""),
        ("//shop.example/cart", ""),
        ("/cart", ""),
        ("https://", ""),
        ("https://shop.example:port/", ""),
        ("https://[shop.example/", ""),
        ("", ""),
    ],
)
def test_a_pages_address_is_one_of_the_web_without_what_may_open_an_account(raw, kept):
    page = cleaned_page(url=raw, title="Shop")

    assert page == Page(url=kept, title="Shop")


def test_a_page_of_which_nothing_can_be_said_is_none():
    assert cleaned_page(url="javascript:alert(1)", title=" \n") is None
    assert cleaned_page(url="", title=" Your\ncart ") == Page(title="Your cart")


def test_only_whom_the_site_vouches_for_is_verified():
    assert ANA.verified
    assert not Customer().verified


def test_a_profile_is_renewed_by_the_same_customer_and_by_nobody_else():
    page = Page(title="Cart")
    known = Profile(customer=ANA, page=page, identity_ms=5)
    renamed = replace(ANA, name="Ana Lima")

    assert known.renewed(renamed, None, identity_ms=3) == replace(known, customer=renamed)
    assert known.renewed(ANA, Page(title="Help"), identity_ms=9).page == Page(title="Help")
    for other in (Customer(), Customer(subject=Subject("ben"))):
        with pytest.raises(MoveRefused):
            known.renewed(other, None, identity_ms=9)


def test_a_sign_out_voids_the_tokens_and_keeps_the_rest():
    assert Profile(customer=ANA, identity_ms=5).signed_out() == Profile(
        customer=ANA, identity_ms=5, token_epoch=1
    )


def test_an_identity_proves_a_customer():
    identity = Identity(subject=Subject("ana"), name="Ana", email="ana@shop.example", issued_ms=5)

    assert identity.customer == replace(ANA, email="ana@shop.example")


def test_a_conversation_that_has_begun_unknown_stays_so():
    assert first_profile(ANA, None, identity_ms=5, last_seq=0) == Profile(customer=ANA, identity_ms=5)
    assert first_profile(Customer(), None, identity_ms=0, last_seq=4) == Profile()
    with pytest.raises(MoveRefused):
        first_profile(ANA, None, identity_ms=5, last_seq=1)


def test_the_latest_conversation_that_is_not_resolved_goes_on():
    old, new = (a_conversation(id=ConversationId(name)) for name in ("old", "new"))
    resolved = a_conversation(id=ConversationId("resolved"), status=Status.RESOLVED)

    assert latest_open((resolved, new, old)) == "new"
    assert latest_open((resolved,)) is None
    assert latest_open(()) is None
