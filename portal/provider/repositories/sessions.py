"""Queries about sessions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlalchemy import select as columns
from sqlmodel import col, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.countries import Country
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.login import SessionRow
from portal.provider.tables.orders import OrderRow


class Found(NamedTuple):
    """A session with what its customer is known by. `country` is that of the shop of its order."""

    jti: str
    customer_id: int
    order_number: str
    last_used_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    public_id: str
    locale: str
    country: Country | None
    email: str


# Asked by every operation, so put together once, of tables: entities would be made up anew with each question.
_ROWS: tuple[Any, ...] = (SessionRow, CustomerRow, OrderRow)
_SESSIONS, _CUSTOMERS, _ORDERS = (row.__table__ for row in _ROWS)
_WITH_CUSTOMER = (
    columns(
        _SESSIONS.c.jti,
        _SESSIONS.c.customer_id,
        _SESSIONS.c.order_number,
        _SESSIONS.c.last_used_at,
        _SESSIONS.c.expires_at,
        _SESSIONS.c.revoked_at,
        _CUSTOMERS.c.public_id,
        _CUSTOMERS.c.locale,
        _ORDERS.c.country_code,
        _CUSTOMERS.c.email,
    )
    .join(_CUSTOMERS, _CUSTOMERS.c.id == _SESSIONS.c.customer_id)
    .outerjoin(_ORDERS, _ORDERS.c.order_number == _SESSIONS.c.order_number)
    .where(_SESSIONS.c.jti.in_(bindparam("jtis", expanding=True)))
)


async def find(session: AsyncSession, jti: str, public_id: str) -> Found | None:
    """The session with this `jti` of this customer."""
    return (await find_many(session, [jti])).get((jti, public_id))


async def find_many(session: AsyncSession, jtis: Iterable[str]) -> dict[tuple[str, str], Found]:
    """The sessions with these `jti`, by `jti` and public id of their customer, in one statement."""
    connection = await session.connection()
    found = await connection.execute(_WITH_CUSTOMER, {"jtis": list(set(jtis))})
    return {(row.jti, row.public_id): Found(*row) for row in found}


async def touch(session: AsyncSession, jti: str, now: datetime, not_since: datetime) -> None:
    """Write down that the session is used now, unless that was done after `not_since`."""
    await session.exec(
        update(SessionRow)
        .where(col(SessionRow.jti) == jti, col(SessionRow.last_used_at) <= not_since)
        .values(last_used_at=now)
    )


async def revoke(session: AsyncSession, jti: str, now: datetime) -> int | None:
    """End one session; the customer it was of, none when it had ended."""
    statement = (
        update(SessionRow)
        .where(col(SessionRow.jti) == jti, col(SessionRow.revoked_at).is_(None))
        .values(revoked_at=now)
        .returning(col(SessionRow.customer_id))
    )
    return (await session.exec(statement)).scalars().first()


async def revoke_others(session: AsyncSession, customer_id: int, jti: str, now: datetime) -> None:
    """End all sessions of a customer but one."""
    await session.exec(
        update(SessionRow)
        .where(
            col(SessionRow.customer_id) == customer_id,
            col(SessionRow.jti) != jti,
            col(SessionRow.revoked_at).is_(None),
        )
        .values(revoked_at=now)
    )
