"""Validation and normalization of customer input (part-1 §5).

Each function returns the normalized value or raises `InvalidValue` with a code. Spaces, dashes and letter case in the
input do not matter.
"""

import json
import re
import secrets
import unicodedata
from datetime import date
from enum import StrEnum
from typing import Any

from stdnum import iban
from stdnum.exceptions import ValidationError

from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.kernel.terms import PASSWORD_LEAST, PASSWORD_MOST
from portal.kernel.texts import N_

MAX_NAME = 60
"""Most characters in a name, street or city."""


class InvalidValue(ValueError):
    """The input is invalid; `code` tells why."""

    def __init__(self, code: Code) -> None:
        super().__init__(code.value)
        self.code = code


def parsed_json(text: str | bytes) -> Any:
    """Parse JSON that came from outside.

    Raises `ValueError`: It is no JSON, is nested too deeply, or has a lone surrogate, which nothing can store.
    """
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value


def clean(text: str) -> str:
    """The normal form of a text: NFKC, no invisible signs, spaces for control characters, single spaces, trimmed."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    visible = ""
    for sign in unicodedata.normalize("NFKC", text):
        category = unicodedata.category(sign)
        visible += "" if category == "Cf" else " " if category.startswith("C") else sign
    return " ".join(visible.split())


def required(text: str, longest: int = MAX_NAME) -> str:
    """A non-empty text of at most `longest` characters."""
    value = clean(text)
    if not value:
        raise InvalidValue(Code.REQUIRED)
    return _short(value, longest)


def optional(text: str | None, longest: int = MAX_NAME) -> str:
    """A text of at most `longest` characters, which may be empty."""
    return _short(clean(text or ""), longest)


def day(text: str) -> date | None:
    """A day as ISO 8601 or as the Dutch write it, 2026-03-31 or 31-3-2026; None if it is none."""
    value = re.sub(r"[/.]", "-", clean(text).replace(" ", ""))
    value = re.sub(r"([0-9]{1,2})-([0-9]{1,2})-([0-9]{4})", r"\3-\2-\1", value)
    if not re.fullmatch(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}", value):
        return None
    try:
        return date(*map(int, value.split("-")))
    except ValueError:
        return None


def _short(value: str, longest: int) -> str:
    if len(value) > longest:
        raise InvalidValue(Code.TOO_LONG)
    return value


ORDER_NUMBER = r"[89][0-9]{8}"
"""Form of order numbers unless a shop has another one: nine digits, of which the first is 8 or 9."""

ANY_ORDER_NUMBER = r"[A-Z0-9]{3,20}"
"""Form that the order numbers of every shop have."""


def order_number(text: str, form: str = ORDER_NUMBER) -> str:
    """An order number in upper case; spaces and dashes are ignored."""
    value = re.sub(r"[\s-]", "", required(text, 40)).upper()
    if not re.fullmatch(form, value, re.ASCII) or not re.fullmatch(ANY_ORDER_NUMBER, value, re.ASCII):
        raise InvalidValue(Code.INVALID_ORDER_ID)
    return value


def is_order_number(text: str) -> bool:
    """Whether a text can be the order number of a shop, as it is stored."""
    return re.fullmatch(ANY_ORDER_NUMBER, text, re.ASCII) is not None


def frame_number(text: str) -> str:
    """Six to twenty letters and digits with at least one digit, in upper case; spaces and dashes are ignored.

    A lease reference has the same form, so one field accepts both.
    """
    value = re.sub(r"[\s-]", "", required(text, 60)).upper()
    if not re.fullmatch(r"(?=.*[0-9])[A-Z0-9]{6,20}", value):
        raise InvalidValue(Code.INVALID_FRAME_NUMBER)
    return value


def email(text: str) -> str:
    """An e-mail address that mail can be sent to. The domain is lowercased, the local part is not.

    Quotes, commas and semicolons are refused before and after normalization, so that no part of the address can be
    parsed as a second recipient. An apostrophe within a name, as in 'd'hondt', is no quote.
    """
    value = required(text, 254)
    if re.search(r"[\",;<>()\s]|^'|'@|@.*'", value) or value.count("@") != 1:
        raise InvalidValue(Code.INVALID_EMAIL)
    from email_validator import EmailNotValidError, validate_email

    try:
        return validate_email(value, check_deliverability=False).normalized
    except EmailNotValidError:
        raise InvalidValue(Code.INVALID_EMAIL) from None


def email_key(address: str) -> str:
    """The form in which e-mail addresses are compared; letter case does not matter."""
    return address.casefold()


def login_code(text: str) -> str:
    """Six digits; what stands between them is ignored."""
    value = re.sub(r"[\W_]", "", required(text, 40))
    if not re.fullmatch(r"[0-9]{6}", value):
        raise InvalidValue(Code.INVALID_CODE)
    return value


_POSTCODES: dict[Country, tuple[str, str]] = {
    # Pattern of the postcode without spaces, and its written form.
    Country.NL: (r"([1-9][0-9]{3})((?!SA|SD|SS)[A-Z]{2})", r"\1 \2"),
    Country.BE: (r"([1-9][0-9]{3})", r"\1"),
    Country.DE: (r"([0-9]{5})", r"\1"),
    Country.FR: (r"([0-9]{5})", r"\1"),
    Country.DK: (r"([0-9]{4})", r"\1"),
    Country.SE: (r"([0-9]{3})([0-9]{2})", r"\1 \2"),
    Country.NO: (r"([0-9]{4})", r"\1"),
}

_PLATES: dict[Country, str] = {Country.BE: "B", Country.DE: "D", Country.FR: "F", Country.SE: "S", Country.NO: "N"}
"""Prefix of a postcode for countries whose prefix is not the two-letter code."""


def postcode(text: str, country: Country) -> str:
    """A postcode in the written form of its country, such as '3511 AB'; the input may have a prefix ('B-2000')."""
    value = re.sub(r"[\s-]", "", required(text, 20)).upper()
    form, writing = _POSTCODES[country]
    # Every postcode starts with a digit, so leading letters can only name the country: 'BE' or 'B'.
    value = re.sub(f"^(?:{country.value}|{_PLATES.get(country, country.value)})", "", value)
    if not re.fullmatch(form, value):
        raise InvalidValue(Code.INVALID_POSTCODE)
    return re.sub(form, writing, value)


def house_number(text: str) -> str:
    """A number from 1 to 99999; letters belong in the addition."""
    value = required(text, 10)
    if not re.fullmatch(r"[1-9][0-9]{0,4}", value):
        raise InvalidValue(Code.INVALID_HOUSE_NUMBER)
    return value


def phone(text: str, country: Country) -> str:
    """A phone number as E.164; a number without country code is read as a number of `country`."""
    import phonenumbers  # its tables are large

    value = required(text, 30)
    try:
        number = phonenumbers.parse(value, country.value)
    except phonenumbers.NumberParseException:
        raise InvalidValue(Code.INVALID_PHONE) from None
    if not phonenumbers.is_valid_number(number):
        raise InvalidValue(Code.INVALID_PHONE)
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def country(text: str, offered: tuple[Country, ...]) -> Country:
    """A country code that is among `offered`."""
    value = clean(text).upper()
    if value not in {entry.value for entry in offered}:
        raise InvalidValue(Code.INVALID_COUNTRY)
    return Country(value)


MAX_TEXT = 4000
"""Most code points of a text, however few characters they form."""

_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Bidirectional control characters, which could make a text look different from its content."""

