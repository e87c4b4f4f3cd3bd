"""What a customer may type (part-1 §5; edge-cases 5, 68; security A8)."""

import re
import unicodedata
from collections.abc import Callable
from datetime import date

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
    ("rule", "text", "answer"),
    [
        ("order_number", "900000001", "900000001"),
        ("order_number", " 900000001 ", "900000001"),
        ("order_number", "900 000 001", "900000001"),
        ("order_number", "9000-00-001", "900000001"),
        ("order_number", "９０００００００１", "900000001"),
        ("order_number", "800000001", "800000001"),
        ("order_number", "700000001", Code.INVALID_ORDER_ID),
        ("order_number", "90000001", Code.INVALID_ORDER_ID),
        ("order_number", "9000000011", Code.INVALID_ORDER_ID),
        ("order_number", "9OOOOOOO1", Code.INVALID_ORDER_ID),
        ("order_number", "#900000001", Code.INVALID_ORDER_ID),
        ("order_number", "900.000.001", Code.INVALID_ORDER_ID),
        ("order_number", " \t", Code.REQUIRED),
        ("postcode_NL", "1234 ab", "1234 AB"),
        ("postcode_NL", "1234AB", "1234 AB"),
        ("postcode_NL", " 1234-ab ", "1234 AB"),
        ("postcode_NL", "1234 SS", Code.INVALID_POSTCODE),
        ("postcode_NL", "1234 SA", Code.INVALID_POSTCODE),
        ("postcode_NL", "1234 SD", Code.INVALID_POSTCODE),
        ("postcode_NL", "1234", Code.INVALID_POSTCODE),
        ("postcode_NL", "0234 AB", Code.INVALID_POSTCODE),
        ("postcode_NL", "1234 ABC", Code.INVALID_POSTCODE),
        ("postcode_NL", "1٣٣٣ AB", Code.INVALID_POSTCODE),
        ("postcode_NL", "NL-3511 AB", "3511 AB"),
        ("postcode_BE", "3583", "3583"),
        ("postcode_BE", "B-9000", "9000"),
        ("postcode_BE", "BE-9000", "9000"),
        ("postcode_BE", "1٣٣٣", Code.INVALID_POSTCODE),
        ("postcode_BE", "1234 AB", Code.INVALID_POSTCODE),
        ("postcode_BE", "0999", Code.INVALID_POSTCODE),
        ("postcode_BE", "b 2000", "2000"),
        ("postcode_BE", "NL-2000", Code.INVALID_POSTCODE),
        ("postcode_BE", "BB-2000", Code.INVALID_POSTCODE),
        ("postcode_DE", "20095", "20095"),
        ("postcode_DE", "2009", Code.INVALID_POSTCODE),
        ("postcode_DE", "D-10115", "10115"),
        ("postcode_FR", "75001", "75001"),
        ("postcode_FR", "F-75001", "75001"),
        ("postcode_SE", "11122", "111 22"),
        ("postcode_SE", "S-111 22", "111 22"),
        ("postcode_DK", "DK-2100", "2100"),
        ("postcode_DK", "B-2100", Code.INVALID_POSTCODE),
        ("postcode_NO", "0150", "0150"),
        ("postcode_NO", "N-0150", "0150"),
        ("phone_NL", "06 12345678", "+31612345678"),
        ("phone_NL", "06-12 34 56 78", "+31612345678"),
        ("phone_NL", "+31 (0)6 12345678", "+31612345678"),
        ("phone_NL", "0031612345678", "+31612345678"),
        ("phone_NL", "030 231 12 34", "+31302311234"),
        ("phone_NL", "+32 470 12 34 05", "+32470123405"),
        ("phone_NL", "0612345", Code.INVALID_PHONE),
        ("phone_NL", "abc", Code.INVALID_PHONE),
        ("phone_NL", "06123456789012", Code.INVALID_PHONE),
        ("phone_BE", "0470 12 34 05", "+32470123405"),
        ("phone_BE", "06 12345678", Code.INVALID_PHONE),
        ("phone_DE", "040 428131200", "+4940428131200"),
        ("house_number", "0", Code.INVALID_HOUSE_NUMBER),
        ("house_number", "12a", Code.INVALID_HOUSE_NUMBER),
        ("house_number", "-1", Code.INVALID_HOUSE_NUMBER),
        ("house_number", "123456", Code.INVALID_HOUSE_NUMBER),
        ("house_number", "1.5", Code.INVALID_HOUSE_NUMBER),
        ("house_number", "12 bis", Code.INVALID_HOUSE_NUMBER),
        ("house_number", "½", Code.INVALID_HOUSE_NUMBER),
        ("frame_number", "nvh 1234-5678", "NVH12345678"),
        ("frame_number", "LEASE240601", "LEASE240601"),
        ("frame_number", "ABCDEF", Code.INVALID_FRAME_NUMBER),
        ("frame_number", "A1", Code.INVALID_FRAME_NUMBER),
        ("login_code", "123456", "123456"),
        ("login_code", " 123 456 ", "123456"),
        ("login_code", "123-456", "123456"),
        ("login_code", "12345", Code.INVALID_CODE),
        ("login_code", "1234567", Code.INVALID_CODE),
        ("login_code", "12345a", Code.INVALID_CODE),
        ("country", "nl", "NL"),
        ("country", " be ", "BE"),
        ("country", "DK", Code.INVALID_COUNTRY),
        ("country", "", Code.INVALID_COUNTRY),
        ("country", "Nederland", Code.INVALID_COUNTRY),
        ("country", "XX", Code.INVALID_COUNTRY),
    ],
)
def test_what_a_rule_keeps_and_what_it_refuses(rule: str, text: str, answer: str | Code) -> None:
    assert _answer(RULES[rule], text) == answer


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
        "a@x.nl(b)", "'a@x.nl'", "'a'@x.nl", "a@x'y.nl",
    ],
)  # fmt: skip
def test_nothing_that_could_be_read_as_two_recipients_is_an_address(text: str) -> None:
    assert _refusal(lambda: validation.email(text)) is Code.INVALID_EMAIL


