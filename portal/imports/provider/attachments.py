"""Files that records name by a path or an address: PDFs of invoices, and images of products."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.contract.models import LARGEST_IMPORT
from portal.imports.provider import invoice_documents, product_pictures

Store = Callable[[Context, str, str, bytes, str], Awaitable[bool]]
"""Stores a file for a shop and a record, with the address where it was fetched; says whether it is another one."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """What a kind of record names.

    Attributes:
        kind: of the records.
        field: that names the file.
        largest: bytes.
        check: raises `DocumentRefused` for a file that is none of these; blocks.
        store: keeps a file.
        stored_url: where the stored file was fetched; None if none is stored.
        connect: connects files that came before the rows of their records.
    """

    kind: str
    field: str
    largest: int
    check: Callable[[bytes], None]
    store: Store
    stored_url: Callable[[AsyncSession, str, str], Awaitable[str | None]]
    connect: Callable[[AsyncSession, str, dict[str, int]], Awaitable[None]]


_ALL = (
    Attachment(
        "invoices",
        "document",
        LARGEST_IMPORT,
        invoice_documents.check_document,
        invoice_documents.store_document,
        invoice_documents.stored_url,
        invoice_documents.connect_documents,
    ),
    Attachment(
        "products",
        "image",
        product_pictures.LARGEST,
        product_pictures.check_picture,
        product_pictures.store_picture,
        product_pictures.stored_url,
        product_pictures.connect_pictures,
    ),
)

ATTACHMENTS: dict[str, Attachment] = {entry.kind: entry for entry in _ALL}
"""By the kind of the record."""