_FIRST_COMBINING = "\u0300"


def count_characters(text: str) -> int:
    """Number of characters that a reader sees (extended grapheme clusters, Unicode UAX 29)."""
    plain = text.isascii() or max(text) < _FIRST_COMBINING
    if plain and "\r" not in text:
        return len(text)  # below the first combining mark every code point is one character
    import regex  # only for texts with signs beyond ours

    return sum(1 for _ in regex.finditer(r"\X", text))


def tidy_text(text: str) -> str:
    """The normal form of a multi-line text: NFC, only line feeds, no invisible characters except joiners, trimmed."""
    lines = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    if lines.isprintable():
        return lines.strip()
    return "".join(sign for sign in lines if _holds(sign)).strip()


def _holds(sign: str) -> bool:
    return sign == "\n" or (unicodedata.category(sign) not in {"Cc", "Cs", "Co", "Cn"} and sign not in _DIRECTIONS)


ALPHABET = "23456789ABCDEFGHJKLMNPRSTUVWXY"
"""No I, O, Q, Z, 0 or 1, because they are easily misread."""

_GROUP = 4


def short_id(length: int = 10) -> str:
    """A random identifier; ten characters of `ALPHABET` carry 49 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def in_groups(reference: str) -> str:
    """Format a reference of the portal in two groups of four; return a retailer's own reference unchanged."""
    return in_groups_of_four(reference) if len(reference) == 2 * _GROUP else reference