def test_an_apostrophe_in_a_name_is_no_quote() -> None:
    assert validation.email("an.d'hondt@example.be") == "an.d'hondt@example.be"


@given(ANY_TEXT | st.emails())
def test_an_accepted_address_names_one_recipient(text: str) -> None:
    kept = _answer(validation.email, text)
    assert isinstance(kept, Code) or re.fullmatch(r"[^@\s\",;<>()]+@[^@\s\"',;<>()]+", kept)


@given(st.from_regex(r"[1-9][0-9]{3} ?[A-Za-z]{2}", fullmatch=True))
def test_dutch_postcodes_are_all_of_one_form(text: str) -> None:
    kept = _answer(lambda typed: validation.postcode(typed, Country.NL), text)
    never_given = text[-2:].upper() in {"SA", "SD", "SS"}
    assert isinstance(kept, Code) if never_given else re.fullmatch(r"[1-9]\d{3} [A-Z]{2}", kept)


@pytest.mark.parametrize(
    "text", ["１２３ ４５６", "\u200b123\u00a0456\u2060", "123–456", " 1 2 3.4 5 6 ", "\u202a123456\u202c"]
)
def test_a_code_is_read_as_it_is_scanned_or_pasted(text: str) -> None:
    assert validation.login_code(text) == "123456"


@pytest.mark.parametrize(
    "text",
    ["NL91 ABNA\u200b 0417 1643 00", "\u202aNL91ABNA0417164300\u202c", "IBAN: nl91 abna 0417 1643 00",
     "IBAN NL91ABNA0417164300", "ＮＬ９１ABNA0417164300", "iban:\u00a0NL91.ABNA.0417.1643.00",
     "NL91-ABNA-0417-1643-00"],
)  # fmt: skip
def test_an_account_number_is_read_as_people_paste_it(text: str) -> None:
    assert validation.sepa_iban(text) == "NL91ABNA0417164300"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        *(
            (text, date(2026, 3, 31))
            for text in ("2026-03-31", "31-3-2026", "31/03/2026", "31.03.2026", " 31 - 3 - 2026 ")
        ),
        *((text, date(2026, 3, 31)) for text in ("\u202a2026-03-31\u202c", "\u200b31-03-2026", "３１-03-2026")),
        *(
            (text, None)
            for text in ("", "31-3", "31-3-26", "2026-02-30", "0000-00-00", "1-2-3-4", "x", "9" * 40 + "-1-2026")
        ),
    ],
)
def test_a_day_is_read_as_people_paste_it(text: str, day: date | None) -> None:
    assert validation.day(text) == day


@pytest.mark.parametrize(
    ("text", "kept"),
    [("Jan\u00adsen", "Jansen"), ("\u202aVoor\u200bbeeld\ufeff", "Voorbeeld"), ("Voor\x00beeld\tNL", "Voor beeld NL")],
)
def test_invisible_signs_leave_a_text(text: str, kept: str) -> None:
    assert validation.clean(text) == kept


def test_a_text_that_only_looks_filled_is_required() -> None:
    for text in ("", "   ", "\u200b", "\u00a0", "\n\t"):
        assert _refusal(lambda text=text: validation.required(text)) is Code.REQUIRED


def test_the_length_is_counted_after_trimming() -> None:
    assert validation.required(f"  {'x' * 60}  ") == "x" * 60
    assert _refusal(lambda: validation.required("x" * 61)) is Code.TOO_LONG
    assert _refusal(lambda: validation.optional("x" * 61)) is Code.TOO_LONG
