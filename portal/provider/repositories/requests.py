"""Queries on one service request and its history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.partners import PartnerRow
from portal.provider.tables.requests import RequestRow
from portal.provider.tables.work_orders import WorkOrderEventRow


@dataclass(frozen=True, slots=True)
class WholeRequest:
    """A request with its bike, its partner and what happened, oldest first."""

    request: RequestRow
    bike: BikeRow
    partner: PartnerRow | None
    events: Sequence[WorkOrderEventRow]


class RequestRepository:
    """The requests of one customer."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def get(self, reference: str) -> WholeRequest:
        """One request.

        Raises:
            NotFound: there is none with this reference, or it is somebody else's.
        """
        query = (
            select(RequestRow, BikeRow, PartnerRow)
            .join(BikeRow, col(BikeRow.id) == RequestRow.bike_id)
            .join(PartnerRow, col(PartnerRow.id) == RequestRow.partner_id, isouter=True)
            .where(
                RequestRow.reference == reference,
                RequestRow.customer_id == self._customer_id,
                BikeRow.customer_id == self._customer_id,
            )
        )
        found = (await self._session.exec(query)).one_or_none()
        if found is None:
            raise NotFound
        request, bike, partner = found
        history = (
            select(WorkOrderEventRow)
            .join(RequestRow, col(RequestRow.id) == WorkOrderEventRow.request_id)
            .where(WorkOrderEventRow.request_id == request.id, RequestRow.customer_id == self._customer_id)
            .order_by(col(WorkOrderEventRow.happened_at), col(WorkOrderEventRow.id))
        )
        return WholeRequest(request, bike, partner, (await self._session.exec(history)).all())
