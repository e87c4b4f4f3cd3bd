"""Withdrawals count until the last minute of day 14; a battery has to be answered for first (edge-cases 41, 42)."""

from __future__ import annotations

import re
from collections.abc import Awaitable
from datetime import UTC, datetime, time, timedelta

import pytest
from sqlmodel import select

from portal.backend import letter
from portal.backend.backoffice import NotAllowed
from portal.backend.mail import Template, render
from portal.backend.security import decrypt
from portal.contract.errors import Conflict, InvalidInput, ProviderError, Refused
from portal.contract.session import Origin
from portal.kernel.codes import Code
from portal.kernel.days import AMSTERDAM, local_day, start_of_day, today
from portal.links.api import LinkEntry, LinksApi
from portal.orders.api import OrdersApi
from portal.provider.application import Application
from portal.returns.api import BatteryAnswer, ReturnsApi
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderRow, ShipmentRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.contracts import DeclarationAnswer
from portal.vocabulary.links import PATHS, LinkPurpose, LinkState
from portal.vocabulary.returns import PICKED_UP, ReturnMethod, ReturnStatus
from portal.withdrawals.api import (
    GuestOrder,
    GuestWithdrawal,
    WithdrawalEntry,
    WithdrawalReceipt,
    WithdrawalsApi,
    WithdrawnItem,
)
from tests.returns.back_office import move, receive_and_close
from tests.support.customers import EVA, ROOS
from tests.support.furnished import Furnished
from tests.support.invoices import text_of
from tests.support.returning import BUNDLE, OLD, REASON, RETURN, send


async def test_a_withdrawal_of_a_whole_order_gets_its_receipt_at_once(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    offered = await furnished.ask(WithdrawalsApi).withdrawable(token, BUNDLE)
    assert [entry.most for entry in offered.items] == [1, 1, 2]
    entry = WithdrawalEntry(order_number=BUNDLE, name=" Roos  de Wit ", key="one-declaration")
    receipt = await furnished.ask(WithdrawalsApi).withdraw(token, entry)
    assert await furnished.ask(WithdrawalsApi).withdraw(token, entry) == receipt
    assert (receipt.name, len(receipt.lines), receipt.email) == ("Roos de Wit", 3, "roos@example.com")
    mail = await furnished.one(OutboxMail, template="withdrawal_received")
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
        ({"email": ""}, Code.MISSING_EMAIL_ADDRESS), ({"email": "x"}, Code.INVALID_EMAIL),
        ({"order_number": "12"}, Code.INVALID_ORDER),
    ):  # fmt: skip
        with pytest.raises(ProviderError) as caught:
            await furnished.ask(WithdrawalsApi).guest_withdrawable(GuestOrder(**who | wrong), origin)
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
    assert (await furnished.one(OutboxMail, template="withdrawal_declared")).details["time"] == "23:59"


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


TO = "Afdeling retouren"
"""Part of the return address. It differs from the shop's address in the footer of every document."""


async def _withdrawn(shop: Furnished, token: str, line: int = 2) -> WithdrawalReceipt:
    items = [WithdrawnItem(item_id=f"{BUNDLE}-{line}", count=1)]
    entry = WithdrawalEntry(order_number=BUNDLE, name="Roos de Wit", items=items, key="battery-1")
    return await shop.ask(WithdrawalsApi).withdraw(token, entry)


async def _text(shop: Furnished, template: Template) -> str:
    (mail,) = await shop.rows(OutboxMail, template=template)
    written = render(template, "nl", shop.context.settings, mail.details | {"code": "the-end"})
    assert (TO in written.text) is (TO in written.html)
    return f"{written.subject}\n{written.text}"


async def _link(shop: Furnished, answer: str = "") -> LinkEntry:
    (mail,) = await shop.rows(OutboxMail, template=Template.WITHDRAWAL_RECEIVED)
    return LinkEntry(purpose=LinkPurpose.BATTERY, hash=decrypt(shop.context.settings, mail.sealed), answer=answer)


async def _code(attempt: Awaitable[object]) -> Code:
    with pytest.raises(ProviderError) as caught:
        await attempt
    return caught.value.code


@pytest.mark.parametrize("line", [1, 2])
async def test_before_the_battery_answer_there_is_no_label_no_address_and_no_pick_up(
    furnished: Furnished, line: int
) -> None:
    token = await furnished.log_in(ROOS)
    receipt = await _withdrawn(furnished, token, line)
    detail = await furnished.ask(ReturnsApi).return_detail(token, receipt.return_id)
    assert (receipt.battery, detail.status) == (True, ReturnStatus.REQUEST_RECEIVED)
    assert (detail.battery_asked, detail.has_label, detail.instructions) == (True, False, False)
    assert (
        await _code(furnished.ask(ReturnsApi).return_label(token, receipt.return_id, "nl")) is Code.RETURN_WITHOUT_LABEL
    )
    paper = text_of((await furnished.ask(ReturnsApi).return_summary_pdf(token, receipt.return_id, "nl")).content)
    assert TO not in paper
    assert "Vertel ons eerst hoe het met de accu is" in " ".join(paper.split())
    mail = await _text(furnished, Template.WITHDRAWAL_RECEIVED)
    assert mail.partition("\n")[0].endswith(detail.account.title.nl.removeprefix("Herroeping"))
    assert f"{PATHS[LinkPurpose.BATTERY]}/the-end" in mail
    assert TO not in mail
    for status in PICKED_UP:
        with pytest.raises(NotAllowed) as caught:
            await move(furnished, receipt.reference, status)
        assert not PICKED_UP & {ReturnStatus(name) for name in caught.value.possible}


