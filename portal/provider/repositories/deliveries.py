"""What the dashboard asks about orders, in few and narrow statements."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import sqlalchemy as sql
from sqlalchemy import case, func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.repositories.statements import CUSTOMER
from portal.provider.tables.orders import OrderLineRow, OrderRow, ShipmentRow
from portal.vocabulary.deliveries import FINISHED_DELIVERY, DeliveryStatus


@dataclass(frozen=True, slots=True)
class OrderOutline:
    """What decides about one order. `travelling` counts parcels that can be followed and have not arrived."""

    features: list[str]
    delivery_status: DeliveryStatus | None
    shipped_at: datetime | None
    travelling: int


@dataclass(frozen=True, slots=True)
class OpenDelivery:
    """An order that has not arrived yet; `carrier` of the parcel that left last, when one did."""

    order_number: str
    name: str
    status: DeliveryStatus
    ordered_at: datetime
    scheduled_day: date | None
    carrier: str


def _outlines() -> Any:
    travelling = case(((col(ShipmentRow.tracking_url) != "") & col(ShipmentRow.delivered_at).is_(None), 1), else_=0)
    parcels = (
        select(
            ShipmentRow.order_id,
            func.max(ShipmentRow.shipped_at).label("shipped_at"),
            func.sum(travelling).label("travelling"),
        )
        .join(OrderRow, col(OrderRow.id) == ShipmentRow.order_id)
        .where(OrderRow.customer_id == CUSTOMER)
        .group_by(col(ShipmentRow.order_id))
        .subquery()
    )
    return (
        sql.select(
            col(OrderRow.features),
            col(OrderRow.delivery_status),
            parcels.c.shipped_at,
            func.coalesce(parcels.c.travelling, 0),
        )
        .join(parcels, parcels.c.order_id == OrderRow.id, isouter=True)
        .where(col(OrderRow.customer_id) == CUSTOMER)
        .order_by(col(OrderRow.ordered_at).desc(), col(OrderRow.id).desc())
    )


def _open() -> Any:
    first_name = (
        select(OrderLineRow.name)
        .where(OrderLineRow.order_id == OrderRow.id)
        .order_by(col(OrderLineRow.position))
        .limit(1)
        .scalar_subquery()
    )
    carrier = (
        select(ShipmentRow.carrier)
        .where(ShipmentRow.order_id == OrderRow.id, col(ShipmentRow.shipped_at).is_not(None))
        .order_by(col(ShipmentRow.shipped_at).desc(), col(ShipmentRow.id).desc())
        .limit(1)
        .scalar_subquery()
    )
    return (
        sql.select(
            col(OrderRow.order_number),
            func.coalesce(first_name, ""),
            col(OrderRow.delivery_status),
            col(OrderRow.ordered_at),
            col(OrderRow.scheduled_day),
            func.coalesce(carrier, ""),
        )
        .where(
            col(OrderRow.customer_id) == CUSTOMER,
            col(OrderRow.delivery_status).not_in(sorted(FINISHED_DELIVERY)),
        )
        .order_by(col(OrderRow.ordered_at).desc(), col(OrderRow.id).desc())
        .limit(sql.bindparam("most", type_=sql.Integer))
    )


_OUTLINES, _OPEN = _outlines(), _open()


class DeliveryRepository:
    """The deliveries of one customer."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def outlines(self) -> list[OrderOutline]:
        """The outline of every order, newest first, in one statement."""
        found: Any = await self._session.exec(_OUTLINES, params={"customer_id": self._customer_id})
        return [OrderOutline(*row) for row in found]

    async def open(self, most: int) -> list[OpenDelivery]:
        """The newest orders that are still to arrive, at most `most` of them."""
        values = {"customer_id": self._customer_id, "most": most}
        found: Any = await self._session.exec(_OPEN, params=values)
        return [OpenDelivery(*row) for row in found]
