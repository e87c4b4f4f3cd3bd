"""The amounts of returns and exchanges: extras, what is free, and what is still unpaid (part-2 §5)."""

from __future__ import annotations

from decimal import Decimal
from io import BytesIO

import pytest
from pypdf import PdfReader
from sqlmodel import select

from portal.backend.letter import money
from portal.cases.api import CasesApi
from portal.contract.errors import InvalidInput, ProviderError
from portal.exports.api import BatchChoice, ExportsApi, RefundAccount
from portal.exports.provider.cases import about as about_case
from portal.flow.api import FlowApi
from portal.frontend.models import viewed
from portal.kernel.codes import Code
from portal.kernel.terms import RETURN_PICK_UP_COST
from portal.orders.api import OrdersApi
from portal.returns.api import ReturnsApi
from portal.returns.pages.state import ListedReturn
from portal.returns.rules.settlement import SettlementKind
from portal.tables.cases import CaseRow
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderRow, ProductRow
from portal.vocabulary.exchange import RefundWay
from portal.vocabulary.orders import PaymentStatus
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.staff import Role
from tests.returns.back_office import move, receive_and_close, settled
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.returning import (
    ACCESSORIES,
    BUNDLE,
    EXCHANGE,
    OLD,
    ORDER_RETURN,
    PARTLY,
    PAY_LATER,
    RETURN,
    accessories,
    begin,
    bike,
    facts,
    fill,
    item,
    order_return,
    pick_up,
    send,
)


async def test_an_exchange_passes_the_extras_of_its_bike_to_the_new_one(furnished: Furnished) -> None:
    token, provider = await furnished.log_in(ROOS), furnished.provider
    before = {entry.order_number for entry in (await provider.ask(OrdersApi).orders(token)).items}
    old = await item(provider, token, f"{BUNDLE}-1", EXCHANGE)
    steps = {
        **await bike(provider, token, f"{BUNDLE}-1", EXCHANGE, battery="fine"),
        "pincode": {"pin_known": "unknown"},
    }
    await receive_and_close(furnished, (await send(provider, token, EXCHANGE, steps)).reference)
    (new,) = {entry.order_number for entry in (await provider.ask(OrdersApi).orders(token)).items} - before
    bought = await provider.ask(OrdersApi).order(token, new)
    assert (bought.due, bought.total) == (0, bought.subtotal + bought.service_costs + bought.insurance_costs)
    assert (await item(provider, token, f"{new}-1", RETURN))["worths"] == old["worths"]


@pytest.mark.parametrize("flow", [ACCESSORIES, ORDER_RETURN])
async def test_a_defective_item_is_picked_up_for_free_and_without_depreciation(furnished: Furnished, flow: str) -> None:
    token, provider, used = await furnished.log_in(ROOS), furnished.provider, "used_with_signs_of_use"
    if flow == ACCESSORIES:
        steps = await accessories(provider, token, f"{PARTLY}-1*2", state=used, fault="product_is_defect")
        steps = {**steps, "method": {"method": "pick_up"}, "pickup": await pick_up(provider, token)}
    else:
        steps = await order_return(provider, token, PARTLY, f"{PARTLY}-1*2", state=used)
    receipt = await send(provider, token, flow, steps)
    detail = await provider.ask(ReturnsApi).return_detail(token, receipt.summary["return_id"])
    assert {line.kind for line in (await settled(furnished, receipt.reference)).lines} == {SettlementKind.ITEM}
    assert detail.account.handover
    assert detail.account.handover.cost == 0
    # What arrived in part is settled under the same terms.
    if flow == ORDER_RETURN:
        await move(furnished, receipt.reference, ReturnStatus.REQUEST_RECEIVED)
    await move(furnished, receipt.reference, ReturnStatus.RECEIVED, received=[f"{PARTLY}-1*1"])
    assert {line.kind for line in (await settled(furnished, receipt.reference)).lines} == {SettlementKind.ITEM}


