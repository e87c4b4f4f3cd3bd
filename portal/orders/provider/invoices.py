"""Invoices: queries, and the operations for the list and the PDF (part-1 §2 Account area, §3)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import structlog
from sqlalchemy import Date, bindparam, func, or_
from sqlalchemy import select as columns
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.database import CUSTOMER, Part, find_one, like, part_of
from portal.backend.files.store import store_of
from portal.backend.sessions import Service
from portal.contract.errors import NotFound, Unavailable
from portal.contract.models import Document, Locale, Picture, mapped
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import gettext_for
from portal.kernel.validation import is_short_id
from portal.orders.api import Invoice, InvoicePage, InvoiceSelection, InvoiceSummary, OrdersApi
from portal.orders.provider.invoice_document import InvoiceDocument, InvoiceLine, payment_of
from portal.orders.provider.invoice_pdf import render_invoice
from portal.orders.provider.money import OWED, open_amount
from portal.orders.provider.queries import OrderQueries, days_of, line_picture, to_named_address, years_of
from portal.pictures.provider.lookup import pictures_of_lines, printed
from portal.settings import Settings
from portal.tables.columns import ZERO
from portal.tables.orders import AddressRole, InvoiceDocumentRow, InvoiceLineRow, InvoiceRow, OrderLineRow, OrderRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import InvoiceStatus
from portal.vocabulary.returns import DONE, GIVES_BACK, NEVER_REQUESTED

_OWN = (
    select(InvoiceRow)
    .where(
        InvoiceRow.customer_id == CUSTOMER,
        col(InvoiceRow.invoice_date) >= bindparam("first", type_=Date),
        col(InvoiceRow.invoice_date) < bindparam("last", type_=Date),
    )
    .order_by(col(InvoiceRow.invoice_date).desc(), col(InvoiceRow.id).desc())
)
_FOUND = or_(
    func.lower(InvoiceRow.number).like(bindparam("pattern"), escape="\\"),
    col(InvoiceRow.order_id).in_(
        select(OrderRow.id).where(
            OrderRow.customer_id == CUSTOMER,
            func.lower(OrderRow.order_number).like(bindparam("pattern"), escape="\\"),
        )
    ),
)
_OWED = (
    select(OrderRow.id)
    .where(
        col(OrderRow.id) == InvoiceRow.order_id,
        OWED,
    )
    .correlate(InvoiceRow)
    .exists()
)
_UNPAID = (col(InvoiceRow.status) != InvoiceStatus.CANCELLED, col(InvoiceRow.total) > col(InvoiceRow.paid), _OWED)
_SELECTED = {
    InvoiceSelection.ALL: _OWN,
    InvoiceSelection.OPEN: _OWN.where(*_UNPAID),
}
_SEARCHED = {selection: query.where(_FOUND) for selection, query in _SELECTED.items()}


class InvoiceQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def part(
        self, page: int, *, text: str = "", year: int = 0, selection: InvoiceSelection = InvoiceSelection.ALL
    ) -> Part[InvoiceRow]:
        squeezed = "".join(text.split())
        first, last = days_of(year)
        values: dict[str, Any] = {"pattern": like(squeezed)} if squeezed else {}
        query = (_SEARCHED if squeezed else _SELECTED)[selection]
        return await part_of(
            self._session, query, page, customer_id=self._customer_id, first=first, last=last, **values
        )

    async def unpaid(self, most: int) -> Sequence[tuple[InvoiceRow, Decimal]]:
        """The invoices that are to be paid first, at most `most`, each with what is to be paid now.

        What an open return will settle does not have to be paid now.
        """
        query: Any = (
            columns(InvoiceRow, OrderRow)
            .join(OrderRow, col(OrderRow.id) == InvoiceRow.order_id)
            .where(col(InvoiceRow.customer_id) == self._customer_id, col(OrderRow.customer_id) == self._customer_id)
            .where(*_UNPAID)
            .order_by(col(InvoiceRow.expire_date), col(InvoiceRow.id))
            .limit(most)
        )
        found: Any = (await self._session.exec(query)).all()
        waiting = await self.settled_by_returns() if found else {}
        due = [(row, amount_due(row, order, waiting.get(order.order_number, ZERO))) for row, order in found]
        return [(row, amount) for row, amount in due if amount > ZERO]

    async def settled_by_returns(self) -> dict[str, Decimal]:
        """By order number, what the customer's open returns will settle of it."""
        query = select(ReturnRow.settlement).where(
            ReturnRow.customer_id == self._customer_id,
            col(ReturnRow.status).not_in(sorted(DONE | GIVES_BACK | NEVER_REQUESTED)),
        )
        found: dict[str, Decimal] = defaultdict(Decimal)
        for settlement in await self._session.exec(query):
            for line in settlement.get("lines", ()):
                if line["kind"] == "not_paid":
                    found[line["item"]] -= Decimal(line["amount"])
        return found

    async def years(self) -> list[int]:
        """The years from the newest invoice back to the oldest."""
        own = col(InvoiceRow.customer_id) == self._customer_id
        return await years_of(self._session, col(InvoiceRow.invoice_date), own)

    async def orders(self, invoices: Sequence[InvoiceRow]) -> dict[int, OrderRow]:
        query = select(OrderRow).where(
            OrderRow.customer_id == self._customer_id,
            col(OrderRow.id).in_({invoice.order_id for invoice in invoices}),
        )
        return {order.id: order for order in await self._session.exec(query)}

    async def of_order(self, order: OrderRow) -> Sequence[InvoiceRow]:
        query = self._own().where(InvoiceRow.order_id == order.id)
        return (await self._session.exec(query.order_by(col(InvoiceRow.invoice_date), col(InvoiceRow.id)))).all()

    async def get(self, public_id: str) -> InvoiceRow:
        return await find_one(self._session, self._own().where(InvoiceRow.public_id == public_id))

    async def order(self, invoice: InvoiceRow) -> OrderRow:
        query = select(OrderRow).where(OrderRow.customer_id == self._customer_id, OrderRow.id == invoice.order_id)
        return (await self._session.exec(query)).one()

    async def lines(self, invoice: InvoiceRow) -> Sequence[InvoiceLineRow]:
        own = select(InvoiceRow.id).where(InvoiceRow.customer_id == self._customer_id, InvoiceRow.id == invoice.id)
        query = select(InvoiceLineRow).where(col(InvoiceLineRow.invoice_id).in_(own))
        return (await self._session.exec(query.order_by(col(InvoiceLineRow.position)))).all()

    async def document_key(self, public_id: str) -> str | None:
        """The storage key of the shop's own PDF of an invoice; None if it sent none."""
        query = (
            select(InvoiceDocumentRow.key)
            .join(InvoiceRow, col(InvoiceRow.id) == col(InvoiceDocumentRow.invoice_id))
            .where(InvoiceRow.customer_id == self._customer_id, InvoiceRow.public_id == public_id)
        )
        return (await self._session.exec(query)).one_or_none()

    async def all(self) -> Sequence[InvoiceRow]:
        return (await self._session.exec(self._own().order_by(col(InvoiceRow.invoice_date), col(InvoiceRow.id)))).all()

    async def document(self, row: InvoiceRow) -> InvoiceDocument:
        lines = await self.lines(row)
        order = await self.order(row)
        due = to_invoice(row, order, await self.settled_by_returns())
        orders = OrderQueries(self._session, self._customer_id)
        addresses = await orders.addresses(order)
        pictures = await self._pictures([line for line, _ in await orders.lines(order)])
        shipping = to_named_address(addresses[AddressRole.SHIPPING])
        billing = addresses.get(AddressRole.BILLING)
        return mapped(
            InvoiceDocument,
            row,
            status=due.status,
            order_number=order.order_number,
            order_date=local_day(order.ordered_at),
            billing_address=to_named_address(billing) if billing else shipping,
            shipping_address=shipping,
            lines=[
                mapped(
                    InvoiceLine,
                    line,
                    picture=pictures.get(_article(line)) or pictures.get(line.name),
                )
                for line in lines
            ],
            service_package=order.service_package,
            due=due.due,
            due_later=due.due_later,
            payment_method=order.payment_method,
        )

    async def _pictures(self, lines: Sequence[OrderLineRow]) -> dict[object, Picture]:
        """The pictures of ordered items by article, and by name for a line of an invoice that tells no more."""
        found = await pictures_of_lines(self._session, self._customer_id, [line.id for line in lines])
        return {key: line_picture(line, found) for line in reversed(lines) for key in (line.name, _article(line))}

    def _own(self) -> Any:
        return select(InvoiceRow).where(InvoiceRow.customer_id == self._customer_id)


