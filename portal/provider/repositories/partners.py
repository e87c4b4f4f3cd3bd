"""Queries on service partners. They belong to no customer; every session may see them."""

from __future__ import annotations

from collections.abc import Collection

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound
from portal.domain.locations import Box, Workshop
from portal.provider.tables.partners import PartnerRow


class PartnerRepository:
    """The workshops of the retailer and its partners."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def near(self, area: Box) -> list[Workshop]:
        """What decides about each workshop in an area, without the rest of its row."""
        query = select(
            col(PartnerRow.id),
            col(PartnerRow.name),
            col(PartnerRow.location_type),
            col(PartnerRow.latitude),
            col(PartnerRow.longitude),
            col(PartnerRow.recommended),
            col(PartnerRow.waiting_weeks),
            col(PartnerRow.customer_rating),
            col(PartnerRow.vacation_from),
            col(PartnerRow.vacation_until),
            col(PartnerRow.travel_cost),
        ).where(  # pyright: ignore[reportCallIssue] - more columns than the library has signatures for
            col(PartnerRow.latitude).between(area.south, area.north),
            col(PartnerRow.longitude).between(area.west, area.east),
            col(PartnerRow.closed).is_(False),
        )
        return [
            Workshop(key, name, kind, (latitude, longitude), recommended, weeks, rating, first, last, cost)
            for key, name, kind, latitude, longitude, recommended, weeks, rating, first, last, cost in (
                await self._session.exec(query)
            ).all()
        ]

    async def rows(self, keys: Collection[int]) -> dict[int, PartnerRow]:
        """Whole rows by their primary key."""
        query = select(PartnerRow).where(col(PartnerRow.id).in_(keys))
        return {row.id or 0: row for row in await self._session.exec(query)}

    async def get(self, public_id: str) -> PartnerRow:
        """One workshop.

        Raises:
            NotFound: there is none with this id.
        """
        row = (await self._session.exec(select(PartnerRow).where(PartnerRow.public_id == public_id))).one_or_none()
        if row is None:
            raise NotFound
        return row
