"""Moves the dates of a shop that was loaded on an earlier day, so that it looks as if it was loaded today."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Date
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.demo.build import BuiltCustomer, BuiltOrder
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.columns import Table, UtcDateTime
from portal.provider.tables.invoices import InvoiceRow
from portal.provider.tables.orders import OrderRow, ShipmentRow
from portal.provider.tables.partners import PartnerRow
from portal.provider.tables.requests import RequestRow
from portal.provider.tables.work_orders import WorkOrderEventRow


async def redate(session: AsyncSession, customers: Sequence[BuiltCustomer], partners: Sequence[PartnerRow]) -> bool:
    """Give stored rows of the demonstration the dates of freshly built ones. Nothing but dates changes.

    Returns:
        Whether anything had to be moved.
    """
    orders = {order.row.order_number: order for customer in customers for order in customer.orders}
    query = select(OrderRow).where(col(OrderRow.order_number).in_(orders))
    stored = {row.order_number: row for row in await session.exec(query)}
    if all(row.ordered_at == orders[number].row.ordered_at for number, row in stored.items()):
        return False
    for number, row in stored.items():
        await _redate_order(session, row, orders[number])
    for partner in partners:
        query = select(PartnerRow).where(PartnerRow.public_id == partner.public_id)
        _copy_dates((await session.exec(query)).one_or_none(), partner)
    return True


async def _redate_order(session: AsyncSession, row: OrderRow, fresh: BuiltOrder) -> None:
    _copy_dates(row, fresh.row)
    row.preferred_week = fresh.row.preferred_week
    parcels = select(ShipmentRow).where(ShipmentRow.order_id == row.id).order_by(col(ShipmentRow.id))
    for stored, shipment in zip((await session.exec(parcels)).all(), fresh.shipments, strict=False):
        _copy_dates(stored, shipment)
    for invoice in fresh.invoices:
        query = select(InvoiceRow).where(InvoiceRow.public_id == invoice.row.public_id)
        _copy_dates((await session.exec(query)).one_or_none(), invoice.row)
    for bike in fresh.bikes:
        query = select(BikeRow).where(BikeRow.public_id == bike.row.public_id)
        _copy_dates((await session.exec(query)).one_or_none(), bike.row)
        for request in bike.requests:
            known = select(RequestRow).where(RequestRow.reference == request.row.reference)
            await _redate_request(session, (await session.exec(known)).one_or_none(), request.row)


async def _redate_request(session: AsyncSession, stored: RequestRow | None, fresh: RequestRow) -> None:
    """Move a request with its whole history, also with what happened to it after it was loaded."""
    if stored is None:
        return
    moved = fresh.created_at - stored.created_at
    for event in await session.exec(select(WorkOrderEventRow).where(WorkOrderEventRow.request_id == stored.id)):
        event.happened_at += moved
        event.planned_date = event.planned_date and event.planned_date + moved
    _copy_dates(stored, fresh)


def _copy_dates(stored: SQLModel | None, fresh: Table) -> None:
    if stored is not None:
        for column in type(fresh).__table__.columns:  # pyright: ignore[reportAttributeAccessIssue] - set by SQLModel
            if isinstance(column.type, Date | UtcDateTime):
                setattr(stored, column.name, getattr(fresh, column.name))
