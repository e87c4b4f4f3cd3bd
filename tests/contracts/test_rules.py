"""When a contract ends, and what is paid back: to the cent, for every day."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.contracts.rules import Ending, ending, withdraw_until
from portal.kernel.days import add_months
from portal.vocabulary.contracts import EndKind

TAKEN_OUT = date(2026, 1, 15)
PRICE = Decimal("7.95")


def ended(declared: date, *, notice: int = 1, start: date = TAKEN_OUT) -> Ending:
    return ending(
        concluded_on=TAKEN_OUT,
        starts_on=start,
        monthly=PRICE,
        declared_on=declared,
        notice_months=notice,
        withdrawal_days=14,
    )


@pytest.mark.parametrize(("days", "kind"), [(0, "withdrawal"), (14, "withdrawal"), (15, "cancellation")])
def test_day_14_is_the_last_of_the_withdrawal(days: int, kind: str) -> None:
    assert ended(TAKEN_OUT + timedelta(days=days)).kind == kind


def test_a_withdrawal_ends_at_once_and_pays_back_what_was_collected() -> None:
    day = TAKEN_OUT + timedelta(days=10)
    assert ended(day) == Ending(EndKind.WITHDRAWAL, day, refund=PRICE)


def test_a_withdrawal_before_the_first_day_has_nothing_to_pay_back() -> None:
    day = TAKEN_OUT + timedelta(days=3)
    assert ended(day, start=TAKEN_OUT + timedelta(days=7)) == Ending(EndKind.WITHDRAWAL, day)


@pytest.mark.parametrize(
    ("declared", "last", "first", "due"),
    [
        # 15 to 20 April are 6 of the 30 days from 15 April.
        (date(2026, 3, 20), date(2026, 4, 20), date(2026, 4, 15), "1.59"),
        # The last day of a period is paid in full.
        (date(2026, 3, 14), date(2026, 4, 14), date(2026, 3, 15), "7.95"),
        # One day of the 28 from 15 February.
        (date(2026, 1, 31), date(2026, 2, 28), date(2026, 2, 15), "3.98"),
    ],
)
def test_a_cancellation_charges_the_last_period_by_the_day(declared: date, last: date, first: date, due: str) -> None:
    assert ended(declared) == Ending(EndKind.CANCELLATION, last, last_payment=Decimal(due), last_from=first)


def test_without_a_notice_the_rest_of_the_period_is_paid_back() -> None:
    # 15 to 20 March are 6 of 31 days: 1.54 of 7.95.
    assert ended(date(2026, 3, 20), notice=0) == Ending(EndKind.CANCELLATION, date(2026, 3, 20), refund=Decimal("6.41"))


def test_a_policy_that_ends_before_its_first_day_costs_nothing() -> None:
    found = ended(date(2026, 2, 10), start=date(2026, 6, 1))
    assert (found.ends_on, found.refund, found.last_payment) == (date(2026, 3, 10), 0, 0)


@given(
    start=st.dates(date(2024, 1, 1), date(2027, 12, 31)),
    after=st.integers(0, 800),
    cents=st.integers(1, 20_000),
    notice=st.integers(0, 3),
)
def test_no_end_collects_or_pays_back_more_than_the_periods_cost(
    start: date, after: int, cents: int, notice: int
) -> None:
    monthly, declared = Decimal(cents) / 100, start + timedelta(days=after)
    found = ending(
        concluded_on=start,
        starts_on=start,
        monthly=monthly,
        declared_on=declared,
        notice_months=notice,
        withdrawal_days=14,
    )
    assert found.ends_on >= declared
    for amount in (found.refund, found.last_payment):
        assert amount == amount.quantize(Decimal("0.01"))
        assert 0 <= amount <= monthly
    if declared <= withdraw_until(start, 14):
        assert (found.refund, found.last_payment, found.ends_on) == (monthly, 0, declared)
    else:
        assert not (found.refund and found.last_payment)
        assert found.ends_on == add_months(declared, notice)
        assert found.last_from is None or declared < found.last_from <= found.ends_on
