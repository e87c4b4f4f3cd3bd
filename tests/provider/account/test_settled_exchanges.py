"""What exchanges moved before bills told it apart from payments is put right, and back, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlmodel import Session, col, select

from portal.domain.countries import Country
from portal.provider.migrations import migrate, migration_engine
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.orders import OrderRow
from portal.provider.tables.returns import ReturnRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import PaymentStatus
from portal.vocabulary.returns import ReturnKind, ReturnMethod, ReturnStatus

BEGUN = datetime(2026, 5, 1, 9, 30, 15, 123456, tzinfo=UTC)
Money = tuple[str, str, PaymentStatus]
"""What was paid of a bill, what is settled, and what the bill is called."""
PAID, PARTLY, OPEN = PaymentStatus.PAID, PaymentStatus.PARTLY_PAID, PaymentStatus.OPEN
WORTH = "749.00"


def _order(number: str, total: str, money: Money, customer: int, place: int) -> OrderRow:
    paid, settled, status = money
    return OrderRow(
        order_number=number,
        customer_id=customer,
        country_code=Country.NL,
        ordered_at=BEGUN + timedelta(days=place),
        delivery_status=DeliveryStatus.ORDER_DELIVERED,
        payment_status=status,
        payment_method="invoice",
        delivery_method="home",
        subtotal=Decimal(total),
        total=Decimal(total),
        paid=Decimal(paid),
        settled=Decimal(settled),
    )


def _return(number: str, lines: list[tuple[str, str, str]], kind: ReturnKind, customer: int, place: int) -> ReturnRow:
    made: dict[str, Any] = {"lines": [{"kind": k, "amount": a, "item": i, "quantity": 1} for k, a, i in lines]}
    return ReturnRow(
        customer_id=customer,
        kind=kind,
        status=ReturnStatus.CLOSED,
        order_number=number,
        method=ReturnMethod.STORE,
        settlement=made,
        created_at=BEGUN + timedelta(days=place),
        updated_at=BEGUN + timedelta(days=place),
    )


def _swap(number: str, customer: int, place: int) -> ReturnRow:
    """The same one in exchange: what came back is worth what the new one costs."""
    lines = [("item", WORTH, "Fiets"), ("new_item", f"-{WORTH}", "Fiets")]
    return _return(number, lines, ReturnKind.EXCHANGE, customer, place)


def _bills(url: str) -> dict[str, Money]:
    with Session(migration_engine(url)) as session:
        own = select(OrderRow).where(col(OrderRow.order_number).like("90000099_"))
        rows = session.exec(own.order_by(col(OrderRow.order_number)))
        return {row.order_number: (str(row.paid), str(row.settled), row.payment_status) for row in rows}


def _furnish(url: str, bills: list[Money], *, set_off: str = "") -> None:
    """An order, and the ones that came of exchanging it again and again; of the first, something small came back."""
    with Session(migration_engine(url)) as session:
        customer = session.exec(select(CustomerRow.id)).first() or 0
        for place, money in enumerate(bills):
            session.add(_order(f"90000099{place}", "838.95" if place == 0 else WORTH, money, customer, place))
            session.flush()
            if place:
                session.add(_swap(f"90000099{place - 1}", customer, place))
        if set_off:
            lines = [("item", set_off, "Bel"), ("not_paid", f"-{set_off}", "900000990")]
            session.add(_return("900000990", lines, ReturnKind.ACCESSORIES, customer, 40))
        session.commit()


@pytest.mark.parametrize(
    ("before", "after", "set_off"),
    [
        # 300.00 was paid; the rest of the bike's bill moved to the new order, what was paid of it with it.
        (
            [("838.95", "0.00", PAID), ("210.05", "0.00", PARTLY)],
            [("300.00", "538.95", PAID), ("0.00", "210.05", PARTLY)],
            "",
        ),
        # All of it was paid, or nothing.
        ([("838.95", "0.00", PAID), (WORTH, "0.00", PAID)], [("838.95", "0.00", PAID), ("0.00", WORTH, PAID)], ""),
        ([(WORTH, "0.00", PARTLY), ("0.00", "0.00", OPEN)], [("0.00", WORTH, PARTLY), ("0.00", "0.00", OPEN)], ""),
        # What was exchanged was exchanged itself.
        (
            [("838.95", "0.00", PAID), (WORTH, "0.00", PAID), ("210.05", "0.00", PARTLY)],
            [("300.00", "538.95", PAID), ("0.00", WORTH, PAID), ("0.00", "210.05", PARTLY)],
            "",
        ),
        # Something small that came back was set off, and is no part of it; that finished a bill without saying so.
        (
            [(WORTH, "89.95", PARTLY), ("0.00", "0.00", OPEN)],
            [("0.00", "838.95", PAID), ("0.00", "0.00", OPEN)],
            "89.95",
        ),
    ],
)
def test_what_an_exchange_moved_is_settled_and_no_bill_is_higher_or_lower_for_it(
    loaded_url: str, before: list[Money], after: list[Money], set_off: str
) -> None:
    migrate(loaded_url, "-1")
    _furnish(loaded_url, before, set_off=set_off)
    put_right = {f"90000099{place}": money for place, money in enumerate(after)}
    migrate(loaded_url)
    assert _bills(loaded_url) == put_right
    migrate(loaded_url, "-1")
    taken_back = _bills(loaded_url)
    assert [money[:2] for money in taken_back.values()] == [money[:2] for money in before]
    migrate(loaded_url)
    assert _bills(loaded_url) == put_right


def test_what_was_settled_from_the_beginning_stays_and_so_does_what_was_paid_since(loaded_url: str) -> None:
    migrate(loaded_url, "-1")
    # The second exchange was closed by the present code, and the customer has paid 100.00 of what it cost since.
    bills: list[Money] = [("838.95", "0.00", PAID), ("210.05", "538.95", PAID), ("100.00", "210.05", PARTLY)]
    _furnish(loaded_url, bills)
    migrate(loaded_url)
    assert _bills(loaded_url) == {
        "900000990": ("300.00", "538.95", PAID),
        "900000991": ("0.00", WORTH, PAID),
        "900000992": ("100.00", "210.05", PARTLY),
    }
