"""The shop's own ids of what an event or a case is about, as its imports named them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import and_, col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.imports import ImportedRow
from portal.tables.orders import OrderRow

_NAMES = {"customers": "customer", "orders": "order", "bikes": "bike"}
"""Kinds of imported records, and what they are in an event."""

ShopIds = dict[str, dict[str, str] | list[str] | str | None]
"""`customer`, `order` and `bike` with `source` and `external_id`, or None where no import brought them; and
`order_number`, empty without an order; `order_numbers` are those of all orders."""


async def shop_ids(
    session: AsyncSession, *, customer_id: int | None, order_numbers: Sequence[str] = (), bike_id: int | None = None
) -> ShopIds:
    """Look up the ids. Of several sources, that of the customer's shop counts, else the one that came last.

    Args:
        session: for reading.
        customer_id: primary key of the customer.
        order_numbers: of the orders, of which the first counts; empty for that of the bike.
        bike_id: primary key of the bike.
    """
    numbers = list(order_numbers)
    if bike_id and not numbers:
        bought = select(OrderRow.order_number).join(BikeRow, col(BikeRow.order_id) == col(OrderRow.id))
        numbers = list(await session.exec(bought.where(BikeRow.id == bike_id)))
    order_number = numbers[0] if numbers else ""
    found: ShopIds = {
        "customer": None,
        "order": None,
        "bike": None,
        "order_number": order_number,
        "order_numbers": numbers,
    }
    order = (await session.exec(select(OrderRow.id).where(OrderRow.order_number == order_number))).first()
    keys = {"customers": customer_id, "orders": order, "bikes": bike_id}
    named = [and_(ImportedRow.kind == kind, ImportedRow.row_id == key) for kind, key in keys.items() if key]
    if not named:
        return found
    source = (await session.exec(select(CustomerRow.source).where(CustomerRow.id == customer_id))).first()
    rows = (await session.exec(select(ImportedRow).where(or_(*named)).order_by(col(ImportedRow.id)))).all()
    for row in sorted(rows, key=lambda row: row.source == source):
        found[_NAMES[row.kind]] = {"source": row.source, "external_id": row.external_id}
    return found
