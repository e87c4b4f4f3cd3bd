"""Reads images of products."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from sqlmodel import col, select
from typing_extensions import override

from portal.backend.files.store import in_thread, store_of
from portal.backend.sessions import Service
from portal.contract.errors import NotFound
from portal.contract.models import Document
from portal.contract.operations import ANY_FILE
from portal.illustrations import drawing as drawn
from portal.pictures.api import ImageFormat, PicturesApi
from portal.pictures.provider.images import png_of
from portal.pictures.provider.keeping import file_key
from portal.pictures.rules import KEY, MAIL_WIDTH, WIDTHS
from portal.tables.bikes import PictureRow

_SIZES = {("jpeg", str(MAIL_WIDTH)), *((form, str(width)) for form in ("avif", "webp") for width in WIDTHS)}
"""Formats and widths in which an image is kept."""


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
