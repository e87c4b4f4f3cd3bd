"""Queries of the back office on insurance requests. They ask for no owner: it serves everybody."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.insurances import InsuranceRequestRow


class FoundInsurance(NamedTuple):
    """An insurance request, with its bike and customer."""

    request: InsuranceRequestRow
    bike: BikeRow
    customer: CustomerRow


async def locked_insurance(session: AsyncSession, reference: str) -> FoundInsurance:
    """One insurance request; nobody else changes it until the end of the transaction. Raises NotFound."""
    query: Any = (
        select(InsuranceRequestRow, BikeRow, CustomerRow)
        .join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
        .join(CustomerRow, col(CustomerRow.id) == InsuranceRequestRow.customer_id)
        .where(InsuranceRequestRow.reference == reference)
        .with_for_update()
    )
    found = (await session.exec(query)).one_or_none()
    if found is None:
        raise NotFound
    return FoundInsurance(*found)