def _article(line: InvoiceLineRow | OrderLineRow) -> tuple[str, str, str]:
    return line.name, line.item_color, line.frame_size


log = structlog.get_logger(__name__)


class InvoiceService(Service, OrdersApi):
    @override
    async def invoices(
        self,
        token: str,
        page: int = 1,
        text: str = "",
        year: int = 0,
        selection: InvoiceSelection = InvoiceSelection.ALL,
    ) -> InvoicePage:
        async with self._sessions.reading(token) as (owner, session):
            queries = InvoiceQueries(session, owner.customer_id)
            part = await queries.part(page, text=text, year=year, selection=selection)
            orders = await queries.orders(part.rows)
            years = await queries.years()
            waiting = await queries.settled_by_returns()
        return InvoicePage(
            items=[to_invoice(row, orders[row.order_id], waiting) for row in part.rows],
            page=part.place.page,
            pages=part.place.pages,
            total=part.place.total,
            years=years,
        )

    @override
    async def invoice(self, token: str, invoice_id: str) -> Invoice:
        if not is_short_id(invoice_id):
            raise NotFound
        async with self._sessions.reading(token) as (owner, session):
            queries = InvoiceQueries(session, owner.customer_id)
            row = await queries.get(invoice_id)
            invoice = to_invoice(row, await queries.order(row), await queries.settled_by_returns())
        payment = payment_of(invoice.number, invoice.due, self._settings.of(owner.source).brand)
        return Invoice(**dict(invoice), payment=payment)

    @override
    async def invoice_pdf(self, token: str, invoice_id: str, locale: Locale) -> Document:
        owner = await self._sessions.owner(token)
        if not is_short_id(invoice_id):
            raise NotFound
        async with self._context.database.session() as session:
            queries = InvoiceQueries(session, owner.customer_id)
            document = await queries.document(await queries.get(invoice_id))
            key = await queries.document_key(invoice_id)
        try:
            content = await invoice_content(self._settings.of(owner.source), document, key, locale)
        except Exception as error:
            log.error("invoice_not_made", invoice=invoice_id, kind=type(error.__cause__ or error).__name__)
            raise Unavailable(Code.PDF_FAILED) from error
        return Document(name=invoice_file_name(document, locale), media_type="application/pdf", content=content)


