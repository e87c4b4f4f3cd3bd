"""Operations on orders (part-1 §2 Account area, §3)."""

from __future__ import annotations

from typing_extensions import override

from portal.backend.shops import term_book
from portal.contract.errors import NotFound
from portal.contract.models import mapped
from portal.kernel.days import local_day
from portal.kernel.validation import is_order_number
from portal.orders.api import Order, OrderPage, OrderSelection, OrderSummary, Shipment
from portal.orders.provider.invoices import InvoiceQueries, InvoiceService, order_due, to_invoice
from portal.orders.provider.queries import OrderQueries, to_named_address, to_order_line, to_order_summary, to_scheduled
from portal.orders.rules import Returning, returning
from portal.pictures.provider.lookup import pictures_of_lines
from portal.tables.columns import ZERO
from portal.tables.orders import AddressRole, OrderRow
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import BEFORE_HANDOVER


class OrdersService(InvoiceService):
    @override
    async def orders(
        self,
        token: str,
        page: int = 1,
        text: str = "",
        year: int = 0,
        selection: OrderSelection = OrderSelection.ALL,
    ) -> OrderPage:
        async with self._sessions.reading(token) as (owner, session):
            queries = OrderQueries(session, owner.customer_id)
            part = await queries.part(page, text=text, year=year, selection=selection)
            items = await queries.items(part.rows)
            years = await queries.years()
            found = await pictures_of_lines(session, owner.customer_id, [lines[0].line for lines in items.values()])
            shipped = await queries.shipped(part.rows)
            invoices = await queries.newest_invoices(part.rows)
            book = await term_book(session, owner.customer_id)
        day = local_day(self._context.clock())

        def summary(row: OrderRow) -> OrderSummary:
            key, terms = row.id, book.since(local_day(row.ordered_at), day)
            open_for = returning(row.delivery_status, shipped.get(key, []), terms.return_days, day)
            return to_order_summary(
                row,
                items.get(key, []),
                found,
                returnable=open_for is Returning.OPEN and Feature.RETURN in row.features,
                invoice_id=invoices.get(key, ""),
            )

        return OrderPage(
            items=[summary(row) for row in part.rows],
            page=part.place.page,
            pages=part.place.pages,
            total=part.place.total,
            years=years,
        )

    @override
    async def order(self, token: str, order_number: str) -> Order:
        async with self._sessions.reading(token) as (owner, session):
            if not is_order_number(order_number):
                raise NotFound
            queries = OrderQueries(session, owner.customer_id)
            row = await queries.get(order_number)
            lines = await queries.lines(row)
            found = await pictures_of_lines(session, owner.customer_id, [line.id for line, _ in lines])
            addresses = await queries.addresses(row)
            shipments = await queries.shipments(row)
            invoice_queries = InvoiceQueries(session, owner.customer_id)
            invoices = await invoice_queries.of_order(row)
            waiting = await invoice_queries.settled_by_returns()
            refunds = await queries.refunds(row)
            book = await term_book(session, owner.customer_id)
        terms = book.since(local_day(row.ordered_at), local_day(self._context.clock()))
        shipping = to_named_address(addresses[AddressRole.SHIPPING])
        billing = addresses.get(AddressRole.BILLING)
        return mapped(
            Order,
            row,
            ordered_at=row.ordered_at,
            order_date=local_day(row.ordered_at),
            scheduled=to_scheduled(row, row.delivery_status),
            shipments=[mapped(Shipment, shipment) for shipment in shipments],
            lines=[to_order_line(line, bike_id, found) for line, bike_id in lines],
            shipping_address=shipping,
            billing_address=to_named_address(billing) if billing else shipping,
            due=order_due(row),
            due_later=min(waiting.get(row.order_number, ZERO), max(order_due(row), ZERO)),
            refund=sum((amount for _, amount in refunds), ZERO),
            refund_id=refunds[-1][0] if refunds else "",
            return_days=terms.return_days,
            withdrawal_days=terms.withdrawal_days,
            invoices=[to_invoice(invoice, row, waiting) for invoice in invoices],
            delivery_date_open=row.delivery_status in BEFORE_HANDOVER and Feature.DELIVERY_DATE.value in row.features,
        )
