"""What ends, goes on or is paid back when a bike leaves, and what is read about it afterwards."""

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlmodel import col, select

from portal.bikes.provider.queries import BikeQueries
from portal.cases.api import CasesApi
from portal.contracts.api import ContractsApi
from portal.exports.api import BatchChoice, ChosenRefunds, ExportsApi, RefundToPay
from portal.flow.api import DraftStart, FlowApi
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import short_id
from portal.overview.api import OverviewApi
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.drafts import DraftRow
from portal.tables.insurance import ContractEndRow
from portal.tables.messages import OutboxMail
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.contracts import ContractKind, EndKind, EndStatus
from portal.vocabulary.departures import GONE
from portal.vocabulary.exchange import RefundWay
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.services import ServicePackage
from portal.vocabulary.staff import Role
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, RequestKind, WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from tests.support.departing import MONTHLY, Departing
from tests.support.entries import step_entry
from tests.support.living import Living


@pytest.fixture
async def departing(living: Living) -> Departing:
    return await Departing.begin(living, sent=True)


async def close(departing: Departing) -> None:
    await departing.move_returns(ReturnStatus.RECEIVED, ReturnStatus.CLOSED)


async def test_a_request_goes_on_if_the_customer_keeps_the_bike(departing: Departing) -> None:
    reference = await departing.ask_work(0, RequestKind.REPAIR)
    before = await departing.ask(WorkOrdersApi).service_request(departing.token, reference)
    await departing.send_back(0)
    await departing.cancel_returns()
    assert await departing.ask(WorkOrdersApi).service_request(departing.token, reference) == before
    await departing.shop.move("work-order", reference, "wait_for_object")


async def test_what_is_repaired_already_is_completed(departing: Departing) -> None:
    reference = await departing.ask_work(0, RequestKind.REPAIR, WorkOrderStatus.WAIT_FOR_CUSTOMER)
    await departing.send_back(0)
    await close(departing)
    shown = await departing.ask(WorkOrdersApi).service_request(departing.token, reference)
    assert shown.status is WorkOrderStatus.COMPLETED


@pytest.mark.parametrize("withdrawn", [False, True])
async def test_a_withdrawal_pays_back_a_package_whole(departing: Departing, withdrawn: bool) -> None:
    reference = await departing.take_package(0, days=10)
    await (departing.withdraw(0) if withdrawn else departing.send_back(0))
    await close(departing)
    end = (await departing.ask(ContractsApi).contract(departing.token, reference)).end
    assert end
    assert end.ends_on == local_day(departing.shop.context.clock())
    # One month was collected; ten days and the day of return were used, unless the customer withdrew.
    refund = end.account.money.total
    assert refund == MONTHLY if withdrawn else Decimal("18.00") < refund < Decimal("20.00")


async def test_a_contract_that_was_cancelled_ends_with_the_bike_if_that_is_earlier(departing: Departing) -> None:
    reference, now = await departing.take_package(0), departing.shop.context.clock()
    async with departing.shop.context.database.transaction() as session:
        session.add(
            ContractEndRow(
                reference=short_id(8), customer_id=(await departing.bike()).customer_id, contract=reference,
                kind=ContractKind.SERVICE_PACKAGE, ending=EndKind.CANCELLATION, name="Noor", email="n", key="k" * 64,
                status=EndStatus.CONFIRMED, ends_on=local_day(now) + timedelta(days=20), received_at=now,
                updated_at=now,
            )
        )  # fmt: skip
    await departing.send_back(0)
    await close(departing)
    contract = await departing.ask(ContractsApi).contract(departing.token, reference)
    assert contract.end
    assert contract.end.ends_on == local_day(now)
    assert not contract.running


async def test_no_customer_of_the_demonstration_is_promised_anything_about_what_is_gone(living: Living) -> None:
    async with living.context.database.session() as session:
        query = select(RequestRow, BikeRow, CustomerRow).join(BikeRow, col(BikeRow.id) == RequestRow.bike_id)
        query = query.join(CustomerRow, col(CustomerRow.id) == RequestRow.customer_id)
        rows = (await session.exec(query)).all()
        assert rows
        for request, bike, customer in rows:
            departure = (await BikeQueries(session, customer.id).get(bike.public_id)).departure
            assert departure not in GONE or request.status in CLOSED_WORK_ORDER, request.reference


async def test_the_desk_does_not_show_what_ended_with_the_bike(departing: Departing) -> None:
    """An insurance and a package that came with the order have no contract in the portal."""
    bike_id = (await departing.bike()).public_id
    stored = {"insurance": "theft", "policy_number": "P-1", "service_package": ServicePackage.SERVICE32}
    await departing.shop.change(BikeRow, stored, public_id=bike_id)
    reference = await departing.ask_work(0, RequestKind.REPAIR)
    desk, cases = await departing.shop.log_in_staff(Role.SERVICE_DESK), departing.shop.ask(CasesApi)
    await departing.shop.move("work-order", reference, "wait_for_object")  # opens the case
    before = (await cases.case(desk, "repair", reference)).bike
    assert before
    assert (before.insured, before.service_package.en != "", before.departed.en) == (True, True, "")
    await departing.send_back(0)
    await close(departing)
    after = (await cases.case(desk, "repair", reference)).bike
    assert after
    assert (after.insured, after.service_package.en, after.departed.en) == (False, "", "The bike was returned.")


