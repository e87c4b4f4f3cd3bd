"""What follows in other subjects when an import cancels an order, or gives a bike to another customer."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.departures import FOLLOWERS, Departed
from portal.deliveries.provider.backoffice import nothing_left
from portal.imports.provider.kinds import Columns, Kind, Stored
from portal.imports.rules.records import OrderRecord
from portal.kernel.days import local_day
from portal.returns.provider.creation import record_refunded
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.departures import Departure
from portal.vocabulary.orders import PaymentStatus


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


async def follow_cancelled(context: Context, session: AsyncSession, kind: Kind, stored: Sequence[Stored]) -> None:
    """End what hangs on orders that the import cancelled, and refund nothing that the shop refunded."""
    if kind.name != "orders":
        return
    cancelled = [
        entry.row_id
        for entry in stored
        if (entry.changes or {}).get("delivery_status") == DeliveryStatus.ORDER_CANCELLED
    ]
    query = select(OrderRow).where(col(OrderRow.id).in_(cancelled)).execution_options(populate_existing=True)
    for order in (await session.exec(query.order_by(col(OrderRow.id)))).all() if cancelled else ():
        await nothing_left(context, session, order, Departure.CANCELLED)
    records = [entry.record for entry in stored if isinstance(entry.record, OrderRecord)]
    refunded = {record.order_number for record in records if record.payment_status is PaymentStatus.REFUNDED}
    if refunded:
        await record_refunded(context, session, refunded)
