"""Customers with many bikes."""

from datetime import timedelta
from decimal import Decimal
from random import Random
from typing import NamedTuple

from sqlmodel import select

from portal.kernel.address import Country
from portal.kernel.validation import short_id
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.insurance import InsuranceStatus, InsuranceType
from portal.vocabulary.orders import ItemKind, PaymentStatus
from portal.vocabulary.returns import ReturnKind, ReturnMethod, ReturnStatus
from portal.vocabulary.services import ServicePackage
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from tests.support.furnished import Furnished


class Fleet(NamedTuple):
    """A customer with many bikes. `bikes` are their public ids, newest order first."""

    customer_id: int
    token: str
    bikes: list[str]


class Likely(NamedTuple):
    """How likely each is for a bike or its order, from 0 to 1."""

    cancelled: float = 0.0
    returned: float = 0.0
    insured: float = 0.0
    asked: float = 0.0
    packaged: float = 0.0
    busy: float = 0.0
    unknown_frame: float = 0.0
    old: float = 0.0


NOTHING_SPECIAL = Likely()


async def add_fleet(shop: Furnished, count: int, likely: Likely = NOTHING_SPECIAL, seed: int = 0) -> Fleet:
    """Add a customer with so many bikes, in orders of one to seven, and open a session."""
    chance, now = Random(f"{seed} {count}"), shop.context.clock()
    email = f"{short_id()}@fleet.example"
    async with shop.context.database.transaction() as session:
        customer = CustomerRow(
            first_name="Fleet", last_name="Owner", email=email, email_key=email, street="Kade", house_number="1",
            post_code="3511 AB", city="Utrecht", country_code=Country.NL,
        )  # fmt: skip
        session.add(customer)
        await session.flush()
        own, left, placed = customer.id, count, []
        while left:
            size = min(left, chance.randint(1, 7))
            left -= size
            # Several orders of one moment, so that the order of the list depends on more than the moment.
            days = chance.randint(30, 60) if chance.random() < likely.old else chance.randint(1, 4)
            order = OrderRow(
                order_number=f"8{chance.randrange(10**8):08}", customer_id=own, country_code=Country.NL,
                ordered_at=now - timedelta(days=days), payment_status=PaymentStatus.PAID, payment_method="ideal",
                delivery_method="own_transport", features=[feature.value for feature in Feature],
                subtotal=Decimal(1000), total=Decimal(1000),
                delivery_status=DeliveryStatus.ORDER_CANCELLED if chance.random() < likely.cancelled
                else chance.choice((None, DeliveryStatus.ORDER_DELIVERED)),
            )  # fmt: skip
            session.add(order)
            await session.flush()
            placed += [(order, position) for position in range(1, size + 1)]
        for order, position in placed:
            line = OrderLineRow(
                order_id=order.id, position=position, name="Horizon", sku="H", kind=ItemKind.CITY_BIKE,
                unit_price=Decimal(1000), price=Decimal(1000),
            )  # fmt: skip
            session.add(line)
            await session.flush()
            bike = BikeRow(
                customer_id=own, order_id=order.id, order_line_id=chance.choice((line.id, line.id, None)),
                name="Horizon", brand="Noordveld", kind=ItemKind.CITY_BIKE,
                frame_number=chance.choice((None, "")) if chance.random() < likely.unknown_frame
                else f"NVH{chance.randrange(10**8):08}",
                insurance="theft" if chance.random() < likely.insured else "",
                service_package=chance.choice(list(ServicePackage)) if chance.random() < likely.packaged else None,
            )  # fmt: skip
            session.add(bike)
            await session.flush()
            if chance.random() < likely.returned:
                back = ReturnRow(
                    customer_id=own, kind=ReturnKind.RETURN, method=ReturnMethod.PICK_UP,
                    status=chance.choice((ReturnStatus.CLOSED, ReturnStatus.RECEIVED)),
                    order_number=order.order_number, created_at=now, updated_at=now,
                )  # fmt: skip
                session.add(back)
                await session.flush()
                session.add(ReturnUnitRow(return_id=back.id, order_line_id=line.id, number=1))
            if chance.random() < likely.busy:
                status = chance.choice((WorkOrderStatus.IN_REPAIR, WorkOrderStatus.DONE))
                session.add(
                    RequestRow(reference=short_id(), customer_id=own, bike_id=bike.id, kind=RequestKind.REPAIR,
                               status=status, title="Chain", description="", created_at=now)
                )  # fmt: skip
            if chance.random() < likely.asked:
                waits = chance.random() < 0.5
                session.add(
                    InsuranceRequestRow(
                        reference=short_id(), customer_id=own, bike_id=bike.id, type=InsuranceType.THEFT,
                        status=InsuranceStatus.WAITING_FOR_INPUT if waits
                        else chance.choice((InsuranceStatus.CREATED, InsuranceStatus.CANCELLED)),
                        waits_for_link=waits, created_at=now, updated_at=now,
                        link_expires_at=now + timedelta(hours=chance.choice((-1, 1))) if waits else None,
                    )
                )  # fmt: skip
            await session.flush()
        found = (await session.exec(select(BikeRow, OrderRow).join(OrderRow).where(BikeRow.customer_id == own))).all()
        ordered = sorted(found, key=lambda each: (-each[1].ordered_at.timestamp(), each[0].id))
    token = await shop.log_in((placed[0][0].order_number, email))
    return Fleet(own, token, [bike.public_id for bike, _ in ordered])
