"""Which installation a file store belongs to: the same id is in the database and in the store.

Without it, a start beside another database would see files that no row names, and delete the files of a shop.
"""

from __future__ import annotations

import secrets

import structlog
from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.faults import CommandFailed
from portal.backend.files.store import Store, StoredName, store_of
from portal.flow.provider.cleanup import without_rows
from portal.tables.columns import insert_into
from portal.tables.exchange import InstallationRow

log = structlog.get_logger(__name__)
_SAMPLE = 1000
"""Files that are looked at to find out whether a store and a database belong together."""


class OtherInstallation(CommandFailed):
    """The file store belongs to another database; the message is one line that says what to do."""


async def check_owner(context: Context) -> None:
    """Check that the file store belongs to the database. Whichever has no id yet gets that of the other.

    A store with files gets an id only if the database has rows for them, as in an installation that is upgraded.

    Raises:
        OtherInstallation: they do not belong together. Nothing was changed.
    """
    store = store_of(context.settings)
    here, there = await _id_of(context), await store.owner()
    if here and here == there:
        return
    if (here and there) or not await _fits(context, store):
        raise OtherInstallation(
            f"the file store ({_place(context)}) and the database do not belong together; correct the setting of the "
            "one that is wrong, or join them with python -m portal.provider adopt-files; nothing was deleted"
        )
    await _join(context, store, here or there)


async def adopt(context: Context) -> tuple[int, int]:
    """Join the file store and the database, whatever they were joined with before.

    Returns:
        The number of files, and of those without a row, up to a limit.
    """
    store = store_of(context.settings)
    await _join(context, store, await _id_of(context) or await store.owner())
    return await _counted(context, store)


async def _join(context: Context, store: Store, installation: str) -> None:
    async with context.database.transaction() as session:
        # Another process may have written one in the same moment.
        values = {"number": 1, "installation": installation or secrets.token_hex(16)}
        await session.exec(insert_into(session.get_bind(), InstallationRow).values(**values).on_conflict_do_nothing())
        joined = await _stored(session)
    await store.set_owner(joined)
    log.info("file store and database joined", installation=joined)


async def _fits(context: Context, store: Store) -> bool:
    files, unknown = await _counted(context, store)
    return unknown <= files * context.settings.files.most_unknown_percent / 100


async def _counted(context: Context, store: Store) -> tuple[int, int]:
    sample: list[StoredName] = []
    async for file in store.names():
        sample.append(file)
        if len(sample) == _SAMPLE:
            break
    return len(sample), len(await without_rows(context, sample))


async def _id_of(context: Context) -> str:
    async with context.database.session() as session:
        return await _stored(session)


async def _stored(session: AsyncSession) -> str:
    return (await session.exec(select(InstallationRow.installation))).one_or_none() or ""


def _place(context: Context) -> str:
    files = context.settings.files
    return f"{files.bucket}/{files.prefix}" if files.store == "s3" else str(context.settings.data_dir / "files")
