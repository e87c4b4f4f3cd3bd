"""Of two equal bikes of one order line, the one that goes back leaves, and the other stays as it was."""

import pytest
from sqlmodel import col, select

from portal.bikes.api import BikesApi
from portal.contract.errors import InvalidInput
from portal.contract.session import Origin
from portal.flow.api import FlowApi
from portal.kernel.codes import Code
from portal.kernel.validation import in_groups, short_id
from portal.overview.api import OverviewApi
from portal.returns.api import InspectedItem, ReceivingApi, ReturnInspection, ReturnsApi
from portal.returns.provider.queries import ReturnQueries
from portal.tables.bikes import BikeRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderLineRow, ShipmentLineRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.vocabulary.departures import Departure
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.services import ServicePackage
from portal.vocabulary.staff import Role
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from portal.withdrawals.api import GuestOrder, WithdrawalEntry, WithdrawalsApi, WithdrawnItem
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.flow.repair import REPAIR
from tests.support.departing import Departing
from tests.support.living import Living
from tests.support.returning import EXCHANGE, ORDER_RETURN, REASON, RETURN, begin, fill

FRAMES = ("BB7000001", "BB7000002")


@pytest.fixture
async def departing(living: Living) -> Departing:
    return await Departing.begin(living, sent=True)


async def _close(departing: Departing) -> None:
    await departing.move_returns(ReturnStatus.RECEIVED, ReturnStatus.CLOSED)
    departing.returns.clear()


async def _second(departing: Departing) -> str:
    """The order has two equal bikes, each with a pin code, a package and an open repair; the id of the second."""
    first = await departing.bike()
    async with departing.shop.context.database.transaction() as session:
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


async def _return_one(departing: Departing, *bikes: str, pin_code: str = "") -> None:
    draft = await begin(departing.shop.provider, departing.token, RETURN)
    pin = {"pin_known": "known", "pin_code": pin_code} if pin_code else {"pin_known": "unknown"}
    steps = {
        "item": {"item": f"{departing.number}-1", "bikes": list(bikes)},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "unused", "mileage": "2", "battery": "fine"},
        "method": {"method": "store", "store": draft.facts["stores"][0]["id"]},
        "pincode": pin,
    }
    sent = await departing.shop.send(
        departing.token, await fill(departing.shop.provider, departing.token, draft, steps)
    )
    departing.returns.append(sent.reference)


async def _departures(departing: Departing, *bikes: str) -> list[Departure | None]:
    return [(await departing.shop.ask(OverviewApi).bike_home(departing.token, bike)).bike.departure for bike in bikes]


async def test_the_one_that_goes_back_leaves_and_the_other_stays(departing: Departing) -> None:
    first, second = departing.bikes[0], await _second(departing)
    kept = await departing.ask_work(0, RequestKind.REPAIR)
    departing.bikes[0] = second
    ended = await departing.ask_work(0, RequestKind.REPAIR)
    await _return_one(departing, second)
    assert await _departures(departing, first, second) == [None, Departure.DECLARED]
    returned = (await departing.shop.ask(ReturnsApi).returns(departing.token)).items[0]
    detail = await departing.shop.ask(ReturnsApi).return_detail(departing.token, returned.return_id)
    assert [item.frame_numbers for item in detail.items] == [[FRAMES[1]]]
    await _close(departing)
    assert await _departures(departing, first, second) == [None, Departure.RETURNED]
    mail = (await departing.shop.mails(departing.email))[0]
    assert mail.subject.endswith(FRAMES[1][-4:]), "the mail names the one that goes back"
    # Lists, package, requests and doors.
    listed = [bike.bike_id for bike in (await departing.shop.ask(BikesApi).bikes(departing.token)).items]
    assert (first in listed, second in listed) == (True, False)
    homes = [await departing.shop.ask(OverviewApi).bike_home(departing.token, bike) for bike in (first, second)]
    assert [home.bike.service_package for home in homes] == [ServicePackage.SERVICE32, None]
    assert [bool(home.warranty) for home in homes] == [True, False]
    requests = departing.shop.ask(WorkOrdersApi)
    statuses = [(await requests.service_request(departing.token, each)).status for each in (kept, ended)]
    assert statuses == [WorkOrderStatus.ACCEPTED, WorkOrderStatus.CANCELLED]
    # The other one is what is left, so a second return is about it.
    departing.bikes[0] = first
    await _return_one(departing)
    assert await _departures(departing, first, second) == [Departure.DECLARED, Departure.RETURNED]


