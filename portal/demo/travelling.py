"""Customers of the demonstration shop whose orders show every case of delivery and insurance.

daan@example.com    900000071–79: every status of a delivery date change, an order in two parts, a back order
bram@example.com    from 900000701: one order in each delivery status; the bike among them is not in stock yet
fleur@example.com   900000081–85: insurance offered, pending, with the insurer, taken out, too late
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta

from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.deliveries.rules import next_working_day
from portal.demo import plans as shop
from portal.demo.plans import (
    OWN_TRANSPORT,
    PARCEL_SERVICE,
    STORE,
    BikePlan,
    CustomerPlan,
    Days,
    Invoicing,
    LinePlan,
    OrderPlan,
    Payment,
    Person,
    PostalAddress,
    ShipmentPlan,
    local_moment,
)
from portal.kernel.address import Country
from portal.kernel.days import local_day
from portal.tables.deliveries import DeliveryEventRow
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow
from portal.vocabulary.deliveries import (
    ARRIVED,
    BEFORE_HANDOVER,
    DELIVERIES,
    DeliveryEnd,
    DeliveryStatus,
    end,
)
from portal.vocabulary.services import ServicePackage

DAAN = Person(
    "Daan", "Visser", "daan@example.com", PostalAddress("Oude Delft", "75", "2611 BC", "Delft"), "+31612345611"
)

BRAM = Person(
    "Bram", "Meijer", "bram@example.com", PostalAddress("Grote Markt", "2", "2011 RD", "Haarlem"), "+31612345612"
)

FLEUR = Person(
    "Fleur", "Willems", "fleur@example.com", PostalAddress("Stratumseind", "32", "5611 ET", "Eindhoven"), "+31612345613"
)

_DAY = ("09:00", "20:00")
_EVENING = ("17:30", "20:00")
_S = DeliveryStatus


def _coming(
    number: str, status: DeliveryStatus, *, ahead: int = 10, window: tuple[str, str] = _DAY, bike: bool = True
) -> OrderPlan:
    """An order that has not been shipped yet."""
    line = LinePlan(shop.ZILT, color=1) if bike else LinePlan(shop.CHILD_SEAT)
    return OrderPlan(
        number,
        6,
        (line, LinePlan(shop.LOCK)),
        status,
        invoicing=Invoicing.NOT_YET,
        scheduled=ahead,
        window=window,
        weeks_ahead=2,
        delivery_method="home_ready_to_ride" if bike else "parcel",
    )


DATES = CustomerPlan(
    DAAN,
    (
        _coming("900000071", _S.ORDER_ASSEMBLED, window=_EVENING),
        _coming("900000072", _S.ORDER_BEING_PROCESSED),
        _coming("900000073", _S.IN_STOCK),
        _coming("900000074", _S.READY_FOR_TRANSPORT, ahead=12),
        _coming("900000075", _S.ORDER_ASSEMBLED, bike=False),
        _coming("900000076", _S.ORDER_BEING_PROCESSED, bike=False),
        OrderPlan(
            "900000077",
            5,
            (LinePlan(shop.HELMET), LinePlan(shop.BAG)),
            _S.HANDOVER_TO_PARCEL_SERVICE,
            (ShipmentPlan(1),),
            Invoicing.NOT_YET,
            delivery_method="parcel",
            scheduled=1,
            window=_DAY,
        ),
        OrderPlan(
            "900000078",
            7,
            (LinePlan(shop.HORIZON, size=1), LinePlan(shop.BAG), LinePlan(shop.LOCK, 2)),
            _S.ORDER_ASSEMBLED,
            # One of the two locks has not been shipped.
            (ShipmentPlan(2, lines=((1, 1),)), ShipmentPlan(5, 3, lines=((2, 1), (3, 1)))),
            Invoicing.NOT_YET,
            scheduled=9,
            window=_DAY,
        ),
        OrderPlan("900000079", 8, (LinePlan(shop.BAKKER),), _S.BACKORDER, invoicing=Invoicing.NOT_YET),
    ),
)


def _in_status(number: int, status: DeliveryStatus) -> OrderPlan:
    sent = status not in BEFORE_HANDOVER | {_S.ORDER_CANCELLED}
    arrived = status in ARRIVED
    store = end(status) is DeliveryEnd.PICKUP
    bike = status is _S.BACKORDER
    return OrderPlan(
        str(900_000_700 + number),
        10,
        (LinePlan(shop.HORIZON), LinePlan(shop.LOCK)) if bike else (LinePlan(shop.PONCHO), LinePlan(shop.PUMP)),
        status,
        (ShipmentPlan(3, 1 if arrived else None, STORE if store else PARCEL_SERVICE, tracked=not store),)
        if sent
        else (),
        Invoicing.ONCE if arrived else Invoicing.NOT_YET,
        Payment.REFUNDED if status is _S.ORDER_CANCELLED else Payment.ALL,
        delivery_method="home_ready_to_ride" if bike else "store_pickup" if store else "parcel",
    )


STATUSES = CustomerPlan(
    BRAM,
    tuple(
        _in_status(number, status)
        for number, status in enumerate((one for one in _S if one is not _S.UNKNOWN), start=1)
    ),
)


def _bike(number: str, placed: int, plan: BikePlan, package: ServicePackage | None = None) -> OrderPlan:
    return OrderPlan(
        number,
        placed,
        (LinePlan(shop.ZILT, bike=plan),),
        _S.ORDER_DELIVERED,
        (ShipmentPlan(placed - 1, placed - 2, OWN_TRANSPORT, tracked=False),),
        package=package,
    )


INSURANCES = CustomerPlan(
    FLEUR,
    (
        _bike("900000081", 3, BikePlan(keys=2)),
        _bike("900000082", 5, BikePlan(keys=2)),
        _bike("900000083", 8, BikePlan(keys=2)),
        _bike("900000084", 25, BikePlan(keys=2, service_card=True, mileage=512, read=2)),
        _bike("900000085", 400, BikePlan(keys=2, mileage=3120, read=20)),
    ),
)

_PACKED = (_S.ORDER_BEING_PROCESSED, _S.READY_FOR_TRANSPORT)
_SENT = (*_PACKED, _S.HANDOVER_TO_PARCEL_SERVICE)
_COLLECTED = (*_PACKED, _S.ORDER_READY_FOR_PICKUP)

_PATHS_TO: dict[DeliveryStatus, tuple[DeliveryStatus, ...]] = {
    _S.HANDOVER_TO_PARCEL_SERVICE: _SENT,
    _S.DRIVER_ON_THE_WAY: (*_SENT, _S.DRIVER_ON_THE_WAY),
    _S.ORDER_DELIVERED: (*_SENT, _S.DRIVER_ON_THE_WAY, _S.ORDER_DELIVERED),
    _S.ORDER_NOT_DELIVERED: (*_SENT, _S.ORDER_NOT_DELIVERED),
    _S.ORDER_REFUSED_AT_DOOR: (*_SENT, _S.DRIVER_ON_THE_WAY, _S.ORDER_REFUSED_AT_DOOR),
    _S.CUSTOMER_NOT_AT_HOME: (*_SENT, _S.DRIVER_ON_THE_WAY, _S.CUSTOMER_NOT_AT_HOME),
    _S.ORDER_READY_FOR_PICKUP: _COLLECTED,
    _S.ORDER_PICKED_UP: (*_COLLECTED, _S.ORDER_PICKED_UP),
}
"""Status paths of parcels and of store pick-ups. Other statuses use the shortest path."""

_TRIED = (_S.ORDER_NOT_DELIVERED, _S.ORDER_REFUSED_AT_DOOR, _S.CUSTOMER_NOT_AT_HOME)


async def complete_history(session: AsyncSession, order: OrderRow, days: Days) -> None:
    """Replace the generated delivery history of an order, from its placement to its current status."""
    if order.delivery_status is None:
        return
    made_up = (col(DeliveryEventRow.order_id) == order.id, col(DeliveryEventRow.key).startswith("demo-"))
    await session.exec(delete(DeliveryEventRow).where(*made_up))
    parcels = select(ShipmentRow).where(ShipmentRow.order_id == order.id).order_by(col(ShipmentRow.id))
    parcel = (await session.exec(parcels)).first()
    for place, (status, moment) in enumerate(history(order, order.delivery_status, parcel, days)):
        key = f"demo-{order.order_number}-{place}"
        session.add(DeliveryEventRow(order_id=order.id, status=status, key=key, happened_at=moment))


def history(
    order: OrderRow, reached: DeliveryStatus, parcel: ShipmentRow | None, days: Days
) -> Iterator[tuple[DeliveryStatus, datetime]]:
    """The statuses of an order with their times (UTC), oldest first."""
    path = _PATHS_TO.get(reached) or DELIVERIES.path_to(reached)
    country = order.country_code
    known = {reached: local_moment(days.worked(1, country), 8), **_of_parcel(parcel, country, days)}
    before = local_day(order.ordered_at)
    yield path[0], order.ordered_at
    for place, status in enumerate(path[1:], 1):
        if status not in known:
            # A status without a known time gets the midpoint between the previous and the next known one.
            after = next(local_day(known[step]) for step in path[place:] if step in known)
            known[status] = _noon(before + (after - before) / 2)
        before = local_day(known[status])
        yield status, known[status]


def _of_parcel(parcel: ShipmentRow | None, country: Country, days: Days) -> dict[DeliveryStatus, datetime]:
    """The known times of a parcel's statuses. The delivery of an undelivered parcel was tried last working day."""
    if parcel is None or parcel.shipped_at is None:
        return {}
    tried = parcel.delivered_at or local_moment(days.worked(1, country), 11, 40)
    left = local_day(parcel.shipped_at)
    # The store unpacks it the next working day, or in the evening if that is still to come.
    unpacked = next_working_day(left, country)
    ready = _noon(unpacked) if unpacked < days.today else local_moment(left, 18, 30)
    return {
        _S.HANDOVER_TO_PARCEL_SERVICE: parcel.shipped_at,
        _S.ORDER_READY_FOR_PICKUP: min(ready, tried - timedelta(hours=1)) if parcel.delivered_at else ready,
        _S.DRIVER_ON_THE_WAY: tried - timedelta(hours=3),
        **dict.fromkeys((*_TRIED, _S.ORDER_DELIVERED, _S.ORDER_PICKED_UP), tried),
    }


def _noon(day: date) -> datetime:
    return local_moment(day, 12)


Contents = list[tuple[ShipmentRow, OrderLineRow, ShipmentLineRow]]
NOT_SAVED = 0


def contents(plan: OrderPlan, shipments: Sequence[ShipmentRow], lines: Sequence[OrderLineRow]) -> Contents:
    """The lines of each parcel: as planned; else all in a single one, or the first line apart from the others."""
    found: Contents = []
    for place, (parcel, shipment) in enumerate(zip(plan.shipments, shipments, strict=True)):
        chosen = parcel.lines
        if chosen is None:
            only = len(shipments) == 1
            chosen = tuple(
                (line.position, line.quantity)
                for index, line in enumerate(lines)
                if only or (min(index, 1) == min(place, 1) and place < 2)
            )
        for position, quantity in chosen:
            entry = ShipmentLineRow(shipment_id=NOT_SAVED, order_line_id=NOT_SAVED, quantity=quantity)
            found.append((shipment, lines[position - 1], entry))
    return found
