"""Units that can be returned: shipped, in time, and in no other return."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from portal.kernel.codes import Code
from portal.kernel.days import AMSTERDAM, local_day
from portal.orders.rules import can_withdraw, return_until, withdrawal_until
from portal.returns.rules.settlement import Worth
from portal.returns.rules.units import Hold, Parcel, Unclear, refusal, returnable, units_of, why_not, withdrawable

NOW = datetime(2026, 6, 1, 10, tzinfo=UTC)
DAY = local_day(NOW)
FIVE = [Worth(Decimal("10.00"))] * 5


def ago(days: int) -> datetime:
    return NOW - timedelta(days=days)


def test_units_that_were_not_shipped_cannot_be_returned() -> None:
    units = units_of(FIVE, [Parcel(2, ago(3)), Parcel(3, None)], {}, 100)
    assert len(returnable(units, DAY)) == 2
    assert [refusal(unit, DAY) for unit in units[2:]] == [Code.ORDER_NOT_SHIPPED] * 3
    assert why_not(units_of(FIVE, [], {}, 100), DAY) is Code.ORDER_NOT_SHIPPED


def test_each_shipment_has_its_own_last_day() -> None:
    units = units_of(FIVE, [Parcel(3, ago(101)), Parcel(2, ago(100))], {}, 100)
    assert [refusal(unit, DAY) for unit in units] == [Code.OLDER_THAN_100_DAYS] * 3 + [None] * 2


@pytest.mark.parametrize("shipped", [datetime(2026, 3, 1, 0, 0), datetime(2026, 3, 1, 23, 59), datetime(2026, 7, 20)])
def test_day_100_counts_until_midnight_in_amsterdam(shipped: datetime) -> None:
    """The last day also holds across the changes to and from summer time."""
    moment = shipped.replace(tzinfo=AMSTERDAM)
    last = moment.date() + timedelta(days=100)
    assert return_until(moment.astimezone(UTC), 100) == last
    at_the_end = datetime(last.year, last.month, last.day, 23, 59, 59, tzinfo=AMSTERDAM)
    unit = units_of(FIVE[:1], [Parcel(1, moment.astimezone(UTC))], {}, 100)[0]
    assert refusal(unit, local_day(at_the_end.astimezone(UTC))) is None
    assert refusal(unit, local_day((at_the_end + timedelta(seconds=1)).astimezone(UTC))) is Code.OLDER_THAN_100_DAYS


def test_the_reason_that_the_customer_can_act_on_comes_first() -> None:
    units = units_of(FIVE, [Parcel(3, ago(200)), Parcel(2, ago(1))], {4: Hold.OPEN, 5: Hold.DONE}, 100)
    assert why_not(units, DAY) is Code.RETURN_REQUEST_EXISTS
    assert why_not(units_of(FIVE[:1], [Parcel(1, ago(1))], {1: Hold.DONE}, 100), DAY) is Code.ALREADY_RETURNED


def test_more_units_shipped_than_sold_is_unclear() -> None:
    with pytest.raises(Unclear):
        units_of(FIVE, [Parcel(4, ago(3)), Parcel(2, ago(3))], {}, 100)


def test_the_14_days_of_withdrawal_begin_with_the_last_delivery_and_end_at_midnight() -> None:
    until = withdrawal_until([ago(20), ago(14)], 14)
    assert until == DAY
    assert can_withdraw(until, ago(20), DAY)
    assert not can_withdraw(until, ago(20), DAY + timedelta(days=1))
    assert withdrawal_until([ago(20), None], 14) is None


def test_what_never_arrived_can_be_withdrawn_for_a_year_at_most() -> None:
    assert can_withdraw(None, ago(365), DAY)
    assert not can_withdraw(None, ago(366), DAY)


parcels = st.lists(
    st.builds(Parcel, quantity=st.integers(0, 4), shipped_at=st.none() | st.integers(0, 140).map(ago)), max_size=4
)


@given(st.integers(1, 12), parcels, st.data())
def test_any_sequence_of_returns_holds_each_unit_once_and_no_more_than_shipped(
    sold: int, sent: list[Parcel], data: st.DataObject
) -> None:
    assume(sum(parcel.quantity for parcel in sent) <= sold)
    worths = [Worth(Decimal("1.00"))] * sold
    shipped = sum(parcel.quantity for parcel in sent if parcel.shipped_at)
    holds: dict[int, Hold] = {}
    returns: list[list[int]] = []
    for _ in range(data.draw(st.integers(0, 8))):
        units = units_of(worths, sent, holds, 100)
        free = returnable(units, DAY)
        assert len(free) + len(holds) <= max(shipped, len(holds))
        assert not {unit.number for unit in free} & set(holds)
        assert {unit.number for unit in free} <= {unit.number for unit in withdrawable(units)}
        if free and data.draw(st.booleans()):
            taken = [unit.number for unit in free[: data.draw(st.integers(1, len(free)))]]
            holds |= dict.fromkeys(taken, Hold.OPEN)
            returns.append(taken)
        elif returns:
            ended = returns.pop(data.draw(st.integers(0, len(returns) - 1)))
            if data.draw(st.booleans()):
                holds = {number: hold for number, hold in holds.items() if number not in ended}
            else:
                holds |= dict.fromkeys(ended, Hold.DONE)
    assert len(holds) <= shipped
