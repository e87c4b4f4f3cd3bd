"""What becomes of imported orders later: refunds of those that do not add up, parcels without news, and their bikes."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from portal.backend.staff import StaffSessions
from portal.bikes.api import BikesApi
from portal.cases.api import CaseMove, CasesApi
from portal.deliveries.api import DeliveriesApi
from portal.exports.api import BatchChoice, ChosenRefunds, ExportsApi
from portal.imports.api import ImportSearch
from portal.imports.provider.staff_service import ImportsService
from portal.kernel.codes import Code
from portal.orders.api import OrdersApi
from portal.overview.api import OngoingKind, OverviewApi
from portal.provider.hourly import purge
from portal.returns.api import InspectedItem, ReceivingApi, RefundAccount, ReturnInspection
from portal.tables.bikes import BikeRow
from portal.tables.deliveries import DeliveryEventRow
from portal.tables.orders import OrderRow, ShipmentRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.exchange import RefundWay
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.staff import Role
from tests.support.imported_orders import BELL, day, fulfilment, put, shopify, woo
from tests.support.living import Living
from tests.support.returning import ACCESSORIES, accessories, send
from tests.support.shop_records import customer, order

BUYER: dict[str, Any] = {**customer(), "external_id": "1"}
_S = DeliveryStatus


async def bought(shop: Living, form: str, values: dict[str, Any]) -> tuple[str, str]:
    """Import an order of a customer of the shop; its number, and the session of the customer."""
    await put(shop, "own", "customers", BUYER)
    await put(shop, form, "orders", values)
    number = (await shop.rows(OrderRow))[-1].order_number
    return number, await shop.log_in((number, BUYER["email"]))


async def test_a_refund_of_an_order_that_does_not_add_up_is_paid_once_somebody_confirmed_it(living: Living) -> None:
    number, token = await bought(living, "woo", woo(living.clock(), BELL, total="31.00"))
    steps = await accessories(living.provider, token, f"{number}-1*1")
    reference = (await send(living.provider, token, ACCESSORIES, steps)).reference
    desk, finance = await living.log_in_staff(Role.SERVICE_DESK), await living.log_in_staff(Role.FINANCE)
    other, exports = await living.log_in_staff(Role.FINANCE), living.ask(ExportsApi)
    inspected = [InspectedItem.model_validate({"item_id": f"{number}-1", "count": 1})]
    seen = ReturnStatus.REQUEST_RECEIVED
    await living.ask(ReceivingApi).receive_return(desk, reference, ReturnInspection(items=inspected, seen=seen))
    case = await living.ask(CasesApi).case(desk, CaseKind.RETURN, reference)
    await living.ask(CasesApi).move_case(
        desk, CaseKind.RETURN, reference, CaseMove(status=ReturnStatus.CLOSED.value, seen=case.version)
    )
    await exports.enter_refund_account(finance, reference, RefundAccount(holder="S. Bos", iban="BE71 0961 2345 6769"))
    listed = {entry.reference: entry for entry in await exports.refunds_to_pay(finance)}[reference]
    # Far below the amount above which a second person is asked, and no more than the customer paid.
    assert (listed.amount, listed.waits, listed.unclear) == (Decimal("31.00"), True, True)
    chosen = ChosenRefunds(references=[reference])
    for person, operation in ((finance, exports.record_refunds_paid), (finance, exports.confirm_refunds)):
        assert [each.code for each in await operation(person, chosen)] == [Code.SECOND_PERSON_REQUIRED]
    assert [each.code for each in await exports.confirm_refunds(other, chosen)] == [None]
    batch = await exports.export_refunds(finance, BatchChoice(way=RefundWay.ACCOUNT))
    assert reference in (await exports.refund_payment(finance, batch.id)).content.decode()
    assert [each.code for each in await exports.record_refunds_paid(finance, chosen)] == [None]
    row = await living.row(ReturnRow, reference=reference)
    assert (row.status, row.refund_amount) == (ReturnStatus.REFUND_PROCESSED, Decimal("31.00"))


async def test_the_desk_lists_the_orders_that_do_not_add_up_until_the_shop_corrects_them(living: Living) -> None:
    refunds = [{"id": 3, "reason": "", "total": "-50.00"}]
    wrong = {
        "total": woo(living.clock(), BELL, ago=3, total="31.00"),
        "refunds": woo(living.clock(), BELL, ago=5, refunds=refunds),
        "right": woo(living.clock(), BELL, ago=7),
    }
    await put(living, "own", "customers", BUYER)
    await put(living, "woo", "orders", *wrong.values())
    administrator = await living.log_in_staff(Role.ADMINISTRATOR)
    service = ImportsService(living.context, StaffSessions(living.context))

    async def listed() -> list[tuple[str, Decimal, Decimal, Decimal, Decimal]]:
        found = (await service.unclear_orders(administrator, ImportSearch())).items
        return [(each.order_number, each.parts, each.total, each.paid, each.refunded) for each in found]

    total, refunded = wrong["total"]["number"], wrong["refunds"]["number"]
    forty, zero = Decimal("40.00"), Decimal("0.00")
    assert await listed() == [
        (total, forty, Decimal("31.00"), Decimal("31.00"), zero),
        (refunded, forty, forty, forty, Decimal("50.00")),
    ]
    await put(living, "woo", "orders", {**wrong["total"], "total": "40.00"})
    assert [number for number, *_ in await listed()] == [refunded]


async def _said(shop: Living, token: str, number: str) -> list[str]:
    """What the list of orders, the order, its delivery and each parcel say, and whether the dashboard follows it."""
    listed = next(each for each in (await shop.ask(OrdersApi).orders(token)).items if each.order_number == number)
    shown = await shop.ask(OrdersApi).order(token, number)
    followed = await shop.ask(DeliveriesApi).order_status(token, number)
    running = (await shop.ask(OverviewApi).dashboard(token)).ongoing
    ongoing = any(each.kind is OngoingKind.DELIVERY and each.reference == number for each in running)
    parcels = [parcel.status for parcel in followed.shipments]
    said = [listed.delivery_status, shown.delivery_status, followed.status, *parcels]
    return [*(str(status) for status in said), "followed" if ongoing else "over"]


async def test_a_parcel_of_years_ago_was_delivered_on_every_page(living: Living) -> None:
    sent = {"carrier": "Kwiekpost", "shipped_at": "2023-02-01T10:00:00+01:00"}
    values = order(customer="1", ordered_at="2023-01-30T10:00:00+01:00", shipments=[sent])
    number, token = await bought(living, "own", {**values, "delivery_status": "handover_to_parcel_service"})
    assert await _said(living, token, number) == ["order_delivered"] * 4 + ["over"]
    assert await living.mails(BUYER["email"]) == []
    # The same is said after the shop repeats itself; and what it has to tell counts.
    again = {**values, "delivery_status": "handover_to_parcel_service", "payment_reference": "tr_1"}
    await put(living, "own", "orders", again)
    assert await _said(living, token, number) == ["order_delivered"] * 4 + ["over"]


@pytest.mark.each_database
async def test_what_was_sent_counts_as_delivered_after_thirty_days_without_news(living: Living) -> None:
    sent = day(living.clock() - timedelta(days=29))
    lines = {"lines": [{"position": 1}]}, {"lines": [{"position": 2, "quantity": 2}]}
    parcels = [
        {"carrier": "Kwiekpost", "shipped_at": f"{sent}Z", **lines[0]},
        {"carrier": "Kwiekpost", "shipped_at": f"{day(living.clock() - timedelta(days=3))}Z", **lines[1]},
    ]
    values = order(customer="1", delivery_status="handover_to_parcel_service", shipments=parcels)
    number, token = await bought(living, "own", values)
    on_its_way = "handover_to_parcel_service"
    assert await _said(living, token, number) == [on_its_way] * 5 + ["followed"]
    living.clock.forward(hours=25)
    await purge(living.context)
    token = await living.log_in((number, BUYER["email"]))
    assert await _said(living, token, number) == [on_its_way] * 3 + ["order_delivered", on_its_way, "followed"]
    living.clock.forward(hours=26 * 24)
    await purge(living.context)
    token = await living.log_in((number, BUYER["email"]))
    assert await _said(living, token, number) == ["order_delivered"] * 5 + ["over"]
    row = await living.row(OrderRow, order_number=number)
    assert all(not parcel.delivered_at for parcel in await living.rows(ShipmentRow, order_id=row.id))


@pytest.mark.parametrize(
    ("status", "ago", "said"),
    [
        ("driver_on_the_way", 70, "order_delivered"),
        ("driver_on_the_way", 50, "driver_on_the_way"),
        ("customer_not_at_home", 70, "customer_not_at_home"),
        ("order_ready_for_pickup", 70, "order_ready_for_pickup"),
    ],
)
async def test_without_a_day_of_sending_the_order_and_its_last_news_count(
    living: Living, status: str, ago: int, said: str
) -> None:
    ordered = f"{day(living.clock() - timedelta(days=ago))}Z"
    number, _ = await bought(
        living, "own", order(customer="1", ordered_at=ordered, delivery_status=status, shipments=[])
    )
    assert (await living.row(OrderRow, order_number=number)).delivery_status == said
    if said == "order_delivered":
        # What was on its way only since yesterday is on its way.
        row = await living.row(OrderRow, order_number=number)
        await living.change(OrderRow, {"delivery_status": _S.DRIVER_ON_THE_WAY}, id=row.id)
        async with living.context.database.transaction() as session:
            moment = living.clock() - timedelta(days=1)
            session.add(DeliveryEventRow(order_id=row.id, status=_S.DRIVER_ON_THE_WAY, happened_at=moment))
        await purge(living.context)
        assert (await living.row(OrderRow, id=row.id)).delivery_status is _S.DRIVER_ON_THE_WAY


@pytest.mark.parametrize("in_parcels", [True, False])
async def test_a_bike_that_staff_send_is_a_bike_of_the_customer(living: Living, in_parcels: bool) -> None:
    parcels = [{"carrier": "Kwiekpost", "status": "ready_for_transport"}] if in_parcels else []
    values = order(customer="1", delivery_status="ready_for_transport", shipments=parcels)
    number, token = await bought(living, "own", values)
    assert (await living.ask(BikesApi).bikes(token)).items == []
    await living.move("shipment", number, "driver_on_the_way")
    (bike,) = (await living.ask(BikesApi).bikes(token)).items
    assert (bike.order_number, bike.frame_number) == (number, "")
    await living.move("shipment", number, "order_delivered")
    (row,) = await living.rows(BikeRow, public_id=bike.bike_id)
    assert row.delivered_on == living.clock().date()


@pytest.mark.parametrize(
    "changes",
    [
        {"payment_status": "refunded"},
        {"refunded": "1049.90"},
        {"lines": [{**order()["lines"][0], "returned": 1}, *order()["lines"][1:]]},
    ],
)
async def test_a_bike_that_came_back_to_the_shop_leaves_its_customer(living: Living, changes: dict[str, Any]) -> None:
    values = order(customer="1", delivery_status="order_delivered")
    number, token = await bought(living, "own", values)
    (bike,) = (await living.ask(BikesApi).bikes(token)).items
    assert (await living.ask(OrdersApi).order(token, number)).lines[0].bike_id == bike.bike_id
    await put(living, "own", "orders", {**values, **changes})
    assert [each.bike_id for each in (await living.ask(BikesApi).bikes(token)).items] == []
    shown = await living.ask(BikesApi).bike(token, bike.bike_id)
    assert shown.departure == "returned"


async def test_of_units_in_several_parcels_none_says_how_many_and_what_was_taken_off_does_not_follow(
    living: Living,
) -> None:
    now = living.clock()
    two, one = (
        {"edges": [{"node": {"quantity": count, "lineItem": {"id": "gid://shopify/LineItem/5"}}}]} for count in (2, 1)
    )
    values = shopify(now, 2, fulfillments=[fulfilment(now, "KP1", "KP2", fulfillmentLineItems=two)])
    number, token = await bought(living, "shopify", values)
    followed = await living.ask(DeliveriesApi).order_status(token, number)
    assert [[item.quantity for item in parcel.items] for parcel in followed.shipments] == [[1], [1]]
    assert followed.unshipped == []
    less = shopify(now, 2, fulfillments=[fulfilment(now, "KP1", fulfillmentLineItems=one)])
    less["lineItems"][0]["currentQuantity"] = 1
    await put(living, "shopify", "orders", less)
    followed = await living.ask(DeliveriesApi).order_status(token, number)
    assert ([parcel.part for parcel in followed.shipments], followed.unshipped) == ([1], [])
    assert not followed.partly_shipped
