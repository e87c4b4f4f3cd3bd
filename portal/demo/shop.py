"""Loads the demonstration shop and keeps its dates current."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from sqlalchemy import Date, delete, text
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.demo.aftercare import complete_aftercare, stored_row
from portal.demo.build import BuiltBike, BuiltCustomer, BuiltInvoice, BuiltOrder, build_customer
from portal.demo.cases import complete_cases, move_cases, move_stories
from portal.demo.catalogue import complete_articles, complete_service_products
from portal.demo.customers import CUSTOMERS
from portal.demo.partners import complete_partners, complete_staff, partners
from portal.demo.pictures import complete_pictures
from portal.demo.plans import Days, whole_days
from portal.demo.returning import complete_returns
from portal.demo.stories import (
    FIRST_ORDER,
    STORES,
    complete_photos,
    complete_stories,
    stories,
)
from portal.kernel.days import local_day
from portal.tables import metadata
from portal.tables.bikes import BikeRow
from portal.tables.columns import Table, UtcDateTime
from portal.tables.customers import CustomerRow
from portal.tables.exchange import InstallationRow
from portal.tables.orders import InvoiceRow, OrderRow, PartnerRow, ShipmentRow
from portal.tables.work_orders import RequestRow, WorkOrderEventRow


async def save_customers(
    session: AsyncSession, customers: Sequence[BuiltCustomer], partners: Mapping[str, PartnerRow]
) -> None:
    await _add(session, partners.values())
    await _add(session, [customer.row for customer in customers])
    for customer in customers:
        for order in customer.orders:
            order.row.customer_id = _key(customer.row.id)
    await save_orders(session, [order for customer in customers for order in customer.orders], partners)


async def save_orders(session: AsyncSession, orders: Sequence[BuiltOrder], partners: Mapping[str, PartnerRow]) -> None:
    await _add(session, [order.row for order in orders])
    for order in orders:
        for part in (*order.lines, *order.addresses, *order.shipments):
            part.order_id = _key(order.row.id)
        for invoice in order.invoices:
            invoice.row.customer_id, invoice.row.order_id = order.row.customer_id, _key(order.row.id)
    await _add(session, [line for order in orders for line in order.lines])
    await _add(session, [address for order in orders for address in order.addresses])
    await _add(session, [shipment for order in orders for shipment in order.shipments])
    for order in orders:
        for shipment, line, entry in order.contents:
            entry.shipment_id, entry.order_line_id = _key(shipment.id), _key(line.id)
    await _add(session, [entry for order in orders for _, _, entry in order.contents])
    await _save_invoices(session, [invoice for order in orders for invoice in order.invoices])
    for order in orders:
        for bike in order.bikes:
            bike.row.customer_id, bike.row.order_id = order.row.customer_id, _key(order.row.id)
            bike.row.order_line_id = bike.line.id
    bikes = [bike for order in orders for bike in order.bikes]
    await _add(session, [bike.row for bike in bikes])
    await _save_requests(session, bikes, partners)


async def _save_invoices(session: AsyncSession, invoices: Sequence[BuiltInvoice]) -> None:
    await _add(session, [invoice.row for invoice in invoices])
    for invoice in invoices:
        for line in invoice.lines:
            line.invoice_id = _key(invoice.row.id)
    await _add(session, [line for invoice in invoices for line in invoice.lines])


async def _save_requests(session: AsyncSession, bikes: Sequence[BuiltBike], partners: Mapping[str, PartnerRow]) -> None:
    for bike in bikes:
        for request in bike.requests:
            request.row.customer_id, request.row.bike_id = bike.row.customer_id, _key(bike.row.id)
            request.row.partner_id = partners[request.partner].id if request.partner else None
    requests = [request for bike in bikes for request in bike.requests]
    await _add(session, [request.row for request in requests])
    for request in requests:
        for event in request.events:
            event.request_id = _key(request.row.id)
    await _add(session, [event for request in requests for event in request.events])


async def _add(session: AsyncSession, rows: Iterable[Table]) -> None:
    session.add_all(rows)
    await session.flush()


def _key(key: int | None) -> int:
    if key is None:
        raise RuntimeError("a saved row has a key")
    return key


async def redate(session: AsyncSession, customers: Sequence[BuiltCustomer], partners: Sequence[PartnerRow]) -> bool:
    orders = {order.row.order_number: order for customer in customers for order in customer.orders}
    query = select(OrderRow).where(col(OrderRow.order_number).in_(orders))
    stored = {row.order_number: row for row in await session.exec(query)}
    if all(row.ordered_at == orders[number].row.ordered_at for number, row in stored.items()):
        return False
    for number, row in stored.items():
        await _redate_order(session, row, orders[number])
    for partner in partners:
        _copy_dates(await stored_row(session, PartnerRow, public_id=partner.public_id), partner)
    return True


async def _redate_order(session: AsyncSession, row: OrderRow, fresh: BuiltOrder) -> None:
    _copy_dates(row, fresh.row)
    row.preferred_week = fresh.row.preferred_week
    parcels = select(ShipmentRow).where(ShipmentRow.order_id == row.id).order_by(col(ShipmentRow.id))
    for stored, shipment in zip((await session.exec(parcels)).all(), fresh.shipments, strict=False):
        _copy_dates(stored, shipment)
    for invoice in fresh.invoices:
        _copy_dates(await stored_row(session, InvoiceRow, public_id=invoice.row.public_id), invoice.row)
    for bike in fresh.bikes:
        _copy_dates(await stored_row(session, BikeRow, public_id=bike.row.public_id), bike.row)
        for request in bike.requests:
            known = await stored_row(session, RequestRow, reference=request.row.reference)
            await _redate_request(session, known, request.row)


async def _redate_request(session: AsyncSession, stored: RequestRow | None, fresh: RequestRow) -> None:
    if stored is None:
        return
    moved = fresh.created_at - stored.created_at
    for event in await session.exec(select(WorkOrderEventRow).where(WorkOrderEventRow.request_id == stored.id)):
        event.happened_at += moved
        event.planned_date = event.planned_date and event.planned_date + whole_days(moved)
    _copy_dates(stored, fresh)


def _copy_dates(stored: SQLModel | None, fresh: Table) -> None:
    if stored is not None:
        for column in type(fresh).__table__.columns:
            if isinstance(column.type, Date | UtcDateTime):
                setattr(stored, column.name, getattr(fresh, column.name))


_LOCK = 7_160_461_903
"""Number of the PostgreSQL advisory lock, which lets only one process load."""


class Furnished(Protocol):
    @property
    def context(self) -> Context:
        """The context that the services share."""


async def load(application: Furnished, reset: bool = False) -> bool:
    if not application.context.settings.demonstration:
        raise RuntimeError("the demonstration shop is not for production")
    days = _days(application)
    async with application.context.database.transaction() as session:
        await _wait_for_others(session)
        if reset:
            connection = await session.connection()
            for table in reversed(metadata.sorted_tables):
                if table is InstallationRow.__table__:
                    continue
                await connection.execute(delete(table))
        elif not await _is_empty(session):
            return False
        workshops = partners(days)
        await save_customers(session, _built(days), workshops)
        await _complete(session, days, workshops, application.context.clock())
    return True


async def keep_young(application: Furnished) -> None:
    """Load the shop into an empty database, or update the dates of a shop that was loaded on an earlier day.

    A database with the customers of another shop is left alone.
    """
    if await load(application):
        return
    days = _days(application)
    async with application.context.database.transaction() as session:
        await _wait_for_others(session)
        if not await _is_loaded(session):
            return
        workshops = partners(days)
        if not await _is_of_today(session, days):
            built, told = _built(days), [story.built for story in stories(days, workshops)]
            await move_cases(session, built)
            await redate(session, built, list(workshops.values()))
            await move_stories(session, told)
            await redate(session, told, ())
        await _complete(session, days, workshops, application.context.clock())


async def _complete(session: AsyncSession, days: Days, workshops: Mapping[str, PartnerRow], now: datetime) -> None:
    await complete_partners(session, workshops.values())
    await session.flush()
    await complete_staff(session, days, workshops)
    await complete_service_products(session)
    await complete_articles(session)
    await complete_returns(session, days, now)
    await complete_aftercare(session, days, now)
    await complete_cases(session)


async def add_stories(application: Furnished) -> bool:
    async with application.context.database.transaction() as session:
        await _wait_for_others(session)
        if not await _is_loaded(session) or await _has_order(session, FIRST_ORDER):
            return False
        days = _days(application)
        workshops = partners(days)
        told = stories(days, workshops)
        known = {row.public_id: row for row in await session.exec(select(PartnerRow))}
        stored = {key: known[row.public_id] for key, row in workshops.items() if row.public_id in known}
        await save_customers(session, [story.built for story in told], {key: stored[key] for key in STORES})
        stores = {key: row.id for key, row in stored.items()}
        await complete_stories(session, told, days, stores, application.context.clock())
    return True


async def add_pictures(application: Furnished) -> None:
    async with application.context.database.transaction() as session:
        await _wait_for_others(session)
        if await _is_loaded(session):
            await complete_pictures(application.context, session)


async def add_photos(application: Furnished) -> bool:
    days = _days(application)
    async with application.context.database.transaction() as session:
        await _wait_for_others(session)
        return await complete_photos(application.context, session, stories(days, partners(days)))


def _days(application: Furnished) -> Days:
    return Days(local_day(application.context.clock()), application.context.settings)


def _built(days: Days) -> list[BuiltCustomer]:
    return [build_customer(plan, days) for plan in CUSTOMERS]


async def _is_empty(session: AsyncSession) -> bool:
    return (await session.exec(select(CustomerRow.id).limit(1))).first() is None


async def _is_loaded(session: AsyncSession) -> bool:
    return await _has_order(session, CUSTOMERS[0].orders[0].number)


async def _is_of_today(session: AsyncSession, days: Days) -> bool:
    """Whether the orders of the first customer were made for today, and so all were: they move in one transaction."""
    fresh = {order.row.order_number: order.row.ordered_at for order in build_customer(CUSTOMERS[0], days).orders}
    query = select(OrderRow.order_number, OrderRow.ordered_at).where(col(OrderRow.order_number).in_(fresh))
    return all(fresh[number] == ordered_at for number, ordered_at in await session.exec(query))


async def _has_order(session: AsyncSession, number: str) -> bool:
    return (await session.exec(select(OrderRow.id).where(OrderRow.order_number == number))).first() is not None


async def _wait_for_others(session: AsyncSession) -> None:
    """Wait until no other process is loading. On SQLite the write lock of the transaction has this effect."""
    connection = await session.connection()
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
