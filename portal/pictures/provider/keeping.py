"""Images in the store: kept as they came, brought to size by a job, removed when no product has them."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.store import store_of
from portal.pictures.api import ImageFormat
from portal.pictures.provider.images import FILES, make_sizes
from portal.tables.bikes import PictureRow, ProductPictureRow

JOB = "picture_sizes"
"""Kind of the job that brings an image to size; its reference is the primary key of the `PictureRow`."""

_UNUSED_LIVES = timedelta(days=1)
_PATIENCE = timedelta(days=1)


def file_key(key: str, form: ImageFormat, width: int) -> str:
    return f"{key}-{form}-{width}"


def key_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


async def keep_picture(context: Context, content: bytes) -> int:
    """Store an image that was checked, and ask for its sizes. Returns the primary key of its row."""
    key = key_of(content)
    async with context.database.session() as session:
        known = await _row(session, key)
    if known is not None and known.id is not None:
        return known.id
    # The bytes first: a row never names a file that is not there. A file without a row is removed by the cleanup.
    await put(context, key, content)
    try:
        async with context.database.transaction() as session:
            row = PictureRow(key=key, created_at=context.clock())
            session.add(row)
            await session.flush()
            await context.jobs.enqueue(session, JOB, row.id, give_up_at=context.clock() + _PATIENCE)
            return row.id
    except IntegrityError:
        # Another import stored the same image meanwhile.
        async with context.database.session() as session:
            stored = await _row(session, key)
        if stored is None or stored.id is None:
            raise
        return stored.id


async def put(context: Context, key: str, content: bytes) -> None:
    await store_of(context.settings).keep(key, await IncomingFiles(context.settings.data_dir).write(content, key))


async def _row(session: AsyncSession, key: str) -> PictureRow | None:
    return (await session.exec(select(PictureRow).where(PictureRow.key == key))).one_or_none()


class PictureSizes:
    """Runs the job."""

    def __init__(self, context: Context) -> None:
        """Use the settings, database and clock of the context."""
        self._context = context

    async def make(self, number: int) -> None:
        """Make the sizes of an image; until then, its drawing is shown."""
        async with self._context.database.session() as session:
            row = await session.get(PictureRow, number)
        if row is None or row.ready:
            return
        store = store_of(self._context.settings)
        content = b"".join([piece async for piece in store.read(row.key)])
        made = await make_sizes(await IncomingFiles(self._context.settings.data_dir).write(content))
        for (form, width), file in made.files.items():
            await put(self._context, file_key(row.key, form, width), file)
        async with self._context.database.transaction() as session:
            stored = await session.get(PictureRow, number)
            if stored is not None:
                stored.preview, stored.ready = made.preview, True


async def clean_pictures(context: Context) -> None:
    """Delete images that no product has had for a day."""
    used = select(ProductPictureRow.id).where(ProductPictureRow.picture_id == PictureRow.id).exists()
    unused = select(PictureRow.id, PictureRow.key).where(
        ~used, col(PictureRow.created_at) < context.clock() - _UNUSED_LIVES
    )
    async with context.database.transaction() as session:
        found = (await session.exec(unused)).all()
        if found:
            await session.exec(delete(PictureRow).where(col(PictureRow.id).in_([number for number, _ in found]), ~used))
    store = store_of(context.settings)
    for _, key in found:
        for name in (key, *(file_key(key, form, width) for form, width in FILES)):
            await store.remove(name)
