"""A withdrawal of what was never sent: nothing comes, nothing goes back, nothing is owed (part-2 §11)."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlmodel import col, select

from portal.contract.errors import Refused
from portal.deliveries.api import DeliveriesApi
from portal.kernel.codes import Code
from portal.kernel.days import today
from portal.orders.api import OrdersApi
from portal.overview.api import OverviewApi
from portal.overview.pages.order_views import shown_order
from portal.returns.api import ReturnsApi
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderRow, ShipmentRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import PaymentStatus
from portal.vocabulary.returns import ReturnStatus
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
    async with furnished.context.database.session() as session:
        order = (await session.exec(select(OrderRow).where(OrderRow.order_number == NOT_SENT))).one()
    assert order.total == order.paid + order.settled
    assert not (await furnished.ask(OrdersApi).order(token, NOT_SENT)).due


async def test_the_mail_asks_for_nothing(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    await _planned(furnished, HALF)
    await _withdraw(furnished, token)
    async with furnished.context.database.session() as session:
        mails = (await session.exec(select(OutboxMail).order_by(col(OutboxMail.id)))).all()
    assert [mail.template for mail in mails] == ["withdrawal_received"]
    assert mails[0].details["unsent"] == ["Er wordt niets bezorgd, en je hoeft niets terug te sturen."]
    assert mails[0].details["battery_first"] == ""


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
    async with furnished.context.database.session() as session:
        row = (await session.exec(select(ReturnRow).where(ReturnRow.reference == receipt.reference))).one()
        order = (await session.exec(select(OrderRow).where(OrderRow.order_number == NOT_SENT))).one()
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
