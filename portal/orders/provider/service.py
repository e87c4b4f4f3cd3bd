"""Operations on orders (part-1 §2 Account area, §3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from typing_extensions import override

from portal.backend.security import reader
from portal.backend.shops import term_book
from portal.contract.errors import NotFound
from portal.contract.models import mapped
from portal.kernel.days import local_day
from portal.kernel.validation import is_order_number
from portal.orders.api import Adjustment, Order, OrderPage, OrderSelection, OrderSummary, Shipment
from portal.orders.provider.invoices import InvoiceQueries, InvoiceService, to_invoice
from portal.orders.provider.money import adds_up, open_amount, refunded_in_full
from portal.orders.provider.queries import OrderQueries, to_named_address, to_order_line, to_order_summary, to_scheduled
from portal.orders.rules import (
    Returning,
    can_withdraw,
    contents_known,
    order_return_until,
    returning,
    withdrawal_until,
)
from portal.pictures.provider.lookup import pictures_of_lines
from portal.tables.columns import ZERO, in_language
from portal.tables.orders import AddressRole, OrderLineRow, OrderRow
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import ARRIVED, BEFORE_HANDOVER, DeliveryStatus


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
        now = self._context.clock()
        async with self._sessions.reading(token) as (owner, session):
            queries = OrderQueries(session, owner.customer_id)
            part = await queries.part(page, text=text, year=year, selection=selection)
            items = await queries.items(part.rows)
            years = await queries.years()
            found = await pictures_of_lines(session, owner.customer_id, [lines[0].line for lines in items.values()])
            parts = await queries.journeys(part.rows, now)
            invoices = await queries.newest_invoices(part.rows)
            book = await term_book(session, owner.customer_id)
        day = local_day(now)

        def summary(row: OrderRow) -> OrderSummary:
            key, terms = row.id, book.since(local_day(row.ordered_at), day)
            refunded = refunded_in_full(row)
            open_for = returning(row.delivery_status, parts[key], terms.return_days, day, refunded=refunded)
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
            now = self._context.clock()
            queries = OrderQueries(session, owner.customer_id)
            row = await queries.get(order_number)
            lines = await queries.lines(row)
            found = await pictures_of_lines(session, owner.customer_id, [line.id for line, _ in lines])
            addresses = await queries.addresses(row)
            shipments = await queries.shipments(row)
            contents = contents_known([entry.id for entry in shipments], await queries.contents(row))
            parts = (await queries.journeys([row], now))[row.id]
            invoice_queries = InvoiceQueries(session, owner.customer_id)
            invoices = await invoice_queries.of_order(row)
            waiting = await invoice_queries.settled_by_returns()
            refunds = await queries.refunds(row)
            book = await term_book(session, owner.customer_id)
        day, refunded = local_day(now), refunded_in_full(row)
        terms = book.since(local_day(row.ordered_at), day)
        until = withdrawal_until((part.delivered_at for part in parts), terms.withdrawal_days)
        until = until if row.delivery_status in ARRIVED else None
        over = refunded or row.delivery_status is DeliveryStatus.ORDER_CANCELLED
        shipping = to_named_address(addresses[AddressRole.SHIPPING])
        billing = addresses.get(AddressRole.BILLING)
        return mapped(
            Order,
            row,
            ordered_at=row.ordered_at,
            order_date=local_day(row.ordered_at),
            scheduled=to_scheduled(row, row.delivery_status),
            shipments=[
                mapped(Shipment, entry, contents=_part(contents.get(entry.id, {}), [line for line, _ in lines]))
                for entry in shipments
            ],
            lines=[to_order_line(line, bike_id, found) for line, bike_id in lines],
            shipping_address=shipping,
            billing_address=to_named_address(billing) if billing else shipping,
            adjustments=[
                Adjustment(name=in_language(entry["name"], entry["name_en"], reader()), amount=Decimal(entry["amount"]))
                for entry in row.adjustments
            ],
            adds_up=adds_up(row),
            due=open_amount(row),
            due_later=min(waiting.get(row.order_number, ZERO), max(open_amount(row), ZERO)),
            refund=sum((amount for _, amount in refunds), ZERO),
            refund_id=refunds[-1][0] if refunds else "",
            return_days=terms.return_days,
            withdrawal_days=terms.withdrawal_days,
            returning=returning(row.delivery_status, parts, terms.return_days, day, refunded=refunded),
            return_until=order_return_until((part.shipped_at for part in parts), terms.return_days),
            withdraw_until=until,
            withdrawable=not over and can_withdraw(until, row.ordered_at, day),
            invoices=[to_invoice(invoice, row, waiting) for invoice in invoices],
            delivery_date_open=row.delivery_status in BEFORE_HANDOVER and Feature.DELIVERY_DATE.value in row.features,
        )


def _part(inside: Mapping[int, int], lines: Sequence[OrderLineRow]) -> str:
    """The items in a parcel; empty if these are all of the order."""
    if all(inside.get(line.id, 0) >= line.quantity - line.returned for line in lines):
        return ""
    names = ((inside.get(line.id, 0), line.name_in(reader())) for line in lines)
    return ", ".join(f"{count} × {name}" if count > 1 else name for count, name in names if count)