async def invoice_content(settings: Settings, document: InvoiceDocument, key: str | None, locale: Locale) -> bytes:
    """The PDF of an invoice: the shop's own, or one that is drawn here.

    If the shop's own cannot be read, none is drawn instead: there must not be two invoices of one number.
    """
    if key is None:
        pictures = await printed(settings, [line.picture for line in document.lines])
        return await render_invoice(document, locale, settings.brand, pictures)
    return b"".join([piece async for piece in store_of(settings).read(key)])


def invoice_file_name(document: InvoiceDocument, locale: Locale) -> str:
    """The name of the file: "factuur-2026-00123.pdf"."""
    return f"{gettext_for(locale)('Invoice').lower()}-{document.number}.pdf"


def to_invoice(row: InvoiceRow, order: OrderRow, waiting: Mapping[str, Decimal]) -> InvoiceSummary:
    owed = amount_due(row, order)
    due = amount_due(row, order, waiting.get(order.order_number, ZERO))
    return mapped(
        InvoiceSummary,
        row,
        invoice_id=row.public_id,
        order_number=order.order_number,
        status=_status(row, order, owed),
        due=due,
        due_later=owed - due,
    )


def _status(row: InvoiceRow, order: OrderRow, due: Decimal) -> InvoiceStatus:
    """The status; of an invoice that is open in the books, but of which nothing is owed, why not."""
    if row.status not in (InvoiceStatus.OPEN, InvoiceStatus.UNPAID) or due > ZERO:
        return row.status
    cancelled = order.delivery_status is DeliveryStatus.ORDER_CANCELLED
    return InvoiceStatus.CANCELLED if cancelled else InvoiceStatus.PAID


def amount_due(row: InvoiceRow, order: OrderRow, waiting: Decimal = ZERO) -> Decimal:
    """The amount still to be paid: negative if too much was paid, 0 if the invoice is cancelled.

    It is never more than what is due for the order, less what open returns will settle of it (`waiting`): returns
    settle orders, not invoices.
    """
    if row.status is InvoiceStatus.CANCELLED:
        return ZERO
    due = row.total - row.paid
    return min(due, max(open_amount(order) - waiting, ZERO)) if due > ZERO else due
