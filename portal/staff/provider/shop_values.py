"""What the shop says of a customer where the portal says something else, until somebody decides which one holds."""

from __future__ import annotations

from collections.abc import Collection

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.staff.api import ShopValue
from portal.tables.customers import CustomerRow
from portal.tables.imports import ImportDifferenceRow, ImportedRow
from portal.vocabulary.customers import CUSTOMER_LABELS
from portal.vocabulary.imports import Side

KIND = "customers"
"""Of the records that customers are imported from."""


async def shop_values(session: AsyncSession, row: CustomerRow) -> list[ShopValue]:
    """The fields of a customer that both sides changed, in the order of the page. What agrees by now is left out."""
    query = (
        select(ImportDifferenceRow)
        .join(ImportedRow, col(ImportedRow.id) == col(ImportDifferenceRow.imported_id))
        .where(ImportedRow.kind == KIND, ImportedRow.row_id == row.id, col(ImportDifferenceRow.settled_at).is_(None))
    )
    said = {each.field: each.shop_value for each in await session.exec(query)}
    here = {name: str(getattr(row, name)) for name in CUSTOMER_LABELS}
    return [
        ShopValue(field=name, shop=said[name], portal=value)
        for name, value in here.items()
        if said.get(name, value) != value
    ]


async def decide(session: AsyncSession, row: CustomerRow, fields: Collection[str]) -> None:
    """Settle the differences of fields that staff have just corrected: what they entered holds."""
    records = select(ImportedRow.id).where(ImportedRow.kind == KIND, ImportedRow.row_id == row.id)
    for name in fields:
        value = str(getattr(row, name))
        this = update(ImportDifferenceRow).where(
            col(ImportDifferenceRow.imported_id).in_(records),
            col(ImportDifferenceRow.field) == name,
            col(ImportDifferenceRow.settled_at).is_(None),
        )
        same = col(ImportDifferenceRow.shop_value) == value
        for condition, kept in ((same, Side.SHOP), (~same, Side.PORTAL)):
            await session.exec(this.where(condition).values(kept=kept, settled_at=row.updated_at))
