"""The cleanup of files that no draft and no request needs any more."""

from __future__ import annotations

from portal.backend.context import Context
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.store import Store, store_of
from portal.flow.provider.queries import delete_uploads, known_keys, remove_orphans, removed_files

PREVIEW = "-preview"
"""Suffix of the key in the store under which the preview of a photo is stored."""

_INCOMING_SECONDS = 3600
"""Age after which an incomplete file on disk is deleted."""

_BATCH_SIZE = 200


async def clean_files(context: Context, *, whole_store: bool = False) -> None:
    """Delete orphaned and removed files with their rows.

    Args:
        context: the application.
        whole_store: also delete files of the store that have no row. Once a day is enough.
    """
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
    if whole_store:
        await _delete_all_unknown(context, store)


async def delete_stored(store: Store, key: str) -> None:
    """Delete a file and its preview from the store."""
    await store.remove(key + PREVIEW)
    await store.remove(key)


async def _delete_all_unknown(context: Context, store: Store) -> None:
    batch: list[str] = []
    async for name in store.keys():
        batch.append(name)
        if len(batch) >= _BATCH_SIZE:
            await _delete_unknown(context, store, batch)
            batch = []
    await _delete_unknown(context, store, batch)


async def _delete_unknown(context: Context, store: Store, names: list[str]) -> None:
    if not names:
        return
    async with context.database.session() as session:
        known = await known_keys(session, {_key(name) for name in names})
    for name in names:
        if _key(name) not in known:
            await store.remove(name)


def _key(name: str) -> str:
    """The key in a file name; derived files are named `KEY-…`."""
    return name.partition("-")[0]
