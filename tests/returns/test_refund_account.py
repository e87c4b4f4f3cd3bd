"""The account for a refund, and how much may be refunded."""

from collections.abc import Awaitable, Callable
from decimal import Decimal

import pytest
from sqlmodel import select

from portal.contract.errors import Conflict, InvalidInput, Refused
from portal.exports.api import ChosenRefunds, ExportsApi, RefundToPay
from portal.imports.api import ImportsApi, Settlement
from portal.kernel.codes import Code
from portal.returns.api import OwnRefundAccount, ReturnDetail, ReturnsApi
from portal.staff.api.customers import CustomersApi, EmailEntry
from portal.tables.cases import CaseEventRow
from portal.tables.customers import CustomerRow
from portal.tables.exchange import ImportDifferenceRow, ImportedRow, RefundAccountRow, RefundConfirmationRow
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderLineRow, OrderRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.cases import CaseEventType
from portal.vocabulary.exchange import Side
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.staff import Role
from tests.returns.back_office import move, receive_and_close
from tests.support.customers import EVA, ROOS
from tests.support.furnished import Furnished
from tests.support.returning import ACCESSORIES, PARTLY, accessories, send

NAME = f"{PARTLY}-1"
IBAN = "NL91 ABNA 0417 1643 00"


async def sent(shop: Furnished, count: int = 1) -> tuple[str, str, str]:
    """Roos returns so many bells. Her session, and id and reference of the return."""
    token = await shop.log_in(ROOS)
    receipt = await send(shop.provider, token, ACCESSORIES, await accessories(shop.provider, token, f"{NAME}*{count}"))
    return token, receipt.summary["return_id"], receipt.reference


async def name(shop: Furnished, token: str, return_id: str, iban: str = IBAN) -> ReturnDetail:
    entry = OwnRefundAccount(return_id=return_id, holder="  R.  de Groot ", iban=iban)
    return await shop.ask(ReturnsApi).name_refund_account(token, entry)


async def test_the_customer_names_an_account_and_is_mailed_its_last_digits(furnished: Furnished) -> None:
    token, return_id, _ = await sent(furnished)
    assert (await furnished.ask(ReturnsApi).return_detail(token, return_id)).account_wanted
    detail = await name(furnished, token, return_id)
    fact = next(fact for fact in detail.account.facts if fact.label.nl == "Terugbetaling op rekening")
    assert fact.lines[0].nl == "R. de Groot, … 4300"
    await name(furnished, token, return_id, "BE71 0961 2345 6769")
    mails = await furnished.rows(OutboxMail, template="refund_account")
    assert [(mail.recipient, mail.details["digits"]) for mail in mails] == [(ROOS[1], "4300"), (ROOS[1], "6769")]
    (account,) = await furnished.rows(RefundAccountRow)
    assert (account.holder, account.iban, account.entered_by) == ("R. de Groot", "BE71096123456769", None)
    assert {
        (event.by_customer, event.details["holder"])
        for event in await furnished.rows(CaseEventRow, type=CaseEventType.REFUND_ACCOUNT)
    } == {(True, "R. de Groot")}


async def test_another_account_takes_the_confirmation_back(furnished: Furnished) -> None:
    token, return_id, _ = await sent(furnished)
    async with furnished.context.database.transaction() as session:
        row = (await session.exec(select(ReturnRow).where(ReturnRow.public_id == return_id))).one()
        session.add(RefundConfirmationRow(return_id=row.id, staff_id=1, confirmed_at=furnished.context.clock()))
    await name(furnished, token, return_id)
    assert await furnished.rows(RefundConfirmationRow) == []


async def correct(shop: Furnished, desk: str, customer: CustomerRow, email: str) -> None:
    """Correct the address of a customer."""
    entry = EmailEntry(email=email, reason="typing mistake")
    await shop.ask(CustomersApi).correct_email(desk, customer.public_id, entry)


async def take_over(shop: Furnished, desk: str, customer: CustomerRow, email: str) -> None:
    """Take over the address that an import brought, which differs from the customer's own."""
    now, values = shop.context.clock(), {"email": email, "email_key": email}
    async with shop.context.database.transaction() as session:
        record = ImportedRow(
            source="shop", kind="customers", external_id="c1", row_id=customer.id, customer_id=customer.id,
            fingerprint="", values=values, imported_at=now,
        )  # fmt: skip
        session.add(record)
        await session.flush()
        difference = ImportDifferenceRow(
            imported_id=record.id, field="email", shop_value=email, portal_value=customer.email, found_at=now
        )
        session.add(difference)
        await session.flush()
        number = str(difference.id)
    await shop.ask(ImportsApi).settle_difference(desk, number, Settlement(keep=Side.SHOP))