async def _withdraw_one(departing: Departing, *bikes: str) -> None:
    item = WithdrawnItem(item_id=f"{departing.number}-1", count=1, bikes=list(bikes))
    entry = WithdrawalEntry(order_number=departing.number, name="Noor", items=[item], key=short_id(12))
    withdrawn = await departing.shop.ask(WithdrawalsApi).withdraw(departing.token, entry)
    departing.returns.append(withdrawn.reference)


async def test_each_is_offered_with_what_tells_it_apart_and_hangs_on_it(departing: Departing) -> None:
    first, second = departing.bikes[0], await _second(departing)
    repair = await departing.ask_work(0, RequestKind.REPAIR)
    async with departing.shop.context.database.transaction() as session:
        bike = (await session.exec(select(BikeRow).where(BikeRow.public_id == second))).one()
        bike.color, bike.key_number_1, bike.service_package = "Rood", "K-17", None
    for flow in (RETURN, EXCHANGE, ORDER_RETURN):
        draft = await begin(departing.shop.provider, departing.token, flow)
        bikes = next(entry["bikes"] for entry in draft.facts["items"] if entry["id"] == f"{departing.number}-1")
        assert [(bike["bike_id"], bike["name"]) for bike in bikes] == [
            (first, f"Framenummer {FRAMES[0]}"),
            (second, f"Framenummer {FRAMES[1]}"),
        ]
        assert "Servicepakket" in bikes[0]["note"]
        assert f"Reparatie {in_groups(repair)}" in bikes[0]["note"]
        assert bikes[1]["note"] == "Rood · Sleutelnummer K-17"
    offered = await departing.shop.ask(WithdrawalsApi).withdrawable(departing.token, departing.number)
    assert next([bike.bike_id for bike in item.bikes] for item in offered.items) == [first, second]
    # A guest has proven nothing, and sees no frame numbers.
    guest = GuestOrder(order_number=departing.number, email=departing.email)
    shown = await departing.shop.ask(WithdrawalsApi).guest_withdrawable(guest, Origin(address="192.0.2.7"))
    assert [item.bikes for item in shown.items if item.most > 1] == [[]]


@pytest.mark.parametrize("flow", [RETURN, EXCHANGE, ORDER_RETURN])
async def test_which_one_has_to_be_said_and_is_one_of_them(departing: Departing, flow: str) -> None:
    first, second = departing.bikes[0], await _second(departing)
    other = departing.bikes[1]
    draft = await begin(departing.shop.provider, departing.token, flow)
    item = f"{departing.number}-1"
    step = "items" if flow == ORDER_RETURN else "item"
    answers: dict[str, str | list[str]] = {"item": item}
    if flow == ORDER_RETURN:
        answers = {"order": departing.number, "items": [f"{item}*1"]}

    async def refused(bikes: list[str]) -> Code:
        with pytest.raises(InvalidInput) as refusal:
            await fill(departing.shop.provider, departing.token, draft, {step: {**answers, "bikes": bikes}})
        return refusal.value.fields["bikes"]

    assert await refused([]) is Code.REQUIRED
    assert await refused([other]) is Code.INVALID_CHOICE
    assert await refused(["NOBODYS"]) is Code.INVALID_CHOICE
    if flow == EXCHANGE:
        assert await refused([first, second]) is Code.INVALID_NUMBER


