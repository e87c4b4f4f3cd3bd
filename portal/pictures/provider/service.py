"""Images of products: stored, brought to size by a job, read, and removed when no product has them."""

import asyncio
import base64
import hashlib
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from pathlib import Path

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.files.checks import Version
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.inspection import redrawn
from portal.backend.files.store import in_thread, store_of
from portal.backend.sessions import Service
from portal.contract.errors import NotFound
from portal.contract.models import Document
from portal.contract.operations import ANY_FILE
from portal.illustrations import HEIGHT, WIDTH
from portal.illustrations import drawing as drawn
from portal.pictures.api import ImageFormat, PicturesApi
from portal.pictures.rules import KEY, MAIL_WIDTH, WIDTHS
from portal.tables.bikes import PictureRow, ProductPictureRow

FILES: tuple[tuple[ImageFormat, int], ...] = (
    *(("avif", width) for width in WIDTHS),
    *(("webp", width) for width in WIDTHS),
    ("jpeg", MAIL_WIDTH),
)
_OPTIONS: dict[ImageFormat, dict[str, int]] = {
    "avif": {"quality": 58, "speed": 7},
    "webp": {"quality": 76, "method": 4},
    "jpeg": {"quality": 80},
}
_PREVIEW = Version("WEBP", 16, {"quality": 40})


@dataclass(frozen=True, slots=True)
class Sizes:
    """An image in all sizes.

    `preview`: in a few pixels, as a `data:` address; empty if one can see through the image.
    """

    preview: str
    files: dict[tuple[ImageFormat, int], bytes]


async def make_sizes(path: Path) -> Sizes:
    """Bring an image to all sizes, without metadata. It is gone afterwards. A small one is not made larger."""
    versions = [Version(form.upper(), width, _OPTIONS[form]) for form, width in FILES]
    made = await redrawn(path, [*versions, _PREVIEW])
    *files, tiny = made.versions
    # It would be seen through the image.
    preview = "" if made.clear else f"data:image/webp;base64,{base64.b64encode(tiny).decode()}"
    return Sizes(preview, dict(zip(FILES, files, strict=True)))


_SHEET = """
#set page(width: {width}pt, height: {height}pt, margin: 0pt, fill: {fill})
#image(bytes(sys.inputs.svg), width: 100%)
"""


def png_of(svg: str, width: int, *, clear: bool = False) -> bytes:
    """A drawing as a PNG. Blocks."""
    import typst

    page = _SHEET.format(width=width, height=width * HEIGHT // WIDTH, fill="none" if clear else "white")
    try:
        content = typst.compile(page.encode(), format="png", ppi=72, sys_inputs={"svg": svg})
    except (RuntimeError, OSError) as error:
        raise ValueError("the drawing cannot be drawn") from error
    if not isinstance(content, bytes):
        raise ValueError("the drawing has several pages")  # noqa: TRY004 - wrong content, not a wrong type
    return content


JOB = "picture_sizes"
"""Kind of the job that brings an image to size; its reference is the primary key of the `PictureRow`."""

_UNUSED_LIVES = timedelta(days=1)
_GIVE_UP_AFTER = timedelta(days=1)


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
            await context.jobs.enqueue(session, JOB, row.id, give_up_at=context.clock() + _GIVE_UP_AFTER)
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
    def __init__(self, context: Context) -> None:
        self._context = context

    async def make(self, number: int) -> None:
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


_SIZES = {("jpeg", str(MAIL_WIDTH)), *((form, str(width)) for form in ("avif", "webp") for width in WIDTHS)}


class PicturesService(Service, PicturesApi):
    @override
    async def picture_file(self, key: str, form: ImageFormat, width: int) -> Document:
        # Over HTTP all parts of a path are text of any kind.
        if not KEY.fullmatch(key) or (form, str(width)) not in _SIZES:
            raise NotFound
        async with self._context.database.session() as session:
            query = select(PictureRow.id).where(PictureRow.key == key, col(PictureRow.ready))
            if (await session.exec(query)).one_or_none() is None:
                raise NotFound
        try:
            store = store_of(self._settings)
            content = b"".join([piece async for piece in store.read(file_key(key, form, width))])
        except FileNotFoundError:
            raise NotFound from None
        return Document(name=f"{key}.{form}", media_type=ANY_FILE.media_type, content=content)

    @override
    async def drawing_file(self, drawing: str, color: str) -> Document:
        # One at a time: whoever asks for many colours waits, and nobody else does.
        async with _drawing:
            content = await in_thread(_pixels, drawing, color)
        return Document(name=f"{drawing}.png", media_type=ANY_FILE.media_type, content=content)


_drawing = asyncio.Lock()


@lru_cache(maxsize=64)
def _pixels(name: str, color: str) -> bytes:
    try:
        return png_of(drawn(name, color), MAIL_WIDTH)
    except KeyError:
        raise NotFound from None
