"""Queries of the back office on work orders. They ask for no owner: the back office serves everybody."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sqlmodel import col, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.partners import PartnerRow
from portal.provider.tables.requests import RequestRow
from portal.provider.tables.work_orders import WorkOrderEventRow


class Found(NamedTuple):
    """A work order, whose it is, and the bike it is about."""

    request: RequestRow
    customer: CustomerRow
    bike: BikeRow


async def get(session: AsyncSession, reference: str) -> Found:
    """One work order.

    Raises:
        NotFound: there is none with this reference.
    """
    query = (
        select(RequestRow, CustomerRow, BikeRow)
        .join(CustomerRow, col(CustomerRow.id) == RequestRow.customer_id)
        .join(BikeRow, col(BikeRow.id) == RequestRow.bike_id)
        .where(RequestRow.reference == reference)
    )
    found = (await session.exec(query)).one_or_none()
    if found is None:
        raise NotFound
    return Found(*found)


async def last_event(session: AsyncSession, request_id: int) -> WorkOrderEventRow | None:
    """What happened last."""
    query = (
        select(WorkOrderEventRow)
        .where(WorkOrderEventRow.request_id == request_id)
        .order_by(col(WorkOrderEventRow.happened_at).desc(), col(WorkOrderEventRow.id).desc())
        .limit(1)
    )
    return (await session.exec(query)).first()


async def by_key(session: AsyncSession, key: str) -> WorkOrderEventRow | None:
    """The event that was made under this key."""
    return (await session.exec(select(WorkOrderEventRow).where(WorkOrderEventRow.key == key))).one_or_none()


async def partner(session: AsyncSession, name: str) -> PartnerRow | None:
    """A service location by its public id or exact name."""
    query = select(PartnerRow).where(or_(PartnerRow.public_id == name, PartnerRow.name == name)).limit(1)
    return (await session.exec(query)).first()


async def assigned(session: AsyncSession, request: RequestRow) -> PartnerRow | None:
    """The service location of a work order, if it has one."""
    return await session.get(PartnerRow, request.partner_id) if request.partner_id else None


async def change(session: AsyncSession, request: RequestRow, now: datetime, **values: Any) -> bool:
    """Change a work order, unless somebody else did since it was read. Whether it was changed."""
    statement = (
        update(RequestRow)
        .where(col(RequestRow.id) == request.id, col(RequestRow.version) == request.version)
        .values(version=request.version + 1, updated_at=now, **values)
    )
    return (await session.exec(statement)).rowcount == 1
