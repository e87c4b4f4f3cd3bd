"""Queries on insurances: tariffs, and what customers asked for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sql
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound, Unavailable
from portal.domain.codes import Code
from portal.domain.insurances import PACKAGES, as_it_stands, premium
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.insurances import InsuranceRequestRow, InsuranceTariffRow
from portal.provider.tables.orders import OrderLineRow, OrderRow
from portal.vocabulary.insurance import OPEN_INSURANCE, InsuranceStatus
from portal.vocabulary.orders import ItemKind


async def premiums(session: AsyncSession, kind: ItemKind, price: Decimal) -> dict[str, Decimal]:
    """What each package costs a month for a bike of this kind and price, by its key.

    Raises:
        Unavailable: `insurance_options_failed`, an insurer has no tariff for it.
    """
    query = select(InsuranceTariffRow).where(InsuranceTariffRow.kind == kind)
    tariffs = {(row.insurer, row.type): row for row in await session.exec(query)}
    try:
        found = {entry.key: tariffs[entry.insurer, entry.type] for entry in PACKAGES}
    except KeyError:
        raise Unavailable(Code.INSURANCE_OPTIONS_FAILED) from None
    return {key: premium(price, tariff.per_mille, tariff.minimum) for key, tariff in found.items()}


class InsuranceRepository:
    """The insurances that one customer asked for."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def latest(self) -> dict[int, InsuranceRequestRow]:
        """The last request for each bike, by its primary key."""
        query = (
            select(InsuranceRequestRow)
            .where(InsuranceRequestRow.customer_id == self._customer_id)
            .order_by(col(InsuranceRequestRow.id))
        )
        return {row.bike_id: row for row in await self._session.exec(query)}

    async def of_bike(self, bike: BikeRow) -> Sequence[InsuranceRequestRow]:
        """Every request for a bike, oldest first."""
        query = (
            select(InsuranceRequestRow)
            .where(InsuranceRequestRow.customer_id == self._customer_id, InsuranceRequestRow.bike_id == bike.id)
            .order_by(col(InsuranceRequestRow.id))
        )
        return (await self._session.exec(query)).all()

    async def prices(self) -> dict[int, Decimal]:
        """What each bike cost when it was bought, by its primary key."""
        query: Any = (
            sql.select(col(BikeRow.id), col(OrderLineRow.unit_price))
            .join(OrderLineRow, col(OrderLineRow.id) == BikeRow.order_line_id)
            .join(OrderRow, col(OrderRow.id) == OrderLineRow.order_id)
            .where(col(BikeRow.customer_id) == self._customer_id, col(OrderRow.customer_id) == self._customer_id)
        )
        return {key: price for key, price in await self._session.exec(query) if key is not None}

    async def get(self, *, reference: str = "", key: int | None = None) -> tuple[InsuranceRequestRow, BikeRow]:
        """One request with its bike; nobody else changes it until the end of the transaction.

        Raises:
            NotFound: there is none, or it is somebody else's.
        """
        named = InsuranceRequestRow.reference == reference if key is None else InsuranceRequestRow.id == key
        query = (
            select(InsuranceRequestRow, BikeRow)
            .join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
            .where(
                named,
                InsuranceRequestRow.customer_id == self._customer_id,
                BikeRow.customer_id == self._customer_id,
            )
            .with_for_update()
        )
        found = (await self._session.exec(query)).one_or_none()
        if found is None:
            raise NotFound
        return found

    async def end_expired(self, bike: BikeRow, now: datetime) -> None:
        """A request whose link was not used in time no longer blocks another one."""
        await self._session.exec(
            update(InsuranceRequestRow)
            .where(
                col(InsuranceRequestRow.customer_id) == self._customer_id,
                col(InsuranceRequestRow.bike_id) == bike.id,
                col(InsuranceRequestRow.waits_for_link).is_(True),
                col(InsuranceRequestRow.link_expires_at) <= now,
            )
            .values(status=InsuranceStatus.CANCELLED, waits_for_link=False, iban="", updated_at=now)
            .execution_options(synchronize_session=False)
        )


def is_open(row: InsuranceRequestRow | None, now: datetime) -> bool:
    """Whether a request blocks another one for its bike."""
    if row is None:
        return False
    return as_it_stands(row.status, row.link_expires_at, now, waits_for_link=row.waits_for_link) in OPEN_INSURANCE


async def move(session: AsyncSession, row: InsuranceRequestRow, target: InsuranceStatus, **values: object) -> bool:
    """Give a request another status, unless it has moved meanwhile. Whether it was done."""
    statement = (
        update(InsuranceRequestRow)
        .where(col(InsuranceRequestRow.id) == row.id, col(InsuranceRequestRow.status) == row.status)
        .values(status=target, **values)
    )
    return (await session.exec(statement)).rowcount == 1
