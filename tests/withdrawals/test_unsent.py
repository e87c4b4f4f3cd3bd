"""What was never sent, withdrawn by the customer or cancelled by staff: nothing is owed, what was paid goes back."""

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlmodel import col, select

from portal.backend.backoffice import TransitionRequest
from portal.cases.provider.subjects import SUBJECTS
from portal.contract.errors import Refused
from portal.deliveries.api import DeliveriesApi
from portal.exports.api import ExportsApi
from portal.kernel.codes import Code
from portal.kernel.days import today
from portal.orders.api import OrdersApi
from portal.overview.api import OverviewApi
from portal.overview.pages.order_views import shown_order
from portal.returns.api import ReturnsApi
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import PaymentStatus
from portal.vocabulary.returns import ReturnKind, ReturnStatus
from portal.vocabulary.staff import Role
from portal.withdrawals.api import WithdrawalEntry, WithdrawalReceipt, WithdrawalsApi, WithdrawnItem
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.returning import BUNDLE, NOT_SENT

HALF = Decimal("100.00")


async def _planned(shop: Furnished, paid: Decimal) -> None:
    """The order has a planned day, and only a part of it was paid."""
    values = {"scheduled_day": today() + timedelta(days=5), "paid": paid, "payment_status": PaymentStatus.PARTLY_PAID}
    await shop.change(OrderRow, {**values, "delivery_status": DeliveryStatus.IN_STOCK}, order_number=NOT_SENT)


async def _withdraw(shop: Furnished, token: str, number: str = NOT_SENT) -> WithdrawalReceipt:
    entry = WithdrawalEntry(order_number=number, name="Roos", key=f"withdraw-{number}")
    return await shop.ask(WithdrawalsApi).withdraw(token, entry)


