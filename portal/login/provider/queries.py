"""Queries about logging in: who has this order, and the code that was mailed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.countries import Country
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.login import EmailChangeRow, LoginChallenge
from portal.provider.tables.orders import OrderRow


@dataclass(frozen=True, slots=True)
class Account:
    """Who a login is for, and the order it is by."""

    customer_id: int
    email: str
    order_number: str
    country: Country
    is_lease: bool


_ACCOUNT = select(CustomerRow.id, CustomerRow.email, OrderRow).join(
    CustomerRow, col(CustomerRow.id) == OrderRow.customer_id
)


def _account(row: tuple[int | None, str, OrderRow] | None) -> Account | None:
    if row is None or row[0] is None:
        return None
    return Account(row[0], row[1], row[2].order_number, row[2].country_code, row[2].is_lease)


async def by_pair(session: AsyncSession, order_number: str, email_key: str) -> Account | None:
    """The customer with this order and this address; both have to be right."""
    query = _ACCOUNT.where(col(OrderRow.order_number) == order_number, col(CustomerRow.email_key) == email_key)
    return _account((await session.exec(query)).first())


async def by_address(session: AsyncSession, email_key: str, countries: Sequence[Country]) -> Account | None:
    """The customer with this address, by the newest order that may log in here."""
    query = (
        _ACCOUNT.where(
            col(CustomerRow.email_key) == email_key,
            col(OrderRow.is_lease).is_(False),
            col(OrderRow.country_code).in_(countries),
        )
        .order_by(col(OrderRow.ordered_at).desc(), col(OrderRow.id).desc())
        .limit(1)
    )
    return _account((await session.exec(query)).first())


async def lease_kinds(session: AsyncSession, reference: str) -> set[bool]:
    """Whether the orders behind this reference, frame number or order number are lease orders; empty when unknown."""
    query = (
        select(OrderRow.is_lease)
        .outerjoin(BikeRow, col(BikeRow.order_id) == OrderRow.id)
        .where(
            or_(
                col(OrderRow.lease_reference) == reference,
                col(OrderRow.order_number) == reference,
                col(BikeRow.frame_number) == reference,
            )
        )
    )
    return set((await session.exec(query.distinct())).all())


async def public_id(session: AsyncSession, customer_id: int) -> str:
    """What others may know the customer by."""
    return (await session.exec(select(CustomerRow.public_id).where(CustomerRow.id == customer_id))).one()


async def replace(session: AsyncSession, challenge_hash: str, now: datetime) -> None:
    """Make the code of this browser worthless: a newer one is on its way."""
    await session.exec(
        update(LoginChallenge)
        .where(col(LoginChallenge.challenge_hash) == challenge_hash, col(LoginChallenge.used_at).is_(None))
        .values(used_at=now)
    )


async def replace_all(session: AsyncSession, customer_id: int, now: datetime) -> None:
    """Make every code of a customer worthless."""
    await session.exec(
        update(LoginChallenge)
        .where(col(LoginChallenge.customer_id) == customer_id, col(LoginChallenge.used_at).is_(None))
        .values(used_at=now)
    )


async def count_try(session: AsyncSession, challenge_hash: str, now: datetime, most: int) -> LoginChallenge | None:
    """Count one try and give the challenge, in one statement; none when no try is left, or it is used or expired."""
    statement = (
        update(LoginChallenge)
        .where(
            col(LoginChallenge.challenge_hash) == challenge_hash,
            col(LoginChallenge.attempts) < most,
            col(LoginChallenge.used_at).is_(None),
            col(LoginChallenge.expires_at) > now,
        )
        .values(attempts=LoginChallenge.attempts + 1)
        .returning(LoginChallenge)
    )
    return (await session.exec(statement)).scalars().first()


async def challenge(session: AsyncSession, challenge_hash: str) -> LoginChallenge | None:
    """The challenge as it stands."""
    return (
        await session.exec(select(LoginChallenge).where(LoginChallenge.challenge_hash == challenge_hash))
    ).one_or_none()


async def forget_changes(session: AsyncSession, customer_id: int, now: datetime) -> None:
    """Make earlier changes of address of this customer worthless."""
    await session.exec(
        update(EmailChangeRow)
        .where(col(EmailChangeRow.customer_id) == customer_id, col(EmailChangeRow.used_at).is_(None))
        .values(used_at=now)
    )


async def count_change_try(
    session: AsyncSession, customer_id: int, jti: str, now: datetime, most: int
) -> EmailChangeRow | None:
    """Count one try on the change this session asked for; none when no try is left, or it is used or expired."""
    statement = (
        update(EmailChangeRow)
        .where(
            col(EmailChangeRow.customer_id) == customer_id,
            col(EmailChangeRow.jti) == jti,
            col(EmailChangeRow.attempts) < most,
            col(EmailChangeRow.used_at).is_(None),
            col(EmailChangeRow.expires_at) > now,
        )
        .values(attempts=EmailChangeRow.attempts + 1)
        .returning(EmailChangeRow)
    )
    return (await session.exec(statement)).scalars().first()


async def latest_change(session: AsyncSession, customer_id: int, jti: str) -> EmailChangeRow | None:
    """The change this session asked for last, as it stands."""
    query = (
        select(EmailChangeRow)
        .where(EmailChangeRow.customer_id == customer_id, EmailChangeRow.jti == jti)
        .order_by(col(EmailChangeRow.id).desc())
        .limit(1)
    )
    return (await session.exec(query)).first()
