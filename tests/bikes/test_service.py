"""The services of bikes and of service requests, with the demonstration data."""

from datetime import timedelta

import pytest

from portal.bikes.api import BikesApi
from portal.kernel.days import today
from portal.orders.api import OrdersApi
from portal.overview.api import OverviewApi
from portal.tables.bikes import BikeRow
from portal.work_orders.api import WorkOrdersApi
from tests.support.customers import AMBER, JORIS, MAX, SANNE, THIJS
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


@pytest.mark.parametrize(("until", "expired"), [(0, False), (-1, True), (1, False)])
async def test_the_warranty_includes_its_last_day(furnished: Furnished, until: int, expired: bool) -> None:
    granted = today() + timedelta(days=until)
    await furnished.change(BikeRow, {"warranty_until": granted}, frame_number=None)
    (bike,) = (await furnished.ask(BikesApi).bikes(await furnished.log_in(THIJS))).items
    assert (bike.warranty_until, bike.warranty_expired) == (granted, expired)


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
