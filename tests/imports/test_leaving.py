"""An import that cancels an order, or gives a bike to another customer, ends what hangs on it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from sqlmodel import select

from portal.imports.provider.importer import Importer
from portal.kernel.validation import short_id
from portal.provider.cases import register_followers
from portal.returns.provider.queries import StockQueries
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.insurance import ContractEndRow
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.services import ServicePackage
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from tests.support.application import TestApplication
from tests.support.shop_records import bike, customer, order, raw

NUMBER = order()["order_number"]


@pytest.fixture
async def shop(application: TestApplication) -> TestApplication:
    """A customer with a bike, a repair that is open, and a service package."""
    register_followers()
    await _put(application, "customers", customer(), customer(2))
    await _put(application, "orders", order(), order(2, 2))
    await _put(application, "bikes", bike())
    now = application.clock()
    async with application.context.database.transaction() as session:
        row = (await session.exec(select(BikeRow))).one()
        row.service_package = ServicePackage.SERVICE32
        known: dict[str, Any] = {"customer_id": row.customer_id, "bike_id": row.id, "created_at": now}
        session.add(
            RequestRow(
                **known, reference=short_id(8), kind=RequestKind.REPAIR, status=WorkOrderStatus.ACCEPTED, title="Chain",
                updated_at=now,
            )
        )  # fmt: skip
        session.add(
            PackageOrderRow(**known, reference=short_id(8), package=ServicePackage.SERVICE32, monthly=Decimal("30.00"))
        )
    return application


async def _put(shop: TestApplication, kind: str, *records: dict[str, Any]) -> None:
    await Importer(shop.context, "shop").store(kind, raw(*records))


async def _ended(shop: TestApplication, note: str, *more: str) -> None:
    async with shop.context.database.session() as session:
        request = (await session.exec(select(RequestRow))).one()
        end = (await session.exec(select(ContractEndRow))).one()
        mails = (await session.exec(select(OutboxMail))).all()
        package = (await session.exec(select(BikeRow.service_package))).one()
    assert request.status is WorkOrderStatus.CANCELLED
    assert end.customer_id == request.customer_id
    assert end.ended_at
    assert package is None
    assert sorted(mail.template for mail in mails) == ["contract_end", *more, "work_order_status"]
    assert {mail.details.get("note") for mail in mails} - {""} == {None, note}


async def test_an_order_that_the_shop_cancelled(shop: TestApplication) -> None:
    await _put(shop, "orders", order(delivery_status="order_cancelled"))
    await _ended(shop, "Geannuleerd, omdat je bestelling is geannuleerd.", "return_moved")


async def _refunds(shop: TestApplication) -> list[tuple[ReturnStatus, Decimal | None]]:
    async with shop.context.database.session() as session:
        return [(row.status, row.refund_amount) for row in (await session.exec(select(ReturnRow))).all()]


async def test_what_was_paid_for_it_is_refunded_once_also_if_the_shop_refunds_it_later(shop: TestApplication) -> None:
    paid = Decimal("1049.90")
    await _put(shop, "orders", order(delivery_status="order_cancelled"))
    assert await _refunds(shop) == [(ReturnStatus.CLOSED, paid)]
    await _put(shop, "orders", order(delivery_status="order_cancelled", payment_status="refunded"))
    assert await _refunds(shop) == [(ReturnStatus.REFUND_PROCESSED, paid)]
    async with shop.context.database.session() as session:
        mails = (await session.exec(select(OutboxMail).where(OutboxMail.template == "return_moved"))).all()
    assert len(mails) == 2


async def test_what_the_shop_cancelled_and_refunded_itself_is_not_refunded(shop: TestApplication) -> None:
    await _put(shop, "orders", order(delivery_status="order_cancelled", payment_status="refunded"))
    assert await _refunds(shop) == []


async def _left(shop: TestApplication) -> Decimal | None:
    """What can still be refunded of the order."""
    async with shop.context.database.session() as session:
        customer_id = (await session.exec(select(OrderRow.customer_id).where(OrderRow.order_number == NUMBER))).one()
        (stock,) = await StockQueries(session, customer_id, shop.clock()).all(NUMBER)
    return stock.left


def _parcels(*statuses: str) -> list[dict[str, Any]]:
    """Parcels with the bike, one lock and the other lock."""
    lines = [{"position": 1}, {"position": 2}, {"position": 2}]
    return [
        {"carrier": "Kwiekpost", "status": status, "lines": [line]}
        for status, line in zip(statuses, lines, strict=True)
    ]


async def test_a_parcel_that_the_shop_cancelled_is_refunded_once_and_its_bike_is_gone(shop: TestApplication) -> None:
    waits, gone = "in_stock", "order_cancelled"

    async def sent(*statuses: str, **more: Any) -> list[Decimal | None]:
        await _put(shop, "orders", order(delivery_status=waits, shipments=_parcels(*statuses), **more))
        return [amount for _, amount in await _refunds(shop)]

    assert await sent(waits, waits, waits) == []
    assert await sent(waits, gone, waits) == [Decimal("25.45")]
    # Nothing is refunded anew for what comes again, also after the shop took it back.
    assert await sent(waits, gone, waits, payment_method="card") == [Decimal("25.45")]
    assert await sent(waits, waits, waits) == [Decimal("25.45")]
    assert await sent(waits, gone, waits) == [Decimal("25.45")]
    assert await sent(waits, gone, gone) == [Decimal("25.45"), Decimal("25.45")]
    assert sum(filter(None, await sent(gone, gone, gone)), Decimal(0)) == Decimal("1049.90")
    await _ended(shop, "Geannuleerd, omdat je bestelling is geannuleerd.", *["return_moved"] * 3)


async def test_a_parcel_that_the_shop_cancelled_and_refunded_itself_is_paid(shop: TestApplication) -> None:
    parcels = _parcels("in_stock", "order_cancelled", "in_stock")
    await _put(shop, "orders", order(refunded="25.45", shipments=parcels))
    assert await _refunds(shop) == [(ReturnStatus.REFUND_PROCESSED, Decimal("25.45"))]
    # The rest is still worth its price, and another 50 euro that the shop gives back is no longer there to be refunded.
    for refunded, left in (("25.45", None), ("75.45", Decimal("974.45"))):
        await _put(shop, "orders", order(refunded=refunded, shipments=parcels))
        assert await _left(shop) == left
    await _put(shop, "orders", order(refunded="75.45", delivery_status="order_cancelled", shipments=parcels))
    assert [amount for _, amount in await _refunds(shop)] == [Decimal("25.45"), Decimal("974.45")]


async def test_a_refund_of_the_same_amount_that_the_shop_paid_later_is_recorded(shop: TestApplication) -> None:
    parcels = _parcels("in_stock", "order_cancelled", "in_stock")
    for refunded, status in (
        ("0.00", ReturnStatus.CLOSED),
        ("10.00", ReturnStatus.CLOSED),
        ("25.45", ReturnStatus.REFUND_PROCESSED),
    ):
        await _put(shop, "orders", order(refunded=refunded, shipments=parcels))
        assert await _refunds(shop) == [(status, Decimal("25.45"))]


async def test_a_refund_that_the_shop_has_not_told_of_yet_comes_on_top_of_its_own(shop: TestApplication) -> None:
    parcels = _parcels("in_stock", "order_cancelled", "in_stock")
    await _put(shop, "orders", order(refunded="50.00", shipments=parcels))
    shop.clock.forward(hours=1)
    async with shop.context.database.transaction() as session:
        row = (await session.exec(select(ReturnRow))).one()
        row.status, row.refunded_at = ReturnStatus.REFUND_PROCESSED, shop.clock()
    assert await _left(shop) == Decimal("974.45")
    shop.clock.forward(hours=1)
    await _put(shop, "orders", order(refunded="75.45", shipments=parcels))
    assert await _left(shop) == Decimal("974.45")


async def test_a_refund_that_staff_decided_as_nothing_takes_nothing_of_what_is_left(shop: TestApplication) -> None:
    await _put(shop, "orders", order(refunded="50.00", shipments=_parcels("in_stock", "order_cancelled", "in_stock")))
    for amount, left in ((None, Decimal("974.45")), (Decimal("0.00"), Decimal("999.90"))):
        async with shop.context.database.transaction() as session:
            (await session.exec(select(ReturnRow))).one().refund_amount = amount
        assert await _left(shop) == left


async def test_of_a_parcel_that_was_not_paid_nothing_is_refunded(shop: TestApplication) -> None:
    for status in ("in_stock", "order_cancelled"):
        parcels = _parcels(status, "in_stock", "in_stock")
        await _put(shop, "orders", order(payment_status="open", paid="0.00", shipments=parcels))
    assert [amount for _, amount in await _refunds(shop)] == [Decimal("0.00")]


async def test_an_old_order_that_comes_in_cancelled_is_not_refunded(shop: TestApplication) -> None:
    await _put(shop, "orders", order(3, delivery_status="order_cancelled"))
    assert await _refunds(shop) == []


async def test_a_bike_that_the_shop_gave_to_another_customer(shop: TestApplication) -> None:
    await _put(shop, "bikes", bike(order_number=2))
    await _ended(shop, "Gestopt, omdat deze fiets niet meer in je account staat.")
