"""Which picture an item has: by the article that its order line names, in its colour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import CUSTOMER
from portal.contract.models import Picture
from portal.pictures.rules import color_of, drawing_of
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
    """What is known of the pictures of order lines of a customer, by primary key.

    An article in the colour of the line counts; without one, another colour of the article tells its drawing only.
    """
    keys = sorted({line for line in lines if line is not None})
    if not keys:
        return {}
    found: dict[int, ArticlePicture] = {}
    best: dict[int, int] = {}
    rows: Any = await (await session.connection()).execute(_LINES, {"lines": keys, "customer_id": customer_id})
    for line, same_color, drawing, color_code, key, preview in rows:
        rank = (2 if key else 1) if same_color else 0
        if rank > best.get(line, -1):
            best[line] = rank
            found[line] = ArticlePicture(drawing, color_code, key, preview) if same_color else ArticlePicture(drawing)
    return found


async def pictures_of_articles(session: AsyncSession, articles: Iterable[ProductRow]) -> Mapping[int, ArticlePicture]:
    """The images of articles, by primary key."""
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
