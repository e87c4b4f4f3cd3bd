"""Customers of the demonstration whose orders travel in every way there is, and whose bikes are insured or not yet.

daan@example.com    900000071–79: a delivery day in every state of being changed, an order in two parts, a back order
bram@example.com    900000701–714: one order in each of the fourteen delivery statuses
fleur@example.com   900000081–85: insurance offered, waiting, with the insurer, taken out, too late
"""

from __future__ import annotations

from portal.provider.demo import catalogue as shop
from portal.provider.demo.plans import (
    OWN_TRANSPORT,
    PARCEL_SERVICE,
    STORE,
    BikePlan,
    CustomerPlan,
    Invoicing,
    LinePlan,
    OrderPlan,
    Payment,
    Person,
    Place,
    ShipmentPlan,
)
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.services import ServicePackage

DAAN = Person("Daan", "Visser", "daan@example.com", Place("Oude Delft", "75", "2611 BC", "Delft"), "+31612345611")
BRAM = Person("Bram", "Meijer", "bram@example.com", Place("Grote Markt", "2", "2011 RD", "Haarlem"), "+31612345612")
FLEUR = Person(
    "Fleur", "Willems", "fleur@example.com", Place("Stratumseind", "32", "5611 ET", "Eindhoven"), "+31612345613"
)

_DAY = ("09:00", "20:00")
_EVENING = ("17:30", "20:00")
_S = DeliveryStatus


def _coming(
    number: str, status: DeliveryStatus, *, ahead: int = 10, window: tuple[str, str] = _DAY, bike: bool = True
) -> OrderPlan:
    """An order that is still with the shop."""
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
            # One of the two locks is still to come.
            (ShipmentPlan(2, lines=((1, 1),)), ShipmentPlan(5, 3, lines=((2, 1), (3, 1)))),
            Invoicing.NOT_YET,
            scheduled=9,
            window=_DAY,
        ),
        OrderPlan("900000079", 4, (LinePlan(shop.BAKKER),), _S.BACKORDER, invoicing=Invoicing.NOT_YET),
    ),
)


def _in_status(number: int, status: DeliveryStatus) -> OrderPlan:
    sent = status not in {
        _S.IN_STOCK,
        _S.BACKORDER,
        _S.ORDER_BEING_PROCESSED,
        _S.ORDER_ASSEMBLED,
        _S.READY_FOR_TRANSPORT,
        _S.ORDER_CANCELLED,
    }
    arrived = status in {_S.ORDER_DELIVERED, _S.ORDER_PICKED_UP}
    store = status in {_S.ORDER_READY_FOR_PICKUP, _S.ORDER_PICKED_UP}
    return OrderPlan(
        str(900_000_700 + number),
        10,
        (LinePlan(shop.PONCHO), LinePlan(shop.PUMP)),
        status,
        (ShipmentPlan(3, 1 if arrived else None, STORE if store else PARCEL_SERVICE, tracked=not store),)
        if sent
        else (),
        Invoicing.ONCE if arrived else Invoicing.NOT_YET,
        Payment.REFUNDED if status is _S.ORDER_CANCELLED else Payment.ALL,
        delivery_method="store_pickup" if store else "parcel",
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
