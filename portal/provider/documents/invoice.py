"""An invoice as a PDF (part-1 §2 Documents)."""

from __future__ import annotations

from datetime import UTC, datetime, time

from portal.contract.base import Locale
from portal.provider.documents.engine import DocumentError, compile_pdf, in_thread
from portal.provider.documents.invoice_document import InvoiceDocument, InvoiceLine, VatPart
from portal.provider.documents.invoice_page import invoice_page, invoice_title
from portal.settings import Brand

__all__ = ["InvoiceDocument", "InvoiceLine", "VatPart", "invoice_pdf", "render_invoice"]


def invoice_pdf(document: InvoiceDocument, locale: Locale, brand: Brand) -> bytes:
    """The invoice as a tagged PDF. Blocks for some hundredths of a second; from async code use `render_invoice`.

    The same document gives the same bytes. Raises DocumentError.
    """
    try:
        page = invoice_page(document, locale, brand)
    except (ArithmeticError, KeyError, ValueError) as error:
        raise DocumentError("the invoice cannot be laid out") from error
    made = datetime.combine(document.invoice_date, time(12), UTC)
    title = invoice_title(document, locale, brand)
    return compile_pdf("invoice", page, locale, title, author=brand.name, created=made)


async def render_invoice(document: InvoiceDocument, locale: Locale, brand: Brand) -> bytes:
    """The invoice as a tagged PDF, made in a thread of the documents. Raises DocumentError."""
    return await in_thread(invoice_pdf, document, locale, brand)
