"""What became of imports: a row each, and the job of an import that staff sent from a page."""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import jobs
from portal.backend.context import Context
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.store import Store, in_thread, store_of
from portal.imports.api import KEPT
from portal.imports.provider.importer import Importer
from portal.imports.provider.report import Report
from portal.imports.rules.files import records_of
from portal.imports.rules.reasons import Reason, WrongFile
from portal.tables.exchange import ImportRunRow
from portal.vocabulary.exchange import ImportForm, ImportState, ImportWay, Rejection

log = structlog.get_logger(__name__)

JOB = "import"
"""Kind of the job that imports a file of a page."""

RETRY_FOR = timedelta(days=1)


async def finished(
    context: Context,
    source: str,
    kind: str,
    report: Report,
    began: datetime,
    *,
    form: ImportForm = ImportForm.OWN,
    way: ImportWay = ImportWay.COMMAND_LINE,
    file: str = "",
) -> None:
    """Record an import that is over. Shops repeat calls of the API: one that changed nothing is not recorded."""
    if way is ImportWay.API and report.unchanged == report.read:
        return
    row = ImportRunRow(
        source=source, kind=kind, form=form, way=way, file=file[:200], state=ImportState.RUNNING, began_at=began
    )
    _end(row, report, context.clock())
    row.key = await _keep_file(context, report)
    async with context.database.transaction() as session:
        session.add(row)


async def wait(session: AsyncSession, row: ImportRunRow, now: datetime) -> None:
    """Let an import of a page run as soon as a worker is free."""
    row.state = ImportState.WAITING
    await session.flush()
    await jobs.add(session, JOB, row.id, now, give_up_at=now + RETRY_FOR)


class ImportRuns:
    """Runs the job of an import. It may run twice: what was stored before is unchanged then."""

    def __init__(self, context: Context) -> None:
        """Use the database, the store and the clock of the context."""
        self._context = context
        self._store: Store = store_of(context.settings)

    async def run(self, run_id: int) -> None:
        """Import the file of a run, or send its rejected records again, and keep the report."""
        async with self._context.database.transaction() as session:
            row = await _found(session, run_id)
            if row is None:
                return
            row.state = ImportState.RUNNING
        report: Report | None = None
        failure: Reason | None = None
        importer = Importer(self._context, row.source, dry_run=row.dry_run)
        try:
            report = await self._import(importer, row)
        except FileNotFoundError:
            failure = Reason(Rejection.FILE_GONE)
        except WrongFile as error:
            failure = error.reason
        except OSError:
            failure = Reason(Rejection.UNREADABLE)
        key = await _keep_file(self._context, report) if report else ""
        async with self._context.database.transaction() as session:
            stored = await _found(session, run_id)
            if stored is not None:
                _end(stored, report, self._context.clock(), failure)
                stored.key = key
        if row.key:
            with suppress(OSError):  # The daily cleanup removes what is left over.
                await self._store.remove(row.key)

    async def _import(self, importer: Importer, row: ImportRunRow) -> Report:
        if row.form is ImportForm.AGAIN:
            return await importer.again(row.kind)
        with TemporaryDirectory(dir=self._context.settings.data_dir) as folder:
            path = Path(folder, f"import{Path(row.file).suffix.lower()}")
            file = await in_thread(path.open, "wb")
            try:
                async for piece in self._store.read(row.key):
                    await in_thread(file.write, piece)
            finally:
                file.close()
            return await importer.store(row.kind, records_of(row.kind, row.form, path), row.file)


async def _keep_file(context: Context, report: Report) -> str:
    """The key under which the store has the file of a report; empty if the row names all that the file would."""
    content = report.file(KEPT)
    if not content:
        return ""
    key = secrets.token_hex(16)
    try:
        await store_of(context.settings).keep(key, await IncomingFiles(context.settings.data_dir).write(content, key))
    except Exception:
        # The records are stored all the same.
        log.exception("report of an import not kept")
        return ""
    return key


def _end(row: ImportRunRow, report: Report | None, now: datetime, failure: Reason | None = None) -> None:
    named = [*report.problems[:KEPT], *report.records] if report else []
    row.problems = [line.model_dump() for line in named]
    row.counts = report.counts() if report else {}
    row.failure, row.failure_values = (failure.code, dict(failure.values)) if failure else ("", {})
    row.state = ImportState.FAILED if failure else ImportState.DONE
    row.ended_at = now


async def _found(session: AsyncSession, run_id: int) -> ImportRunRow | None:
    query = select(ImportRunRow).where(
        ImportRunRow.id == run_id, col(ImportRunRow.state).in_((ImportState.WAITING, ImportState.RUNNING))
    )
    return (await session.exec(query.with_for_update())).first()
