"""What ends or goes on with a bike, where the table of departures leaves it to what has happened before."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlmodel import col, select

from portal.bikes.provider.queries import BikeQueries
from portal.contracts.api import ContractsApi
from portal.kernel.days import local_day
from portal.kernel.validation import short_id
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import ContractEndRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.contracts import ContractKind, EndKind, EndStatus
from portal.vocabulary.departures import GONE
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, RequestKind, WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from tests.support.departing import MONTHLY, Departing
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
