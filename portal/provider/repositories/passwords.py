"""Queries on passwords."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.tables.login import SessionRow
from portal.provider.tables.passwords import PasswordRow


async def find(session: AsyncSession, customer_id: int | None) -> str | None:
    """The hash of a customer's password; none when there is none."""
    query = select(PasswordRow.password_hash).where(PasswordRow.customer_id == (customer_id or 0))
    return (await session.exec(query)).one_or_none()


async def keep(session: AsyncSession, customer_id: int, password_hash: str, now: datetime) -> None:
    """Set the password of a customer."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    statement = insert(PasswordRow).values(customer_id=customer_id, password_hash=password_hash, changed_at=now)
    values = {"password_hash": statement.excluded.password_hash, "changed_at": statement.excluded.changed_at}
    await session.exec(statement.on_conflict_do_update(index_elements=["customer_id"], set_=values))


async def end_sessions(session: AsyncSession, customer_id: int, now: datetime) -> None:
    """End every session of a customer."""
    await session.exec(
        update(SessionRow)
        .where(col(SessionRow.customer_id) == customer_id, col(SessionRow.revoked_at).is_(None))
        .values(revoked_at=now)
    )
