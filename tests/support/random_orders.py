"""Random orders: any prices, discount, extras and parcels, paid in full, in part or not at all."""

from datetime import datetime, timedelta
from decimal import Decimal
from random import Random

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.kernel.address import Country
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import ItemKind, PaymentStatus

_NAMES = ("Slot", "Tas", "Bel", "Lamp")


def _cents(chance: Random, most: int) -> Decimal:
    return Decimal(chance.randint(0, most)) / 100


async def order_at_random(
    session: AsyncSession, customer_id: int, number: str, chance: Random, now: datetime
) -> Decimal:
    """Add an order of one to four lines, the first of them bikes.

    Args:
        session: session of a transaction.
        customer_id: primary key of the customer.
        number: order number.
        chance: source of randomness.
        now: current time; the order was placed and shipped shortly before it.

    Returns:
        The paid amount in euro.
    """
    quantities = [chance.randint(1, 3) for _ in range(chance.randint(1, 4))]
    prices = [Decimal(chance.randint(1, 90_000)) / 100 for _ in quantities]
    # A line does not always divide into whole cents.
    costs = [price * count + _cents(chance, count - 1) for price, count in zip(prices, quantities, strict=True)]
    subtotal = sum(costs, Decimal(0))
    discount = min(_cents(chance, 20_000), subtotal) if chance.random() < 0.7 else Decimal(0)
    shipping, package, insurance = (_cents(chance, 9_900) for _ in range(3))
    total = subtotal - discount + shipping + package + insurance
    paid = chance.choice((total, Decimal(0), Decimal(chance.randint(0, int(total * 100))) / 100))
    order = OrderRow(
        order_number=number,
        customer_id=customer_id,
        country_code=Country.NL,
        ordered_at=now - timedelta(days=6),
        delivery_status=DeliveryStatus.ORDER_DELIVERED,
        payment_status=PaymentStatus.PAID if paid == total else PaymentStatus.OPEN,
        payment_method="Achteraf betalen",
        delivery_method="Thuisbezorgd",
        subtotal=subtotal,
        discount=discount,
        shipping_costs=shipping,
        service_costs=package,
        insurance_costs=insurance,
        total=total,
        paid=paid,
    )
    session.add(order)
    await session.flush()
    parcels = [
        ShipmentRow(
            order_id=order.id,
            carrier="Bezorgdienst",
            shipped_at=now - timedelta(days=days),
            delivered_at=now - timedelta(days=days - 1),
        )
        for days in (5, 3)
    ]
    lines = [
        OrderLineRow(
            order_id=order.id,
            position=place,
            name=f"{_NAMES[place - 1]} {number}",
            sku=f"{number}-{place}",
            kind=ItemKind.CITY_BIKE if place == 1 else ItemKind.ACCESSORY,
            quantity=count,
            unit_price=price,
            price=cost,
        )
        for place, (count, price, cost) in enumerate(zip(quantities, prices, costs, strict=True), 1)
    ]
    session.add_all(lines)
    left = list(quantities)
    for parcel in parcels:
        sent = [chance.randint(0, count) for count in left]
        if not any(sent):
            # A parcel without recorded contents contains all remaining units.
            continue
        session.add(parcel)
        await session.flush()
        left = [count - gone for count, gone in zip(left, sent, strict=True)]
        session.add_all(
            ShipmentLineRow(shipment_id=parcel.id, order_line_id=line.id, quantity=gone)
            for line, gone in zip(lines, sent, strict=True)
            if gone
        )
    if any(left):
        # Of an order that has arrived, nothing is still to be sent.
        order.delivery_status = DeliveryStatus.READY_FOR_TRANSPORT
    await session.flush()
    return paid
