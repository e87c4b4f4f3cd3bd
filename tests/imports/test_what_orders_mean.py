"""What an order of a shop means: its money, what was sent and arrived, and what can still come back."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import select

from portal.backend.staff import StaffSessions
from portal.deliveries.pages.order_status import order_status_view
from portal.deliveries.provider.moving import load_status
from portal.imports.api import ImportSearch
from portal.imports.provider.importer import Importer
from portal.imports.provider.staff_service import ImportsService
from portal.imports.rules.adapting import kind_of
from portal.imports.rules.order_records import OrderRecord
from portal.imports.rules.reading import RawRecord
from portal.imports.rules.woocommerce import WOOCOMMERCE
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.orders.rules import Returning
from portal.returns.rules.settlement import Worth, spread
from portal.returns.rules.units import Hold, Parcel, besides_shop, units_of
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderRow
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import PaymentStatus
from portal.vocabulary.staff import Role
from tests.support.application import TestApplication
from tests.support.conversing import staff_token
from tests.support.imported_orders import BELL, BIKE, again, day, euro, fulfilment, put, shopify, told, woo
from tests.support.shop_records import customer, order, raw

FEE = {"id": 1, "name": "Toeslag", "total": "4.13", "total_tax": "0.87"}


async def test_an_order_that_woocommerce_completed_arrived_on_that_day(application: TestApplication) -> None:
    now = application.clock()
    found = await told(application, "woo", woo(now, BIKE, BELL))
    arrived = (now - timedelta(days=10)).replace(microsecond=0)
    assert [(parcel.shipped_at, parcel.delivered_at) for parcel in found.order.shipments] == [(arrived, arrived)]
    assert found.order.delivery_status is DeliveryStatus.ORDER_DELIVERED
    assert found.order.return_until == local_day(arrived) + timedelta(days=100)
    assert found.order.withdraw_until == local_day(arrived) + timedelta(days=14)
    assert (len(found.free), found.order.due, found.withdrawable) == (2, 0, True)
    assert found.order.withdrawable


@pytest.mark.parametrize("completed", ["known", "unknown"])
async def test_an_order_of_years_ago_is_over(application: TestApplication, completed: str) -> None:
    values = woo(application.clock(), BELL, ago=1000)
    found = await told(application, "woo", values if completed == "known" else {**values, "date_completed_gmt": None})
    assert (found.refusal, found.withdrawable, found.order.withdrawable) == (Code.OLDER_THAN_100_DAYS, False, False)
    assert found.order.returning is Returning.OVER


@pytest.mark.parametrize(
    "changes",
    [
        # Delivered, without a parcel; with a parcel of which no day is known; and sent, but never heard of again.
        {"delivery_status": "order_delivered", "shipments": []},
        {"delivery_status": "order_delivered", "shipments": [{"carrier": "Kwiekpost"}]},
        {
            "delivery_status": "handover_to_parcel_service",
            "shipments": [{"carrier": "Kwiekpost", "shipped_at": "2023-02-01T10:00:00+01:00"}],
        },
        {"delivery_status": "order_being_processed", "shipments": []},
    ],
)
async def test_no_order_can_be_returned_or_withdrawn_without_an_end(
    application: TestApplication, changes: dict[str, Any]
) -> None:
    found = await told(application, "own", order(customer="1", ordered_at="2023-01-30T10:00:00+01:00", **changes))
    assert found.refusal
    assert not found.withdrawable
    assert not found.order.withdrawable
    assert found.order.returning is not Returning.OPEN


async def test_a_fee_is_a_cost_of_its_own(application: TestApplication) -> None:
    found = await told(application, "woo", woo(application.clock(), BELL, fee_lines=[FEE], total="45.00"))
    assert [(entry.name, entry.amount) for entry in found.order.adjustments] == [("Toeslag", Decimal("5.00"))]
    assert (found.order.total, found.order.due, found.order.adds_up) == (45, 0, True)
    assert (found.worth, found.left) == (40, None)


async def test_a_trade_in_lowers_what_can_come_back(application: TestApplication) -> None:
    trade_in = {"id": 1, "name": "Inruil", "total": "-15.00", "total_tax": "0.00"}
    found = await told(application, "woo", woo(application.clock(), BELL, fee_lines=[trade_in], total="25.00"))
    assert [(entry.name, entry.amount) for entry in found.order.adjustments] == [("Inruil", Decimal("-15.00"))]
    assert (found.order.total, found.order.due, found.worth) == (25, 0, 25)


@pytest.mark.parametrize(
    ("form", "total", "paid", "worth", "left"),
    [
        ("woo", "31.00", None, "31.00", "31.00"),
        ("woo", "48.00", None, "40.00", "48.00"),
        ("shopify", "1000.0", "1000.0", "900.00", "1000.00"),
        ("shopify", "1000.0", "0.0", "900.00", "0.00"),
    ],
)
async def test_an_order_that_does_not_add_up_is_marked_and_asks_for_no_money(
    application: TestApplication, form: str, total: str, paid: str | None, worth: str, left: str
) -> None:
    now = application.clock()
    values = woo(now, BELL, total=total)
    if form == "shopify":
        values = shopify(now, totalPriceSet=euro(total), totalReceivedSet=euro(str(paid)))
    found = await told(application, form, values)
    assert not found.order.adds_up
    assert (found.order.total, found.order.due, found.stock.outstanding) == (Decimal(total), 0, 0)
    assert (found.worth, found.left) == (Decimal(worth), Decimal(left))
    administrator = await staff_token(application.context, Role.ADMINISTRATOR)
    service = ImportsService(application.context, StaffSessions(application.context))
    (line,) = (await service.unclear_orders(administrator, ImportSearch())).items
    parts = Decimal("40.00" if form == "woo" else "900.00")
    assert (line.order_number, line.parts, line.total) == (found.order.order_number, parts, Decimal(total))


async def test_what_the_shop_refunded_in_part_does_not_come_back_again(application: TestApplication) -> None:
    refunds = [{"id": 3, "reason": "", "total": "-40.00"}]
    found = await told(application, "woo", woo(application.clock(), BIKE, BELL, refunds=refunds))
    assert (found.order.total, found.order.refunded, found.order.due) == (1040, 40, 0)
    assert found.left == 1000


@pytest.mark.parametrize(("sent", "status"), [(True, "order_delivered"), (False, "order_cancelled")])
async def test_a_refunded_order_is_over(application: TestApplication, sent: bool, status: str) -> None:
    refunds = [{"id": 3, "reason": "", "total": "-40.00"}]
    values = woo(application.clock(), BELL, status="refunded", refunds=refunds)
    found = await told(application, "woo", values if sent else {**values, "date_completed_gmt": None})
    assert (found.order.delivery_status, found.order.payment_status) == (status, PaymentStatus.REFUNDED)
    assert (found.order.due, found.stock.outstanding) == (0, 0)
    assert not found.withdrawable
    assert not found.order.withdrawable
    assert found.refusal == (Code.ORDER_REFUNDED if sent else Code.ORDER_CANCELLED)
    assert found.order.returning is (Returning.REFUNDED if sent else Returning.CANCELLED)


async def test_pieces_that_do_not_cost_whole_cents_give_back_what_was_paid(application: TestApplication) -> None:
    three = {**BELL, "quantity": 3, "subtotal": "16.53", "subtotal_tax": "3.47"}
    found = await told(application, "woo", woo(application.clock(), three))
    assert [unit.worth.paid for unit in found.free] == [Decimal("6.67"), Decimal("6.67"), Decimal("6.66")]
    assert (found.order.total, found.order.paid, found.order.due, found.worth) == (20, 20, 0, 20)
    (line,) = found.order.lines
    assert (line.quantity, line.unit_price, line.price) == (3, None, 20)


async def test_cents_that_a_shop_rounds_otherwise_are_a_line_of_their_own(application: TestApplication) -> None:
    found = await told(application, "woo", woo(application.clock(), BELL, total="40.01"))
    assert [(entry.name, entry.amount) for entry in found.order.adjustments] == [("Afronding", Decimal("0.01"))]
    assert (found.order.adds_up, found.order.due) == (True, 0)


async def test_a_line_of_nothing_is_left_out(application: TestApplication) -> None:
    nothing = {**BIKE, "quantity": 0, "subtotal": "0.00", "subtotal_tax": "0.00"}
    found = await told(application, "woo", woo(application.clock(), nothing, BELL))
    assert [line.name for line in found.order.lines] == ["Bel"]
    assert len(found.free) == 1


async def test_shopify_says_when_an_order_arrived(application: TestApplication) -> None:
    now = application.clock()
    arrived = (now - timedelta(days=2)).replace(microsecond=0)
    sent = fulfilment(now, "KP1", displayStatus="DELIVERED", deliveredAt=f"{day(arrived)}Z")
    found = await told(application, "shopify", shopify(now, fulfillments=[sent]))
    assert found.order.delivery_status is DeliveryStatus.ORDER_DELIVERED
    assert found.order.withdraw_until == local_day(arrived) + timedelta(days=14)


async def test_what_has_no_tracking_number_arrived_on_the_day_of_its_fulfilment(application: TestApplication) -> None:
    now = application.clock()
    found = await told(application, "shopify", shopify(now, fulfillments=[fulfilment(now, displayStatus="FULFILLED")]))
    (parcel,) = found.order.shipments
    assert parcel.delivered_at == parcel.shipped_at == (now - timedelta(days=5)).replace(microsecond=0)


async def test_each_tracking_number_is_a_parcel_with_a_link(application: TestApplication) -> None:
    now = application.clock()
    found = await told(application, "shopify", shopify(now, 2, fulfillments=[fulfilment(now, "KP1", "KP2")]))
    assert [parcel.tracking_url for parcel in found.order.shipments] == [
        "https://volg.example/KP1",
        "https://volg.example/KP2",
    ]
    assert (len(found.free), found.order.delivery_status) == (2, DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE)


async def test_a_cancelled_fulfilment_is_no_parcel(application: TestApplication) -> None:
    now = application.clock()
    cancelled = fulfilment(now, displayStatus="CANCELED")
    found = await told(
        application, "shopify", shopify(now, displayFulfillmentStatus="UNFULFILLED", fulfillments=[cancelled])
    )
    assert (found.order.shipments, found.order.returning) == ([], Returning.NOT_SHIPPED)
    assert (found.refusal, found.withdrawable) == (Code.ORDER_NOT_SHIPPED, True)


def of_line(quantity: int) -> dict[str, Any]:
    """What is in a fulfilment, as GraphQL writes it."""
    return {"edges": [{"node": {"quantity": quantity, "lineItem": {"id": "gid://shopify/LineItem/5"}}}]}


@pytest.mark.parametrize("numbers", [(), ("KP1", "KP2")])
async def test_of_an_order_that_was_sent_in_part_that_part_can_come_back(
    application: TestApplication, numbers: tuple[str, ...]
) -> None:
    now = application.clock()
    arrived = f"{day(now - timedelta(days=3))}Z"
    sent = fulfilment(now, *numbers, displayStatus="DELIVERED", deliveredAt=arrived, fulfillmentLineItems=of_line(1))
    found = await told(
        application, "shopify", shopify(now, 2, displayFulfillmentStatus="PARTIALLY_FULFILLED", fulfillments=[sent])
    )
    assert (len(found.free), found.worth) == (1, 900)
    assert (found.order.delivery_status, found.order.withdraw_until) == (DeliveryStatus.ORDER_BEING_PROCESSED, None)
    assert len(found.order.shipments) == max(1, len(numbers))
    assert {parcel.contents for parcel in found.order.shipments} == {"Wadgang"}
    # The rest follows, and arrives.
    rest = fulfilment(now, "KP9", ago=1, fulfillmentLineItems=of_line(1))
    await put(application, "shopify", "orders", shopify(now, 2, fulfillments=[sent, rest]))
    assert len((await again(application)).free) == 2


async def test_of_parcels_of_which_one_is_not_told_no_contents_are_shown(application: TestApplication) -> None:
    now = application.clock()
    first = fulfilment(now, "KP1", displayStatus="DELIVERED", deliveredAt=f"{day(now - timedelta(days=3))}Z")
    values = shopify(now, 2, fulfillments=[first, fulfilment(now, "KP2", ago=4)])
    values["lineItems"][0]["unfulfilledQuantity"] = 0
    found = await told(application, "shopify", values)
    async with application.context.database.session() as session:
        row = (await session.exec(select(OrderRow).where(OrderRow.order_number == found.order.order_number))).one()
        status = await load_status(session, row)
    assert [(part.status, part.items) for part in status.shipments] == [
        (DeliveryStatus.ORDER_DELIVERED, []),
        (DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE, []),
    ]
    assert [parcel.contents for parcel in found.order.shipments] == ["", ""]
    assert (status.unshipped, order_status_view(status).unsorted) == ([], True)
    assert len(found.free) == 2


async def test_units_that_came_back_to_the_shop_do_not_come_back_again(application: TestApplication) -> None:
    now = application.clock()
    values = shopify(now, 2, totalRefundedSet=euro("900.0"), displayFinancialStatus="PARTIALLY_REFUNDED")
    values["lineItems"][0]["currentQuantity"] = 1
    found = await told(application, "shopify", values)
    assert (len(found.free), found.left) == (1, 900)


async def test_amounts_of_another_currency_are_refused(application: TestApplication) -> None:
    report = await put(application, "woo", "orders", woo(application.clock(), BELL, currency="GBP"))
    assert [(problem.field, problem.code) for problem in report.problems] == [("currency", "other_currency")]


AMOUNTS = st.integers(0, 5000).map(lambda cents: Decimal(cents) / 100)
PRICES = st.lists(st.tuples(AMOUNTS, st.integers(1, 7)), min_size=1, max_size=5)


@given(lines=PRICES, discount=AMOUNTS, adjustment=st.integers(-3000, 3000), rest=st.integers(-3000, 3000))
def test_the_parts_of_an_order_are_its_total_or_it_is_marked(
    lines: list[tuple[Decimal, int]], discount: Decimal, adjustment: int, rest: int
) -> None:
    parts = [
        {"name": "Bel", "sku": "B", "quantity": count, "unit_price": price, "price": price} for price, count in lines
    ]
    extra = [{"name": "Toeslag", "amount": Decimal(adjustment) / 100}]
    values = {**order(), "lines": parts, "shipments": [], "discount": discount, "adjustments": extra}
    total = sum(price for price, _ in lines) - discount + Decimal(adjustment + rest) / 100
    if total < 0:
        return
    record = OrderRecord.model_validate({**values, "total": total, "paid": total})
    known = sum((entry.amount for entry in record.all_adjustments), Decimal(0))
    assert record.charged == total == record.subtotal - record.discount + known + record.unexplained
    assert record.adds_up == (abs(rest) <= len(lines))


@given(price=AMOUNTS, quantity=st.integers(1, 9), returned=st.integers(0, 12), refunded=AMOUNTS, held=st.integers(0, 9))
def test_units_of_a_line_never_give_back_more_than_was_paid_for_them(
    price: Decimal, quantity: int, returned: int, refunded: Decimal, held: int
) -> None:
    worths = [Worth(part) for part in spread(price, [Decimal(1)] * quantity)]
    holds = dict.fromkeys(range(1, min(held, quantity) + 1), Hold.OPEN)
    before = units_of(worths, [Parcel(quantity, None)], holds, 100)
    after = besides_shop(before, returned, refunded)
    free = sum((unit.worth.paid for unit in after if unit.hold is Hold.FREE), Decimal(0))
    assert sum((unit.worth.paid for unit in before), Decimal(0)) == price
    assert all(unit.worth.paid >= 0 for unit in after)
    kept = sum((unit.worth.paid for unit in before if unit.hold is Hold.FREE), Decimal(0))
    assert free <= max(kept - refunded, Decimal(0))
    assert sum(unit.hold is Hold.FREE for unit in after) == max(quantity - max(returned, len(holds)), 0)


async def test_a_bike_that_was_sent_is_a_bike_of_the_customer(application: TestApplication) -> None:
    now = application.clock()
    found = await told(application, "woo", woo(now, {**BIKE, "quantity": 2}, BELL))
    arrived = local_day(now - timedelta(days=10))
    assert [(bike.name, bike.kind, bike.frame_number, bike.delivered_on) for bike in found.bikes] == [
        ("Poldergang", "e_bike", None, arrived),
        ("Poldergang", "e_bike", None, arrived),
    ]
    assert found.order.lines[0].bike_id == found.bikes[0].public_id
    # The same order again brings no more.
    await put(application, "woo", "orders", woo(now, {**BIKE, "quantity": 2}, BELL, transaction_id="tr_1"))
    assert len((await again(application)).bikes) == 2


@pytest.mark.parametrize("changes", [{"status": "processing"}, {"status": "cancelled"}, {"status": "refunded"}])
async def test_a_bike_that_was_not_sent_or_was_refunded_is_none(
    application: TestApplication, changes: dict[str, Any]
) -> None:
    assert (await told(application, "woo", woo(application.clock(), BIKE, **changes))).bikes == []


async def test_of_two_bikes_the_one_that_was_sent_is_there(application: TestApplication) -> None:
    now = application.clock()
    sent = fulfilment(now, "KP1", fulfillmentLineItems=of_line(1))
    values = shopify(now, 2, displayFulfillmentStatus="PARTIALLY_FULFILLED", fulfillments=[sent])
    found = await told(application, "shopify", values)
    assert [(bike.name, bike.delivered_on) for bike in found.bikes] == [("Wadgang", None)]
    arrived = {**sent, "displayStatus": "DELIVERED", "deliveredAt": f"{day(now)}Z"}
    await put(application, "shopify", "orders", {**values, "fulfillments": [arrived]})
    (bike,) = (await again(application)).bikes
    assert bike.delivered_on == local_day(now)


def of_shop(number: str, frame_number: str | None, **changes: Any) -> dict[str, Any]:
    """A bike in a file of the shop."""
    return {
        "external_id": f"b{number}", "order": "710", "position": 1, "name": "Poldergang", "brand": "Noorderwind",
        "kind": "e_bike", "frame_number": frame_number, "key_number_1": f"K{number}", **changes,
    }  # fmt: skip


@pytest.mark.parametrize("first", ["orders", "bikes"])
@pytest.mark.parametrize("position", [1, None])
async def test_a_file_of_bikes_completes_those_of_the_order(
    application: TestApplication, first: str, position: int | None
) -> None:
    values = woo(application.clock(), {**BIKE, "quantity": 2})
    bikes = [of_shop("1", "NW0000001", position=position), of_shop("2", "NW0000002", position=position)]
    await put(application, "own", "customers", {**customer(), "external_id": "1"})
    if first == "bikes":
        await put(application, "own", "bikes", *bikes)
    await put(application, "woo", "orders", values)
    if first == "orders":
        await put(application, "own", "bikes", *bikes)
    found = (await again(application)).bikes
    assert sorted((bike.frame_number, bike.brand, bike.key_number_1) for bike in found) == [
        ("NW0000001", "Noorderwind", "K1"),
        ("NW0000002", "Noorderwind", "K2"),
    ]
    report = await put(application, "own", "bikes", *bikes)
    assert (report.unchanged, report.created) == (2, 0)


async def test_what_the_customer_filled_in_stays_and_finds_its_bike(application: TestApplication) -> None:
    found = await told(application, "woo", woo(application.clock(), {**BIKE, "quantity": 2}))
    async with application.context.database.transaction() as session:
        (row,) = (await session.exec(select(BikeRow).where(BikeRow.id == found.bikes[1].id))).all()
        row.frame_number = "NW0000001"
    await put(application, "own", "bikes", of_shop("1", "NW0000001"), of_shop("2", None))
    first, second = sorted((await again(application)).bikes, key=lambda bike: bike.id)
    assert (first.frame_number, first.key_number_1) == (None, "K2")
    assert (second.frame_number, second.key_number_1) == ("NW0000001", "K1")


@pytest.mark.parametrize("first", ["orders", "products"])
async def test_the_product_says_that_a_line_is_a_bike(application: TestApplication, first: str) -> None:
    now = application.clock()
    values = woo(now, {**BIKE, "meta_data": []})
    product = {"id": 9, "sku": "PG-1", "name": "Poldergang", "price": "1000", "status": "publish", "images": []}
    product["categories"] = [{"name": "Fietsen"}, {"name": "Elektrische fietsen"}]
    await put(application, "own", "customers", {**customer(), "external_id": "1"})
    sent = {"orders": values, "products": product}
    for kind in sorted(sent, key=lambda kind: kind != first):
        await put(application, "woo", kind, sent[kind])
    found = await again(application)
    assert [(bike.name, bike.kind) for bike in found.bikes] == [("Poldergang", "e_bike")]
    assert found.order.lines[0].kind == "e_bike"
    assert Feature.REPAIR in found.stock.row.features


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["Fietsen", "E-bikes"], "e_bike"),
        (["Elektrische fietsen"], "e_bike"),
        (["Bakfietsen", "Fietsen"], "cargo_bike"),
        (["Stadsfietsen"], "city_bike"),
        (["Fietstassen", None, "Aanbieding"], ""),
        (["Fietsaccessoires"], "accessory"),
    ],
)
def test_words_of_a_shop_name_a_kind(words: list[str | None], expected: str) -> None:
    assert kind_of(words) == expected


async def test_a_dry_run_says_which_lines_it_would_take_for_bikes(application: TestApplication) -> None:
    now = application.clock()
    plain = {**BIKE, "meta_data": []}
    product = {"id": 9, "sku": "PG-1", "name": "Poldergang", "price": "1000", "status": "publish", "images": []}
    product["categories"] = [{"name": "Bakfietsen"}]
    importer = Importer(application.context, "shop", dry_run=True)
    await importer.store("customers", raw({**customer(), "external_id": "1"}))

    async def foreseen(*orders: dict[str, Any]) -> tuple[int, list[tuple[str, ...]]]:
        lines = [RawRecord(place, order) for place, order in enumerate(orders, 1)]
        report = await importer.store("orders", WOOCOMMERCE.records("orders", lines))
        return report.bikes, [(problem.field, problem.code, str(problem.values["sku"])) for problem in report.problems]

    orders = [woo(now, BIKE, BELL, ago=10), woo(now, plain, BELL, ago=11)]
    assert await foreseen(orders[0]) == (1, [("lines.1.kind", "kind_unknown", "BEL-9")])
    await importer.store("products", WOOCOMMERCE.records("products", [RawRecord(1, product)]))
    assert await foreseen(*orders) == (2, [])
