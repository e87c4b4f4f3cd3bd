"""Queries on invoices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound
from portal.provider.repositories.paging import Part, part_of
from portal.provider.repositories.statements import CUSTOMER
from portal.provider.tables.invoices import InvoiceLineRow, InvoiceRow
from portal.provider.tables.orders import OrderRow

_NEWEST_FIRST = (
    select(InvoiceRow)
    .where(InvoiceRow.customer_id == CUSTOMER)
    .order_by(col(InvoiceRow.invoice_date).desc(), col(InvoiceRow.id).desc())
)


class InvoiceRepository:
    """The invoices of one customer."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def part(self, page: int) -> Part[InvoiceRow]:
        """A page of invoices, newest first."""
        return await part_of(self._session, _NEWEST_FIRST, page, customer_id=self._customer_id)

    async def order_numbers(self, invoices: Sequence[InvoiceRow]) -> dict[int, str]:
        """The number of the order of each of these invoices, by the key of the order."""
        query = select(OrderRow.id, OrderRow.order_number).where(
            OrderRow.customer_id == self._customer_id,
            col(OrderRow.id).in_({invoice.order_id for invoice in invoices}),
        )
        return {order_id: number for order_id, number in await self._session.exec(query) if order_id is not None}

    async def of_order(self, order: OrderRow) -> Sequence[InvoiceRow]:
        """The invoices of one order, oldest first."""
        query = self._own().where(InvoiceRow.order_id == order.id)
        return (await self._session.exec(query.order_by(col(InvoiceRow.invoice_date), col(InvoiceRow.id)))).all()

    async def get(self, public_id: str) -> InvoiceRow:
        """One invoice.

        Raises:
            NotFound: there is none with this id, or it is somebody else's.
        """
        row = (await self._session.exec(self._own().where(InvoiceRow.public_id == public_id))).one_or_none()
        if row is None:
            raise NotFound
        return row

    async def order(self, invoice: InvoiceRow) -> OrderRow:
        """The order an invoice is for."""
        query = select(OrderRow).where(OrderRow.customer_id == self._customer_id, OrderRow.id == invoice.order_id)
        return (await self._session.exec(query)).one()

    async def lines(self, invoice: InvoiceRow) -> Sequence[InvoiceLineRow]:
        """The lines of an invoice."""
        own = select(InvoiceRow.id).where(InvoiceRow.customer_id == self._customer_id, InvoiceRow.id == invoice.id)
        query = select(InvoiceLineRow).where(col(InvoiceLineRow.invoice_id).in_(own))
        return (await self._session.exec(query.order_by(col(InvoiceLineRow.position)))).all()

    def _own(self) -> Any:
        return select(InvoiceRow).where(InvoiceRow.customer_id == self._customer_id)
