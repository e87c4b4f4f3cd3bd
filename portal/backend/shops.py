"""The shop of a customer: mails, texts and documents speak in its name."""

from __future__ import annotations

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.settings import Settings
from portal.tables.customers import CustomerRow


async def settings_for(session: AsyncSession, settings: Settings, customer_id: int | None) -> Settings:
    """Return the settings with brand, sender and address of the shop of a customer.

    Args:
        session: database session.
        settings: of this process.
        customer_id: None for nobody: those of the main shop.
    """
    query = select(CustomerRow.source).where(col(CustomerRow.id) == customer_id)
    source = (await session.exec(query)).one_or_none() if settings.shops and customer_id is not None else None
    return settings.of(source or "")
