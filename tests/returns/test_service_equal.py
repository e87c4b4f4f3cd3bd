"""Of two equal bikes of one order line, the one that goes back leaves, and the other stays as it was."""

from __future__ import annotations

import pytest
from sqlmodel import select

from portal.bikes.api import BikesApi
from portal.contract.errors import InvalidInput
from portal.overview.api import OverviewApi
from portal.returns.api import InspectedItem, ReceivingApi, ReturnInspection, ReturnsApi
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderLineRow, ShipmentLineRow
from portal.vocabulary.departures import Departure
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.services import ServicePackage
from portal.vocabulary.staff import Role
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from tests.returns.test_service_leaving import NEW, Leaving, leaving  # noqa: F401
from tests.support.returning import REASON, RETURN, begin, fill

FRAMES = ("BB7000001", "BB7000002")


async def _second(leaving: Leaving) -> str:  # noqa: F811
    """The order has two equal bikes, each with a pin code, a package and an open repair; the id of the second."""
    first = await leaving.bike()
    async with leaving.shop.context.database.transaction() as session:
        bike = (await session.exec(select(BikeRow).where(BikeRow.id == first.id))).one()
        bike.frame_number, bike.pin_code, bike.service_package = FRAMES[0], "1111", ServicePackage.SERVICE32
        line = (await session.exec(select(OrderLineRow).where(OrderLineRow.id == bike.order_line_id))).one()
        line.quantity, line.price = 2, line.unit_price * 2
        for inside in await session.exec(select(ShipmentLineRow).where(ShipmentLineRow.order_line_id == line.id)):
            inside.quantity = 2
        values = bike.model_dump(exclude={"id", "public_id", "frame_number", "pin_code"})
        second = BikeRow(**values, frame_number=FRAMES[1], pin_code="2222")
        session.add(second)
        await session.flush()
        return second.public_id


async def _return_one(leaving: Leaving, pin_code: str) -> None:  # noqa: F811
    draft = await begin(leaving.shop.provider, leaving.token, RETURN)
    pin = {"pin_known": "known", "pin_code": pin_code} if pin_code else {"pin_known": "unknown"}
    steps = {
        "item": {"item": f"{NEW}-1", "quantity": "1"},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "unused", "mileage": "2", "battery": "fine"},
        "method": {"method": "store", "store": draft.facts["stores"][0]["id"]},
        "pincode": pin,
    }
    sent = await leaving.shop.send(leaving.token, await fill(leaving.shop.provider, leaving.token, draft, steps))
    leaving.returned = sent.reference


async def _departures(leaving: Leaving, *bikes: str) -> list[Departure | None]:  # noqa: F811
    return [(await leaving.shop.ask(OverviewApi).bike_home(leaving.token, bike)).bike.departure for bike in bikes]


async def test_the_one_that_goes_back_leaves_and_the_other_stays(leaving: Leaving) -> None:  # noqa: F811
    first, second = leaving.bike_id, await _second(leaving)
    kept = await leaving.open_request(RequestKind.REPAIR)
    leaving.bike_id = second
    ended = await leaving.open_request(RequestKind.REPAIR)
    await _return_one(leaving, "2222")
    assert await _departures(leaving, first, second) == [None, Departure.DECLARED]
    returned = (await leaving.shop.ask(ReturnsApi).returns(leaving.token)).items[0]
    detail = await leaving.shop.ask(ReturnsApi).return_detail(leaving.token, returned.return_id)
    assert [item.frame_numbers for item in detail.items] == [[FRAMES[1]]]
    await leaving.close()
    assert await _departures(leaving, first, second) == [None, Departure.RETURNED]
    # Lists, package, requests and doors.
    listed = [bike.bike_id for bike in (await leaving.shop.ask(BikesApi).bikes(leaving.token)).items]
    assert (first in listed, second in listed) == (True, False)
    homes = [await leaving.shop.ask(OverviewApi).bike_home(leaving.token, bike) for bike in (first, second)]
    assert [home.bike.service_package for home in homes] == [ServicePackage.SERVICE32, None]
    assert [bool(home.warranty) for home in homes] == [True, False]
    requests = leaving.shop.ask(WorkOrdersApi)
    statuses = [(await requests.service_request(leaving.token, each)).status for each in (kept, ended)]
    assert statuses == [WorkOrderStatus.ACCEPTED, WorkOrderStatus.CANCELLED]
    # The other one is what is left, so a second return is about it.
    leaving.bike_id = first
    await _return_one(leaving, "")
    assert await _departures(leaving, first, second) == [Departure.DECLARED, Departure.RETURNED]


async def test_where_nobody_said_which_one_both_stay_until_both_go_back(leaving: Leaving) -> None:  # noqa: F811
    first, second = leaving.bike_id, await _second(leaving)
    await _return_one(leaving, "")
    assert await _departures(leaving, first, second) == [None, None]
    await leaving.move(ReturnStatus.RECEIVED, ReturnStatus.CLOSED)
    assert await _departures(leaving, first, second) == [None, None]
    await _return_one(leaving, "")
    await leaving.close()
    assert await _departures(leaving, first, second) == [Departure.RETURNED] * 2


async def test_staff_say_which_one_has_arrived(leaving: Leaving) -> None:  # noqa: F811
    first, second = leaving.bike_id, await _second(leaving)
    await _return_one(leaving, "")
    desk, receiving = await leaving.shop.log_in_staff(Role.WAREHOUSE), leaving.shop.ask(ReceivingApi)
    expected = await receiving.expected_return(desk, leaving.returned)
    assert [item.frame_numbers for item in expected.items] == [list(FRAMES)]

    def inspection(frame_number: str) -> ReturnInspection:
        item = InspectedItem(item_id=expected.items[0].item_id, count=1, frame_number=frame_number)
        return ReturnInspection(items=[item], seen=expected.seen)

    with pytest.raises(InvalidInput):
        await receiving.receive_return(desk, leaving.returned, inspection("BB9999999"))
    await receiving.receive_return(desk, leaving.returned, inspection(FRAMES[1]))
    assert await _departures(leaving, first, second) == [None, Departure.RECEIVED]
