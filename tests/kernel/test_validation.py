"""What a customer may type (part-1 §5; edge-cases 5, 68; security A8)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from portal.kernel import validation
from portal.kernel.address import ACCOUNT_COUNTRIES, Country
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue

KNOWN = sorted(set(Country) - {Country.UNKNOWN})
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=())) | st.text()

RULES: dict[str, Callable[[str], str]] = {
    "required": validation.required,
    "optional": validation.optional,
    "order_number": validation.order_number,
    "frame_number": validation.frame_number,
    "email": validation.email,
    "login_code": validation.login_code,
    "house_number": validation.house_number,
    "country": lambda text: validation.country(text, ACCOUNT_COUNTRIES),
    **{f"postcode_{country}": lambda text, country=country: validation.postcode(text, country) for country in KNOWN},
    **{f"phone_{country}": lambda text, country=country: validation.phone(text, country) for country in KNOWN},
}


def _refusal(rule: Callable[[], str]) -> Code:
    with pytest.raises(InvalidValue) as refusal:
        rule()
    return refusal.value.code


def _answer(rule: Callable[[str], str], text: str) -> str | Code:
    """What is kept of a text, or why it is refused."""
    try:
        return rule(text)
    except InvalidValue as refusal:
        return refusal.code


@pytest.mark.parametrize("name", RULES)
@given(text=ANY_TEXT)
@example(text="\ud800")
@example(text="\x00")
@example(text="٣" * 9)
def test_any_text_is_either_refused_with_a_code_or_kept_in_a_form_that_is_accepted_again(name: str, text: str) -> None:
    rule = RULES[name]
    kept = _answer(rule, text)
    assert isinstance(kept, Code) or rule(kept) == kept
    assert not any(unicodedata.category(sign).startswith("C") for sign in kept)
    kept.encode()


@pytest.mark.parametrize(
    "text", ["900000001", " 900000001 ", "900 000 001", "9000-00-001", "９０００００００１", "800000001"]
)
def test_an_order_number_is_read_with_blanks_and_dashes(text: str) -> None:
    assert re.fullmatch(r"[89]\d{8}", validation.order_number(text))


@pytest.mark.parametrize("text", ["700000001", "90000001", "9000000011", "9OOOOOOO1", "#900000001", "900.000.001"])
def test_anything_else_is_no_order_number(text: str) -> None:
    assert _refusal(lambda: validation.order_number(text)) is Code.INVALID_ORDER_ID


def test_an_empty_order_number_is_required() -> None:
    assert _refusal(lambda: validation.order_number(" \t")) is Code.REQUIRED


def test_an_email_address_is_compared_without_capitals() -> None:
    assert validation.email_key(validation.email(" Sanne@Example.COM ")) == "sanne@example.com"


@given(st.from_regex(r"[a-zA-Z0-9]{1,20}(\.[a-zA-Z0-9]{1,10})?", fullmatch=True))
def test_plain_addresses_are_accepted_in_any_case(local: str) -> None:
    kept = validation.email(f"{local}@EXAMPLE.com")
    assert validation.email_key(kept) == f"{local}@example.com".casefold()


@pytest.mark.parametrize(
    "text",
    [
        "a@x.nl, b@evil.nl", "a@x.nl;b@evil.nl", "a@x.nl＠evil.nl", "a＠x.nl@evil.nl", "a@x.nl%0d%0aBcc: b@evil.nl",
        "a@x.nl\r\nBcc: b@evil.nl", "a@x.nl\u2028Bcc:b@evil.nl", '"a@x.nl"@evil.nl', "a@x.nl，b@evil.nl", "<a@x.nl>",
        "Sanne <a@x.nl>", "a b@x.nl", "a@x", "@x.nl", "a@", "a@@x.nl", "a@x..nl", "a@-x.nl", "a@[127.0.0.1]",
        "a@x.nl(b)",
    ],
)  # fmt: skip
def test_nothing_that_could_be_read_as_two_recipients_is_an_address(text: str) -> None:
    assert _refusal(lambda: validation.email(text)) is Code.INVALID_EMAIL


@given(ANY_TEXT | st.emails())
def test_an_accepted_address_names_one_recipient(text: str) -> None:
    kept = _answer(validation.email, text)
    assert isinstance(kept, Code) or re.fullmatch(r"[^@\s\"',;<>()]+@[^@\s\"',;<>()]+", kept)


@pytest.mark.parametrize(
    ("country", "text", "kept"),
    [
        (Country.NL, "1234 ab", "1234 AB"),
        (Country.NL, "1234AB", "1234 AB"),
        (Country.NL, " 1234-ab ", "1234 AB"),
        (Country.BE, "3583", "3583"),
        (Country.BE, "B-9000", "9000"),
        (Country.BE, "BE-9000", "9000"),
        (Country.NL, "1234 SS", None),
        (Country.NL, "1234 SA", None),
        (Country.NL, "1234 SD", None),
        (Country.NL, "1234", None),
        (Country.NL, "0234 AB", None),
        (Country.NL, "1234 ABC", None),
        (Country.NL, "1٣٣٣ AB", None),
        (Country.BE, "1٣٣٣", None),
        (Country.BE, "1234 AB", None),
        (Country.BE, "0999", None),
        (Country.DE, "20095", "20095"),
        (Country.DE, "2009", None),
        (Country.FR, "75001", "75001"),
        (Country.SE, "11122", "111 22"),
        (Country.DK, "DK-2100", "2100"),
        (Country.NO, "0150", "0150"),
        # The country before it, as on a letter from abroad.
        (Country.NL, "NL-3511 AB", "3511 AB"),
        (Country.BE, "b 2000", "2000"),
        (Country.DE, "D-10115", "10115"),
        (Country.FR, "F-75001", "75001"),
        (Country.SE, "S-111 22", "111 22"),
        (Country.NO, "N-0150", "0150"),
        (Country.DK, "B-2100", None),
        (Country.BE, "NL-2000", None),
        (Country.BE, "BB-2000", None),
    ],
)
def test_a_postcode_follows_its_country(country: Country, text: str, kept: str | None) -> None:
    if kept is None:
        assert _refusal(lambda: validation.postcode(text, country)) is Code.INVALID_POSTCODE
    else:
        assert validation.postcode(text, country) == kept


@given(st.from_regex(r"[1-9][0-9]{3} ?[A-Za-z]{2}", fullmatch=True))
def test_dutch_postcodes_are_all_of_one_form(text: str) -> None:
    kept = _answer(lambda typed: validation.postcode(typed, Country.NL), text)
    never_given = text[-2:].upper() in {"SA", "SD", "SS"}
    assert isinstance(kept, Code) if never_given else re.fullmatch(r"[1-9]\d{3} [A-Z]{2}", kept)


@pytest.mark.parametrize(
    ("country", "text", "kept"),
    [
        (Country.NL, "06 12345678", "+31612345678"),
        (Country.NL, "06-12 34 56 78", "+31612345678"),
        (Country.NL, "+31 (0)6 12345678", "+31612345678"),
        (Country.NL, "0031612345678", "+31612345678"),
        (Country.NL, "030 231 12 34", "+31302311234"),
        (Country.BE, "0470 12 34 05", "+32470123405"),
        (Country.NL, "+32 470 12 34 05", "+32470123405"),
        (Country.DE, "040 428131200", "+4940428131200"),
        (Country.NL, "0612345", None),
        (Country.NL, "abc", None),
        (Country.NL, "06123456789012", None),
        (Country.BE, "06 12345678", None),
    ],
)
def test_a_phone_number_is_kept_in_one_form(country: Country, text: str, kept: str | None) -> None:
    if kept is None:
        assert _refusal(lambda: validation.phone(text, country)) is Code.INVALID_PHONE
    else:
        assert validation.phone(text, country) == kept


@pytest.mark.parametrize("text", ["0", "12a", "-1", "123456", "1.5", "12 bis", "½"])
def test_letters_belong_in_the_addition(text: str) -> None:
    assert _refusal(lambda: validation.house_number(text)) is Code.INVALID_HOUSE_NUMBER


@pytest.mark.parametrize(
    ("text", "kept"), [("nvh 1234-5678", "NVH12345678"), ("LEASE240601", "LEASE240601"), ("ABCDEF", None), ("A1", None)]
)
def test_a_frame_number_has_letters_and_digits(text: str, kept: str | None) -> None:
    if kept is None:
        assert _refusal(lambda: validation.frame_number(text)) is Code.INVALID_FRAME_NUMBER
    else:
        assert validation.frame_number(text) == kept


@pytest.mark.parametrize("text", ["123456", " 123 456 ", "123-456"])
def test_a_login_code_is_six_digits(text: str) -> None:
    assert validation.login_code(text) == "123456"


@pytest.mark.parametrize("text", ["12345", "1234567", "12345a"])
def test_anything_else_is_no_login_code(text: str) -> None:
    assert _refusal(lambda: validation.login_code(text)) is Code.INVALID_CODE


def test_a_text_that_only_looks_filled_is_required() -> None:
    for text in ("", "   ", "\u200b", "\u00a0", "\n\t"):
        assert _refusal(lambda text=text: validation.required(text)) is Code.REQUIRED


def test_the_length_is_counted_after_trimming() -> None:
    assert validation.required(f"  {'x' * 60}  ") == "x" * 60
    assert _refusal(lambda: validation.required("x" * 61)) is Code.TOO_LONG
    assert _refusal(lambda: validation.optional("x" * 61)) is Code.TOO_LONG


@pytest.mark.parametrize("text", ["NL", "nl", " be "])
def test_a_country_is_known_by_its_code(text: str) -> None:
    assert validation.country(text, ACCOUNT_COUNTRIES) in Country


@pytest.mark.parametrize("text", ["DK", "", "Nederland", "XX"])
def test_only_countries_of_the_account_are_offered(text: str) -> None:
    assert _refusal(lambda: validation.country(text, ACCOUNT_COUNTRIES)) is Code.INVALID_COUNTRY


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Özdemir", "ozdemir"),
        ("O\u0308zdemir", "ozdemir"),
        ("ÉLODIE", "elodie"),
        ("Straße", "strasse"),
        ("de  la Cruz-Núñez", "de la cruz-nunez"),
        ("Øyvind", "øyvind"),
        ("İpek", "ipek"),
        ("", ""),
    ],
)
def test_a_search_key_has_small_letters_without_accents(text: str, key: str) -> None:
    assert validation.search_key(text) == key
    assert validation.search_key(key) == key
