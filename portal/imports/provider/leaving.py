"""What follows in other subjects when an import cancels an order, or gives a bike to another customer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.backoffice import FOLLOWERS, Departed
from portal.backend.context import Context
from portal.bikes.provider.queries import BikeQueries
from portal.deliveries.provider.backoffice import nothing_left, part_cancelled
from portal.imports.provider.kind import Columns, Kind, Stored
from portal.kernel.days import local_day
from portal.returns.provider.creation import record_refunded
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderRow
from portal.tables.search import write_search_texts
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.departures import Departure

_LESS = re.compile(r"lines\..+\.(returned|quantity)")
"""Changes of an order by which the customer has fewer units."""


async def give_away(context: Context, session: AsyncSession, kind: Kind, row_id: int, columns: Columns) -> None:
    """End what hangs on a bike for its customer, before the import gives it to another one."""
    if kind.name != "bikes":
        return
    bike = (await session.exec(select(BikeRow).where(BikeRow.id == row_id))).first()
    if bike is None or bike.customer_id == columns["customer_id"]:
        return
    departed = Departed(bike.customer_id, Departure.GIVEN_AWAY, [bike], local_day(context.clock()))
    await FOLLOWERS.follow(context, session, departed)
    await session.flush()
    await (await session.connection()).run_sync(write_search_texts, [bike.customer_id], bike.id)


async def follow_cancelled(context: Context, session: AsyncSession, kind: Kind, stored: Sequence[Stored]) -> None:
    """End what hangs on orders, or parts of them, that the import cancelled, and on bikes that came back to the shop.

    Nothing is refunded that the shop refunded.
    """
    if kind.name != "orders":
        return
    cancelled = {entry.row_id for entry in stored if _is_cancelled(entry.changes, "delivery_status")}
    in_part = {entry.row_id for entry in stored if _is_cancelled(entry.changes, "shipments")} - cancelled
    for order in await _orders(session, cancelled | in_part):
        if order.id in cancelled:
            await nothing_left(context, session, order, Departure.CANCELLED)
        elif order.delivery_status is not DeliveryStatus.ORDER_CANCELLED:
            await part_cancelled(context, session, order)
    # An order that is new here has no return yet, unless it was cancelled above.
    refunded = {entry.row_id for entry in stored if {"refunded", "payment_status"} & set(entry.changes or {})}
    for order in await _orders(session, refunded):
        if order.refunded:
            await record_refunded(context, session, order)
    back = refunded | {entry.row_id for entry in stored if any(map(_LESS.fullmatch, entry.changes or {}))}
    await _follow_returned(context, session, back)


async def _follow_returned(context: Context, session: AsyncSession, orders: Collection[int]) -> None:
    """End what hangs on bikes of these orders that came back to the shop, or were refunded there."""
    query = select(BikeRow).where(col(BikeRow.order_id).in_(orders)).order_by(col(BikeRow.id))
    bikes: dict[int, list[BikeRow]] = defaultdict(list)
    for bike in (await session.exec(query)).all() if orders else ():
        bikes[bike.customer_id].append(bike)
    for customer_id, own in bikes.items():
        found = await BikeQueries(session, customer_id).departures([bike.id for bike in own])
        left = [bike for bike in own if found.get(bike.id) is Departure.RETURNED]
        if left:
            departed = Departed(customer_id, Departure.RETURNED, left, local_day(context.clock()))
            await FOLLOWERS.follow(context, session, departed)


async def _orders(session: AsyncSession, keys: Collection[int]) -> Sequence[OrderRow]:
    query = select(OrderRow).where(col(OrderRow.id).in_(keys)).execution_options(populate_existing=True)
    return (await session.exec(query.order_by(col(OrderRow.id)))).all() if keys else ()


def _is_cancelled(changes: Columns | None, of: str) -> bool:
    """Whether changes cancel an order or one of its shipments, which may be new."""
    cancelled = DeliveryStatus.ORDER_CANCELLED
    return any(
        value == cancelled or (isinstance(value, dict) and value.get("status") == cancelled)
        for name, value in (changes or {}).items()
        if name.split(".")[0] == of
    )
