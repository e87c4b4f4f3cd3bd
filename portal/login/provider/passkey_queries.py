"""Queries on passkeys and their challenges."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import col, delete, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import security
from portal.tables.columns import insert_into
from portal.tables.customers import PasskeyChallengeRow, PasskeyRow


async def use_challenge(session: AsyncSession, challenge: str, jti: str, now: datetime) -> bool:
    """Use up a challenge in one statement; whether it was valid."""
    statement = (
        update(PasskeyChallengeRow)
        .where(
            col(PasskeyChallengeRow.challenge_hash) == security.challenge_hash(challenge),
            col(PasskeyChallengeRow.jti) == jti,
            col(PasskeyChallengeRow.used_at).is_(None),
            col(PasskeyChallengeRow.expires_at) > now,
        )
        .values(used_at=now)
    )
    return (await session.exec(statement)).rowcount == 1


async def of_customer(session: AsyncSession, customer_id: int) -> list[PasskeyRow]:
    """The passkeys of a customer, newest first."""
    query = select(PasskeyRow).where(PasskeyRow.customer_id == customer_id)
    return list(await session.exec(query.order_by(col(PasskeyRow.created_at).desc(), col(PasskeyRow.id).desc())))


async def find(session: AsyncSession, host: str, credential_id: str) -> PasskeyRow | None:
    query = select(PasskeyRow).where(PasskeyRow.credential_id == credential_id, PasskeyRow.rp_id == host)
    return (await session.exec(query)).one_or_none()


async def add(session: AsyncSession, row: PasskeyRow) -> bool:
    """Insert a passkey; false if its credential id is known already."""
    values = row.model_dump(exclude={"id"})
    inserted = insert_into(session.get_bind(), PasskeyRow).values(**values)
    statement = inserted.on_conflict_do_nothing(index_elements=["credential_id"])
    return (await session.exec(statement.returning(col(PasskeyRow.id)))).first() is not None


async def use(session: AsyncSession, passkey_id: int | None, sign_count: int, now: datetime) -> bool:
    """Note a use in one statement; false if the passkey is gone or its counter went further in the meantime."""
    statement = (
        update(PasskeyRow)
        .where(
            col(PasskeyRow.id) == passkey_id,
            or_(col(PasskeyRow.sign_count) < sign_count, col(PasskeyRow.sign_count) == 0),
        )
        .values(sign_count=sign_count, last_used_at=now)
    )
    return (await session.exec(statement)).rowcount == 1


async def remove(session: AsyncSession, customer_id: int, passkey_id: str) -> str | None:
    """Delete a passkey of a customer; its device name, or None if it is not there."""
    statement = (
        delete(PasskeyRow)
        .where(col(PasskeyRow.customer_id) == customer_id, col(PasskeyRow.public_id) == passkey_id)
        .returning(col(PasskeyRow.device))
    )
    return (await session.exec(statement)).scalars().first()
