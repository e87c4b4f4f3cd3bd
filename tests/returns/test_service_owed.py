"""Unpaid amounts of orders with returns and exchanges, on both databases (part-2 §5)."""

from __future__ import annotations

from decimal import Decimal
from io import BytesIO

import pytest
from pypdf import PdfReader
from sqlmodel import select

from portal.backend.letter import money
from portal.cases.api import CasesApi
from portal.contract.errors import InvalidInput, ProviderError
from portal.exports.api import ExportsApi
from portal.exports.provider.cases import about as about_case
from portal.flow.api import FlowApi, Submission
from portal.frontend.models import viewed
from portal.kernel.codes import Code
from portal.orders.api import OrdersApi
from portal.returns.api import ReturnsApi
from portal.returns.pages.state import ListedReturn
from portal.tables.cases import CaseRow
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderRow, ProductRow
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
    PARTLY,
    PAY_LATER,
    REASON,
    RETURN,
    accessories,
    begin,
    facts,
    fill,
    item,
    send,
)

BIKE = f"{BUNDLE}-1"


async def test_an_unpaid_amount_is_set_off_over_several_returns(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    steps = await accessories(furnished.provider, token, f"{PAY_LATER}-2*1")
    receipt = await send(furnished.provider, token, ACCESSORIES, steps)
    assert receipt.summary["settlement"]["refund"] == "0.00"
    orders = {entry["id"]: entry for entry in (await facts(furnished.provider, token))["orders"]}
    assert orders[PAY_LATER]["outstanding"] == "749.00"


@pytest.mark.each_database
async def test_the_new_bike_of_an_exchange_is_reserved_and_can_be_returned(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    provider = furnished.provider
    draft = await begin(provider, token, EXCHANGE)
    kust = next(
        entry for entry in draft.facts["catalogue"] if entry["name"] == "Duinroos Kuststreek 3" and not entry["refusal"]
    )
    gone = next(entry for entry in draft.facts["catalogue"] if entry["refusal"])
    bag = next(entry for entry in draft.facts["catalogue"] if not entry["is_bike"])
    draft = await fill(provider, token, draft, {"item": {"item": f"{PAY_LATER}-1"}})
    for product, code in ((gone, Code.PRODUCT_GONE), (bag, Code.INVALID_CHOICE)):
        with pytest.raises(InvalidInput) as caught:
            await fill(provider, token, draft, {"product": {"exchange_type": "other", "product": product["id"]}})
        assert caught.value.fields == {"product": code}
    steps = {
        "product": {"exchange_type": "other", "product": kust["id"]},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "unused", "mileage": "12.50"},
        "method": {"method": "store", "store": draft.facts["stores"][0]["id"]},
    }
    draft = await fill(provider, token, draft, steps)
    await furnished.change(ProductRow, {"stock": 1}, public_id=kust["id"])
    receipt = await provider.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    # The new bike is 150 cheaper, but nothing was paid yet, so nothing is refunded.
    assert (receipt.summary["settlement"]["total"], receipt.summary["settlement"]["refund"]) == ("0.00", "0.00")
    with pytest.raises(ProviderError):
        await fill(provider, token, await begin(provider, token, EXCHANGE), {"item": {"item": f"{PAY_LATER}-1"}})
    await receive_and_close(furnished, receipt.reference)
    newest = (await provider.ask(OrdersApi).orders(token)).items
    replacement = next(
        entry.order_number for entry in newest if entry.names == ["Duinroos Kuststreek 3"] and entry.order_number != OLD
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
    back = {
        "item": {"item": f"{replacement}-1"},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "unused", "mileage": "1"},
        "method": {"method": "store", "store": draft.facts["stores"][0]["id"]},
    }
    settled = (await send(provider, token, RETURN, back)).summary["settlement"]
    assert (settled["refund"], settled["charge"], settled["open"]) == ("0.00", "0.00", "0.00")


@pytest.mark.parametrize(
    ("paid", "still_open", "owed"),
    [("838.95", "0.00", "0.00"), ("0.00", "838.95", "749.00"), ("300.00", "538.95", "538.95")],
)
async def test_an_exchange_for_the_same_item_moves_the_unpaid_amount_to_the_new_order(
    furnished: Furnished, paid: str, still_open: str, owed: str
) -> None:
    """Whether the order is paid, unpaid or paid in part: nothing is charged or refunded, the unpaid amount stays."""
    await furnished.change(OrderRow, {"paid": Decimal(paid)}, order_number=PAY_LATER)
    token = await furnished.log_in(ROOS)
    provider = furnished.provider
    before = {entry.order_number for entry in (await provider.ask(OrdersApi).orders(token)).items}
    store = (await facts(provider, token, EXCHANGE))["stores"][0]["id"]
    steps = {
        "item": {"item": f"{PAY_LATER}-1"},
        "product": {"exchange_type": "same"},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "unused", "mileage": "1"},
        "method": {"method": "store", "store": store},
    }
    receipt = await send(provider, token, EXCHANGE, steps)
    amounts = receipt.summary["settlement"]
    assert (amounts["refund"], amounts["charge"], amounts["open"]) == ("0.00", "0.00", still_open)
    mail = await _last_mail(furnished, receipt.reference)
    besides = [amount for _, amount in mail.details["besides"]]
    assert besides == ([money(Decimal(still_open), "nl")] if still_open != "0.00" else [])
    assert mail.details["money_note"] == ""
    await receive_and_close(furnished, receipt.reference)
    (new,) = {entry.order_number for entry in (await provider.ask(OrdersApi).orders(token)).items} - before
    bought, old = await provider.ask(OrdersApi).order(token, new), await provider.ask(OrdersApi).order(token, PAY_LATER)
    assert (bought.due, bought.paid, old.paid) == (Decimal(owed), Decimal("0.00"), Decimal(paid))
    assert bought.due + old.due == Decimal(still_open)
    due = {entry["id"]: Decimal(entry["outstanding"]) for entry in (await facts(provider, token))["orders"]}
    assert due[new] + due[PAY_LATER] == Decimal(still_open)


