"""Withdrawals are received at once, until the last minute of day 14 (edge-cases 41, 42)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta

import pytest
from sqlmodel import select

from portal.backend import letter
from portal.contract.errors import ProviderError, Refused
from portal.contract.session import Origin
from portal.kernel.codes import Code
from portal.kernel.days import AMSTERDAM, local_day, start_of_day, today
from portal.orders.api import OrdersApi
from portal.provider.application import Application
from portal.returns.api import ReturnsApi
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderRow, ShipmentRow
from portal.tables.returns import ReturnRow
from portal.withdrawals.api import GuestOrder, GuestWithdrawal, WithdrawalEntry, WithdrawalsApi, WithdrawnItem
from tests.returns.back_office import receive_and_close
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.returning import BUNDLE, OLD


async def test_a_withdrawal_of_a_whole_order_gets_its_receipt_at_once(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    offered = await furnished.ask(WithdrawalsApi).withdrawable(token, BUNDLE)
    assert [entry.most for entry in offered.items] == [1, 1, 2]
    entry = WithdrawalEntry(order_number=BUNDLE, name=" Roos  de Wit ", key="one-declaration")
    receipt = await furnished.ask(WithdrawalsApi).withdraw(token, entry)
    assert await furnished.ask(WithdrawalsApi).withdraw(token, entry) == receipt
    assert (receipt.name, len(receipt.lines), receipt.email) == ("Roos de Wit", 3, "roos@example.com")
    async with furnished.context.database.session() as session:
        mail = (await session.exec(select(OutboxMail).where(OutboxMail.template == "withdrawal_received"))).one()
    assert mail.details["lines"] == receipt.lines
    assert re.fullmatch(r"[0-2]\d:[0-5]\d", mail.details["time"])
    # The full price is refunded: goods, package, insurance and shipping.
    order = await furnished.ask(OrdersApi).order(token, BUNDLE)
    assert receipt.account.money.total == order.total
    with pytest.raises(Refused) as caught:
        await furnished.ask(WithdrawalsApi).withdrawable(token, BUNDLE)
    assert caught.value.code is Code.NOTHING_FOUND


async def test_a_customer_sees_the_orders_to_withdraw_from(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    offered = {entry.order_number: entry for entry in await furnished.ask(WithdrawalsApi).withdrawable_orders(token)}
    assert BUNDLE in offered
    assert OLD not in offered
    for number, entry in offered.items():
        whole = await furnished.ask(WithdrawalsApi).withdrawable(token, number)
        assert (entry.names, entry.until) == ([item.name for item in whole.items], whole.until)
    await furnished.ask(WithdrawalsApi).withdraw(
        token, WithdrawalEntry(order_number=BUNDLE, name="Roos de Wit", key="one-declaration")
    )
    left = await furnished.ask(WithdrawalsApi).withdrawable_orders(token)
    assert BUNDLE not in {entry.order_number for entry in left}


async def test_a_guest_withdraws_single_items_with_number_and_address(furnished: Furnished) -> None:
    origin = Origin(address="192.0.2.44")
    who = {"order_number": BUNDLE, "email": "ROOS@example.com"}
    offered = await furnished.ask(WithdrawalsApi).guest_withdrawable(GuestOrder(**who), origin)
    entry = GuestWithdrawal(
        **who, name="Roos", key="guest-declaration", items=[WithdrawnItem(item_id=offered.items[2].item_id, count=1)]
    )
    receipt = await furnished.ask(WithdrawalsApi).guest_withdraw(entry, origin)
    items = next(fact.lines for fact in receipt.account.facts if fact.label.en == "Items")
    assert [line.nl for line in items] == ["1 × Dubbele fietstas Kade, 28 liter, Matzwart"]
    for wrong, code in (
        ({**who, "email": "other@example.com"}, Code.ORDER_ID_NOT_FOUND),
        ({**who, "order_number": "900000001"}, Code.ORDER_ID_NOT_FOUND),
        ({**who, "email": ""}, Code.MISSING_EMAIL_ADDRESS),
        ({**who, "email": "x"}, Code.INVALID_EMAIL),
        ({**who, "order_number": "12"}, Code.INVALID_ORDER),
    ):
        with pytest.raises(ProviderError) as caught:
            await furnished.ask(WithdrawalsApi).guest_withdrawable(GuestOrder(**wrong), origin)
        assert caught.value.code is code


async def test_the_last_minute_of_day_14_counts_and_the_next_does_not(furnished: Furnished) -> None:
    who, origin = {"order_number": BUNDLE, "email": ROOS[1]}, Origin(address="192.0.2.45")
    until = (await furnished.ask(WithdrawalsApi).guest_withdrawable(GuestOrder(**who), origin)).until
    assert until
    async with furnished.context.database.session() as session:
        shipped = select(ShipmentRow).join(OrderRow).where(OrderRow.order_number == BUNDLE)
        delivered = [row.delivered_at for row in await session.exec(shipped)]
    assert until == max(local_day(moment) for moment in delivered if moment) + timedelta(days=14)
    midnight = datetime.combine(until + timedelta(days=1), time(0), AMSTERDAM).astimezone(UTC)
    entry = GuestWithdrawal(order_number=BUNDLE, email=ROOS[1], name="Roos de Wit", key="at-the-last-minute")
    for moment in (midnight, midnight - timedelta(seconds=1)):
        application = Application(furnished.context.settings, clock=lambda moment=moment: moment)
        attempt = application.services.ask(WithdrawalsApi).guest_withdraw(entry, origin)
        if moment == midnight:
            with pytest.raises(Refused) as caught:
                await attempt
            assert caught.value.code is Code.WITHDRAWAL_PERIOD_OVER
        else:
            assert (await attempt).received_at == moment
        await application.close()
    async with furnished.context.database.session() as session:
        query = select(OutboxMail).where(OutboxMail.template == "withdrawal_declared")
        assert (await session.exec(query)).one().details["time"] == "23:59"


async def test_the_refund_period_of_a_withdrawal_starts_with_the_declaration(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    receipt = await furnished.ask(WithdrawalsApi).withdraw(
        token, WithdrawalEntry(order_number=BUNDLE, name="Roos", key="promised-1")
    )
    await receive_and_close(furnished, receipt.reference)
    for ago, promised in ((0, 14), (5, 9), (20, 0)):
        declared = start_of_day(today() - timedelta(days=ago))
        await furnished.change(ReturnRow, {"created_at": declared}, public_id=receipt.return_id)
        found = await furnished.ask(ReturnsApi).return_detail(token, receipt.return_id)
        until = local_day(found.timeline[-1].happened_at) + timedelta(days=promised)
        assert letter.day(until, "en") in found.account.money.note.en
