"""A case follows its request: it is opened, moved and closed in the transaction that changes the request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from sqlmodel import col, select

from portal.cases.provider.subjects import SUBJECTS
from portal.contract.session import Origin
from portal.contracts.api import ContractsApi, EndEntry, GuestEnd
from portal.deliveries.api import DeliveriesApi
from portal.insurance.api import InsuranceApi
from portal.returns.api import BatteryAnswer, ReturnsApi
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.returns import ReturnRow, WithdrawalDeclarationRow
from portal.vocabulary.cases import CaseEventType, CaseKind, CaseState
from portal.vocabulary.contracts import EndKind
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import ReturnMethod
from portal.vocabulary.work_orders import WorkOrderStatus
from portal.withdrawals.api import GuestWithdrawal, WithdrawalEntry, WithdrawalsApi
from tests.support.customers import JORIS, MAX, ROOS
from tests.support.living import DAAN, FLEUR, OPEN, Living
from tests.support.returning import BUNDLE, ORDER_RETURN, order_return, send
from tests.work_orders.history import reference_of

_E, _S = CaseEventType, CaseState


async def case_of(shop: Living, kind: CaseKind, reference: str) -> tuple[CaseRow, list[CaseEventRow]]:
    """A case with its history."""
    async with shop.context.database.session() as session:
        named = select(CaseRow).where(CaseRow.kind == kind, CaseRow.reference == reference)
        row = (await session.exec(named)).one()
        events = select(CaseEventRow).where(CaseEventRow.case_id == row.id).order_by(col(CaseEventRow.id))
        return row, list(await session.exec(events))


async def out_of_step(shop: Living) -> list[str]:
    """The requests whose case is missing or says something else."""
    wrong: list[str] = []
    async with shop.context.database.session() as session:
        rows = {(row.kind, row.reference): row for row in await session.exec(select(CaseRow))}
        for subject in dict.fromkeys(SUBJECTS.values()):
            for facts, _, _ in await subject.facts(session):
                row = rows.get((facts.kind, facts.reference))
                told = (facts.status, facts.customer_id, facts.partner_id, facts.urgent, facts.final)
                kept = row and (row.status, row.customer_id, row.partner_id, row.urgent, row.state is _S.DONE)
                if kept != told or (facts.waiting and row and row.state is not _S.WAITING):
                    wrong.append(f"{facts.kind} {facts.reference}: {kept} instead of {told}")
    return wrong


async def _repair_is_moved(shop: Living) -> tuple[CaseKind, str]:
    reference = await reference_of(shop, JORIS, status=WorkOrderStatus.IN_REPAIR)
    await shop.move("work-order", reference, "wait_for_parts")
    return CaseKind.REPAIR, reference


async def _service_is_planned(shop: Living) -> tuple[CaseKind, str]:
    reference = await reference_of(shop, MAX, status=WorkOrderStatus.NEW)
    await shop.move("work-order", reference, "new", planned_date=shop.clock.now.date())
    return CaseKind.SERVICE, reference


async def _service_is_cancelled(shop: Living) -> tuple[CaseKind, str]:
    reference = await reference_of(shop, MAX, status=WorkOrderStatus.NEW)
    await shop.move("work-order", reference, "cancelled")
    return CaseKind.SERVICE, reference


async def _sent_return(shop: Living, **more: str) -> tuple[str, str]:
    """Session and reference of a new return that waits for its link."""
    token = await shop.log_in(ROOS)
    steps = await order_return(shop.provider, token, BUNDLE, f"{BUNDLE}-3*1", **more)
    return token, (await send(shop.provider, token, ORDER_RETURN, steps)).reference


async def _return_is_sent(shop: Living) -> tuple[CaseKind, str]:
    return CaseKind.RETURN, (await _sent_return(shop))[1]


async def _return_is_confirmed(shop: Living) -> tuple[CaseKind, str]:
    _, reference = await _sent_return(shop)
    await shop.confirm(await shop.end(ROOS[1], LinkPurpose.ORDER_RETURN), LinkPurpose.ORDER_RETURN)
    return CaseKind.RETURN, reference


async def _return_is_cancelled(shop: Living) -> tuple[CaseKind, str]:
    token, reference = await _sent_return(shop)
    async with shop.context.database.session() as session:
        row = (await session.exec(select(ReturnRow).where(ReturnRow.reference == reference))).one()
    await shop.ask(ReturnsApi).cancel_return(token, row.public_id)
    return CaseKind.RETURN, reference


async def _return_is_rejected(shop: Living) -> tuple[CaseKind, str]:
    _, reference = await _return_is_confirmed(shop)
    await shop.move("return", reference, "rejected")
    return CaseKind.RETURN, reference


async def _withdrawal_is_declared(shop: Living) -> tuple[CaseKind, str]:
    entry = GuestWithdrawal(order_number=BUNDLE, email=ROOS[1], name="Wie dan ook", key="stranger-1")
    found = await shop.ask(WithdrawalsApi).guest_withdraw(entry, Origin(address="192.0.2.9"))
    return CaseKind.WITHDRAWAL, found.reference


async def _declaration_is_confirmed(shop: Living) -> tuple[CaseKind, str]:
    kind, reference = await _withdrawal_is_declared(shop)
    await shop.ask(WithdrawalsApi).confirm_declared(await shop.log_in(ROOS), reference)
    return kind, reference


async def _declaration_is_confirmed_by_staff(shop: Living) -> tuple[CaseKind, str]:
    kind, reference = await _withdrawal_is_declared(shop)
    await shop.move("withdrawal", reference, "confirmed")
    return kind, reference


async def _declaration_is_taken_back(shop: Living) -> tuple[CaseKind, str]:
    kind, reference = await _withdrawal_is_declared(shop)
    await shop.ask(WithdrawalsApi).take_back_declared(await shop.log_in(ROOS), reference)
    return kind, reference


async def _battery_is_reported(shop: Living) -> tuple[CaseKind, str]:
    token = await shop.log_in(ROOS)
    entry = WithdrawalEntry(order_number=BUNDLE, name="Roos", key="with-a-battery")
    receipt = await shop.ask(WithdrawalsApi).withdraw(token, entry)
    await shop.ask(ReturnsApi).answer_battery(token, BatteryAnswer(return_id=receipt.return_id, battery="swollen"))
    return CaseKind.BATTERY_ALARM, receipt.reference


async def _battery_is_collected(shop: Living) -> tuple[CaseKind, str]:
    kind, reference = await _battery_is_reported(shop)
    await shop.change(ReturnRow, {"method": ReturnMethod.PICK_UP}, reference=reference)
    await shop.move("return", reference, "pickup_request_created", battery_collected=True)
    return kind, reference


async def _requested_insurance(shop: Living) -> tuple[str, str]:
    """Session and reference of an insurance that waits for its link."""
    token = await shop.log_in(FLEUR)
    steps = (
        ("insurance", {"type": "theft", "insurer": "fietsvast", "key_number": "B12345"}),
        ("account", {"iban": "NL91 ABNA 0417 1643 00", "agreed": "yes"}),
    )
    bike = await shop.bike_of(token, "900000081")
    return token, (await shop.send(token, await shop.fill(token, "insurance-request", bike, *steps))).reference


async def _insurance_is_requested(shop: Living) -> tuple[CaseKind, str]:
    return CaseKind.INSURANCE, (await _requested_insurance(shop))[1]


async def _insurance_is_confirmed(shop: Living) -> tuple[CaseKind, str]:
    _, reference = await _requested_insurance(shop)
    await shop.confirm(await shop.end(FLEUR[1], LinkPurpose.INSURANCE), LinkPurpose.INSURANCE)
    return CaseKind.INSURANCE, reference


async def _insurance_is_finished(shop: Living) -> tuple[CaseKind, str]:
    kind, reference = await _insurance_is_confirmed(shop)
    await shop.move("insurance", reference, "finished", policy_number="P123456789")
    return kind, reference


async def _insurance_is_cancelled(shop: Living) -> tuple[CaseKind, str]:
    token, reference = await _requested_insurance(shop)
    await shop.ask(InsuranceApi).cancel_insurance(token, reference)
    return CaseKind.INSURANCE, reference


async def _link_of_insurance_expires(shop: Living) -> tuple[CaseKind, str]:
    _, reference = await _requested_insurance(shop)
    over = shop.clock.now - timedelta(days=2)
    await shop.change(InsuranceRequestRow, {"link_expires_at": over}, reference=reference)
    await _requested_insurance(shop)
    return CaseKind.INSURANCE, reference


async def _day_is_asked_for(shop: Living) -> tuple[CaseKind, str]:
    sent = await shop.request_day(await shop.log_in(DAAN))
    return CaseKind.DATE_CHANGE, sent.change.reference


async def _day_is_confirmed(shop: Living) -> tuple[CaseKind, str]:
    kind, reference = await _day_is_asked_for(shop)
    await shop.confirm(await shop.end(DAAN[1]))
    return kind, reference


async def _day_is_accepted(shop: Living) -> tuple[CaseKind, str]:
    kind, reference = await _day_is_confirmed(shop)
    await shop.move("date-change", reference, "accepted")
    return kind, reference


async def _day_is_cancelled(shop: Living) -> tuple[CaseKind, str]:
    kind, reference = await _day_is_confirmed(shop)
    await shop.ask(DeliveriesApi).cancel_delivery_date(await shop.log_in(DAAN), OPEN)
    return kind, reference


async def _day_ends_with_the_delivery(shop: Living) -> tuple[CaseKind, str]:
    kind, reference = await _day_is_confirmed(shop)
    await shop.move("shipment", OPEN, "order_cancelled")
    return kind, reference


async def _contract(shop: Living) -> tuple[str, str]:
    token = await shop.log_in(FLEUR)
    bike = await shop.bike_of(token, "900000081")
    filled = await shop.fill(token, "service-package", bike, ("package", {"package": "SERVICE21"}))
    return token, (await shop.send(token, filled)).reference


async def _contract_is_ended(shop: Living) -> tuple[CaseKind, str]:
    token, contract = await _contract(shop)
    entry = EndEntry(name="Fleur", ending=EndKind.WITHDRAWAL, key="pressed-once")
    ended = await shop.ask(ContractsApi).end_contract(token, contract, entry)
    assert ended.end
    return CaseKind.CONTRACT_END, ended.end.reference


async def _end_is_processed(shop: Living) -> tuple[CaseKind, str]:
    kind, reference = await _contract_is_ended(shop)
    await shop.move("contract-end", reference, "processed")
    return kind, reference


async def _end_is_declared_by_a_guest(shop: Living) -> tuple[CaseKind, str]:
    _, contract = await _contract(shop)
    entry = GuestEnd(reference=contract, email=FLEUR[1], name="Wie", ending=EndKind.WITHDRAWAL, key="guest-pressed")
    ended = await shop.ask(ContractsApi).guest_end(entry, Origin(address="192.0.2.9"))
    return CaseKind.CONTRACT_END, ended.reference


async def _end_is_taken_back(shop: Living) -> tuple[CaseKind, str]:
    token, contract = await _contract(shop)
    entry = GuestEnd(reference=contract, email=FLEUR[1], name="Wie", ending=EndKind.WITHDRAWAL, key="guest-pressed")
    ended = await shop.ask(ContractsApi).guest_end(entry, Origin(address="192.0.2.9"))
    await shop.ask(ContractsApi).take_back_end(token, contract)
    return CaseKind.CONTRACT_END, ended.reference


@pytest.mark.parametrize(
    ("act", "state", "happened", "by_customer"),
    [
        (_repair_is_moved, _S.OPEN, _E.STATUS_CHANGED, False),
        (_service_is_planned, _S.NEW, _E.PLANNED, False),
        (_service_is_cancelled, _S.DONE, _E.CLOSED, False),
        (_return_is_sent, _S.WAITING, _E.OPENED, True),
        (_return_is_confirmed, _S.NEW, _E.STATUS_CHANGED, True),
        (_return_is_cancelled, _S.DONE, _E.CLOSED, True),
        (_return_is_rejected, _S.DONE, _E.CLOSED, False),
        (_withdrawal_is_declared, _S.WAITING, _E.OPENED, True),
        (_declaration_is_confirmed, _S.NEW, _E.STATUS_CHANGED, True),
        (_declaration_is_confirmed_by_staff, _S.NEW, _E.STATUS_CHANGED, False),
        (_declaration_is_taken_back, _S.DONE, _E.CLOSED, True),
        (_battery_is_reported, _S.NEW, _E.OPENED, True),
        (_battery_is_collected, _S.DONE, _E.CLOSED, False),
        (_insurance_is_requested, _S.WAITING, _E.OPENED, True),
        (_insurance_is_confirmed, _S.NEW, _E.STATUS_CHANGED, True),
        (_insurance_is_finished, _S.DONE, _E.CLOSED, False),
        (_insurance_is_cancelled, _S.DONE, _E.CLOSED, True),
        (_link_of_insurance_expires, _S.DONE, _E.CLOSED, False),
        (_day_is_asked_for, _S.WAITING, _E.OPENED, True),
        (_day_is_confirmed, _S.NEW, _E.STATUS_CHANGED, True),
        (_day_is_accepted, _S.DONE, _E.CLOSED, False),
        (_day_is_cancelled, _S.DONE, _E.CLOSED, True),
        (_day_ends_with_the_delivery, _S.DONE, _E.CLOSED, False),
        (_contract_is_ended, _S.NEW, _E.OPENED, True),
        (_end_is_processed, _S.DONE, _E.CLOSED, False),
        (_end_is_declared_by_a_guest, _S.WAITING, _E.OPENED, True),
        (_end_is_taken_back, _S.DONE, _E.CLOSED, True),
    ],
)
async def test_a_case_follows_its_request(
    living: Living,
    act: Callable[[Living], Awaitable[tuple[CaseKind, str]]],
    state: CaseState,
    happened: CaseEventType,
    by_customer: bool,
) -> None:
    kind, reference = await act(living)
    row, events = await case_of(living, kind, reference)
    newest = events[-1]
    assert (row.state, newest.type, newest.by_customer) == (state, happened, by_customer)
    # Whoever is to act, the case has an end of its time.
    assert (row.promised_at is not None, row.waiting_until is not None) == (
        state in (_S.NEW, _S.OPEN),
        state is _S.WAITING,
    )
    assert (row.closed_at is not None, row.waiting_since is not None) == (state is _S.DONE, state is _S.WAITING)
    assert newest.details.get("status", row.status) == row.status
    assert await out_of_step(living) == []


async def test_requests_of_the_demonstration_have_cases(living: Living) -> None:
    assert await out_of_step(living) == []
    async with living.context.database.session() as session:
        kinds = set(await session.exec(select(CaseRow.kind)))
        declared = (await session.exec(select(WithdrawalDeclarationRow.id))).all()
    assert kinds >= {CaseKind.REPAIR, CaseKind.SERVICE, CaseKind.CLAIM, CaseKind.RETURN, CaseKind.INSURANCE}
    assert (CaseKind.WITHDRAWAL in kinds) or not declared


async def test_a_refused_change_leaves_the_case_as_it_was(living: Living) -> None:
    reference = await reference_of(living, MAX, status=WorkOrderStatus.NEW)
    before, history = await case_of(living, CaseKind.SERVICE, reference)
    with pytest.raises(Exception, match="status_not_allowed"):
        await living.move("work-order", reference, "done")
    after, same = await case_of(living, CaseKind.SERVICE, reference)
    assert (after.version, after.status, len(same)) == (before.version, before.status, len(history))
