"""Queries on what is in the shipments of an order, and on what happened to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.tables.deliveries import DeliveryEventRow
from portal.provider.tables.orders import OrderRow, ShipmentLineRow, ShipmentRow


class ShipmentRepository:
    """The shipments of one customer."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def all(self, order: OrderRow) -> Sequence[ShipmentRow]:
        """The shipments of an order, in the order of their numbers."""
        query = select(ShipmentRow).where(col(ShipmentRow.order_id).in_(self._own(order))).order_by(col(ShipmentRow.id))
        return (await self._session.exec(query)).all()

    async def contents(self, order: OrderRow) -> dict[int, dict[int, int]]:
        """How many units of which line are in which shipment: by shipment, by line."""
        query = (
            select(ShipmentLineRow)
            .join(ShipmentRow, col(ShipmentRow.id) == ShipmentLineRow.shipment_id)
            .where(col(ShipmentRow.order_id).in_(self._own(order)))
        )
        found: dict[int, dict[int, int]] = defaultdict(dict)
        for row in await self._session.exec(query):
            found[row.shipment_id][row.order_line_id] = row.quantity
        return found

    async def events(self, order: OrderRow) -> Sequence[DeliveryEventRow]:
        """What happened, oldest first."""
        query = (
            select(DeliveryEventRow)
            .where(col(DeliveryEventRow.order_id).in_(self._own(order)))
            .order_by(col(DeliveryEventRow.happened_at), col(DeliveryEventRow.id))
        )
        return (await self._session.exec(query)).all()

    def _own(self, order: OrderRow) -> Any:
        """The key of the order, as long as it is the customer's."""
        return select(OrderRow.id).where(OrderRow.customer_id == self._customer_id, OrderRow.id == order.id)