async def test_the_one_of_a_withdrawal_is_the_one_that_was_chosen(departing: Departing) -> None:
    first, second = departing.bikes[0], await _second(departing)
    with pytest.raises(InvalidInput):
        await _withdraw_one(departing, departing.bikes[1])
    await _withdraw_one(departing, second)
    assert await _departures(departing, first, second) == [None, Departure.WITHDRAWN]


async def test_where_nothing_tells_them_apart_nobody_is_asked_and_one_leaves(departing: Departing) -> None:
    first, second = departing.bikes[0], await _second(departing)
    async with departing.shop.context.database.transaction() as session:
        for bike in await session.exec(select(BikeRow).where(col(BikeRow.public_id).in_([first, second]))):
            bike.frame_number, bike.pin_code, bike.key_number_1, bike.insurance = None, None, "", ""
        for request in await session.exec(select(InsuranceRequestRow).where(InsuranceRequestRow.bike_id == bike.id)):
            await session.delete(request)
    draft = await begin(departing.shop.provider, departing.token, RETURN)
    assert [entry["bikes"] for entry in draft.facts["items"] if entry["id"] == f"{departing.number}-1"] == [[]]
    await _withdraw_one(departing)
    assert await _departures(departing, first, second) == [Departure.WITHDRAWN, None]


async def test_drafts_about_equal_bikes_are_told_apart(departing: Departing) -> None:
    shop, token = departing.shop, departing.token
    for bike in (departing.bikes[0], await _second(departing)):
        await shop.fill(token, REPAIR.name, bike)
    board, start = await shop.ask(OverviewApi).dashboard(token), await shop.ask(FlowApi).flow_start(token, REPAIR.name)
    for drafts in (board.drafts, start.drafts):
        assert [draft.name[-4:] for draft in drafts] == [frame[-4:] for frame in reversed(FRAMES)]


async def test_where_nobody_said_which_one_both_stay_until_both_go_back(departing: Departing) -> None:
    first, second = departing.bikes[0], await _second(departing)
    await _withdraw_one(departing)
    assert await _departures(departing, first, second) == [None, None]
    await _close(departing)
    assert await _departures(departing, first, second) == [None, None]
    await _withdraw_one(departing)
    await _close(departing)
    assert await _departures(departing, first, second) == [Departure.RETURNED] * 2


async def test_staff_say_which_one_has_arrived(departing: Departing) -> None:
    first, second = departing.bikes[0], await _second(departing)
    await _withdraw_one(departing)
    desk, receiving = await departing.shop.log_in_staff(Role.WAREHOUSE), departing.shop.ask(ReceivingApi)
    expected = await receiving.expected_return(desk, departing.returns[0])
    assert [item.frame_numbers for item in expected.items] == [list(FRAMES)]

    def inspection(frame_number: str) -> ReturnInspection:
        item = InspectedItem(item_id=expected.items[0].item_id, count=1, frame_number=frame_number)
        return ReturnInspection(items=[item], seen=expected.seen)

    with pytest.raises(InvalidInput):
        await receiving.receive_return(desk, departing.returns[0], inspection("BB9999999"))
    await receiving.receive_return(desk, departing.returns[0], inspection(FRAMES[1]))
    assert await _departures(departing, first, second) == [None, Departure.RECEIVED]


async def test_a_unit_of_a_line_that_the_shop_cut_to_one_counts_once(departing: Departing) -> None:
    chosen = await _second(departing)
    await _return_one(departing, chosen, pin_code="2222")
    async with departing.shop.context.database.transaction() as session:
        query = select(ReturnUnitRow, OrderLineRow).where(ReturnUnitRow.order_line_id == OrderLineRow.id)
        unit, line = (await session.exec(query.where(col(ReturnUnitRow.bike_id).is_not(None)))).one()
        unit.bike_id, line.quantity = None, 1
        row = (await session.exec(select(ReturnRow).where(ReturnRow.id == unit.return_id))).one()
        found = (await ReturnQueries(session, row.customer_id).units([row]))[row.id]
    assert [each.unit.id for each in found] == [unit.id]
