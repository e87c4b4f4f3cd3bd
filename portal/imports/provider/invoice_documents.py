"""The shop's own PDFs of invoices.

A PDF is stored and shown as it came, byte by byte: it is a tax document of the shop, and may hold an electronic invoice
for programs. Only the shop can send one. It passes the inspection of customers' files all the same: somebody may have
taken over the shop's web server.
"""

from __future__ import annotations

import hashlib
import secrets

from portal.backend.context import Context
from portal.backend.files.checks import BadFile
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.inspection import judge_document
from portal.backend.files.store import store_of
from portal.contract.models import LARGEST_IMPORT
from portal.imports.provider.record_files import DocumentRefused, RecordFiles
from portal.imports.rules.reasons import Reason
from portal.kernel.codes import Code
from portal.tables.orders import InvoiceDocumentRow
from portal.vocabulary.exchange import Rejection

_KEY_BYTES = 24

DOCUMENTS = RecordFiles("invoices", InvoiceDocumentRow, "invoice_id")
"""The PDFs, by invoice."""


async def check_document(context: Context, content: bytes) -> None:
    """Check that a document is a whole PDF of a usual size, in which no program hides."""
    if len(content) > LARGEST_IMPORT:
        raise DocumentRefused(Reason(Rejection.FILE_TOO_LARGE, {"most": LARGEST_IMPORT // 1024 // 1024}))
    try:
        await judge_document(await IncomingFiles(context.settings.data_dir).write(content))
    except BadFile as refused:
        protected = refused.code is Code.FILE_PROTECTED
        raise DocumentRefused(Reason(Rejection.ACTIVE_PDF if protected else Rejection.NO_PDF)) from None


async def store_document(context: Context, source: str, external_id: str, content: bytes, url: str = "") -> bool:
    """Store the PDF of an invoice, or replace it."""
    sha256 = hashlib.sha256(content).hexdigest()
    async with context.database.session() as session:
        stored = await DOCUMENTS.find(session, source, external_id)
        if stored is not None and (stored.sha256, stored.url) == (sha256, url):
            return False
    await check_document(context, content)
    key = secrets.token_hex(_KEY_BYTES)
    # The bytes first: a row never names a file that is not there. A file without a row is removed by the cleanup.
    store = store_of(context.settings)
    await store.keep(key, await IncomingFiles(context.settings.data_dir).write(content, key))
    async with context.database.transaction() as session:
        row = await DOCUMENTS.find(session, source, external_id, lock=True)
        replaced = row.key if row else ""
        await DOCUMENTS.keep(session, row, source, external_id, url, context.clock(), key=key, sha256=sha256)
    if replaced:
        await store.remove(replaced)
    return True