async def test_a_safe_battery_gets_label_and_address_and_is_asked_once(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    receipt = await _withdrawn(furnished, token)
    entry = BatteryAnswer(return_id=receipt.return_id, battery="fine")
    for _ in range(2):
        detail = await furnished.ask(ReturnsApi).answer_battery(token, entry)
        assert (detail.battery_asked, detail.has_label, detail.instructions) == (False, True, False)
    assert (await furnished.ask(ReturnsApi).return_label(token, receipt.return_id, "nl")).content.startswith(b"%PDF-")
    assert TO in text_of((await furnished.ask(ReturnsApi).return_summary_pdf(token, receipt.return_id, "nl")).content)
    assert TO in await _text(furnished, Template.WITHDRAWAL_BATTERY)
    assert not await furnished.rows(OutboxMail, template=Template.URGENT_BATTERY)
    with pytest.raises(Conflict):
        await furnished.ask(ReturnsApi).answer_battery(token, entry.model_copy(update={"battery": "wet"}))
    seen = await furnished.ask(LinksApi).link(await _link(furnished))
    assert (seen.state, seen.about.battery) == (LinkState.USED, "fine")
    assert await _code(furnished.ask(LinksApi).resend_link(await _link(furnished))) is Code.LINK_USED
    await move(furnished, receipt.reference, ReturnStatus.PICKUP_REQUEST_CREATED)
    # The same declaration sent again has the same receipt.
    assert not (await _withdrawn(furnished, token)).battery


async def test_an_unsafe_battery_gets_instructions_a_warning_and_no_pick_up(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    receipt = await _withdrawn(furnished, token)
    detail = await furnished.ask(ReturnsApi).answer_battery(
        token, BatteryAnswer(return_id=receipt.return_id, battery="swollen")
    )
    assert (detail.battery_asked, detail.has_label, detail.instructions) == (False, False, True)
    assert (
        await _code(furnished.ask(ReturnsApi).return_label(token, receipt.return_id, "nl")) is Code.RETURN_WITHOUT_LABEL
    )
    (urgent,) = await furnished.rows(OutboxMail, template=Template.URGENT_BATTERY)
    assert urgent.recipient == furnished.context.settings.brand.email
    assert urgent.details["reference"] == receipt.reference
    mail = await _text(furnished, Template.WITHDRAWAL_BATTERY)
    assert "112" in mail
    assert f"naartoe: {receipt.reference}" not in mail
    assert "label" not in mail
    with pytest.raises(NotAllowed):
        await move(furnished, receipt.reference, ReturnStatus.PICKUP_REQUEST_CREATED)
    await move(furnished, receipt.reference, ReturnStatus.RECEIVED)


@pytest.mark.parametrize("withdrawn", [True, False])
async def test_the_rest_is_picked_up_once_a_specialist_has_the_battery(furnished: Furnished, withdrawn: bool) -> None:
    token = await furnished.log_in(ROOS)
    if withdrawn:
        receipt = await _withdrawn(furnished, token, line=1)
        return_id, reference = receipt.return_id, receipt.reference
        await furnished.ask(ReturnsApi).answer_battery(token, BatteryAnswer(return_id=return_id, battery="hot"))
    else:
        used = {"state": "unused", "mileage": "12", "battery": "hot"}
        steps = {"item": {"item": f"{BUNDLE}-1"}, "reason": {"fault": "none", "reason": REASON}, "condition": used}
        pin = {"pincode": {"pin_known": "unknown"}}
        sent = await send(furnished.provider, token, RETURN, {**steps, **pin})
        return_id, reference = str(sent.summary["return_id"]), sent.reference
        assert "label" not in await _text(furnished, Template.RETURN_RECEIVED)
    with pytest.raises(NotAllowed):
        await move(furnished, reference, ReturnStatus.PICKUP_REQUEST_CREATED)
    assert (await furnished.ask(ReturnsApi).return_detail(token, return_id)).instructions
    await move(furnished, reference, ReturnStatus.PICKUP_REQUEST_CREATED, battery_collected=True)
    detail = await furnished.ask(ReturnsApi).return_detail(token, return_id)
    assert (detail.instructions, detail.has_label) == (False, True)
    assert detail.method is (ReturnMethod.NONE if withdrawn else ReturnMethod.PICK_UP)
    await move(furnished, reference, ReturnStatus.PICKUP_CONFIRMED)
    # No day was chosen, so no text message is planned.
    confirmed = " ".join((await furnished.rows(OutboxMail, template=Template.RETURN_MOVED))[-1].details["steps"])
    assert "sms" not in confirmed
    assert ("spreekt de dag met je af" in confirmed) is not withdrawn


async def test_an_invalid_answer_or_another_customer_changes_nothing(furnished: Furnished) -> None:
    token, stranger = await furnished.log_in(ROOS), await furnished.log_in(EVA)
    receipt = await _withdrawn(furnished, token)
    fine = BatteryAnswer(return_id=receipt.return_id, battery="fine")
    assert await _code(furnished.ask(ReturnsApi).answer_battery(stranger, fine)) is Code.ITEM_RETURN_DOES_NOT_EXIST
    for given, code in (("", Code.REQUIRED), (" ", Code.REQUIRED), ("fine?", Code.INVALID_CHOICE)):
        with pytest.raises(InvalidInput) as caught:
            await furnished.ask(ReturnsApi).answer_battery(token, fine.model_copy(update={"battery": given}))
        assert caught.value.fields == {"battery": code}
    assert (await furnished.ask(ReturnsApi).return_detail(token, receipt.return_id)).battery_asked
    await move(furnished, receipt.reference, ReturnStatus.RECEIVED)
    assert not (await furnished.ask(ReturnsApi).return_detail(token, receipt.return_id)).battery_asked
    assert await _code(furnished.ask(ReturnsApi).answer_battery(token, fine)) is Code.STATUS_CHANGED
    with pytest.raises(Refused) as refused:
        await furnished.ask(LinksApi).confirm_link(await _link(furnished, "fine"))
    assert refused.value.code is Code.STATUS_CHANGED


@pytest.mark.parametrize(("battery", "label"), [("fine", True), ("hot", False)])
async def test_a_guest_answers_by_the_link_in_the_receipt_and_only_with_an_answer(
    furnished: Furnished, battery: str, label: bool
) -> None:
    guest = GuestWithdrawal(order_number=BUNDLE, email=ROOS[1], name="Roos", key="guest-battery")
    receipt = await furnished.ask(WithdrawalsApi).guest_withdraw(guest, Origin(address="192.0.2.46"))
    (mail,) = await furnished.rows(OutboxMail, template=Template.WITHDRAWAL_DECLARED)
    secret = decrypt(furnished.context.settings, mail.sealed)
    await furnished.ask(LinksApi).confirm_link(
        LinkEntry(purpose=LinkPurpose.WITHDRAWAL, hash=secret, answer=DeclarationAnswer.CONFIRM)
    )
    link = await _link(furnished)
    seen = await furnished.ask(LinksApi).link(link)
    assert (seen.state, seen.about.battery, seen.about.reference) == (LinkState.VALID, "", receipt.reference)
    for _ in range(2):
        with pytest.raises(InvalidInput):
            await furnished.ask(LinksApi).confirm_link(link)
    assert (await furnished.ask(LinksApi).link(link)).state is LinkState.VALID
    answered = link.model_copy(update={"answer": battery})
    for state in (LinkState.CONFIRMED, LinkState.USED):
        view = await furnished.ask(LinksApi).confirm_link(answered)
        assert (view.state, view.about.battery) == (state, battery)
    # A second, different answer is refused.
    again = await furnished.ask(LinksApi).confirm_link(link.model_copy(update={"answer": "wet"}))
    assert (again.state, again.about.battery) == (LinkState.USED, battery)
    token = await furnished.log_in(ROOS)
    own = next(
        entry
        for entry in (await furnished.ask(ReturnsApi).returns(token)).items
        if entry.reference == receipt.reference
    )
    detail = await furnished.ask(ReturnsApi).return_detail(token, own.return_id)
    assert (detail.battery_asked, detail.has_label) == (False, label)
    assert len(await furnished.rows(OutboxMail, template=Template.WITHDRAWAL_BATTERY)) == 1
    assert len(await furnished.rows(OutboxMail, template=Template.URGENT_BATTERY)) == (not label)


async def test_an_item_without_a_battery_is_not_asked_about(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    receipt = await _withdrawn(furnished, token, line=3)
    detail = await furnished.ask(ReturnsApi).return_detail(token, receipt.return_id)
    assert (receipt.battery, detail.battery_asked, detail.has_label) == (False, False, True)
    assert TO in await _text(furnished, Template.WITHDRAWAL_RECEIVED)
    fine = BatteryAnswer(return_id=receipt.return_id, battery="fine")
    assert await _code(furnished.ask(ReturnsApi).answer_battery(token, fine)) is Code.STATUS_CHANGED
