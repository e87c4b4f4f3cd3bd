"""Articles that the demonstration has in exchange: every bike in each colour, and accessories."""

from __future__ import annotations

from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.demo.catalogue import ACCESSORIES, BIKES, Product
from portal.provider.demo.numbers import number_from, stable_id
from portal.provider.tables.products import ProductRow


def articles() -> list[ProductRow]:
    """All articles."""
    rows = []
    for product in (*BIKES, *ACCESSORIES):
        for color in product.colors or (None,):
            size = product.sizes[min(1, len(product.sizes) - 1)] if product.sizes else ""
            rows.append(_article(product, color.name if color else "", color.code if color else "", size))
    return rows


def _article(product: Product, color: str, code: str, size: str) -> ProductRow:
    sold_out = product.sku == "DRK-3" and color == "Zandbeige"
    return ProductRow(
        public_id=stable_id("article", product.sku, color),
        sku=product.sku,
        name=product.name,
        kind=product.kind,
        item_color=color,
        color_code=code or "#5b6770",
        frame_size=size,
        battery=product.engine.battery if product.engine else product.battery,
        price=product.price,
        stock=0 if sold_out else 2 + number_from("stock", product.sku, color) % 9,
    )


async def complete_articles(session: AsyncSession) -> None:
    """Add articles that a shop loaded by an earlier version lacks."""
    stored = set(await session.exec(select(ProductRow.public_id)))
    session.add_all(row for row in articles() if row.public_id not in stored)
