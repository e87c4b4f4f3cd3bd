"""Reads images of products."""

from __future__ import annotations

from sqlmodel import col, select
from typing_extensions import override

from portal.backend.files.store import store_of
from portal.backend.service import Service
from portal.contract.errors import NotFound
from portal.contract.models import Document
from portal.contract.operations import ANY_FILE
from portal.pictures.api import ImageFormat, PicturesApi
from portal.pictures.provider.keeping import file_key
from portal.pictures.rules import KEY
from portal.tables.pictures import PictureRow


class PicturesService(Service, PicturesApi):
    """Operations on pictures."""

    @override
    async def picture_file(self, key: str, form: ImageFormat, width: int) -> Document:
        if not KEY.fullmatch(key):
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
