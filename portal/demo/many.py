"""Customers with many orders, and customers whose orders the portal does not serve."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from portal.demo import partners
from portal.demo import plans as shop
from portal.demo.plans import (
    OWN_TRANSPORT,
    STORE,
    BikePlan,
    CustomerPlan,
    Invoicing,
    LinePlan,
    OrderPlan,
    Payment,
    RequestPlan,
    ShipmentPlan,
    number_from,
)
from portal.kernel.address import Country
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.services import ServiceJob, ServicePackage
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus

_UNDER_WAY: tuple[DeliveryStatus, ...] = (
    DeliveryStatus.BACKORDER,
    DeliveryStatus.IN_STOCK,
    DeliveryStatus.ORDER_BEING_PROCESSED,
    DeliveryStatus.ORDER_ASSEMBLED,
    DeliveryStatus.READY_FOR_TRANSPORT,
    DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE,
    DeliveryStatus.ORDER_READY_FOR_PICKUP,
    DeliveryStatus.CUSTOMER_NOT_AT_HOME,
    DeliveryStatus.ORDER_NOT_DELIVERED,
)
"""Statuses of the newest orders, newest first. The first five are not shipped and therefore not invoiced."""

_NOT_SENT = 5
_METHODS = {DeliveryStatus.ORDER_READY_FOR_PICKUP: "store_pickup"}
"""Delivery methods implied by a status."""

_BIKES: dict[int, LinePlan] = {
    # Keyed by the position of the order, newest first.
    12: LinePlan(
        shop.BAKKER,
        bike=BikePlan(
            keys=3,
            service_card=True,
            mileage=1875,
            read=12,
            requests=(
                RequestPlan(
                    RequestKind.CLAIM, WorkOrderStatus.WAIT_FOR_PARTS, "Valschade aan de bak",
                    "Omgevallen tijdens het parkeren, de bak is aan de linkerkant gescheurd.", 16, None,
                    partners.PREMIUM,
                    "De nieuwe bak is besteld. We verwachten hem binnen een week.",
                ),
                RequestPlan(
                    RequestKind.SERVICE, WorkOrderStatus.CANCELLED, "Tweede servicebeurt", "", 47,
                    job=ServiceJob.SECOND,
                ),
            ),
        ),
    ),
    18: LinePlan(
        shop.HORIZON,
        color=2,
        size=3,
        bike=BikePlan(
            mileage=5210,
            read=20,
            requests=(
                RequestPlan(
                    RequestKind.SERVICE, WorkOrderStatus.NEW, "Tweede servicebeurt", "", 1,
                    job=ServiceJob.SECOND,
                ),
                RequestPlan(
                    RequestKind.REPAIR, WorkOrderStatus.DONE, "Achterlicht doet het niet", "Brandt niet, ook niet "
                    "na het opladen van de accu.", 130, -120, partners.PREMIUM,
                ),
                RequestPlan(
                    RequestKind.SERVICE, WorkOrderStatus.DONE, "Eerste servicebeurt", "", 260, -250,
                    partners.PREMIUM, job=ServiceJob.FIRST,
                ),
            ),
        ),
    ),
    24: LinePlan(
        shop.CLASSIC,
        bike=BikePlan(
            keys=1,
            requests=(
                RequestPlan(
                    RequestKind.REPAIR, WorkOrderStatus.WAIT_FOR_CUSTOMER, "Lekke achterband",
                    "Band is vervangen, de fiets kan worden opgehaald.", 5, -2, partners.PARTNER,
                    "Je fiets staat klaar. Neem je sleutels mee.",
                ),
            ),
        ),
    ),
}  # fmt: skip

_CANCELLED, _REFUSED = 9, 11

_PAYMENTS: dict[int, Payment] = {
    6: Payment.FIRST_INVOICE,
    _CANCELLED: Payment.REFUNDED,
    10: Payment.NOTHING,
}


def _twenty_five() -> Iterator[OrderPlan]:
    for place in range(25):
        sent = place >= _NOT_SENT
        status = _UNDER_WAY[place] if place < len(_UNDER_WAY) else DeliveryStatus.ORDER_DELIVERED
        if place == _CANCELLED:
            status = DeliveryStatus.ORDER_CANCELLED
        if place == _REFUSED:
            status = DeliveryStatus.ORDER_REFUSED_AT_DOOR
        placed = 2 + place * 2 if place < 11 else 35 + (place - 10) * 55
        bike = _BIKES.get(place)
        yield OrderPlan(
            # The login order is the newest delivered order.
            number="900000009" if place == 10 else f"9000001{place + 1:02}",
            placed=placed,
            lines=((bike,) if bike else ()) + _parcel("max", place, at_least=2 - bool(bike)),
            delivery=status,
            shipments=(_shipment(place, placed, status),) if sent and place != _CANCELLED else (),
            invoicing=Invoicing.BY_PARCEL if sent else Invoicing.NOT_YET,
            payment=_PAYMENTS.get(place, Payment.ALL),
            discount=Decimal("10.00") if place % 6 == 2 else Decimal("0.00"),
            shipping_costs=Decimal("0.00") if bike or place % 2 else Decimal("4.95"),
            package={12: ServicePackage.SERVICE42, 24: ServicePackage.SERVICE21}.get(place),
            insured=place == 12,
            payment_method=("ideal", "credit_card", "bank_transfer")[place % 3],
            delivery_method=_METHODS.get(status, "home_ready_to_ride" if bike else "parcel"),
            scheduled={3: 7, 4: 8, 5: 1, 7: 1}.get(place),
            weeks_ahead=2 if place in (0, 3) else None,
        )


def _shipment(place: int, placed: int, status: DeliveryStatus) -> ShipmentPlan:
    """The parcel, shipped two days after the order. One still under way was shipped two days ago."""
    if status is DeliveryStatus.ORDER_READY_FOR_PICKUP:
        return ShipmentPlan(2, carrier=STORE, tracked=False)
    arrived = status is DeliveryStatus.ORDER_DELIVERED
    shipped = 2 if status in _UNDER_WAY else placed - 2
    return ShipmentPlan(shipped, placed - 4 if arrived else None, tracked=place % 4 != 3)


def _parcel(name: str, place: int, *, at_least: int) -> tuple[LinePlan, ...]:
    """Order lines of accessories, derived from the arguments."""
    chance = number_from("parcel", name, place)
    count = at_least + chance % 2
    start = chance // 2 % len(shop.ACCESSORIES)
    return tuple(
        LinePlan(shop.ACCESSORIES[(start + step * 5) % len(shop.ACCESSORIES)], 1 + (chance >> step) % 2)
        for step in range(count)
    )


MANY_ORDERS = CustomerPlan(shop.MAX, tuple(_twenty_five()))


def generated(name: str, count: int) -> Iterator[OrderPlan]:
    """Generate orders of accessories, one every second day back from yesterday. All but the newest are delivered."""
    for place in range(count):
        placed = 1 + place * 2
        sent = place > 0
        yield OrderPlan(
            number="",
            placed=placed,
            lines=_parcel(name, place, at_least=1),
            delivery=DeliveryStatus.ORDER_DELIVERED if sent else DeliveryStatus.ORDER_BEING_PROCESSED,
            shipments=(ShipmentPlan(placed - 1, placed - 2),) if sent else (),
            invoicing=Invoicing.ONCE if sent else Invoicing.NOT_YET,
            delivery_method="parcel",
        )


LEASE = CustomerPlan(
    shop.LEASE,
    (
        OrderPlan(
            "900000006",
            120,
            (LinePlan(shop.HORIZON, bike=BikePlan()),),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(112, 110, OWN_TRANSPORT, tracked=False),),
            payment_method="lease_company",
            lease_reference="LEASE240601",
        ),
    ),
)

OTHER_COUNTRY = CustomerPlan(
    shop.LARS,
    (
        OrderPlan(
            "900000007",
            30,
            (LinePlan(shop.KUST, bike=BikePlan()),),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(25, 22),),
            country=Country.DE,
        ),
    ),
)

NO_FEATURES = CustomerPlan(
    shop.EVA,
    (
        OrderPlan(
            "900000008",
            75,
            (LinePlan(shop.STRAPS, 2, color=1),),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(73, 72),),
            shipping_costs=Decimal("4.95"),
            delivery_method="parcel",
            features=(),
        ),
    ),
)

ONLY_UNKNOWN_FRAME = CustomerPlan(
    shop.THIJS,
    (
        OrderPlan(
            "900000010",
            33,
            (LinePlan(shop.KUST, color=1, bike=BikePlan(frame_known=False, keys=0)),),
            DeliveryStatus.ORDER_DELIVERED,
            (ShipmentPlan(28, 27),),
            discount=Decimal("25.00"),
        ),
    ),
)

NO_ORDERS = CustomerPlan(shop.IRIS)
"""Customer for the documented API call that needs only the e-mail address."""
