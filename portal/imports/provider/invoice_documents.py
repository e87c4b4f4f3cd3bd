"""The shop's own PDFs of invoices.

A PDF is stored and shown as it came, byte by byte: it is a tax document of the shop, and may hold an electronic invoice
for programs. Only the shop can send one.
"""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.store import in_thread, store_of
from portal.contract.models import LARGEST_IMPORT
from portal.imports.reasons import Reason
from portal.tables.imports import ImportedRow
from portal.tables.orders import InvoiceDocumentRow
from portal.vocabulary.rejections import Rejection

_KEY_BYTES = 24


class DocumentRefused(Exception):
    """A document was not stored."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.english)
        self.reason = reason


def read_document(folder: Path, name: str) -> bytes:
    """Read a file that a record names.

    Args:
        folder: the folder of the imported file. Files outside it are not read.
        name: the path of the PDF from there.

    Raises:
        DocumentRefused: it cannot be read.
    """
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise DocumentRefused(Reason(Rejection.OUTSIDE_FOLDER))
    try:
        with path.open("rb") as file:
            return file.read(LARGEST_IMPORT + 1)
    except OSError:
        raise DocumentRefused(Reason(Rejection.UNREADABLE)) from None


def check_document(content: bytes) -> None:
    """Check that a document is a whole PDF of a usual size.

    Raises:
        DocumentRefused: it is not.
    """
    if len(content) > LARGEST_IMPORT:
        raise DocumentRefused(Reason(Rejection.FILE_TOO_LARGE, {"most": LARGEST_IMPORT // 1024 // 1024}))
    if not content.startswith(b"%PDF-") or b"%%EOF" not in content[-2048:]:
        raise DocumentRefused(Reason(Rejection.NO_PDF))


async def store_document(context: Context, source: str, external_id: str, content: bytes, url: str = "") -> bool:
    """Store the PDF of an invoice, or replace it.

    Args:
        context: database, store and clock.
        source: the shop.
        external_id: id of the invoice at the shop; the invoice may come later.
        content: the PDF.
        url: where it was fetched; empty if it was sent.

    Returns:
        Whether it was stored; False if the same content was stored before.

    Raises:
        DocumentRefused: it is no PDF, or too large.
    """
    check_document(content)
    sha256 = hashlib.sha256(content).hexdigest()
    async with context.database.session() as session:
        stored = await find_document(session, source, external_id)
        if stored is not None and (stored.sha256, stored.url) == (sha256, url):
            return False
    key = secrets.token_hex(_KEY_BYTES)
    # The bytes first: a row never names a file that is not there. A file without a row is removed by the cleanup.
    incoming = IncomingFiles(context.settings.data_dir).place(key)
    await in_thread(_write, incoming, content)
    store = store_of(context.settings)
    await store.keep(key, incoming)
    async with context.database.transaction() as session:
        row = await find_document(session, source, external_id, lock=True)
        replaced = row.key if row else ""
        if row is None:
            row = InvoiceDocumentRow(
                source=source, external_id=external_id, key=key, sha256=sha256, received_at=context.clock()
            )
        row.key, row.sha256, row.url, row.received_at = key, sha256, url, context.clock()
        row.invoice_id = await imported_row(session, source, "invoices", external_id)
        session.add(row)
    if replaced:
        await store.remove(replaced)
    return True


async def connect_documents(session: AsyncSession, source: str, invoices: dict[str, int]) -> None:
    """Connect documents that came before their invoices.

    Args:
        session: session of the transaction that stores the invoices.
        source: the shop.
        invoices: primary keys of the new invoices, by their id at the shop.
    """
    query = select(InvoiceDocumentRow.external_id).where(
        InvoiceDocumentRow.source == source, col(InvoiceDocumentRow.external_id).in_(list(invoices))
    )
    for external_id in (await session.exec(query)).all():
        statement = update(InvoiceDocumentRow).where(
            col(InvoiceDocumentRow.source) == source, col(InvoiceDocumentRow.external_id) == external_id
        )
        await session.exec(statement.values(invoice_id=invoices[external_id]))


async def find_document(
    session: AsyncSession, source: str, external_id: str, *, lock: bool = False
) -> InvoiceDocumentRow | None:
    """The stored PDF of an invoice, as the shop names it; None if there is none."""
    query = select(InvoiceDocumentRow).where(
        InvoiceDocumentRow.source == source, InvoiceDocumentRow.external_id == external_id
    )
    return (await session.exec(query.with_for_update() if lock else query)).one_or_none()


async def stored_url(session: AsyncSession, source: str, external_id: str) -> str | None:
    """Where the stored PDF of an invoice was fetched; None if there is none."""
    row = await find_document(session, source, external_id)
    return None if row is None else row.url


async def imported_row(session: AsyncSession, source: str, kind: str, external_id: str) -> int | None:
    """The primary key of the row of a record; None if it has not come yet."""
    query = select(ImportedRow.row_id).where(
        ImportedRow.source == source, ImportedRow.kind == kind, ImportedRow.external_id == external_id
    )
    return (await session.exec(query)).one_or_none()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_bytes(content)
