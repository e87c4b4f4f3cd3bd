"""Documents on paper: designed, tagged PDF files in the customer's language."""

from __future__ import annotations

from portal.provider.documents.engine import DocumentError
from portal.provider.documents.invoice import InvoiceDocument, InvoiceLine, invoice_pdf, render_invoice

__all__ = ["DocumentError", "InvoiceDocument", "InvoiceLine", "invoice_pdf", "render_invoice"]
