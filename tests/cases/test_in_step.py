"""A case follows its request: it is opened, moved and closed in the transaction that changes the request."""

from collections.abc import AsyncIterator, Callable
from datetime import timedelta

import pytest
from sqlmodel import select

from portal.cases.provider.subjects import SUBJECTS
from portal.contract.session import Origin
from portal.contracts.api import ContractsApi, EndEntry, GuestEnd
from portal.deliveries.api import DeliveriesApi
from portal.insurance.api import InsuranceApi
from portal.returns.api import BatteryAnswer, ReturnsApi
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.returns import ReturnRow
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
Steps = AsyncIterator[tuple[CaseKind, str, CaseState, CaseEventType, bool]]
"""What happens to a request: after each act the kind and reference of its case, its state and its newest event."""


async def case_of(shop: Living, kind: CaseKind, reference: str) -> tuple[CaseRow, list[CaseEventRow]]:
    """A case with its history."""
    row = await shop.row(CaseRow, kind=kind, reference=reference)
    return row, await shop.rows(CaseEventRow, case_id=row.id)


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


async def repair(shop: Living) -> Steps:
    reference = await reference_of(shop, JORIS, status=WorkOrderStatus.IN_REPAIR)
    await shop.move("work-order", reference, "wait_for_parts")
    yield CaseKind.REPAIR, reference, _S.OPEN, _E.STATUS_CHANGED, False


async def service(shop: Living) -> Steps:
    reference = await reference_of(shop, MAX, status=WorkOrderStatus.NEW)
    await shop.move("work-order", reference, "new", planned_date=shop.clock.now.date())
    yield CaseKind.SERVICE, reference, _S.NEW, _E.PLANNED, False
    await shop.move("work-order", reference, "cancelled")
    yield CaseKind.SERVICE, reference, _S.DONE, _E.CLOSED, False


async def _sent_return(shop: Living) -> tuple[str, str]:
    """Session and reference of a new return that waits for its link."""
    token = await shop.log_in(ROOS)
    steps = await order_return(shop.provider, token, BUNDLE, f"{BUNDLE}-3*1")
    return token, (await send(shop.provider, token, ORDER_RETURN, steps)).reference


async def rejected_return(shop: Living) -> Steps:
    _, reference = await _sent_return(shop)
    yield CaseKind.RETURN, reference, _S.WAITING, _E.OPENED, True
    await shop.confirm(await shop.end(ROOS[1], LinkPurpose.ORDER_RETURN), LinkPurpose.ORDER_RETURN)
    yield CaseKind.RETURN, reference, _S.NEW, _E.STATUS_CHANGED, True
    await shop.move("return", reference, "rejected")
    yield CaseKind.RETURN, reference, _S.DONE, _E.CLOSED, False


async def cancelled_return(shop: Living) -> Steps:
    token, reference = await _sent_return(shop)
    row = await shop.row(ReturnRow, reference=reference)
    await shop.ask(ReturnsApi).cancel_return(token, row.public_id)
    yield CaseKind.RETURN, reference, _S.DONE, _E.CLOSED, True


async def declared(shop: Living) -> str:
    """Reference of a declaration of a guest that waits for its link."""
    entry = GuestWithdrawal(order_number=BUNDLE, email=ROOS[1], name="Wie dan ook", key="stranger-1")
    return (await shop.ask(WithdrawalsApi).guest_withdraw(entry, Origin(address="192.0.2.9"))).reference


async def confirmed_withdrawal(shop: Living) -> Steps:
    reference = await declared(shop)
    yield CaseKind.WITHDRAWAL, reference, _S.WAITING, _E.OPENED, True
    await shop.ask(WithdrawalsApi).confirm_declared(await shop.log_in(ROOS), reference)
    yield CaseKind.WITHDRAWAL, reference, _S.NEW, _E.STATUS_CHANGED, True


async def withdrawal_confirmed_by_staff(shop: Living) -> Steps:
    reference = await declared(shop)
    await shop.move("withdrawal", reference, "confirmed")
    yield CaseKind.WITHDRAWAL, reference, _S.NEW, _E.STATUS_CHANGED, False


async def withdrawal_taken_back(shop: Living) -> Steps:
    reference = await declared(shop)
    await shop.ask(WithdrawalsApi).take_back_declared(await shop.log_in(ROOS), reference)
    yield CaseKind.WITHDRAWAL, reference, _S.DONE, _E.CLOSED, True


async def battery_alarm(shop: Living) -> Steps:
    token = await shop.log_in(ROOS)
    entry = WithdrawalEntry(order_number=BUNDLE, name="Roos", key="with-a-battery")
    receipt = await shop.ask(WithdrawalsApi).withdraw(token, entry)
    await shop.ask(ReturnsApi).answer_battery(token, BatteryAnswer(return_id=receipt.return_id, battery="swollen"))
    yield CaseKind.BATTERY_ALARM, receipt.reference, _S.NEW, _E.OPENED, True
    await shop.change(ReturnRow, {"method": ReturnMethod.PICK_UP}, reference=receipt.reference)
    await shop.move("return", receipt.reference, "pickup_request_created", battery_collected=True)
    yield CaseKind.BATTERY_ALARM, receipt.reference, _S.DONE, _E.CLOSED, False


