"""Images of products, as the shop sends them."""

from __future__ import annotations

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.files.store import in_thread
from portal.imports.provider.invoice_documents import DocumentRefused, imported_row
from portal.imports.reasons import Reason
from portal.pictures.provider.images import LARGEST, MOST_PIXELS, NoImage, TooLarge, TooManyPixels, check_image
from portal.pictures.provider.keeping import keep_picture
from portal.tables.pictures import ProductPictureRow
from portal.vocabulary.rejections import Rejection

__all__ = ["LARGEST", "check_picture", "connect_pictures", "store_picture", "stored_url"]


def check_picture(content: bytes) -> None:
    """Check that a file is a whole image of a usual size. Blocks.

    Raises:
        DocumentRefused: it is not.
    """
    try:
        check_image(content)
    except TooLarge:
        raise DocumentRefused(Reason(Rejection.FILE_TOO_LARGE, {"most": LARGEST // 1024 // 1024})) from None
    except TooManyPixels:
        raise DocumentRefused(Reason(Rejection.TOO_MANY_PIXELS, {"most": MOST_PIXELS // 1_000_000})) from None
    except NoImage:
        raise DocumentRefused(Reason(Rejection.NO_IMAGE)) from None


async def store_picture(context: Context, source: str, external_id: str, content: bytes, url: str = "") -> bool:
    """Store the image of a product, or replace it.

    Args:
        context: database, store and clock.
        source: the shop.
        external_id: id of the product at the shop; the product may come later.
        content: the image.
        url: where it was fetched; empty if it was sent.

    Returns:
        Whether it was stored; False if the product had this image before.

    Raises:
        DocumentRefused: it is no image, or too large.
    """
    await in_thread(check_picture, content)
    picture = await keep_picture(context, content)
    async with context.database.transaction() as session:
        row = await _link(session, source, external_id, lock=True)
        if row is not None and (row.picture_id, row.url) == (picture, url):
            return False
        if row is None:
            row = ProductPictureRow(
                source=source, external_id=external_id, picture_id=picture, received_at=context.clock()
            )
        row.picture_id, row.url, row.received_at = picture, url, context.clock()
        row.product_id = await imported_row(session, source, "products", external_id)
        session.add(row)
    return True


async def connect_pictures(session: AsyncSession, source: str, products: dict[str, int]) -> None:
    """Connect images that came before their products.

    Args:
        session: session of the transaction that stores the products.
        source: the shop.
        products: primary keys of the new products, by their id at the shop.
    """
    known = select(ProductPictureRow.external_id).where(
        ProductPictureRow.source == source, col(ProductPictureRow.external_id).in_(list(products))
    )
    for external_id in (await session.exec(known)).all():
        statement = update(ProductPictureRow).where(
            col(ProductPictureRow.source) == source, col(ProductPictureRow.external_id) == external_id
        )
        await session.exec(statement.values(product_id=products[external_id]))


async def stored_url(session: AsyncSession, source: str, external_id: str) -> str | None:
    """Where the stored image of a product was fetched; None if it has none."""
    row = await _link(session, source, external_id)
    return None if row is None else row.url


async def _link(
    session: AsyncSession, source: str, external_id: str, *, lock: bool = False
) -> ProductPictureRow | None:
    query = select(ProductPictureRow).where(
        ProductPictureRow.source == source, ProductPictureRow.external_id == external_id
    )
    return (await session.exec(query.with_for_update() if lock else query)).one_or_none()
