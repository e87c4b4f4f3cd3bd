"""Files that records name by a path or an address: PDFs of invoices, and images of products."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from portal.backend.context import Context
from portal.contract.models import LARGEST_IMPORT
from portal.imports.provider import invoice_documents, product_pictures
from portal.imports.provider.record_files import RecordFiles
from portal.tables.bikes import ProductPictureRow
from portal.tables.orders import InvoiceDocumentRow

Store = Callable[[Context, str, str, bytes, str], Awaitable[bool]]
"""Stores a file for a shop and a record, with the address where it was fetched; says whether it is another one."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """What a kind of record names."""

    field: str
    largest: int
    check: Callable[[Context, bytes], Awaitable[None]]
    store: Store
    files: RecordFiles[InvoiceDocumentRow] | RecordFiles[ProductPictureRow]

    @property
    def kind(self) -> str:
        return self.files.kind


_ALL = (
    Attachment(
        "document",
        LARGEST_IMPORT,
        invoice_documents.check_document,
        invoice_documents.store_document,
        invoice_documents.DOCUMENTS,
    ),
    Attachment(
        "image",
        product_pictures.LARGEST,
        product_pictures.check_picture,
        product_pictures.store_picture,
        product_pictures.PICTURES,
    ),
)

ATTACHMENTS: dict[str, Attachment] = {entry.kind: entry for entry in _ALL}
"""By the kind of the record."""
