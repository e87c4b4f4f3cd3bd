"""Pictures of items in lists, mails and documents: by the article that the order line names, in its colour."""

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql
import structlog
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import CUSTOMER
from portal.backend.files.store import store_of
from portal.backend.pdf import Exact
from portal.contract.models import Picture
from portal.illustrations import HEIGHT, WIDTH, drawing
from portal.pictures.provider.service import file_key
from portal.pictures.rules import KEY, MAIL_WIDTH, color_of, drawing_address, drawing_of, known_drawing
from portal.settings import Settings
from portal.tables.bikes import PictureRow, ProductPictureRow
from portal.tables.orders import OrderLineRow, OrderRow, ProductRow
from portal.vocabulary.orders import ItemKind


@dataclass(frozen=True, slots=True)
class ArticlePicture:
    drawing: str = ""
    color_code: str = ""
    key: str = ""
    preview: str = ""


_NOTHING = ArticlePicture()
_LINES: Any = (
    sql.select(
        col(OrderLineRow.id),
        col(OrderLineRow.item_color) == col(ProductRow.item_color),
        col(ProductRow.drawing),
        col(ProductRow.color_code),
        sql.func.coalesce(col(PictureRow.key), ""),
        sql.func.coalesce(col(PictureRow.preview), ""),
    )
    .join(OrderRow, col(OrderRow.id) == col(OrderLineRow.order_id))
    .join(ProductRow, col(ProductRow.sku) == col(OrderLineRow.sku))
    .outerjoin(ProductPictureRow, col(ProductPictureRow.product_id) == col(ProductRow.id))
    .outerjoin(PictureRow, (col(PictureRow.id) == col(ProductPictureRow.picture_id)) & col(PictureRow.ready))
    .where(col(OrderLineRow.id).in_(sql.bindparam("lines", expanding=True)), col(OrderRow.customer_id) == CUSTOMER)
    .order_by(col(ProductRow.id))
)


async def pictures_of_lines(
    session: AsyncSession, customer_id: int, lines: Iterable[int | None]
) -> Mapping[int, ArticlePicture]:
    """What is known of the pictures of order lines of a customer, by primary key."""
    keys = sorted({line for line in lines if line is not None})
    if not keys:
        return {}
    found: dict[int, ArticlePicture] = {}
    best: dict[int, int] = {}
    rows: Any = await (await session.connection()).execute(_LINES, {"lines": keys, "customer_id": customer_id})
    for line, same_color, drawn, color_code, key, preview in rows:
        rank = (2 if key else 1) if same_color else 0
        if rank > best.get(line, -1):
            best[line] = rank
            found[line] = ArticlePicture(drawn, color_code, key, preview) if same_color else ArticlePicture(drawn)
    return found


async def pictures_of_articles(session: AsyncSession, articles: Iterable[ProductRow]) -> Mapping[int, ArticlePicture]:
    rows = {row.id: row for row in articles if row.id is not None}
    query: Any = (
        sql.select(col(ProductPictureRow.product_id), col(PictureRow.key), col(PictureRow.preview))
        .join(PictureRow, col(PictureRow.id) == col(ProductPictureRow.picture_id))
        .where(col(ProductPictureRow.product_id).in_(sorted(rows)), col(PictureRow.ready))
    )
    found: Any = await (await session.connection()).execute(query)
    images = {product: (key, preview) for product, key, preview in found}
    return {
        number: ArticlePicture(row.drawing, row.color_code, *images.get(number, ("", "")))
        for number, row in rows.items()
    }


def picture_of(found: ArticlePicture | None, kind: ItemKind, name: str, color_code: str = "") -> Picture:
    known = found or _NOTHING
    return Picture(
        drawing=drawing_of(kind, name, known.drawing),
        color=color_of(color_code or known.color_code),
        key=known.key,
        preview=known.preview,
    )


def mail_picture(picture: Picture, name: str, mark: str = "") -> dict[str, str]:
    if KEY.fullmatch(picture.key):
        path = f"/pictures/{picture.key}/{MAIL_WIDTH}.jpg"
    else:
        path = drawing_address(picture.drawing, picture.color).removesuffix(".svg") + ".png"
    return {"path": path, "name": name, "mark": mark}


log = structlog.get_logger(__name__)

MAX_PRINTED = 24
"""Different pictures in a document; the lines after them have none."""

_SHEET = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><image width="{WIDTH}" height="{HEIGHT}" '
    'href="data:image/jpeg;base64,{image}"/></svg>'
)


async def printed(settings: Settings, pictures: Sequence[Picture | None]) -> list[Exact]:
    """Each picture as an SVG: the drawing, or a sheet with the image of the shop. The same picture is the same text.

    A document does not fail for want of a picture: when the store does not give an image, its drawing is printed.
    """
    made: dict[Picture, Exact] = {}
    for picture in pictures:
        if picture is not None and picture not in made and len(made) < MAX_PRINTED:
            made[picture] = await _image(settings, picture.key) or Exact(_drawn(picture))
    return [made.get(picture, _NO_DRAWING) if picture else _NO_DRAWING for picture in pictures]


_NO_DRAWING = Exact()


def _drawn(picture: Picture) -> str:
    return drawing(known_drawing(picture.drawing), color_of(picture.color))


async def _image(settings: Settings, key: str) -> Exact | None:
    if not KEY.fullmatch(key):
        return None
    try:
        content = b"".join([piece async for piece in store_of(settings).read(file_key(key, "jpeg", MAIL_WIDTH))])
    except Exception as error:  # each file store has faults of its own
        log.warning("picture not printed", key=key, reason=type(error).__name__)
        return None
    return Exact(_SHEET.format(image=base64.b64encode(content).decode()))
