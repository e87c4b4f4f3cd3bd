"""What a password has to be (part-1 §5)."""

from __future__ import annotations

from enum import StrEnum

from portal.domain.codes import Code
from portal.domain.marks import N_
from portal.domain.terms import PASSWORD_LEAST, PASSWORD_MOST
from portal.domain.validation import InvalidValue


class PasswordRule(StrEnum):
    """One line of the checklist."""

    LENGTH = "length"
    CAPITAL = "capital"
    LETTER = "letter"
    DIGIT = "digit"
    SPECIAL = "special"


PASSWORD_RULES: dict[PasswordRule, str] = {
    PasswordRule.LENGTH: N_("{password_least} to {password_most} characters"),
    PasswordRule.CAPITAL: N_("At least one capital"),
    PasswordRule.LETTER: N_("At least one letter"),
    PasswordRule.DIGIT: N_("At least one digit"),
    PasswordRule.SPECIAL: N_("At least one special character, such as ! or ?"),
}


def broken_rules(password: str) -> list[PasswordRule]:
    """The rules a password does not keep, in the order of the checklist. It is taken as typed, blanks included."""
    kept = {
        PasswordRule.LENGTH: PASSWORD_LEAST <= len(password) <= PASSWORD_MOST,
        PasswordRule.CAPITAL: any(sign.isupper() for sign in password),
        PasswordRule.LETTER: any(sign.isalpha() for sign in password),
        PasswordRule.DIGIT: any(sign.isdigit() for sign in password),
        PasswordRule.SPECIAL: any(not sign.isalnum() and not sign.isspace() for sign in password),
    }
    return [rule for rule in PasswordRule if not kept[rule]]


def new_password(password: str, repeat: str) -> str:
    """The password, when it keeps the rules and was typed the same way twice.

    Raises:
        InvalidValue: `required`, `invalid_password`, or `passwords_differ`.
    """
    if not password:
        raise InvalidValue(Code.REQUIRED)
    if broken_rules(password):
        raise InvalidValue(Code.INVALID_PASSWORD)
    if password != repeat:
        raise InvalidValue(Code.PASSWORDS_DIFFER)
    return password