async def test_nothing_is_delivered_sent_back_or_owed(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    await _planned(furnished, HALF)
    receipt = await _withdraw(furnished, token)
    # The receipt asks for nothing, and says when the money comes.
    assert not receipt.battery
    steps = [step.en for step in receipt.account.next_steps]
    assert steps == ["Nothing will be delivered, and you have nothing to send back."]
    assert receipt.account.handover is None
    assert receipt.account.money.total == HALF
    assert "by" in receipt.account.money.note.en
    (mail,) = await furnished.rows(OutboxMail)
    assert (mail.template, mail.details["battery_first"]) == ("withdrawal_received", "")
    assert mail.details["unsent"] == ["Er wordt niets bezorgd, en je hoeft niets terug te sturen."]
    found = await furnished.ask(ReturnsApi).return_detail(token, receipt.return_id)
    assert (found.status, found.can_cancel, found.has_label) == (ReturnStatus.CLOSED, False, False)
    # The order shows neither a day, nor an amount, nor buttons.
    order = await furnished.ask(OrdersApi).order(token, NOT_SENT)
    lines = await furnished.ask(OverviewApi).line_actions(token, NOT_SENT)
    view = shown_order(order, lines)
    assert (view.scheduled, view.can_move, view.due, view.due_now) == (None, False, 0, 0)
    assert (view.withdrawable, view.returning) == (False, "cancelled")
    assert not any(action for line in view.lines for action in line.actions)
    status = await furnished.ask(DeliveriesApi).order_status(token, NOT_SENT)
    assert status.account.status.en == "Cancelled"
    assert not status.account.next_steps
    board = await furnished.ask(OverviewApi).dashboard(token)
    assert not [entry for entry in board.ongoing if entry.reference == NOT_SENT]
    assert (await furnished.ask(DeliveriesApi).delivery_dates(token, NOT_SENT)).refusal is Code.ORDER_CANCELLED


async def test_an_order_of_which_nothing_was_paid_is_settled_by_its_withdrawal(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    await _planned(furnished, Decimal("0.00"))
    receipt = await _withdraw(furnished, token)
    assert receipt.account.money.total == 0
    assert receipt.account.money.note.en == "You don’t have to pay for this order any more."
    order = await furnished.one(OrderRow, order_number=NOT_SENT)
    assert order.total == order.paid + order.settled
    assert not (await furnished.ask(OrdersApi).order(token, NOT_SENT)).due


async def test_what_is_with_the_carrier_is_delivered_and_comes_back(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    await furnished.change(OrderRow, {"delivery_status": DeliveryStatus.DRIVER_ON_THE_WAY}, order_number=NOT_SENT)
    async with furnished.context.database.transaction() as session:
        order = (await session.exec(select(OrderRow).where(OrderRow.order_number == NOT_SENT))).one()
        shipped = (await session.exec(select(ShipmentRow).where(ShipmentRow.order_id == order.id))).all()
        for shipment in shipped:
            shipment.shipped_at = furnished.context.clock()
    receipt = await _withdraw(furnished, token)
    assert receipt.account.handover is not None
    row = await furnished.one(ReturnRow, reference=receipt.reference)
    order = await furnished.one(OrderRow, order_number=NOT_SENT)
    assert row.status is ReturnStatus.REQUEST_RECEIVED
    assert order.delivery_status is DeliveryStatus.DRIVER_ON_THE_WAY


async def test_an_item_of_an_unsent_order_leaves_the_rest_to_be_delivered(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    await furnished.change(OrderRow, {"delivery_status": DeliveryStatus.IN_STOCK}, order_number=BUNDLE)
    async with furnished.context.database.transaction() as session:
        order = (await session.exec(select(OrderRow).where(OrderRow.order_number == BUNDLE))).one()
        for shipment in await session.exec(select(ShipmentRow).where(ShipmentRow.order_id == order.id)):
            shipment.shipped_at = shipment.delivered_at = shipment.status = None
    items = (await furnished.ask(WithdrawalsApi).withdrawable(token, BUNDLE)).items
    entry = WithdrawalEntry(
        order_number=BUNDLE, name="Roos", key="one-of-three", items=[WithdrawnItem(item_id=items[2].item_id, count=1)]
    )
    receipt = await furnished.ask(WithdrawalsApi).withdraw(token, entry)
    assert (await furnished.ask(ReturnsApi).return_detail(token, receipt.return_id)).status is ReturnStatus.CLOSED
    assert (await furnished.ask(OrdersApi).order(token, BUNDLE)).delivery_status is DeliveryStatus.IN_STOCK
    status = await furnished.ask(DeliveriesApi).order_status(token, BUNDLE)
    coming = [item for shipment in status.shipments for item in shipment.items] + status.unshipped
    assert sum(item.quantity for item in coming) == 3
    left = (await furnished.ask(WithdrawalsApi).withdrawable(token, BUNDLE)).items
    assert [item.most for item in left] == [1, 1, 1]
    # The whole rest calls the delivery off.
    await _withdraw(furnished, token, BUNDLE)
    assert (await furnished.ask(OrdersApi).order(token, BUNDLE)).delivery_status is DeliveryStatus.ORDER_CANCELLED
    with pytest.raises(Refused) as caught:
        await furnished.ask(WithdrawalsApi).withdrawable(token, BUNDLE)
    assert caught.value.code is Code.NOTHING_FOUND


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
    (row,) = await furnished.rows(ReturnRow, order_number=NOT_SENT)
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


async def test_no_more_goes_back_than_was_paid_and_not_refunded_yet(furnished: Furnished) -> None:
    await _paid(furnished, NOT_SENT, Decimal("0.00"))
    await _cancel(furnished, NOT_SENT)
    assert await furnished.rows(ReturnRow, order_number=NOT_SENT) == []
    assert [mail.template for mail in await furnished.rows(OutboxMail)] == ["delivery_status"]
    await _paid(furnished, NOT_SENT)
    await furnished.change(OrderRow, {"payment_status": PaymentStatus.REFUNDED}, order_number=NOT_SENT)
    await _cancel(furnished, NOT_SENT)
    assert await furnished.rows(ReturnRow, order_number=NOT_SENT) == []
    await _paid(furnished, NOT_SENT, Decimal("100.00"))
    await _cancel(furnished, NOT_SENT)
    assert [row.refund_amount for row in await furnished.rows(ReturnRow, order_number=NOT_SENT)] == [Decimal("100.00")]


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
    (first,) = await furnished.rows(ReturnRow, order_number=BUNDLE)
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
    rows = await furnished.rows(ReturnRow, order_number=BUNDLE)
    assert [row.kind for row in rows] == [ReturnKind.CANCELLATION, ReturnKind.WITHDRAWAL, ReturnKind.CANCELLATION]
    assert sum((row.refund_amount or 0 for row in rows), Decimal(0)) == paid
