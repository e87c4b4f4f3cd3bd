"""Orders and their invoices."""

from __future__ import annotations

from typing import Protocol

from portal.contract.base import Document, Page
from portal.contract.errors import Unavailable
from portal.contract.operations import PDF, FileLocale, PageNumber, Refusal, Token, operation
from portal.contract.orders import InvoiceSummary, Order, OrderSummary
from portal.domain.codes import Code


class OrdersApi(Protocol):
    """What the customer ordered and paid."""

    @operation("GET", "/orders")
    async def orders(self, token: Token, page: PageNumber = 1) -> Page[OrderSummary]:
        """The customer's orders, newest first. A page beyond the last is the last."""
        ...

    @operation("GET", "/orders/{order_number}")
    async def order(self, token: Token, order_number: str) -> Order:
        """One order."""
        ...

    @operation("GET", "/invoices")
    async def invoices(self, token: Token, page: PageNumber = 1) -> Page[InvoiceSummary]:
        """The customer's invoices, newest first. A page beyond the last is the last."""
        ...

    @operation("GET", "/invoices/{invoice_id}/pdf", media=PDF, refuses=(Refusal(Unavailable, Code.PDF_FAILED),))
    async def invoice_pdf(self, token: Token, invoice_id: str, locale: FileLocale) -> Document:
        """One invoice as a PDF, in the given language."""
        ...