def in_groups_of_four(text: str) -> str:
    """Format a text in groups of four, such as an account number."""
    return " ".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def is_reference(text: str) -> bool:
    """Whether a text can be the reference of a request; a retailer's own references are allowed."""
    return 0 < len(text) <= 20 and text.isascii() and text.isalnum()


def is_short_id(text: str) -> bool:
    """Whether a text has the form of a short id; other texts need no lookup."""
    return 0 < len(text) <= 16 and set(text) <= set(ALPHABET)


class PasswordRule(StrEnum):
    """One rule of the password checklist."""

    LENGTH = "length"
    CAPITAL = "capital"
    LETTER = "letter"
    DIGIT = "digit"
    SPECIAL = "special"


PASSWORD_RULES: dict[PasswordRule, str] = {
    PasswordRule.LENGTH: N_("{password_least} to {password_most} characters"),
    PasswordRule.CAPITAL: N_("At least one capital letter"),
    PasswordRule.LETTER: N_("At least one letter"),
    PasswordRule.DIGIT: N_("At least one digit"),
    PasswordRule.SPECIAL: N_("At least one special character, such as ! or ?"),
}


def broken_rules(password: str) -> list[PasswordRule]:
    """The rules that a password breaks, in the order of the checklist. The password is not trimmed."""
    fulfilled = {
        PasswordRule.LENGTH: PASSWORD_LEAST <= len(password) <= PASSWORD_MOST,
        PasswordRule.CAPITAL: any(sign.isupper() for sign in password),
        PasswordRule.LETTER: any(sign.isalpha() for sign in password),
        PasswordRule.DIGIT: any(sign.isdigit() for sign in password),
        PasswordRule.SPECIAL: any(not sign.isalnum() and not sign.isspace() for sign in password),
    }
    return [rule for rule in PasswordRule if not fulfilled[rule]]


def new_password(password: str, repeat: str) -> str:
    """The password, if it meets all rules and both inputs are equal.

    Raises `InvalidValue`: `required`, `invalid_password`, or `passwords_differ`.
    """
    if not password:
        raise InvalidValue(Code.REQUIRED)
    if broken_rules(password):
        raise InvalidValue(Code.INVALID_PASSWORD)
    if password != repeat:
        raise InvalidValue(Code.PASSWORDS_DIFFER)
    return password


SEPA = frozenset(
    "AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE "
    "SI SK SM VA".split()
)
"""Country codes of the Single Euro Payments Area."""


def sepa_iban(text: str) -> str:
    """An IBAN of a SEPA country in its stored form: without spaces and the word IBAN, in capitals.

    Raises `InvalidValue`: `invalid_iban`, its form, length, check digits or country are wrong.
    """
    try:
        value = iban.validate(re.sub(r"[\W_]", "", clean(text)).upper().removeprefix("IBAN"), check_country=False)
    except ValidationError:
        raise InvalidValue(Code.INVALID_IBAN) from None
    if value[:2] not in SEPA:
        raise InvalidValue(Code.INVALID_IBAN)
    return value
