"""Queries for the papers of a request."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.partners import PartnerRow
from portal.provider.tables.requests import RequestRow


@dataclass(frozen=True, slots=True)
class Found:
    """A request, its bike and customer, and the partner it is with."""

    request: RequestRow
    bike: BikeRow
    customer: CustomerRow
    partner: PartnerRow | None


async def own_request(session: AsyncSession, customer_id: int, reference: str) -> Found:
    """A request of this customer.

    Raises:
        NotFound: there is none with this reference, or it is somebody else's.
    """
    query = (
        select(RequestRow, BikeRow, CustomerRow, PartnerRow)
        .join(BikeRow, (col(BikeRow.id) == RequestRow.bike_id) & (col(BikeRow.customer_id) == customer_id))
        .join(CustomerRow, col(CustomerRow.id) == RequestRow.customer_id)
        .join(PartnerRow, col(PartnerRow.id) == RequestRow.partner_id, isouter=True)
        .where(RequestRow.customer_id == customer_id, RequestRow.reference == reference)
    )
    found = (await session.exec(query)).one_or_none()
    if found is None:
        raise NotFound
    return Found(*found)