async def test_a_draft_about_the_bike_is_not_offered_and_goes_with_it(departing: Departing) -> None:
    bike_id = (await departing.bike()).public_id
    flows, overview = departing.shop.ask(FlowApi), departing.shop.ask(OverviewApi)
    draft = await flows.open_draft(departing.token, DraftStart(flow="repair-request", anew=True))
    await flows.save_step(departing.token, draft.draft_id, step_entry(draft, "bike", {"bike": bike_id}))

    async def offered() -> list[str]:
        return [entry.draft_id for entry in (await overview.dashboard(departing.token)).drafts]

    assert await offered() == [draft.draft_id]
    await departing.send_back(0)
    assert await offered() == []
    await departing.cancel_returns()
    assert await offered() == [draft.draft_id]
    await departing.send_back(0)
    await close(departing)
    assert await offered() == []
    assert await departing.shop.rows(DraftRow, subject=bike_id, sent_at=None) == []


async def _listed(departing: Departing, reference: str) -> list[RefundToPay]:
    finance = await departing.shop.log_in_staff(Role.FINANCE)
    listed = await departing.shop.ask(ExportsApi).refunds_to_pay(finance)
    return [entry for entry in listed if (entry.case_kind, entry.reference) == (CaseKind.CONTRACT_END, reference)]


async def _ended(departing: Departing) -> tuple[str, ContractEndRow]:
    """A package that ended with the bike: its reference, and how it ended."""
    reference = await departing.take_package(0, days=10)
    await departing.send_back(0)
    await close(departing)
    return reference, await departing.shop.one(ContractEndRow, contract=reference)


@pytest.mark.each_database
async def test_finance_pays_the_unused_days_of_a_contract_once(departing: Departing) -> None:
    reference, end = await _ended(departing)
    exports, finance = departing.shop.ask(ExportsApi), await departing.shop.log_in_staff(Role.FINANCE)
    assert [
        (entry.reference, entry.amount, entry.payment_reference) for entry in await _listed(departing, end.reference)
    ] == [(end.reference, end.refund, reference)]
    batch = await exports.export_refunds(finance, BatchChoice(way=RefundWay.ORIGINAL))
    assert end.reference in (await exports.refund_list(finance, batch.id)).content.decode()
    assert [entry.batch for entry in await _listed(departing, end.reference)] == [batch.id]
    chosen = ChosenRefunds(references=[end.reference])
    for _ in range(2):
        assert [each.code for each in await exports.record_refunds_paid(finance, chosen)] == [None]
    assert await _listed(departing, end.reference) == []
    shown = await departing.shop.ask(ContractsApi).contract(departing.token, reference)
    assert shown.end
    assert shown.end.account.money.note.en.startswith("We refunded €")
    mails = await departing.shop.rows(OutboxMail, template="contract_end")
    assert len(mails) == 2  # that it ended, and that it was paid
    assert "terugbetaald" in mails[-1].details["money_note"]


async def test_processing_an_end_does_not_pay_it_and_much_needs_a_second_person(departing: Departing) -> None:
    _, end = await _ended(departing)
    await departing.shop.move("contract-end", end.reference, "processed")
    assert [entry.reference for entry in await _listed(departing, end.reference)] == [end.reference]
    await departing.shop.change(ContractEndRow, {"refund": Decimal("500.01")}, reference=end.reference)
    assert [entry.waits for entry in await _listed(departing, end.reference)] == [True]
    exports, finance = departing.shop.ask(ExportsApi), await departing.shop.log_in_staff(Role.FINANCE)
    chosen = ChosenRefunds(references=[end.reference])
    (refused,) = await exports.record_refunds_paid(finance, chosen)
    assert refused.code is Code.SECOND_PERSON_REQUIRED
    assert [each.code for each in await exports.confirm_refunds(finance, chosen)] == [None]
    assert [each.code for each in await exports.record_refunds_paid(finance, chosen)] == [None]


async def test_an_end_that_runs_on_is_not_paid_yet(departing: Departing) -> None:
    _, end = await _ended(departing)
    await departing.shop.change(ContractEndRow, {"ended_at": None}, reference=end.reference)
    assert await _listed(departing, end.reference) == []
    finance = await departing.shop.log_in_staff(Role.FINANCE)
    chosen = ChosenRefunds(references=[end.reference])
    (refused,) = await departing.shop.ask(ExportsApi).record_refunds_paid(finance, chosen)
    assert refused.code is Code.STATUS_NOT_ALLOWED
