"""What ends when a bike leaves: requests, insurance and package, on page, mail, desk and API, after any sequence."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from decimal import Decimal
from random import Random

import pytest
from sqlmodel import col, select

from portal.backend.backoffice import TransitionRequest
from portal.bikes.api import BikesApi
from portal.bikes.provider.queries import BikeQueries
from portal.cases.provider.subjects import SUBJECTS
from portal.contract.errors import Conflict, ProviderError, Refused
from portal.contracts.api import ContractsApi
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import short_id
from portal.orders.api import OrdersApi
from portal.overview.api import OverviewApi
from portal.returns.api import ReturnsApi
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.contracts import ContractEndRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.actions import Feature, Opening
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.contracts import ContractKind, EndKind, EndStatus
from portal.vocabulary.departures import GONE, OF_REQUESTS, Departure, Dependent, goes_on, outcome
from portal.vocabulary.insurance import OPEN_INSURANCE, InsuranceStatus, InsuranceType, Insurer
from portal.vocabulary.returns import CANCELLABLE, ReturnStatus
from portal.vocabulary.services import ServicePackage
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, RequestKind, WorkOrderStatus
from portal.withdrawals.api import WithdrawalEntry, WithdrawalsApi
from portal.work_orders.api import WorkOrdersApi
from tests.support.living import FLEUR, Living

NEW = "900000081"


class Leaving:
    """A bike with everything that can hang on it, and what its customer and staff do."""

    def __init__(self, shop: Living, token: str, bike_id: str) -> None:
        self.shop, self.token, self.bike_id = shop, token, bike_id
        self.returned = ""

    async def bike(self) -> BikeRow:
        async with self.shop.context.database.session() as session:
            return (await session.exec(select(BikeRow).where(BikeRow.public_id == self.bike_id))).one()

    async def departure(self) -> Departure | None:
        bike = await self.bike()
        async with self.shop.context.database.session() as session:
            return (await BikeQueries(session, bike.customer_id).get(self.bike_id)).departure

    async def open_request(self, kind: RequestKind, status: WorkOrderStatus = WorkOrderStatus.ACCEPTED) -> str:
        bike, now = await self.bike(), self.shop.context.clock()
        async with self.shop.context.database.transaction() as session:
            row = RequestRow(
                reference=short_id(8), customer_id=bike.customer_id, bike_id=bike.id, kind=kind, status=status,
                title="Ketting", planned_date=local_day(now) + timedelta(days=3), created_at=now, updated_at=now,
            )  # fmt: skip
            session.add(row)
            await session.flush()
            return row.reference

    async def ask_insurance(self) -> None:
        bike, now = await self.bike(), self.shop.context.clock()
        async with self.shop.context.database.transaction() as session:
            session.add(
                InsuranceRequestRow(
                    reference=short_id(8), customer_id=bike.customer_id, bike_id=bike.id,
                    insurer=Insurer.FIETSVAST, type=InsuranceType.THEFT, premium=Decimal("10.00"),
                    status=InsuranceStatus.CREATED,
                    iban="NL91ABNA0417164300", created_at=now, updated_at=now,
                )
            )  # fmt: skip

    async def take_package(self, days_ago: int = 40) -> str:
        bike, now = await self.bike(), self.shop.context.clock()
        async with self.shop.context.database.transaction() as session:
            row = PackageOrderRow(
                reference=short_id(8), customer_id=bike.customer_id, bike_id=bike.id,
                package=ServicePackage.SERVICE32, monthly=Decimal("30.00"), created_at=now - timedelta(days=days_ago),
            )  # fmt: skip
            session.add(row)
            (await session.exec(select(BikeRow).where(BikeRow.id == bike.id))).one().service_package = row.package
            await session.flush()
            return row.reference

    async def declare(self) -> None:
        self.returned = await self.shop.send_back(self.token, NEW)

    async def withdraw(self) -> None:
        entry = WithdrawalEntry(order_number=NEW, name="Fleur", key=f"key-{short_id()}")
        self.returned = (await self.shop.ask(WithdrawalsApi).withdraw(self.token, entry)).reference

    async def cancel(self) -> None:
        async with self.shop.context.database.session() as session:
            rows = (await session.exec(select(ReturnRow).where(ReturnRow.reference == self.returned))).all()
        for row in rows:
            if row.status in CANCELLABLE:
                await self.shop.ask(ReturnsApi).cancel_return(self.token, row.public_id)

    async def move(self, *statuses: ReturnStatus) -> None:
        for status in statuses:
            await self.shop.move("return", self.returned, status)

    async def receive(self) -> None:
        await self.move(ReturnStatus.RECEIVED)

    async def close(self) -> None:
        await self.move(ReturnStatus.RECEIVED, ReturnStatus.CLOSED)

    async def reject(self) -> None:
        await self.move(ReturnStatus.RECEIVED, ReturnStatus.REJECTED)

    async def cancel_order(self) -> None:
        await self.shop.move("shipment", NEW, "order_cancelled")

    async def repair(self) -> None:
        await self.open_request(RequestKind.REPAIR)

    async def check(self) -> None:
        """Nothing is promised about a bike that has left, and what waits says so, on every channel."""
        departure, bike = await self.departure(), await self.bike()
        async with self.shop.context.database.session() as session:
            requests = (await session.exec(select(RequestRow).where(RequestRow.bike_id == bike.id))).all()
            asked = select(InsuranceRequestRow).where(InsuranceRequestRow.bike_id == bike.id)
            insurances = (await session.exec(asked)).all()
        opened = [row for row in requests if row.status not in CLOSED_WORK_ORDER]
        if departure in GONE:
            assert not opened
            assert not [row for row in insurances if row.status in OPEN_INSURANCE]
        for row in opened:
            await self._check_waiting(row, departure)
        await self._check_pages(departure)

    async def _check_waiting(self, row: RequestRow, departure: Departure | None) -> None:
        cell = outcome(departure, OF_REQUESTS[row.kind])
        shown = await self.shop.ask(WorkOrdersApi).service_request(self.token, row.reference)
        meaning = shown.account.meaning.en
        async with self.shop.context.database.session() as session:
            content = await SUBJECTS[CaseKind(row.kind.value)].content(self.shop.context, session, row.reference)
        assert content
        if departure is None:
            assert meaning != cell.customer
            assert shown.planned_date == row.planned_date
        else:
            assert meaning == cell.customer
            assert (shown.planned_date, shown.account.handover, shown.account.next_steps) == (None, None, [])
            assert content.account.meaning.en == cell.staff

    async def _check_pages(self, departure: Departure | None) -> None:
        home = await self.shop.ask(OverviewApi).bike_home(self.token, self.bike_id)
        listed = [bike.bike_id for bike in (await self.shop.ask(BikesApi).bikes(self.token)).items]
        assert home.bike.departure is departure
        assert (self.bike_id in listed) is goes_on(departure, Dependent.BIKE_LIST)
        assert (home.warranty is not None) is goes_on(departure, Dependent.WARRANTY)
        assert (home.clock is not None) is goes_on(departure, Dependent.REMINDER)
        started = {action.feature for action in home.actions if action.opening is Opening.OPEN}
        new = {Feature.REPAIR, Feature.SERVICE, Feature.CLAIM, Feature.INSURANCE, Feature.SERVICE_PACKAGE}
        assert departure is None or not started & new
        if departure in GONE:
            assert (home.bike.insurance, home.bike.service_package) == ("", None)
            assert not [entry for entry in home.contracts if entry.running]
            assert not [event for event in home.timeline if event.ahead]
        order = await self.shop.ask(OrdersApi).order(self.token, NEW)
        assert order.due == 0 or departure not in GONE


@pytest.fixture
async def leaving(living: Living) -> Leaving:
    token = await living.log_in(FLEUR)
    return Leaving(living, token, await living.bike_of(token, NEW))


@pytest.mark.parametrize("kind", [RequestKind.REPAIR, RequestKind.SERVICE, RequestKind.CLAIM])
async def test_an_open_request_waits_while_the_bike_goes_back_and_ends_with_it(
    leaving: Leaving, kind: RequestKind
) -> None:
    reference = await leaving.open_request(kind)
    await leaving.declare()
    await leaving.check()
    await leaving.receive()
    await leaving.check()
    with pytest.raises(Conflict) as caught:
        await leaving.shop.move("work-order", reference, "wait_for_repair")
    assert caught.value.code is Code.BIKE_GOING_BACK
    await leaving.move(ReturnStatus.CLOSED)
    await leaving.check()
    shown = await leaving.shop.ask(WorkOrdersApi).service_request(leaving.token, reference)
    assert (shown.status, shown.events[-1].note) == (
        WorkOrderStatus.CANCELLED,
        "Geannuleerd, omdat je deze fiets hebt geretourneerd.",
    )
    async with leaving.shop.context.database.session() as session:
        mails = (await session.exec(select(OutboxMail).where(OutboxMail.template == "work_order_status"))).all()
    assert [mail.details["note"] for mail in mails] == [shown.events[-1].note]


async def test_a_request_goes_on_if_the_customer_keeps_the_bike(leaving: Leaving) -> None:
    reference = await leaving.open_request(RequestKind.REPAIR)
    await leaving.declare()
    await leaving.cancel()
    await leaving.check()
    await leaving.shop.move("work-order", reference, "wait_for_object")


async def test_what_is_repaired_already_is_completed(leaving: Leaving) -> None:
    reference = await leaving.open_request(RequestKind.REPAIR, WorkOrderStatus.WAIT_FOR_CUSTOMER)
    await leaving.declare()
    await leaving.close()
    shown = await leaving.shop.ask(WorkOrdersApi).service_request(leaving.token, reference)
    assert shown.status is WorkOrderStatus.COMPLETED


async def test_an_insurance_request_ends_with_its_bike(leaving: Leaving) -> None:
    await leaving.ask_insurance()
    await leaving.declare()
    await leaving.close()
    async with leaving.shop.context.database.session() as session:
        row = (await session.exec(select(InsuranceRequestRow).order_by(col(InsuranceRequestRow.id).desc()))).first()
        assert row
        mails = (await session.exec(select(OutboxMail).where(OutboxMail.template == "insurance_status"))).all()
    assert (row.status, row.iban) == (InsuranceStatus.CANCELLED, "")
    assert row.note == "Geannuleerd, omdat je deze fiets hebt geretourneerd."
    assert len(mails) == 1


@pytest.mark.parametrize("withdrawn", [False, True])
async def test_a_package_ends_on_the_day_of_return_with_what_is_paid_back(leaving: Leaving, withdrawn: bool) -> None:
    reference = await leaving.take_package(days_ago=10)
    await (leaving.withdraw() if withdrawn else leaving.declare())
    told = (await leaving.shop.ask(ReturnsApi).returns(leaving.token)).items[0]
    detail = await leaving.shop.ask(ReturnsApi).return_detail(leaving.token, told.return_id)
    said = {fact.label.en: fact.lines[0].en for fact in detail.account.facts}
    stage = Departure.WITHDRAWN if withdrawn else Departure.DECLARED
    assert said["Service package"] == outcome(stage, Dependent.PACKAGE).customer
    await leaving.close()
    contract = await leaving.shop.ask(ContractsApi).contract(leaving.token, reference)
    assert not contract.running
    assert contract.end
    assert (contract.end.kind, contract.end.status) == (EndKind.DEPARTURE, EndStatus.CONFIRMED)
    assert contract.end.ends_on == local_day(leaving.shop.context.clock())
    # One month of 30 euro was collected; ten days and the day of return were used, unless the customer withdrew.
    refund = contract.end.account.money.total
    assert refund == Decimal("30.00") if withdrawn else Decimal("18.00") < refund < Decimal("20.00")
    assert (await leaving.bike()).service_package is None
    async with leaving.shop.context.database.session() as session:
        assert len((await session.exec(select(OutboxMail).where(OutboxMail.template == "contract_end"))).all()) == 1


async def test_a_contract_that_was_cancelled_ends_with_the_bike_if_that_is_earlier(leaving: Leaving) -> None:
    reference = await leaving.take_package(days_ago=40)
    now = leaving.shop.context.clock()
    bike = await leaving.bike()
    async with leaving.shop.context.database.transaction() as session:
        session.add(
            ContractEndRow(
                reference=short_id(8), customer_id=bike.customer_id, contract=reference,
                kind=ContractKind.SERVICE_PACKAGE,
                ending=EndKind.CANCELLATION, name="Fleur", email="f", key="k" * 64, status=EndStatus.CONFIRMED,
                ends_on=local_day(now) + timedelta(days=20), received_at=now, updated_at=now,
            )
        )  # fmt: skip
    await leaving.declare()
    await leaving.close()
    contract = await leaving.shop.ask(ContractsApi).contract(leaving.token, reference)
    assert contract.end
    assert contract.end.ends_on == local_day(now)
    assert not contract.running


@pytest.mark.parametrize("seed", range(8))
async def test_no_sequence_leaves_an_open_promise_about_a_bike_that_is_gone(leaving: Leaving, seed: int) -> None:
    chance = Random(seed)
    await leaving.take_package()
    ways: list[Callable[[], Awaitable[None]]] = [
        leaving.declare, leaving.withdraw, leaving.cancel, leaving.close, leaving.reject, leaving.receive,
        leaving.cancel_order, leaving.repair, leaving.ask_insurance,
    ]  # fmt: skip
    # It begins with something that is open and something that leaves, then anything follows.
    sequence = [leaving.repair, chance.choice(ways[:2]), *(chance.choice(ways) for _ in range(3))]
    for way in sequence:
        if way in (leaving.repair, leaving.ask_insurance) and await leaving.departure():
            continue
        try:
            await way()
        except (ProviderError, Refused, StopIteration):
            continue
        except Exception as error:
            if "UNIQUE" not in str(error):
                raise
        await leaving.check()


async def test_every_customer_of_the_shop_is_promised_nothing_about_what_is_gone(living: Living) -> None:
    async with living.context.database.session() as session:
        query = select(RequestRow, BikeRow, CustomerRow, OrderRow).join(BikeRow, col(BikeRow.id) == RequestRow.bike_id)
        query = query.join(CustomerRow, col(CustomerRow.id) == RequestRow.customer_id)
        query = query.join(OrderRow, col(OrderRow.id) == BikeRow.order_id)
        rows = (await session.exec(query)).all()
        for request, bike, customer, _ in rows:
            departure = (await BikeQueries(session, customer.id).get(bike.public_id)).departure
            assert departure not in GONE or request.status in CLOSED_WORK_ORDER, request.reference


async def test_the_back_office_plans_nothing_for_a_bike_that_is_gone(leaving: Leaving) -> None:
    await leaving.declare()
    await leaving.close()
    reference = await leaving.open_request(RequestKind.REPAIR)
    for request in (
        TransitionRequest(status="accepted", planned_date=local_day(leaving.shop.context.clock())),
        TransitionRequest(status="wait_for_object"),
    ):
        with pytest.raises(Conflict) as caught:
            await leaving.shop.application.back_office.move("work-order", reference, request)
        assert caught.value.code is Code.ALREADY_RETURNED
    await leaving.shop.move("work-order", reference, "cancelled")
