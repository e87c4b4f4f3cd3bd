"""Files that a record names by an https address: a job fetches them from the shop.

A shop that does not answer is asked again for a day. What cannot succeed, such as a private address or a file that is
no PDF or no image, ends at once. In both cases the record is kept as rejected, with the reason, and can be sent again.
"""

from __future__ import annotations

from datetime import timedelta

import structlog
from sqlmodel import col, select

from portal.backend.context import Context
from portal.backend.outgoing import AddressRefused, Fetched, checked_url, fetch
from portal.imports.provider.attachments import ATTACHMENTS, Attachment
from portal.imports.provider.record_files import DocumentRefused
from portal.imports.provider.rejections import keep_rejected
from portal.imports.provider.report import problem
from portal.imports.rules.reading import Values
from portal.imports.rules.reasons import Reason
from portal.settings import Settings
from portal.tables.exchange import DocumentOrderRow
from portal.vocabulary.exchange import Rejection

log = structlog.get_logger(__name__)

JOB = "invoice_document"
"""Kind of the job that fetches a file; its reference is the primary key of the `DocumentOrderRow`."""

RETRY_FOR = timedelta(days=1)
"""How long a shop that does not answer is asked again."""

_JOB_LIVES = 2 * RETRY_FOR

_SECONDS = 30
"""Longest duration of one attempt."""

_TOO_EARLY, _TOO_MANY, _TIMEOUT = 425, 429, 408


class FetchFailed(Exception):
    """The shop did not answer; the job tries again."""


def check_address(settings: Settings, url: str) -> None:
    """Check an address as far as its text tells; the job checks where it leads."""
    try:
        checked_url(url, anywhere=settings.demonstration)
    except AddressRefused:
        raise DocumentRefused(Reason(Rejection.ADDRESS_REFUSED)) from None


async def order_file(
    context: Context, attached: Attachment, source: str, external_id: str, url: str, record: Values
) -> None:
    """Ask for the file of a record, unless it was fetched from this address before."""
    now = context.clock()
    async with context.database.transaction() as session:
        if await attached.files.url(session, source, external_id) == url:
            return
        query = select(DocumentOrderRow).where(
            DocumentOrderRow.source == source,
            DocumentOrderRow.kind == attached.kind,
            DocumentOrderRow.external_id == external_id,
        )
        row = (await session.exec(query.with_for_update())).one_or_none()
        if row is not None and row.url == url and now < row.asked_at + _JOB_LIVES:
            row.record = record
            return
        if row is not None:
            # The job of a deleted order ends.
            await session.delete(row)
            await session.flush()
        row = DocumentOrderRow(
            source=source, kind=attached.kind, external_id=external_id, url=url, record=record, asked_at=now
        )
        session.add(row)
        await session.flush()
        await context.jobs.enqueue(session, JOB, row.id, give_up_at=now + _JOB_LIVES)


class DocumentFetching:
    """Runs the job."""

    def __init__(self, context: Context) -> None:
        """Use the settings, database and clock of the context."""
        self._context = context

    async def fetch(self, number: int) -> None:
        """Fetch a file and store it, or keep its record as rejected."""
        async with self._context.database.session() as session:
            row = await session.get(DocumentOrderRow, number)
        if row is None:
            return
        attached = ATTACHMENTS[row.kind]
        found = await fetch(
            row.url, seconds=_SECONDS, largest=attached.largest, anywhere=self._context.settings.demonstration
        )
        reason = _problem(found)
        if reason is None:
            try:
                await attached.store(self._context, row.source, row.external_id, found.content, row.url)
            except DocumentRefused as refused:
                reason = refused.reason
        elif _may_succeed(found) and self._context.clock() < row.asked_at + RETRY_FOR:
            log.warning("file of a record not fetched", kind=row.kind, source=row.source, reason=found.problem)
            raise FetchFailed(reason.english)
        await self._finish(row, reason)

    async def _finish(self, fetched: DocumentOrderRow, reason: Reason | None) -> None:
        """Delete the order, and keep the record as rejected if there is a problem."""
        async with self._context.database.transaction() as session:
            query = select(DocumentOrderRow).where(col(DocumentOrderRow.id) == fetched.id).with_for_update()
            row = (await session.exec(query)).one_or_none()
            if row is None:
                return
            if reason:
                log.error("file of a record given up", kind=row.kind, source=row.source, reason=reason.english)
                told = problem(0, row.external_id, ATTACHMENTS[row.kind].field, reason)
                await keep_rejected(session, row.source, row.kind, told, row.record, self._context.clock())
            await session.delete(row)


def _problem(found: Fetched) -> Reason | None:
    """Why there is no file; None if there is one."""
    if found.refused:
        return Reason(Rejection.ADDRESS_REFUSED)
    if found.status is None:
        return Reason(Rejection.SHOP_SILENT)
    return None if found.status == 200 else Reason(Rejection.SHOP_ANSWERED, {"status": found.status})


def _may_succeed(found: Fetched) -> bool:
    """Whether another attempt may bring the file."""
    if found.refused:
        return False
    return found.status is None or found.status >= 500 or found.status in {_TOO_EARLY, _TOO_MANY, _TIMEOUT}
