"""Many orders of one customer of the demonstration shop."""

from sqlmodel import col, func, select

from portal.demo.build import build_order
from portal.demo.customers import customer_of
from portal.demo.plans import ACCESSORIES, Days, Invoicing, LinePlan, OrderPlan, ShipmentPlan, number_from
from portal.demo.shop import save_orders
from portal.kernel.days import local_day
from portal.tables.customers import CustomerRow
from portal.tables.orders import OrderRow
from portal.vocabulary.deliveries import DeliveryStatus
from tests.support.furnished import Furnished


def _lines(name: str, place: int) -> tuple[LinePlan, ...]:
    chance = number_from("parcel", name, place)
    start = chance // 2 % len(ACCESSORIES)
    return tuple(
        LinePlan(ACCESSORIES[(start + step * 5) % len(ACCESSORIES)], 1 + (chance >> step) % 2)
        for step in range(1 + chance % 2)
    )


def _order(name: str, number: int, place: int) -> OrderPlan:
    placed, sent = 1 + place * 2, place > 0
    return OrderPlan(
        number=str(number),
        placed=placed,
        lines=_lines(name, place),
        delivery=DeliveryStatus.ORDER_DELIVERED if sent else DeliveryStatus.ORDER_BEING_PROCESSED,
        shipments=(ShipmentPlan(placed - 1, placed - 2),) if sent else (),
        invoicing=Invoicing.ONCE if sent else Invoicing.NOT_YET,
        delivery_method="parcel",
    )


async def many_orders(furnished: Furnished, customer: str, count: int) -> list[str]:
    """Add orders, one every other day back from yesterday; their numbers, newest first."""
    context = furnished.context
    days = Days(local_day(context.clock()), context.settings)
    async with context.database.transaction() as session:
        row = (await session.exec(select(CustomerRow).where(CustomerRow.email == customer))).one()
        theirs = select(func.count()).select_from(OrderRow).where(col(OrderRow.order_number).startswith("8"))
        first = 800_000_001 + (await session.exec(theirs)).one()
        plans = [_order(customer, first + place, place) for place in range(count)]
        built = [build_order(plan, customer_of(customer).person, days) for plan in plans]
        for order in built:
            order.row.customer_id = row.id
        await save_orders(session, built, {})
    return [plan.number for plan in plans]
