"""Files that belong to nothing any more go: what never arrived, what lost its draft, what a crash left behind."""

from __future__ import annotations

from portal.provider.context import Context
from portal.provider.files.arrival import Spool
from portal.provider.files.store import Store, store_of
from portal.provider.repositories.uploads import erase, forget_orphans, known_keys, removed

HOUR = 3600
PREVIEW = "-preview"
"""Behind the key of a photo: where its preview is."""
_AT_ONCE = 200


async def clean(context: Context, *, thoroughly: bool = False) -> None:
    """Delete what nobody will ask for.

    Args:
        context: the parts of the house.
        thoroughly: also look through the whole store for files without a row. Once a day is enough.
    """
    store = store_of(context.settings)
    async with context.database.transaction() as session:
        await forget_orphans(session, context.clock())
    while True:
        async with context.database.session() as session:
            rows = await removed(session, _AT_ONCE)
        for _, key in rows:
            await erase_stored(store, key)
        async with context.database.transaction() as session:
            await erase(session, [number for number, _ in rows])
        if len(rows) < _AT_ONCE:
            break
    await Spool(context.settings.data_dir).forget_old(HOUR)
    if thoroughly:
        await _sweep(context, store)


async def erase_stored(store: Store, key: str) -> None:
    """Delete a file and its preview."""
    await store.remove(key + PREVIEW)
    await store.remove(key)


async def _sweep(context: Context, store: Store) -> None:
    waiting: list[str] = []
    async for name in store.keys():
        waiting.append(name)
        if len(waiting) >= _AT_ONCE:
            await _remove_unknown(context, store, waiting)
            waiting = []
    await _remove_unknown(context, store, waiting)


async def _remove_unknown(context: Context, store: Store, names: list[str]) -> None:
    if not names:
        return
    async with context.database.session() as session:
        known = await known_keys(session, {name.removesuffix(PREVIEW) for name in names})
    for name in names:
        if name.removesuffix(PREVIEW) not in known:
            await store.remove(name)
