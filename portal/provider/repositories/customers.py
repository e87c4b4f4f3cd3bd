"""Queries on the customer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound
from portal.provider.repositories.statements import CUSTOMER
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.orders import OrderRow

_OWN = select(CustomerRow).where(CustomerRow.id == CUSTOMER)


class CustomerRepository:
    """One customer's own data."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def get(self) -> CustomerRow:
        """The customer.

        Raises:
            NotFound: there is none any more.
        """
        row = (await self._session.exec(_OWN, params={"customer_id": self._customer_id})).one_or_none()
        if row is None:
            raise NotFound
        return row

    async def change(self, values: Mapping[str, Any], moment: datetime) -> None:
        """Set columns of the customer, and when that was."""
        await self._session.exec(
            update(CustomerRow)
            .where(col(CustomerRow.id) == self._customer_id)
            .values(**values, updated_at=moment)
            .execution_options(synchronize_session=False)
        )

    async def order(self, order_number: str) -> OrderRow | None:
        """One of the customer's orders, none when it is not theirs."""
        query = select(OrderRow).where(OrderRow.customer_id == self._customer_id, OrderRow.order_number == order_number)
        return (await self._session.exec(query)).one_or_none()

    async def features(self) -> list[list[str]]:
        """What the retailer has switched on, order by order."""
        query = select(OrderRow.features).where(OrderRow.customer_id == self._customer_id)
        return [list(features) for features in await self._session.exec(query)]
