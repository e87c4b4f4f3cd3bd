"""Saves what was built; keys are handed down as the database gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.demo.build import BuiltBike, BuiltCustomer, BuiltOrder
from portal.provider.demo.paper import BuiltInvoice
from portal.provider.tables.columns import Table
from portal.provider.tables.partners import PartnerRow


async def save_customers(
    session: AsyncSession, customers: Sequence[BuiltCustomer], partners: Mapping[str, PartnerRow]
) -> None:
    """Save partners, customers and everything they bought."""
    await _add(session, partners.values())
    await _add(session, [customer.row for customer in customers])
    for customer in customers:
        await save_orders(session, _key(customer.row.id), customer.orders, partners)


async def save_orders(
    session: AsyncSession, customer_id: int, orders: Sequence[BuiltOrder], partners: Mapping[str, PartnerRow]
) -> None:
    """Save orders of one customer, in as few statements as there are tables."""
    for order in orders:
        order.row.customer_id = customer_id
    await _add(session, [order.row for order in orders])
    for order in orders:
        for part in (*order.lines, *order.addresses, *order.shipments):
            part.order_id = _key(order.row.id)
        for invoice in order.invoices:
            invoice.row.customer_id, invoice.row.order_id = customer_id, _key(order.row.id)
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
            bike.row.customer_id, bike.row.order_id = customer_id, _key(order.row.id)
            bike.row.order_line_id = bike.line.id
    bikes = [bike for order in orders for bike in order.bikes]
    await _add(session, [bike.row for bike in bikes])
    await _save_requests(session, customer_id, bikes, partners)


async def _save_invoices(session: AsyncSession, invoices: Sequence[BuiltInvoice]) -> None:
    await _add(session, [invoice.row for invoice in invoices])
    for invoice in invoices:
        for line in invoice.lines:
            line.invoice_id = _key(invoice.row.id)
    await _add(session, [line for invoice in invoices for line in invoice.lines])


async def _save_requests(
    session: AsyncSession, customer_id: int, bikes: Sequence[BuiltBike], partners: Mapping[str, PartnerRow]
) -> None:
    for bike in bikes:
        for request in bike.requests:
            request.row.customer_id, request.row.bike_id = customer_id, _key(bike.row.id)
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
