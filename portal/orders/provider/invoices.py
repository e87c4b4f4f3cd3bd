"""Invoices of the customer, in the list and on paper (part-1 §2 Account area, §3)."""

from __future__ import annotations

from decimal import Decimal

import structlog
from typing_extensions import override

from portal.contract.base import Document, Locale, Page
from portal.contract.errors import NotFound, Unavailable
from portal.contract.orders import InvoiceSummary
from portal.contract.orders_api import OrdersApi
from portal.domain.codes import Code
from portal.domain.dates import local_day
from portal.domain.identifiers import is_short_id
from portal.provider.documents import DocumentError, InvoiceDocument, InvoiceLine, render_invoice
from portal.provider.repositories.invoices import InvoiceRepository
from portal.provider.repositories.orders import OrderRepository
from portal.provider.services.order_mapping import to_named_address
from portal.provider.services.service import Service
from portal.provider.tables.columns import ZERO
from portal.provider.tables.invoices import InvoiceRow
from portal.provider.tables.orders import AddressRole
from portal.texts import gettext_for
from portal.vocabulary.orders import InvoiceStatus

log = structlog.get_logger(__name__)


class InvoiceService(Service, OrdersApi):
    """Operations on invoices."""

    @override
    async def invoices(self, token: str, page: int = 1) -> Page[InvoiceSummary]:
        async with self._sessions.reading(token) as (owner, session):
            repository = InvoiceRepository(session, owner.customer_id)
            part = await repository.part(page)
            numbers = await repository.order_numbers(part.rows)
        return Page(
            items=[to_invoice_summary(row, numbers[row.order_id]) for row in part.rows],
            page=part.place.page,
            pages=part.place.pages,
            total=part.place.total,
        )

    @override
    async def invoice_pdf(self, token: str, invoice_id: str, locale: Locale) -> Document:
        owner = await self._sessions.owner(token)
        if not is_short_id(invoice_id):
            raise NotFound
        document = await self._document(owner.customer_id, invoice_id)
        try:
            content = await render_invoice(document, locale, self._context.settings.brand)
        except DocumentError as error:
            log.error("invoice_not_made", invoice=invoice_id, kind=type(error.__cause__ or error).__name__)
            raise Unavailable(Code.PDF_FAILED) from error
        name = f"{gettext_for(locale)('Invoice').lower()}-{document.number}.pdf"
        return Document(name=name, media_type="application/pdf", content=content)

    async def _document(self, customer_id: int, invoice_id: str) -> InvoiceDocument:
        async with self._context.database.session() as session:
            repository = InvoiceRepository(session, customer_id)
            row = await repository.get(invoice_id)
            lines = await repository.lines(row)
            order = await repository.order(row)
            addresses = await OrderRepository(session, customer_id).addresses(order)
        shipping = to_named_address(addresses[AddressRole.SHIPPING])
        billing = addresses.get(AddressRole.BILLING)
        return InvoiceDocument(
            number=row.number,
            invoice_date=row.invoice_date,
            expire_date=row.expire_date,
            status=row.status,
            order_number=order.order_number,
            order_date=local_day(order.ordered_at),
            billing_address=to_named_address(billing) if billing else shipping,
            shipping_address=shipping,
            lines=[
                InvoiceLine(
                    name=line.name,
                    item_color=line.item_color,
                    frame_size=line.frame_size,
                    battery=line.battery,
                    quantity=line.quantity,
                    unit_price=line.unit_price,
                    price=line.price,
                    vat_rate=line.vat_rate,
                )
                for line in lines
            ],
            subtotal=row.subtotal,
            discount=row.discount,
            shipping_costs=row.shipping_costs,
            service_costs=row.service_costs,
            insurance_costs=row.insurance_costs,
            total=row.total,
            paid=row.paid,
            due=amount_due(row),
            payment_method=order.payment_method,
        )


def to_invoice_summary(row: InvoiceRow, order_number: str) -> InvoiceSummary:
    """An invoice in a list."""
    return InvoiceSummary(
        invoice_id=row.public_id,
        number=row.number,
        order_number=order_number,
        invoice_date=row.invoice_date,
        expire_date=row.expire_date,
        status=row.status,
        total=row.total,
        due=amount_due(row),
    )


def amount_due(row: InvoiceRow) -> Decimal:
    """What is still to be paid; nothing on a cancelled invoice."""
    return ZERO if row.status is InvoiceStatus.CANCELLED else row.total - row.paid