@pytest.mark.each_database
@pytest.mark.parametrize("change", [correct, take_over])
async def test_an_account_named_with_an_address_that_staff_changed_needs_a_second_person(
    furnished: Furnished, change: Callable[[Furnished, str, CustomerRow, str], Awaitable[None]]
) -> None:
    token, return_id, reference = await sent(furnished)
    await name(furnished, token, return_id)
    await receive_and_close(furnished, reference)
    desk, finance = [await furnished.log_in_staff(role) for role in (Role.ADMINISTRATOR, Role.FINANCE)]
    exports, chosen = furnished.ask(ExportsApi), ChosenRefunds(references=[reference])
    roos = await furnished.one(CustomerRow, email=ROOS[1])
    await change(furnished, desk, roos, "somebody@example.org")

    async def listed() -> RefundToPay:
        return next(each for each in await exports.refunds_to_pay(finance) if each.reference == reference)

    assert not (await listed()).waits, "the customer named it before"
    await name(furnished, await furnished.log_in((ROOS[0], "somebody@example.org")), return_id)
    waiting = await listed()
    assert (waiting.waits, waiting.address_changed_by) == (True, f"Test {Role.ADMINISTRATOR}")
    assert waiting.address_changed_at
    for operation, person in ((exports.record_refunds_paid, finance), (exports.confirm_refunds, desk)):
        (refused,) = await operation(person, chosen)
        assert refused.code is Code.SECOND_PERSON_REQUIRED
    assert [each.code for each in await exports.confirm_refunds(finance, chosen)] == [None]
    assert not (await listed()).waits


async def test_a_wrong_account_is_told_at_its_field_and_what_is_not_refunded_takes_none(furnished: Furnished) -> None:
    token, return_id, reference = await sent(furnished)
    with pytest.raises(InvalidInput) as wrong:
        await name(furnished, token, return_id, "NL00")
    assert wrong.value.fields == {"iban": Code.INVALID_IBAN}
    with pytest.raises(Refused) as foreign:
        await name(furnished, await furnished.log_in(EVA), return_id)
    assert foreign.value.code is Code.ITEM_RETURN_DOES_NOT_EXIST
    await move(furnished, reference, ReturnStatus.REJECTED, note="Gebruikt")
    with pytest.raises(Conflict) as refused:
        await name(furnished, token, return_id)
    assert refused.value.code is Code.STATUS_NOT_ALLOWED
    assert not (await furnished.ask(ReturnsApi).return_detail(token, return_id)).account_wanted


@pytest.mark.parametrize("price", ["10.00", "0.05", "99.98"])
async def test_units_returned_one_by_one_bring_back_what_the_line_cost(furnished: Furnished, price: str) -> None:
    async with furnished.context.database.transaction() as session:
        order = (await session.exec(select(OrderRow).where(OrderRow.order_number == PARTLY))).one()
        lines = (await session.exec(select(OrderLineRow).where(OrderLineRow.order_id == order.id))).all()
        line = next(each for each in lines if each.position == 1)
        others = sum((each.price for each in lines if each is not line), Decimal(0))
        line.quantity, line.price = 3, Decimal(price)
        order.discount = order.shipping_costs = order.service_costs = order.insurance_costs = Decimal(0)
        order.subtotal = order.total = order.paid = others + Decimal(price)
    refunded = Decimal(0)
    for _ in range(3):
        _, return_id, reference = await sent(furnished)
        await receive_and_close(furnished, reference)
        row = await furnished.one(ReturnRow, public_id=return_id)
        refunded += row.refund_amount or Decimal(0)
    assert refunded == Decimal(price)


@pytest.mark.each_database
async def test_a_refund_is_never_more_than_is_left_of_the_payment(furnished: Furnished) -> None:
    _, return_id, reference = await sent(furnished, 2)
    await move(furnished, reference, ReturnStatus.RECEIVED)
    await furnished.change(
        OrderRow,
        {"paid": Decimal("20.00"), "settled": Decimal(0)},
        order_number=PARTLY,
        # The shop refunded the rest itself.
    )
    with pytest.raises(InvalidInput):
        await move(furnished, reference, ReturnStatus.CLOSED, amount="20.02")
    # A cent of somebody's rounding does not stop the closing, and is not refunded.
    await move(furnished, reference, ReturnStatus.CLOSED, amount="20.01")
    row = await furnished.one(ReturnRow, public_id=return_id)
    assert row.refund_amount == Decimal("20.00")
    with pytest.raises(InvalidInput):
        await move(furnished, reference, ReturnStatus.REFUND_PROCESSED, amount="19.00")
    # Nothing is left for another return of the order.
    _, other_id, other = await sent(furnished, 1)
    await receive_and_close(furnished, other)
    row = await furnished.one(ReturnRow, public_id=other_id)
    assert row.refund_amount == Decimal(0)
