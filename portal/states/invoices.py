"""The list of invoices, a page at a time (part-1 §2 Account area)."""

from typing import ClassVar

import reflex as rx

from portal.contract.base import Page
from portal.contract.orders import InvoiceSummary
from portal.contract.orders_api import OrdersApi
from portal.contract.registry import ask
from portal.states.page import COUNTS, Loadable, Paginated, Question, page_asked
from portal.states.views.orders import InvoiceRow, invoice_row


class Invoices(Loadable, Paginated, rx.State):
    """One page of the list, newest first.

    Attributes:
        rows: the invoices of this page.
    """

    _kept: ClassVar[tuple[str, ...]] = ("rows", *COUNTS)
    rows: rx.Field[list[InvoiceRow]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[InvoiceSummary]]:
        page = page_asked(self)
        return lambda token: ask(OrdersApi).invoices(token, page)

    def _show(self, part: Page[InvoiceSummary]) -> None:
        self.rows = [invoice_row(invoice) for invoice in part.items]
        self._count(part)
