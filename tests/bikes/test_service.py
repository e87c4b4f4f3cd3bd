"""The services of bikes and of service requests, with the demonstration data."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import date, timedelta

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import select

from portal.bikes.api import BikesApi
from portal.demo.plans import Days, last_working_day
from portal.kernel.address import Country
from portal.kernel.days import add_years, today
from portal.orders.api import OrdersApi
from portal.overview.api import OverviewApi
from portal.tables.bikes import BikeRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, RequestKind, WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from tests.support.customers import AMBER, EVA, JORIS, MAX, NOOR, SANNE, THIJS
from tests.support.furnished import Furnished

PIN = "4817"


async def test_a_bike_shows_all_its_numbers(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    card = (await furnished.ask(BikesApi).bikes(token)).items[0]
    bike = await furnished.ask(BikesApi).bike(token, card.bike_id)
    assert card.model_dump() == {name: value for name, value in bike.model_dump().items() if name in card.model_dump()}
    assert bike.name == "Noordveld Horizon 5"
    assert bike.frame_number.startswith("NVH")
    assert bike.engine_brand == "Kinetra"
    assert bike.engine_system
    assert bike.battery_number
    assert len(bike.imei_number) == 15
    assert len(bike.key_numbers) == 3
    assert bike.service_card
    assert bike.service_package
    assert bike.insurance
    assert bike.policy_number
    assert bike.insurance_start
    assert (bike.mileage, bike.mileage_at) == (42, today() - timedelta(days=1))
    assert bike.color_code.startswith("#")
    assert not bike.has_pin_code


async def test_unknown_values_are_empty(furnished: Furnished) -> None:
    token = await furnished.log_in(THIJS)
    (card,) = (await furnished.ask(BikesApi).bikes(token)).items
    bike = await furnished.ask(BikesApi).bike(token, card.bike_id)
    assert (bike.frame_number, bike.engine_brand, bike.imei_number, bike.battery_number) == ("", "", "", "")
    assert (bike.key_numbers, bike.service_card, bike.service_package) == ([], "", None)
    assert (bike.insurance, bike.policy_number, bike.insurance_start) == ("", "", None)
    assert (bike.mileage, bike.mileage_at) == (None, None)


async def test_the_pin_code_never_leaves_the_retailers_side(furnished: Furnished) -> None:
    token = await furnished.log_in(AMBER)
    cards = (await furnished.ask(BikesApi).bikes(token)).items
    bikes = [await furnished.ask(BikesApi).bike(token, card.bike_id) for card in cards]
    assert [(bike.order_number, bike.has_pin_code) for bike in bikes] == [("900000013", True), ("900000003", False)]
    answers = [
        *cards,
        *bikes,
        await furnished.ask(OverviewApi).dashboard(token),
        await furnished.ask(OrdersApi).order(token, "900000013"),
        await furnished.ask(WorkOrdersApi).service_requests(token),
    ]
    for answer in answers:
        assert f'"{PIN}"' not in answer.model_dump_json()
        assert "pin_code" not in answer.model_dump_json().replace("has_pin_code", "")


async def test_the_second_order_of_amber_has_a_known_frame_number(furnished: Furnished) -> None:
    newer, older = (await furnished.ask(BikesApi).bikes(await furnished.log_in(AMBER))).items
    assert newer.frame_number.startswith("NVS")
    assert older.frame_number == ""


@pytest.mark.each_database
async def test_the_newest_bike_comes_first(furnished: Furnished) -> None:
    days = [bike.order_date for bike in (await furnished.ask(BikesApi).bikes(await furnished.log_in(MAX))).items]
    assert days == sorted(days, reverse=True)


def _delivered(days: int) -> date:
    """The day of a delivery that was planned so many days ago; nothing is delivered on Sundays and holidays."""
    return last_working_day(today() - timedelta(days=days), Country.NL)


async def test_warranty_runs_from_delivery_and_expires(furnished: Furnished) -> None:
    newer, older = (await furnished.ask(BikesApi).bikes(await furnished.log_in(NOOR))).items
    assert (newer.warranty_expired, newer.warranty_until) == (False, add_years(_delivered(100), 2))
    assert (older.warranty_expired, older.warranty_until) == (True, add_years(_delivered(848), 2))


@pytest.mark.parametrize(("until", "expired"), [(0, False), (-1, True), (1, False)])
async def test_the_warranty_includes_its_last_day(furnished: Furnished, until: int, expired: bool) -> None:
    granted = today() + timedelta(days=until)
    await furnished.change(BikeRow, {"warranty_until": granted}, frame_number=None)
    (bike,) = (await furnished.ask(BikesApi).bikes(await furnished.log_in(THIJS))).items
    assert (bike.warranty_until, bike.warranty_expired) == (granted, expired)


async def test_without_a_delivery_day_warranty_runs_from_the_order(furnished: Furnished) -> None:
    await furnished.change(BikeRow, {"delivered_on": None}, frame_number=None)
    (bike,) = (await furnished.ask(BikesApi).bikes(await furnished.log_in(THIJS))).items
    assert bike.warranty_until == add_years(bike.order_date, 2)


async def test_a_bike_has_the_reference_of_its_open_request(furnished: Furnished) -> None:
    token = await furnished.log_in(JORIS)
    (bike,) = (await furnished.ask(BikesApi).bikes(token)).items
    newest = (await furnished.ask(WorkOrdersApi).service_requests(token)).items[0]
    assert bike.open_request == newest.reference
    assert not newest.closed
    assert all(
        bike.open_request is None for bike in (await furnished.ask(BikesApi).bikes(await furnished.log_in(SANNE))).items
    )


@pytest.mark.each_database
async def test_open_requests_come_before_newer_closed_ones(furnished: Furnished) -> None:
    page = await furnished.ask(WorkOrdersApi).service_requests(await furnished.log_in(MAX))
    closed = [request.closed for request in page.items]
    assert closed == sorted(closed)
    assert closed.count(False) == 3
    assert closed.count(True) == 3
    for part in ([r for r in page.items if not r.closed], [r for r in page.items if r.closed]):
        moments = [request.created_at for request in part]
        assert moments == sorted(moments, reverse=True)


async def test_a_request_shows_bike_partner_and_plan(furnished: Furnished) -> None:
    page = await furnished.ask(WorkOrdersApi).service_requests(await furnished.log_in(JORIS))
    repair, service = page.items
    assert (repair.kind, repair.status) == (RequestKind.REPAIR, WorkOrderStatus.IN_REPAIR)
    assert repair.planned_date == Days(today()).worked(2), "the bike was brought"
    assert repair.partner_name == "Bovenbuis Amsterdam"
    assert repair.partner_phone.startswith("+31")
    assert repair.bike_name == "Duinroos Zilt Comfort"
    assert (service.kind, service.closed) == (RequestKind.SERVICE, True)


async def test_a_request_may_have_neither_partner_nor_plan(furnished: Furnished) -> None:
    page = await furnished.ask(WorkOrdersApi).service_requests(await furnished.log_in(MAX))
    new = next(request for request in page.items if request.status is WorkOrderStatus.NEW)
    assert (new.partner_name, new.partner_phone, new.planned_date) == ("", "", None)


async def test_a_customer_without_requests_gets_an_empty_page(furnished: Furnished) -> None:
    page = await furnished.ask(WorkOrdersApi).service_requests(await furnished.log_in(EVA), 3)
    assert (page.items, page.page, page.pages, page.total) == ([], 1, 1, 0)


@pytest.mark.each_database
@pytest.mark.parametrize("status", sorted(set(WorkOrderStatus) - {WorkOrderStatus.UNKNOWN}))
async def test_the_database_allows_one_open_request_per_bike(furnished: Furnished, status: WorkOrderStatus) -> None:
    async with furnished.context.database.transaction() as session:
        repair = select(RequestRow).where(RequestRow.status == WorkOrderStatus.IN_REPAIR)
        first = (await session.exec(repair.limit(1))).one()
        first.status = status
    second = RequestRow(
        reference="S00000001",
        customer_id=first.customer_id,
        bike_id=first.bike_id,
        kind=RequestKind.REPAIR,
        title="Nog een",
    )

    async def add() -> None:
        async with furnished.context.database.transaction() as session:
            session.add(second)

    closed = status in CLOSED_WORK_ORDER
    with nullcontext() if closed else pytest.raises(IntegrityError):
        await add()
    async with furnished.context.database.session() as session:
        stored = (await session.exec(select(RequestRow).where(RequestRow.bike_id == first.bike_id))).all()
    assert ("S00000001" in {row.reference for row in stored}) == closed
