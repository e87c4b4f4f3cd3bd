"""Customers of the demonstration shop: those of `data/customers.json`, and orders that follow a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from pydantic import TypeAdapter

from portal.demo.plans import (
    ACCESSORIES,
    PARCEL_SERVICE,
    PRODUCTS,
    STORE,
    CustomerPlan,
    Invoicing,
    LinePlan,
    OrderPlan,
    PaymentPlan,
    ShipmentPlan,
    number_from,
    read_data,
)
from portal.vocabulary.deliveries import ARRIVED, BEFORE_HANDOVER, DeliveryEnd, DeliveryStatus, end
from portal.vocabulary.services import ServicePackage

_DATA = read_data("customers.json")
_LINE, _CUSTOMER = TypeAdapter(LinePlan), TypeAdapter(CustomerPlan)


def _line(entry: Mapping[str, Any]) -> LinePlan:
    return _LINE.validate_python({**entry, "product": PRODUCTS[entry["product"]]})


def _customer(entry: Mapping[str, Any]) -> CustomerPlan:
    orders = [{**order, "lines": [*map(_line, order["lines"])]} for order in entry.get("orders", ())]
    plan = _CUSTOMER.validate_python({**entry, "orders": orders})
    return replace(plan, orders=tuple(_MADE[plan.person.email]())) if plan.person.email in _MADE else plan


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
_BIKES = {int(place): _line(entry) for place, entry in _DATA["bikes_of_max"].items()}
"""By the position of the order, newest first."""

_CANCELLED, _REFUSED = 9, 11


def _method(status: DeliveryStatus, *, bike: bool) -> str:
    if end(status) is DeliveryEnd.PICKUP:
        return "store_pickup"
    return "home_ready_to_ride" if bike else "parcel"


_PAYMENTS: dict[int, PaymentPlan] = {
    6: PaymentPlan.FIRST_INVOICE,
    _CANCELLED: PaymentPlan.REFUNDED,
    10: PaymentPlan.NOTHING,
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
            payment=_PAYMENTS.get(place, PaymentPlan.ALL),
            discount=Decimal("10.00") if place % 6 == 2 else Decimal("0.00"),
            shipping_costs=Decimal("0.00") if bike or place % 2 else Decimal("4.95"),
            package={12: ServicePackage.SERVICE42, 24: ServicePackage.SERVICE21}.get(place),
            insured=place == 12,
            payment_method=("ideal", "credit_card", "bank_transfer")[place % 3],
            delivery_method=_method(status, bike=bool(bike)),
            scheduled={3: 7, 4: 8, 5: 1, 7: 1}.get(place),
            weeks_ahead=2 if place in (0, 3) else None,
        )


def _shipment(place: int, placed: int, status: DeliveryStatus) -> ShipmentPlan:
    if status is DeliveryStatus.ORDER_READY_FOR_PICKUP:
        return ShipmentPlan(2, carrier=STORE, tracked=False)
    arrived = status is DeliveryStatus.ORDER_DELIVERED
    shipped = 2 if status in _UNDER_WAY else placed - 2
    return ShipmentPlan(shipped, placed - 4 if arrived else None, tracked=place % 4 != 3)


def _parcel(name: str, place: int, *, at_least: int) -> tuple[LinePlan, ...]:
    chance = number_from("parcel", name, place)
    count = at_least + chance % 2
    start = chance // 2 % len(ACCESSORIES)
    return tuple(
        LinePlan(ACCESSORIES[(start + step * 5) % len(ACCESSORIES)], 1 + (chance >> step) % 2) for step in range(count)
    )


def generated(name: str, count: int) -> Iterator[OrderPlan]:
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


def _in_status(number: int, status: DeliveryStatus) -> OrderPlan:
    sent = status not in BEFORE_HANDOVER | {DeliveryStatus.ORDER_CANCELLED}
    arrived = status in ARRIVED
    store = end(status) is DeliveryEnd.PICKUP
    bike = status is DeliveryStatus.BACKORDER
    products = ("NVH5-500", "ACC-SLOT-110") if bike else ("ACC-PONCHO", "ACC-POMP")
    return OrderPlan(
        str(900_000_700 + number),
        10,
        tuple(LinePlan(PRODUCTS[sku]) for sku in products),
        status,
        (ShipmentPlan(3, 1 if arrived else None, STORE if store else PARCEL_SERVICE, tracked=not store),)
        if sent
        else (),
        Invoicing.ONCE if arrived else Invoicing.NOT_YET,
        PaymentPlan.REFUNDED if status is DeliveryStatus.ORDER_CANCELLED else PaymentPlan.ALL,
        delivery_method=_method(status, bike=bike),
    )


def _in_every_status() -> Iterator[OrderPlan]:
    statuses = [status for status in DeliveryStatus if status is not DeliveryStatus.UNKNOWN]
    return (_in_status(number, status) for number, status in enumerate(statuses, start=1))


_MADE: Mapping[str, Callable[[], Iterator[OrderPlan]]] = {
    "max@example.com": _twenty_five,
    "bram@example.com": _in_every_status,
}
"""Customers whose orders follow a rule."""

CUSTOMERS = tuple(map(_customer, _DATA["customers"]))


def customer_of(email: str) -> CustomerPlan:
    return next(plan for plan in CUSTOMERS if plan.person.email == email)
