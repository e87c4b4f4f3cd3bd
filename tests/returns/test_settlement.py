"""Settlements, to the cent, for any orders and any sequence of returns."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.kernel.terms import RETURN_PICK_UP_COST
from portal.returns.rules.settlement import (
    ComputedSettlement,
    Returned,
    SettlementKind,
    Sold,
    Terms,
    Worth,
    depreciation,
    settle,
    spread,
    worth_of_units,
)

amounts = st.integers(0, 1_000_000).map(lambda cents: Decimal(cents) / 100)

lines = st.lists(
    st.builds(Sold, price=amounts, quantity=st.integers(1, 6), is_bike=st.booleans()), min_size=1, max_size=6
)
with_extras = st.lists(
    st.builds(
        Sold, price=amounts, quantity=st.integers(1, 6), is_bike=st.just(True), package=amounts, insurance=amounts
    ),
    min_size=1,
    max_size=4,
)
"""Lines that say what service package and insurance belong to them."""


def D(text: str) -> Decimal:
    return Decimal(text)


@given(amounts, st.lists(amounts, min_size=1, max_size=12))
def test_spread_parts_add_up_and_no_part_exceeds_its_weight(amount: Decimal, weights: list[Decimal]) -> None:
    amount = min(amount, sum(weights, D("0"))) if any(weights) else amount
    shares = spread(amount, weights)
    assert sum(shares) == amount
    assert all(share >= 0 for share in shares)
    if any(weights):
        assert all(share <= weight for share, weight in zip(shares, weights, strict=True))


@given(lines, amounts, amounts, amounts)
def test_the_worths_of_all_units_add_up_to_the_price_of_the_order(
    sold: list[Sold], discount: Decimal, package: Decimal, insurance: Decimal
) -> None:
    subtotal = sum((line.price for line in sold), D("0"))
    discount = min(discount, subtotal)
    worths = [worth for units in worth_of_units(sold, discount, package, insurance) for worth in units]
    bikes = any(line.is_bike for line in sold)
    assert sum(worth.paid for worth in worths) == subtotal - discount
    assert sum(worth.package for worth in worths) == (package if bikes else 0)
    assert sum(worth.insurance for worth in worths) == (insurance if bikes else 0)
    assert all(worth.paid >= 0 for worth in worths)


@given(amounts, st.integers(1, 40))
def test_the_cents_of_a_quantity_are_divided_over_its_units(price: Decimal, quantity: int) -> None:
    prices = Sold(price, quantity).prices
    assert sum(prices) == price
    assert max(prices) - min(prices) <= D("0.01")


@given(st.one_of(lines, with_extras), amounts, amounts, st.data())
def test_no_sequence_of_returns_refunds_more_than_was_paid(
    sold: list[Sold], discount: Decimal, paid: Decimal, data: st.DataObject
) -> None:
    """The order may be paid in part; each return sets off the unpaid amount first."""
    subtotal = sum((line.price for line in sold), D("0"))
    extras = sum((line.package + line.insurance for line in sold), D("0"))
    total = subtotal - min(discount, subtotal) + extras
    paid = min(paid, total)
    left = [worth for units in worth_of_units(sold, min(discount, subtotal)) for worth in units]
    outstanding, refunded = total - paid, D("0")
    while left:
        count = data.draw(st.integers(1, len(left)))
        chosen, left = left[:count], left[count:]
        terms = Terms(
            signs_of_use=data.draw(st.booleans()), pick_up=data.draw(st.booleans()), outstanding={"1": outstanding}
        )
        found = settle([Returned("x", tuple(chosen), "1", used=data.draw(st.integers(0, count)))], terms)
        assert found.open == outstanding - found.set_off.get("1", D("0")) >= 0
        assert found.maximum_refund <= paid
        outstanding = found.open
        # Staff may decide up to the maximum, which leaves out the fee of the pick-up.
        refunded += found.maximum_refund
        assert sum(line.kind is SettlementKind.PICK_UP for line in found.lines) == terms.pick_up
        assert ComputedSettlement.from_json(found.to_json()) == found
    assert refunded <= paid


@pytest.mark.parametrize(
    ("paid", "off"), [("100.00", "25.00"), ("0.01", "0.00"), ("0.02", "0.01"), ("0.10", "0.03"), ("64.95", "16.24")]
)
def test_signs_of_use_deduct_a_quarter_rounded_half_up(paid: str, off: str) -> None:
    assert depreciation(D(paid)) == D(off)


def test_depreciation_is_rounded_for_each_unit_and_not_for_the_sum() -> None:
    units = (Worth(D("0.10")),) * 3
    found = settle([Returned("Bel", units, "1")], Terms(signs_of_use=True))
    assert [line.amount for line in found.lines] == [D("0.30"), D("-0.09")]


def test_an_item_of_a_discounted_order_is_worth_its_discounted_price() -> None:
    (bike,), (bag,) = worth_of_units([Sold(D("900.00"), 1, True), Sold(D("100.00"), 1)], D("150.00"))
    assert (bike.paid, bag.paid) == (D("765.00"), D("85.00"))


def test_a_bike_refunds_its_share_of_package_and_insurance() -> None:
    worths = worth_of_units([Sold(D("3000"), 1, True), Sold(D("1000"), 1, True)], D("0"), D("249.00"), D("289.00"))
    found = settle([Returned("Fiets", tuple(worths[1]), "1")], Terms(pick_up=True))
    assert [(line.kind, line.amount) for line in found.lines] == [
        (SettlementKind.ITEM, D("1000.00")),
        (SettlementKind.PACKAGE, D("62.25")),
        (SettlementKind.INSURANCE, D("72.25")),
        (SettlementKind.PICK_UP, -RETURN_PICK_UP_COST),
    ]
    assert found.refund == D("1094.55")


def test_an_exchange_for_the_same_item_costs_only_signs_of_use_and_pick_up() -> None:
    found = settle(
        [Returned("Fiets", (Worth(D("600.00"), D("99.00")),), "1")],
        Terms(signs_of_use=True, pick_up=True, new_item="Fiets"),
    )
    assert found.charge == D("150.00") + RETURN_PICK_UP_COST
    assert found.refund == 0


@pytest.mark.parametrize(
    ("price", "outstanding", "total", "still_open"),
    [
        (None, "600.00", "0.00", "600.00"),
        (None, "0.00", "0.00", "0.00"),
        ("500.00", "600.00", "0.00", "500.00"),
        ("500.00", "40.00", "60.00", "0.00"),
        ("700.00", "600.00", "-100.00", "600.00"),
        ("749.00", "0.00", "-149.00", "0.00"),
        ("599.00", "0.00", "1.00", "0.00"),
    ],
)
def test_an_exchange_lists_the_unpaid_amount_apart_from_the_total(
    price: str | None, outstanding: str, total: str, still_open: str
) -> None:
    new_price = D(price) if price else None
    terms = Terms(new_item="B", new_price=new_price, outstanding={"1": D(outstanding)})
    found = settle([Returned("A", (Worth(D("600.00")),), "1")], terms)
    assert (found.total, found.open) == (D(total), D(still_open))
    assert ComputedSettlement.from_json(found.to_json()) == found


def test_unpaid_amounts_are_set_off_per_order() -> None:
    """One order is paid, the other is not: only the paid one is refunded."""
    returned = [Returned("A", (Worth(D("50.00")),), "1"), Returned("B", (Worth(D("30.00")),), "2")]
    found = settle(returned, Terms(outstanding={"2": D("70.00"), "3": D("9.00")}))
    assert (found.set_off, found.refund, found.open) == ({"2": D("30.00")}, D("50.00"), D("40.00"))


@pytest.mark.parametrize(
    ("left", "refund"), [("100.00", "80.00"), ("80.00", "80.00"), ("60.00", "60.00"), ("0.00", "0.00")]
)
def test_no_more_is_refunded_than_the_shop_left(left: str, refund: str) -> None:
    returned = [Returned("A", (Worth(D("50.00")),), "1"), Returned("B", (Worth(D("30.00")),), "1")]
    found = settle(returned, Terms(left={"1": D(left)}))
    assert found.refund == D(refund)
    assert sum(found.already_refunded.values()) == D("80.00") - D(refund)


@pytest.mark.parametrize("broken", [{}, {"lines": [], "total": "1.00"}, {"lines": [{}], "total": "0"}])
def test_a_settlement_that_does_not_add_up_is_invalid(broken: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="settlement"):
        ComputedSettlement.from_json(broken)


def test_package_and_insurance_belong_to_the_bike_that_has_them() -> None:
    first = Sold(D("2899"), 1, True, package=D("249.00"), insurance=D("289.00"))
    (has,), (without,) = worth_of_units([first, Sold(D("599"), 1, True)], D("150.00"), D("249.00"), D("289.00"))
    assert (has.package, has.insurance) == (D("249.00"), D("289.00"))
    assert (without.package, without.insurance) == (D("0.00"), D("0.00"))


@pytest.mark.parametrize("at_our_expense", [True, False])
def test_a_wrong_or_defective_item_costs_neither_signs_of_use_nor_the_pick_up(at_our_expense: bool) -> None:
    terms = Terms(signs_of_use=True, pick_up=True, at_our_expense=at_our_expense)
    found = settle([Returned("Slot", (Worth(D("80.00")),), "1")], terms)
    assert found.total == (D("80.00") if at_our_expense else D("80.00") - D("20.00") - RETURN_PICK_UP_COST)
