"""The checklist of a password."""

from __future__ import annotations

import pytest

from portal.kernel.validation import PASSWORD_RULES, PasswordRule, broken_rules


@pytest.mark.parametrize(
    ("password", "broken"),
    [
        ("Fietsbel-2026!", []),
        ("Kort-1!", [PasswordRule.LENGTH]),
        ("Aa1!" + "x" * 60, []),
        ("Aa1!" + "x" * 61, [PasswordRule.LENGTH]),
        ("fietsbel-2026", [PasswordRule.CAPITAL]),
        ("Fietsbel2026", [PasswordRule.SPECIAL]),
        ("Fietsbel 2026", [PasswordRule.SPECIAL]),
        ("Fietsbel-fiets", [PasswordRule.DIGIT]),
        ("12345678!", [PasswordRule.CAPITAL, PasswordRule.LETTER]),
        ("", [*PasswordRule]),
    ],
)
def test_the_checklist_of_a_password(password: str, broken: list[PasswordRule]) -> None:
    assert broken_rules(password) == broken
    assert set(PASSWORD_RULES) == set(PasswordRule)
