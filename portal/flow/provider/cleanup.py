"""The cleanup of files that no draft and no request needs any more."""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any

import structlog
from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.backoffice import Departed
from portal.backend.context import Context
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.store import Store, StoredName, store_of
from portal.flow.provider.queries import delete_uploads, known_keys, remove_orphans, removed_files
from portal.tables.drafts import DraftRow
from portal.tables.orders import OrderLineRow, OrderRow

PREVIEW = "-preview"
"""Suffix of the key in the store under which the preview of a photo is stored."""

_INCOMING_SECONDS = 3600
"""Age after which an incomplete file on disk is deleted."""

_SETTLES = timedelta(hours=1)
"""Age from which a file without a row counts: some files are stored before their rows."""

_BATCH_SIZE = 200
TRASH_DAYS = 14
"""Days after which a file without a row is deleted from the trash."""

log = structlog.get_logger(__name__)


async def clean_files(context: Context) -> None:
    """Delete orphaned and removed files with their rows."""
    store = store_of(context.settings)
    async with context.database.transaction() as session:
        await remove_orphans(session, context.clock())
    while True:
        async with context.database.session() as session:
            rows = await removed_files(session, _BATCH_SIZE)
        for _, key in rows:
            await delete_stored(store, key)
        async with context.database.transaction() as session:
            await delete_uploads(session, [row_id for row_id, _ in rows])
        if len(rows) < _BATCH_SIZE:
            break
    await IncomingFiles(context.settings.data_dir).forget_old(_INCOMING_SECONDS)


async def delete_stored(store: Store, key: str) -> None:
    """Delete a file and its preview from the store."""
    await store.remove(key + PREVIEW)
    await store.remove(key)


async def compare_with_rows(context: Context) -> None:
    """Compare the whole store with the database. Once a day is enough.

    A file without a row goes to the trash, and leaves it after `TRASH_DAYS`; a row that is there again,
    as after the return of the right database, brings it back. Many files without a row are no leftovers but a sign of
    a wrong database: then every file stays where it is.
    """
    store, now = store_of(context.settings), context.clock()
    total, unknown = 0, list[str]()
    async for batch in _batches(store.names()):
        total += len(batch)
        unknown += [file.name for file in await without_rows(context, batch) if file.since < now - _SETTLES]
    if unknown and len(unknown) > total * context.settings.files.most_unknown_percent / 100:
        log.error("too many files without a row; none was moved", unknown=len(unknown), files=total)
    elif unknown:
        for name in unknown:
            await store.discard(name)
        log.warning("files without a row moved to the trash", moved=len(unknown), files=total)
    await _empty_trash(context, store)


async def without_rows(context: Context, files: Sequence[StoredName]) -> list[StoredName]:
    """The files that no row of the database names."""
    async with context.database.session() as session:
        known = await known_keys(session, {key_of(file.name) for file in files})
    return [file for file in files if key_of(file.name) not in known]


async def _empty_trash(context: Context, store: Store) -> None:
    kept_since = context.clock() - timedelta(days=TRASH_DAYS)
    erased = restored = 0
    async for batch in _batches(store.names(trash=True)):
        unknown = await without_rows(context, batch)
        for file in batch:
            if file not in unknown:
                await store.restore(file.name)
                restored += 1
            elif file.since < kept_since:
                await store.erase(file.name)
                erased += 1
    if erased or restored:
        log.info("trash of files looked through", erased=erased, restored=restored)


async def _batches(names: AsyncIterator[StoredName]) -> AsyncIterator[list[StoredName]]:
    batch: list[StoredName] = []
    async for name in names:
        batch.append(name)
        if len(batch) >= _BATCH_SIZE:
            yield batch
            batch = []
    if batch:
        yield batch


def key_of(name: str) -> str:
    """The key in a file name; derived files are named `KEY-…`."""
    return name.partition("-")[0]


async def remove_drafts(_context: Context, session: AsyncSession, departed: Departed) -> None:
    """Delete drafts about the bikes, about items of which none is left, and about an order of which nothing is."""
    subjects = {bike.public_id for bike in departed.bikes}
    whole = departed.order if departed.units is None else None
    lines = [bike.order_line_id for bike in departed.bikes if bike.order_line_id]
    query: Any = select(OrderLineRow, OrderRow.order_number).join(OrderRow, col(OrderRow.id) == OrderLineRow.order_id)
    own = col(OrderLineRow.order_id) == whole.id if whole else col(OrderLineRow.id).in_(lines)
    for line, number in (await session.exec(query.where(own))).all():
        if whole or line.quantity <= lines.count(line.id):
            subjects.add(f"{number}-{line.position}")
    if whole:
        subjects.add(whole.order_number)
    await session.exec(
        delete(DraftRow).where(
            col(DraftRow.customer_id) == departed.customer_id,
            col(DraftRow.subject).in_(subjects),
            col(DraftRow.sent_at).is_(None),
        )
    )