async def test_the_shop_decides_for_which_reasons_a_return_is_free(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(furnished.context.settings, "free_return_reasons", [])
    token, provider = await furnished.log_in(ROOS), furnished.provider
    steps = await accessories(provider, token, f"{PARTLY}-1*2", fault="product_is_defect")
    steps = {**steps, "method": {"method": "pick_up"}, "pickup": await pick_up(provider, token)}
    account = (await send(provider, token, ACCESSORIES, steps)).account
    assert account
    assert account.handover
    assert account.handover.cost == RETURN_PICK_UP_COST


async def test_the_confirmation_follows_the_return(furnished: Furnished) -> None:
    """Reopened later, it says what holds then."""
    token, provider = await furnished.log_in(ROOS), furnished.provider
    receipt = await send(provider, token, ACCESSORIES, await accessories(provider, token, f"{PARTLY}-1*1"))
    assert receipt.account
    assert receipt.account.status.en == "Request received"
    await move(furnished, receipt.reference, ReturnStatus.RECEIVED)
    later = (await provider.ask(FlowApi).flow_start(token, ACCESSORIES)).receipt
    assert later
    assert later.account
    assert (later.account.status.en, later.account.phase) == ("Received in the store", 2)


@pytest.mark.each_database
async def test_the_new_bike_of_an_exchange_is_reserved_and_can_be_returned(furnished: Furnished) -> None:
    token, provider, old_bike = await furnished.log_in(ROOS), furnished.provider, f"{PAY_LATER}-1"
    draft = await begin(provider, token, EXCHANGE)
    catalogue = draft.facts["catalogue"]
    kust = next(entry for entry in catalogue if entry["name"] == "Duinroos Kuststreek 3" and not entry["refusal"])
    gone = next(entry for entry in catalogue if entry["refusal"])
    bag = next(entry for entry in catalogue if not entry["is_bike"])
    draft = await fill(provider, token, draft, {"item": {"item": old_bike}})
    for product, code in ((gone, Code.PRODUCT_GONE), (bag, Code.INVALID_CHOICE)):
        with pytest.raises(InvalidInput) as caught:
            await fill(provider, token, draft, {"product": {"exchange_type": "other", "product": product["id"]}})
        assert caught.value.fields == {"product": code}
    await furnished.change(ProductRow, {"stock": 1}, public_id=kust["id"])
    steps = await bike(provider, token, old_bike, EXCHANGE)
    steps = {**steps, "product": {"exchange_type": "other", "product": kust["id"]}}
    receipt = await send(provider, token, EXCHANGE, steps)
    # The new bike is 150 cheaper, but nothing was paid yet, so nothing is refunded.
    assert (receipt.summary["settlement"]["total"], receipt.summary["settlement"]["refund"]) == ("0.00", "0.00")
    with pytest.raises(ProviderError):
        await fill(provider, token, await begin(provider, token, EXCHANGE), {"item": {"item": old_bike}})
    await receive_and_close(furnished, receipt.reference)
    replacement = next(
        entry.order_number
        for entry in (await provider.ask(OrdersApi).orders(token)).items
        if entry.names == ["Duinroos Kuststreek 3"] and entry.order_number != OLD
    )
    again = await item(provider, token, f"{replacement}-1", RETURN)
    assert (again["refusal"], again["worths"]) == ("", [["599.00", "0.00", "0.00"]])
    # The unpaid amount of the returned bike has moved to the order of the new one.
    due = {entry["id"]: entry["outstanding"] for entry in (await facts(provider, token))["orders"]}
    assert (due[replacement], due[PAY_LATER]) == ("599.00", "89.95")
    bought = await provider.ask(OrdersApi).order(token, replacement)
    assert (bought.payment_status, bought.due) == (PaymentStatus.OPEN, Decimal("599.00"))
    # The page of the old order shows this too, and does not show a payment.
    old = await provider.ask(OrdersApi).order(token, PAY_LATER)
    assert (old.paid, old.settled, old.due) == (Decimal("0.00"), Decimal("749.00"), Decimal("89.95"))
    assert old.payment_status is PaymentStatus.PARTLY_PAID
    back = await send(provider, token, RETURN, await bike(provider, token, f"{replacement}-1"))
    amounts = back.summary["settlement"]
    assert (amounts["refund"], amounts["charge"], amounts["open"]) == ("0.00", "0.00", "0.00")


@pytest.mark.parametrize(
    ("paid", "still_open", "owed"),
    [("838.95", "0.00", "0.00"), ("0.00", "838.95", "749.00"), ("300.00", "538.95", "538.95")],
)
async def test_an_exchange_for_the_same_item_moves_the_unpaid_amount_to_the_new_order(
    furnished: Furnished, paid: str, still_open: str, owed: str
) -> None:
    """Whether the order is paid, unpaid or paid in part: nothing is charged or refunded, the unpaid amount stays."""
    await furnished.change(OrderRow, {"paid": Decimal(paid)}, order_number=PAY_LATER)
    token, provider = await furnished.log_in(ROOS), furnished.provider
    before = {entry.order_number for entry in (await provider.ask(OrdersApi).orders(token)).items}
    receipt = await send(provider, token, EXCHANGE, await bike(provider, token, f"{PAY_LATER}-1", EXCHANGE))
    amounts = receipt.summary["settlement"]
    assert (amounts["refund"], amounts["charge"], amounts["open"]) == ("0.00", "0.00", still_open)
    mail = await furnished.one(OutboxMail, template="return_received")
    besides = [amount for _, amount in mail.details["besides"]]
    assert besides == ([money(Decimal(still_open), "nl")] if still_open != "0.00" else [])
    assert mail.details["money_note"] == ""
    await receive_and_close(furnished, receipt.reference)
    (new,) = {entry.order_number for entry in (await provider.ask(OrdersApi).orders(token)).items} - before
    bought, old = await provider.ask(OrdersApi).order(token, new), await provider.ask(OrdersApi).order(token, PAY_LATER)
    assert (bought.due, bought.paid, old.paid) == (Decimal(owed), Decimal("0.00"), Decimal(paid))
    assert bought.due + old.due == Decimal(still_open)


async def test_a_set_off_amount_is_credited_to_the_order_when_the_return_is_closed(furnished: Furnished) -> None:
    token, provider = await furnished.log_in(ROOS), furnished.provider
    receipt = await send(provider, token, ACCESSORIES, await accessories(provider, token, f"{PAY_LATER}-2*1"))
    assert receipt.summary["settlement"]["refund"] == "0.00"
    unpaid = {entry["id"]: entry["outstanding"] for entry in (await facts(provider, token))["orders"]}
    assert unpaid[PAY_LATER] == "749.00"
    for status, due in (
        (ReturnStatus.RECEIVED, "838.95"),
        (ReturnStatus.CLOSED, "749.00"),
        (ReturnStatus.REFUND_PROCESSED, "749.00"),
    ):
        await move(furnished, receipt.reference, status)
        order = await provider.ask(OrdersApi).order(token, PAY_LATER)
        assert (order.paid, order.due) == (Decimal("0.00"), Decimal(due))
    # A later return of the remaining items refunds nothing either, and leaves nothing to pay.
    last = await send(provider, token, RETURN, await bike(provider, token, f"{PAY_LATER}-1"))
    amounts = last.summary["settlement"]
    assert (amounts["refund"], amounts["charge"], amounts["open"]) == ("0.00", "0.00", "0.00")
    await receive_and_close(furnished, last.reference)
    order = await provider.ask(OrdersApi).order(token, PAY_LATER)
    assert (order.due, order.settled, order.payment_status) == (Decimal("0.00"), order.total, PaymentStatus.PAID)


async def test_a_cancelled_return_gives_up_only_its_own_set_off(furnished: Furnished) -> None:
    """The bike is paid, the rest is not. The total is the same in any order of returns and cancellations."""
    await furnished.change(OrderRow, {"paid": Decimal("749.00")}, order_number=PAY_LATER)
    token, provider = await furnished.log_in(ROOS), furnished.provider
    small = await accessories(provider, token, f"{PAY_LATER}-2*1")
    first = await send(provider, token, ACCESSORIES, small)
    whole = await send(provider, token, RETURN, await bike(provider, token, f"{PAY_LATER}-1"))
    await provider.ask(ReturnsApi).cancel_return(token, first.summary["return_id"])
    again = await send(provider, token, ACCESSORIES, small)
    refunds = [receipt.summary["settlement"]["refund"] for receipt in (first, whole, again)]
    assert refunds == ["0.00", "749.00", "0.00"]


async def test_only_paid_amounts_are_refunded_when_one_of_two_orders_does_not_arrive(furnished: Furnished) -> None:
    token, paid, unpaid = await furnished.log_in(ROOS), f"{PARTLY}-2", f"{PAY_LATER}-2"
    steps = await accessories(furnished.provider, token, f"{unpaid}*1", f"{paid}*1")
    receipt = await send(furnished.provider, token, ACCESSORIES, steps)
    whole = receipt.summary["settlement"]
    await move(furnished, receipt.reference, ReturnStatus.RECEIVED, received=[f"{unpaid}*1"])
    arrived = await settled(furnished, receipt.reference)
    assert Decimal(whole["refund"]) > 0
    assert (arrived.refund, arrived.open) == (0, Decimal(whole["open"]))
    with pytest.raises(InvalidInput):
        await move(furnished, receipt.reference, ReturnStatus.CLOSED, amount="1.00")


async def test_a_return_of_two_orders_names_both_wherever_it_is_read(furnished: Furnished) -> None:
    token, both = await furnished.log_in(ROOS), [PARTLY, PAY_LATER]
    steps = await accessories(furnished.provider, token, f"{PAY_LATER}-2*1", f"{PARTLY}-2*1")
    receipt = await send(furnished.provider, token, ACCESSORIES, steps)
    returns, text = furnished.ask(ReturnsApi), ", ".join(both)
    listed = next(entry for entry in (await returns.returns(token)).items if entry.reference == receipt.reference)
    detail = await returns.return_detail(token, listed.return_id)
    assert sorted(listed.order_numbers) == sorted(detail.order_numbers) == both
    assert viewed(ListedReturn, listed).orders == text
    assert {fact.label.en: fact.lines[0].en for fact in detail.account.facts}["Order numbers"] == text
    printed = (await returns.return_summary_pdf(token, listed.return_id, "nl")).content
    pages = "".join(page.extract_text() for page in PdfReader(BytesIO(printed)).pages)
    assert all(number in pages for number in both)
    async with furnished.context.database.session() as session:
        mail = (await session.exec(select(OutboxMail).where(OutboxMail.template == "return_received"))).one()
        case = (await session.exec(select(CaseRow).where(CaseRow.reference == receipt.reference))).one()
        about = await about_case(furnished.context, session, case)
    assert (mail.details["order_number"], about.order_numbers) == (text, both)
    desk = await furnished.log_in_staff(Role.SERVICE_DESK)
    shown = await furnished.ask(CasesApi).case(desk, "return", receipt.reference)
    assert [order.order_number for order in shown.orders] == both
    # Finance.
    await furnished.change(OrderRow, {"paid": Decimal(900)}, order_number=PAY_LATER)
    await receive_and_close(furnished, receipt.reference)
    finance, exports = await furnished.log_in_staff(Role.FINANCE), furnished.ask(ExportsApi)
    refunds = await exports.refunds_to_pay(finance)
    assert [entry.order_numbers for entry in refunds if entry.reference == receipt.reference] == [both]
    await exports.enter_refund_account(
        finance, receipt.reference, RefundAccount(holder="Roos", iban="BE71096123456769")
    )
    batch = await exports.export_refunds(finance, BatchChoice(way=RefundWay.ACCOUNT))
    assert f"{receipt.reference} {' '.join(both)}" in (await exports.refund_payment(finance, batch.id)).content.decode()