async def requested_insurance(shop: Living) -> tuple[str, str]:
    """Session and reference of an insurance that waits for its link."""
    token = await shop.log_in(FLEUR)
    steps = (
        ("insurance", {"type": "theft", "insurer": "fietsvast", "key_number": "B12345"}),
        ("account", {"iban": "NL91 ABNA 0417 1643 00", "agreed": "yes"}),
    )
    bike = await shop.bike_of(token, "900000081")
    return token, (await shop.send(token, await shop.fill(token, "insurance-request", bike, *steps))).reference


async def finished_insurance(shop: Living) -> Steps:
    _, reference = await requested_insurance(shop)
    yield CaseKind.INSURANCE, reference, _S.WAITING, _E.OPENED, True
    await shop.confirm(await shop.end(FLEUR[1], LinkPurpose.INSURANCE), LinkPurpose.INSURANCE)
    yield CaseKind.INSURANCE, reference, _S.NEW, _E.STATUS_CHANGED, True
    await shop.move("insurance", reference, "finished", policy_number="P123456789")
    yield CaseKind.INSURANCE, reference, _S.DONE, _E.CLOSED, False


async def cancelled_insurance(shop: Living) -> Steps:
    token, reference = await requested_insurance(shop)
    await shop.ask(InsuranceApi).cancel_insurance(token, reference)
    yield CaseKind.INSURANCE, reference, _S.DONE, _E.CLOSED, True


async def expired_insurance(shop: Living) -> Steps:
    _, reference = await requested_insurance(shop)
    over = shop.clock.now - timedelta(days=2)
    await shop.change(InsuranceRequestRow, {"link_expires_at": over}, reference=reference)
    await requested_insurance(shop)
    yield CaseKind.INSURANCE, reference, _S.DONE, _E.CLOSED, False


async def accepted_day(shop: Living) -> Steps:
    reference = (await shop.request_day(await shop.log_in(DAAN))).change.reference
    yield CaseKind.DATE_CHANGE, reference, _S.WAITING, _E.OPENED, True
    await shop.confirm(await shop.end(DAAN[1]))
    yield CaseKind.DATE_CHANGE, reference, _S.NEW, _E.STATUS_CHANGED, True
    await shop.move("date-change", reference, "accepted")
    yield CaseKind.DATE_CHANGE, reference, _S.DONE, _E.CLOSED, False


async def _confirmed_day(shop: Living) -> str:
    sent = await shop.request_day(await shop.log_in(DAAN))
    await shop.confirm(await shop.end(DAAN[1]))
    return sent.change.reference


async def cancelled_day(shop: Living) -> Steps:
    reference = await _confirmed_day(shop)
    await shop.ask(DeliveriesApi).cancel_delivery_date(await shop.log_in(DAAN), OPEN)
    yield CaseKind.DATE_CHANGE, reference, _S.DONE, _E.CLOSED, True


async def day_of_a_cancelled_order(shop: Living) -> Steps:
    reference = await _confirmed_day(shop)
    await shop.move("shipment", OPEN, "order_cancelled")
    yield CaseKind.DATE_CHANGE, reference, _S.DONE, _E.CLOSED, False


async def _contract(shop: Living) -> tuple[str, str]:
    token = await shop.log_in(FLEUR)
    bike = await shop.bike_of(token, "900000081")
    filled = await shop.fill(token, "service-package", bike, ("package", {"package": "SERVICE21"}))
    return token, (await shop.send(token, filled)).reference


async def processed_end(shop: Living) -> Steps:
    token, contract = await _contract(shop)
    entry = EndEntry(name="Fleur", ending=EndKind.WITHDRAWAL, key="pressed-once")
    end = (await shop.ask(ContractsApi).end_contract(token, contract, entry)).end
    assert end
    yield CaseKind.CONTRACT_END, end.reference, _S.NEW, _E.OPENED, True
    await shop.move("contract-end", end.reference, "processed")
    yield CaseKind.CONTRACT_END, end.reference, _S.DONE, _E.CLOSED, False


async def end_of_a_guest(shop: Living) -> Steps:
    token, contract = await _contract(shop)
    entry = GuestEnd(reference=contract, email=FLEUR[1], name="Wie", ending=EndKind.WITHDRAWAL, key="guest-pressed")
    ended = await shop.ask(ContractsApi).guest_end(entry, Origin(address="192.0.2.9"))
    yield CaseKind.CONTRACT_END, ended.reference, _S.WAITING, _E.OPENED, True
    await shop.ask(ContractsApi).take_back_end(token, contract)
    yield CaseKind.CONTRACT_END, ended.reference, _S.DONE, _E.CLOSED, True


STORIES = (
    repair, service, rejected_return, cancelled_return, confirmed_withdrawal, withdrawal_confirmed_by_staff,
    withdrawal_taken_back, battery_alarm, finished_insurance, cancelled_insurance, expired_insurance, accepted_day,
    cancelled_day, day_of_a_cancelled_order, processed_end, end_of_a_guest,
)  # fmt: skip


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
async def test_a_case_follows_its_request(living: Living, story: Callable[[Living], Steps]) -> None:
    async for kind, reference, state, happened, by_customer in story(living):
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