async def _last_mail(shop: Furnished, reference: str) -> OutboxMail:
    async with shop.context.database.session() as session:
        mails = await session.exec(select(OutboxMail).where(OutboxMail.template == "return_received"))
        return next(mail for mail in mails if mail.details["reference"] == reference)


async def test_a_set_off_amount_is_credited_to_the_order_when_the_return_is_closed(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    steps = await accessories(furnished.provider, token, f"{PAY_LATER}-2*1")
    receipt = await send(furnished.provider, token, ACCESSORIES, steps)
    await move(furnished, receipt.reference, ReturnStatus.RECEIVED)
    for status, due in ((ReturnStatus.CLOSED, "749.00"), (ReturnStatus.REFUND_PROCESSED, "749.00")):
        before = await furnished.ask(OrdersApi).order(token, PAY_LATER)
        await move(furnished, receipt.reference, status)
        order = await furnished.ask(OrdersApi).order(token, PAY_LATER)
        assert (order.paid, order.due) == (Decimal("0.00"), Decimal(due))
        assert before.due == (order.due if status is ReturnStatus.REFUND_PROCESSED else Decimal("838.95"))
    # A later return of the remaining items refunds nothing either, and leaves nothing to pay.
    bike = {
        "item": {"item": f"{PAY_LATER}-1"},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "unused", "mileage": "1"},
        "method": {"method": "store", "store": (await facts(furnished.provider, token, RETURN))["stores"][0]["id"]},
    }
    last = await send(furnished.provider, token, RETURN, bike)
    amounts = last.summary["settlement"]
    assert (amounts["refund"], amounts["charge"], amounts["open"]) == ("0.00", "0.00", "0.00")
    await receive_and_close(furnished, last.reference)
    order = await furnished.ask(OrdersApi).order(token, PAY_LATER)
    assert (order.due, order.settled, order.payment_status) == (Decimal("0.00"), order.total, PaymentStatus.PAID)


async def test_a_cancelled_return_gives_up_only_its_own_set_off(furnished: Furnished) -> None:
    """The bike is paid, the rest is not. The total is the same in any order of returns and cancellations."""
    await furnished.change(OrderRow, {"paid": Decimal("749.00")}, order_number=PAY_LATER)
    token = await furnished.log_in(ROOS)
    small = await accessories(furnished.provider, token, f"{PAY_LATER}-2*1")
    first = await send(furnished.provider, token, ACCESSORIES, small)
    assert first.summary["settlement"]["refund"] == "0.00"
    steps = {
        "item": {"item": f"{PAY_LATER}-1"},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "unused", "mileage": "1"},
        "method": {"method": "store", "store": (await facts(furnished.provider, token, RETURN))["stores"][0]["id"]},
    }
    bike = await send(furnished.provider, token, RETURN, steps)
    assert bike.summary["settlement"]["refund"] == "749.00"
    await furnished.ask(ReturnsApi).cancel_return(token, first.summary["return_id"])
    again = await send(furnished.provider, token, ACCESSORIES, small)
    assert again.summary["settlement"]["refund"] == "0.00"


async def test_only_paid_amounts_are_refunded_when_one_of_two_orders_does_not_arrive(
    furnished: Furnished,
) -> None:
    token = await furnished.log_in(ROOS)
    paid, unpaid = f"{PARTLY}-2", f"{PAY_LATER}-2"
    receipt = await send(
        furnished.provider, token, ACCESSORIES, await accessories(furnished.provider, token, f"{unpaid}*1", f"{paid}*1")
    )
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
    summary = await returns.return_summary_pdf(token, listed.return_id, "nl")
    printed = "".join(page.extract_text() for page in PdfReader(BytesIO(summary.content)).pages)
    assert all(number in printed for number in both)
    async with furnished.context.database.session() as session:
        mail = (await session.exec(select(OutboxMail).where(OutboxMail.template == "return_received"))).one()
        case = (await session.exec(select(CaseRow).where(CaseRow.reference == receipt.reference))).one()
        about = await about_case(furnished.context, session, case)
    assert mail.details["order_number"] == text
    assert about.order_numbers == both
    desk = await furnished.log_in_staff(Role.SERVICE_DESK)
    shown = await furnished.ask(CasesApi).case(desk, "return", receipt.reference)
    assert [order.order_number for order in shown.orders] == both
    # Finance.
    await furnished.change(OrderRow, {"paid": Decimal(900)}, order_number=PAY_LATER)
    await receive_and_close(furnished, receipt.reference)
    refunds = await furnished.ask(ExportsApi).refunds_to_pay(await furnished.log_in_staff(Role.FINANCE))
    assert [entry.order_numbers for entry in refunds if entry.reference == receipt.reference] == [both]
