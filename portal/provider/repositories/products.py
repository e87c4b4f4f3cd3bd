"""Queries on the articles of the shop; they belong to no customer."""

from __future__ import annotations

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.tables.products import ProductRow

MOST = 60
"""Articles that are offered at once."""


async def on_sale(session: AsyncSession) -> list[ProductRow]:
    """What can be had, bikes first, then by name."""
    query = (
        select(ProductRow)
        .where(col(ProductRow.on_sale).is_(True))
        .order_by(col(ProductRow.kind) == "accessory", col(ProductRow.name), col(ProductRow.id))
        .limit(MOST)
    )
    return list(await session.exec(query))


async def take(session: AsyncSession, public_id: str) -> ProductRow | None:
    """Promise one of an article, in one statement; none when it is gone."""
    statement = (
        update(ProductRow)
        .where(col(ProductRow.public_id) == public_id, col(ProductRow.on_sale).is_(True), col(ProductRow.stock) > 0)
        .values(stock=ProductRow.stock - 1)
        .returning(ProductRow)
    )
    return (await session.exec(statement)).scalars().first()


async def put_back(session: AsyncSession, public_id: str) -> None:
    """Take a promise back."""
    await session.exec(
        update(ProductRow).where(col(ProductRow.public_id) == public_id).values(stock=ProductRow.stock + 1)
    )
