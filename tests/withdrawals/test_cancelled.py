"""What was paid for an order that staff cancel is put up for refund once, as that of a withdrawal before sending."""

from __future__ import annotations

from decimal import Decimal

from sqlmodel import col, select

from portal.backend.backoffice import TransitionRequest
from portal.cases.provider.subjects import SUBJECTS
from portal.exports.api import ExportsApi
from portal.orders.api import OrdersApi
from portal.returns.api import ReturnsApi
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import PaymentStatus
from portal.vocabulary.returns import ReturnKind, ReturnStatus
from portal.vocabulary.staff import Role
from portal.withdrawals.api import WithdrawalEntry, WithdrawalsApi, WithdrawnItem
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.returning import BUNDLE, NOT_SENT


async def _refunds(shop: Furnished, number: str) -> list[ReturnRow]:
    async with shop.context.database.session() as session:
        query = select(ReturnRow).where(ReturnRow.order_number == number).order_by(col(ReturnRow.id))
        return list((await session.exec(query)).all())


async def _paid(shop: Furnished, number: str, part: Decimal | None = None) -> Decimal:
    """What of the order was paid: all of it, or a part."""
    async with shop.context.database.transaction() as session:
        order = (await session.exec(select(OrderRow).where(OrderRow.order_number == number))).one()
        order.paid = order.total if part is None else part
        order.payment_status = PaymentStatus.PAID if part is None else PaymentStatus.PARTLY_PAID
        order.delivery_status = DeliveryStatus.IN_STOCK
        return order.paid


async def _cancel(shop: Furnished, reference: str, note: str = "") -> None:
    request = TransitionRequest(status="order_cancelled", note=note)
    await shop.application.back_office.move("shipment", reference, request)


async def test_what_was_paid_is_put_up_for_refund_and_everybody_reads_it(furnished: Furnished) -> None:
    token, paid = await furnished.log_in(ROOS), await _paid(furnished, NOT_SENT)
    await _cancel(furnished, NOT_SENT, note="Niet meer leverbaar")
    (row,) = await _refunds(furnished, NOT_SENT)
    assert (row.kind, row.status, row.refund_amount) == (ReturnKind.CANCELLATION, ReturnStatus.CLOSED, paid)
    # The desk and finance.
    listed = await furnished.ask(ExportsApi).refunds_to_pay(await furnished.log_in_staff(Role.FINANCE))
    assert [(entry.kind, entry.amount) for entry in listed if entry.reference == row.reference] == [(row.kind, paid)]
    async with furnished.context.database.session() as session:
        content = await SUBJECTS[CaseKind.RETURN].content(furnished.context, session, row.reference)
        mails = (await session.exec(select(OutboxMail).order_by(col(OutboxMail.id)))).all()
    assert content
    assert content.account.money.total == paid
    # The page of the return, the order and the mail.
    found = await furnished.ask(ReturnsApi).return_detail(token, row.public_id)
    assert found.account.title.en.startswith("Cancelled order: ")
    assert found.account.meaning.en == "It was cancelled, so you don’t get it and don’t pay for it."
    assert (found.can_cancel, found.has_label, found.account.handover) == (False, False, None)
    order = await furnished.ask(OrdersApi).order(token, NOT_SENT)
    assert (order.refund, order.refund_id, order.due) == (paid, row.public_id, 0)
    (mail,) = [mail for mail in mails if mail.customer_id == row.customer_id]
    assert (mail.template, mail.details["note"]) == ("return_moved", "Niet meer leverbaar")
    assert mail.details["total"][0] == "Je krijgt terug"
    assert mail.details["money_note"].startswith("We betalen")


async def test_not_more_than_was_paid_goes_back(furnished: Furnished) -> None:
    await _paid(furnished, NOT_SENT, Decimal("100.00"))
    await _cancel(furnished, NOT_SENT)
    (row,) = await _refunds(furnished, NOT_SENT)
    assert row.refund_amount == Decimal("100.00")


async def test_of_an_unpaid_order_and_of_one_that_the_shop_refunded_nothing_goes_back(furnished: Furnished) -> None:
    await _paid(furnished, NOT_SENT, Decimal("0.00"))
    await _cancel(furnished, NOT_SENT)
    assert await _refunds(furnished, NOT_SENT) == []
    async with furnished.context.database.session() as session:
        assert [mail.template for mail in await session.exec(select(OutboxMail))] == ["delivery_status"]
    await _paid(furnished, NOT_SENT)
    await furnished.change(OrderRow, {"payment_status": PaymentStatus.REFUNDED}, order_number=NOT_SENT)
    await _cancel(furnished, NOT_SENT)
    assert await _refunds(furnished, NOT_SENT) == []


async def _parts(shop: Furnished, number: str) -> None:
    """The order is sent in two parts, the first line in the first."""
    async with shop.context.database.transaction() as session:
        order = (await session.exec(select(OrderRow).where(OrderRow.order_number == number))).one()
        for shipment in await session.exec(select(ShipmentRow).where(ShipmentRow.order_id == order.id)):
            for inside in await session.exec(select(ShipmentLineRow).where(ShipmentLineRow.shipment_id == shipment.id)):
                await session.delete(inside)
            await session.delete(shipment)
        lines = (
            await session.exec(
                select(OrderLineRow).where(OrderLineRow.order_id == order.id).order_by(col(OrderLineRow.position))
            )
        ).all()
        parts = [ShipmentRow(order_id=order.id, carrier="PostNL") for _ in range(2)]
        session.add_all(parts)
        await session.flush()
        session.add_all(
            ShipmentLineRow(shipment_id=parts[min(place, 1)].id, order_line_id=line.id, quantity=line.quantity)
            for place, line in enumerate(lines)
        )


async def test_the_parts_of_an_order_together_pay_back_what_was_paid(furnished: Furnished) -> None:
    token, paid = await furnished.log_in(ROOS), await _paid(furnished, BUNDLE)
    await _parts(furnished, BUNDLE)
    items = (await furnished.ask(WithdrawalsApi).withdrawable(token, BUNDLE)).items
    await _cancel(furnished, f"{BUNDLE}-1")
    (first,) = await _refunds(furnished, BUNDLE)
    assert 0 < (first.refund_amount or 0) < paid
    assert (await furnished.ask(OrdersApi).order(token, BUNDLE)).delivery_status is DeliveryStatus.IN_STOCK
    # The customer withdraws a unit of the other part, and the shop cancels the rest.
    entry = WithdrawalEntry(
        order_number=BUNDLE,
        name="Roos",
        key="one-of-the-rest",
        items=[WithdrawnItem(item_id=items[2].item_id, count=1)],
    )
    await furnished.ask(WithdrawalsApi).withdraw(token, entry)
    await _cancel(furnished, f"{BUNDLE}-2")
    rows = await _refunds(furnished, BUNDLE)
    assert [row.kind for row in rows] == [ReturnKind.CANCELLATION, ReturnKind.WITHDRAWAL, ReturnKind.CANCELLATION]
    assert sum((row.refund_amount or 0 for row in rows), Decimal(0)) == paid
