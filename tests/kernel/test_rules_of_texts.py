"""Small rules of texts: references, account numbers, phone numbers, passwords and costs."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from portal.kernel.address import readable_phone
from portal.kernel.texts import Cost, CostKind, snapshot, stored_costs
from portal.kernel.validation import PASSWORD_RULES, PasswordRule, broken_rules, in_groups, in_groups_of_four


@pytest.mark.parametrize(
    ("show", "stored", "read"),
    [
        (in_groups, "26NWDY8K", "26NW DY8K"),
        (in_groups, "S48621851", "S48621851"),  # a retailer's own reference stays as it is
        (in_groups, "", ""),
        (in_groups_of_four, "NL91ABNA0417164300", "NL91 ABNA 0417 1643 00"),
        (readable_phone, "+31612345678", "+31 6 12345678"),
        (readable_phone, "+3292345678", "+32 9 234 56 78"),
        (readable_phone, "x", "x"),
    ],
)
def test_numbers_are_written_for_reading(show: Callable[[str], str], stored: str, read: str) -> None:
    assert show(stored) == read


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


COSTS = (Cost(CostKind.PICK_UP, Decimal(60)), Cost(CostKind.PACKAGE_DISCOUNT, Decimal("-12.5")))


def test_costs_come_back_as_they_were_shown() -> None:
    assert stored_costs(snapshot(COSTS)) == COSTS
    assert stored_costs(snapshot([])) == ()
    assert stored_costs(None) == ()


@pytest.mark.parametrize(
    "kept",
    [
        {"lines": [{"kind": "pick_up", "amount": "60.00"}], "total": "59.00", "currency": "EUR"},
        {"lines": [{"kind": "pick_up", "amount": "60.00"}], "total": "60.00", "currency": "USD"},
        {"lines": [{"kind": "pick_up", "amount": "sixty"}], "total": "60.00", "currency": "EUR"},
        {"lines": [{"kind": "tip", "amount": "60.00"}], "total": "60.00", "currency": "EUR"},
        {"total": "60.00"},
    ],
)
def test_what_does_not_add_up_is_refused(kept: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="costs"):
        stored_costs(kept)
