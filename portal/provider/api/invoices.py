"""Invoices, and each as a PDF."""

from __future__ import annotations

import re
from urllib.parse import quote

from fastapi import APIRouter, Response

from portal.contract.base import Document, Locale, Page
from portal.contract.orders import InvoiceSummary
from portal.provider.api.access import PageNumber, Reference, Services, Token
from portal.provider.api.envelope import Answer, refusals

router = APIRouter(tags=["invoices"])


@router.get("/invoices", operation_id="invoices", summary="Invoices, newest first", responses=refusals(401, 422))
async def invoices(token: Token, provider: Services, page: PageNumber = 1) -> Answer[Page[InvoiceSummary]]:
    """Tell one page of the customer's invoices."""
    return Answer[Page[InvoiceSummary]](data=await provider.invoices(token, page))


@router.get(
    "/invoices/{invoice_id}/pdf",
    operation_id="invoice_pdf",
    summary="One invoice as a PDF",
    response_class=Response,
    responses={
        200: {
            "description": "The file.",
            "content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}},
        },
        **refusals(401, 404, 422),
    },
)
async def invoice_pdf(token: Token, invoice_id: Reference, provider: Services, locale: Locale = "nl") -> Response:
    """Send an invoice as a file."""
    return attachment(await provider.invoice_pdf(token, invoice_id, locale))


def attachment(document: Document) -> Response:
    """A file as a download."""
    return Response(
        document.content,
        media_type=document.media_type,
        headers={"Content-Disposition": content_disposition(document.name)},
    )


def content_disposition(name: str) -> str:
    """Name a download (RFC 6266): plain letters for old clients, the whole name beside it."""
    plain = re.sub(r"[^A-Za-z0-9 ._-]", "_", name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
