"""Files that records name by a path or an address: PDFs of invoices, and images of products."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from portal.backend.context import Context
from portal.backend.files.checks import MAX_PIXELS, BadFile
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.inspection import redrawn
from portal.contract.models import LARGEST_IMPORT
from portal.imports.provider import invoice_documents
from portal.imports.provider.record_files import DocumentRefused, RecordFiles
from portal.imports.rules.reasons import Reason
from portal.kernel.codes import Code
from portal.pictures.provider.service import keep_picture
from portal.tables.bikes import ProductPictureRow
from portal.tables.orders import InvoiceDocumentRow
from portal.vocabulary.exchange import Rejection

LARGEST = 10 * 1024 * 1024
"""Bytes of an image."""

PICTURES = RecordFiles("products", ProductPictureRow, "product_id")
"""The images, by product."""


async def check_picture(context: Context, content: bytes) -> None:
    """Check that a file is a whole image of a usual size."""
    if len(content) > LARGEST:
        raise DocumentRefused(Reason(Rejection.FILE_TOO_LARGE, {"most": LARGEST // 1024 // 1024}))
    try:
        await redrawn(await IncomingFiles(context.settings.data_dir).write(content))
    except BadFile as refused:
        if refused.code is Code.FILE_TOO_DETAILED:
            raise DocumentRefused(Reason(Rejection.TOO_MANY_PIXELS, {"most": MAX_PIXELS // 1_000_000})) from None
        raise DocumentRefused(Reason(Rejection.NO_IMAGE)) from None


async def store_picture(context: Context, source: str, external_id: str, content: bytes, url: str = "") -> bool:
    """Store the image of a product, or replace it."""
    await check_picture(context, content)
    picture = await keep_picture(context, content)
    async with context.database.transaction() as session:
        row = await PICTURES.find(session, source, external_id, lock=True)
        if row is not None and (row.picture_id, row.url) == (picture, url):
            return False
        await PICTURES.keep(session, row, source, external_id, url, context.clock(), picture_id=picture)
    return True


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
    Attachment("image", LARGEST, check_picture, store_picture, PICTURES),
)

ATTACHMENTS: dict[str, Attachment] = {entry.kind: entry for entry in _ALL}
"""By the kind of the record."""
