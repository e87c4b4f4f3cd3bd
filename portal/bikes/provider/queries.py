"""Queries on bikes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sql
from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import CUSTOMER
from portal.contract.errors import NotFound
from portal.contract.models import Picture
from portal.kernel.codes import Code
from portal.pictures.provider.lookup import ArticlePicture, picture_of, pictures_of_lines
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.returns import DONE
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER


@dataclass(frozen=True, slots=True)
class OwnedBike:
    """A bike with its order, the reference of its open request, and whether it was returned for good."""

    bike: BikeRow
    order: OrderRow
    open_request: str | None
    returned: bool | None
    picture: Picture = field(default_factory=Picture)

    @property
    def gone(self) -> Code | None:
        """Why the customer does not have it: `order_cancelled` or `already_returned`; None if they have it."""
        if self.order.delivery_status is DeliveryStatus.ORDER_CANCELLED:
            return Code.ORDER_CANCELLED
        return Code.ALREADY_RETURNED if self.returned else None


def _bikes() -> Any:
    return (
        sql.select(BikeRow, OrderRow, col(RequestRow.reference), _returned())
        .join(OrderRow, col(OrderRow.id) == BikeRow.order_id)
        .join(
            RequestRow,
            (col(RequestRow.bike_id) == BikeRow.id)
            & (col(RequestRow.customer_id) == CUSTOMER)
            & col(RequestRow.status).not_in(sorted(CLOSED_WORK_ORDER)),
            isouter=True,
        )
        .where(col(BikeRow.customer_id) == CUSTOMER, col(OrderRow.customer_id) == CUSTOMER)
    )


def _returned() -> Any:
    """Whether every unit of the order line was returned for good; NULL for a bike without a line."""
    line = col(BikeRow.order_line_id)
    returned = (
        select(func.count(col(ReturnUnitRow.id)))
        .join(ReturnRow, col(ReturnRow.id) == ReturnUnitRow.return_id)
        .where(ReturnUnitRow.order_line_id == line, col(ReturnUnitRow.released_at).is_(None))
        .where(ReturnRow.customer_id == CUSTOMER, col(ReturnRow.status).in_(sorted(DONE)))
        .correlate(BikeRow)
        .scalar_subquery()
    )
    bought = select(OrderLineRow.quantity).where(OrderLineRow.id == line).correlate(BikeRow).scalar_subquery()
    return returned >= bought


_BY_KEY = _bikes().where(BikeRow.id == sql.bindparam("key"))
_ALL = _bikes().order_by(col(OrderRow.ordered_at).desc(), col(BikeRow.id))
_ONE = _bikes().where(BikeRow.public_id == sql.bindparam("public_id"))


class BikeRepository:
    """The bikes of one customer."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def all(self) -> list[OwnedBike]:
        """All bikes, newest order first."""
        rows = await self._session.exec(_ALL, params={"customer_id": self._customer_id})
        return await self._with_pictures(rows.all())

    async def by_key(self, key: int) -> OwnedBike:
        """The bike with this primary key, which the customer is known to have."""
        values = {"customer_id": self._customer_id, "key": key}
        return (await self._with_pictures([(await self._session.exec(_BY_KEY, params=values)).one()]))[0]

    async def get(self, public_id: str) -> OwnedBike:
        """One bike.

        Raises:
            NotFound: the customer has no bike with this id.
        """
        values = {"customer_id": self._customer_id, "public_id": public_id}
        row = (await self._session.exec(_ONE, params=values)).one_or_none()
        if row is None:
            raise NotFound
        return (await self._with_pictures([row]))[0]

    async def _with_pictures(self, rows: Sequence[Any]) -> list[OwnedBike]:
        found = await pictures_of_lines(self._session, [row[0].order_line_id for row in rows])
        return [OwnedBike(*row, picture=bike_picture(row[0], found)) for row in rows]


def bike_picture(bike: BikeRow, found: Mapping[int, ArticlePicture]) -> Picture:
    """The picture of a bike, with what its order line says."""
    return picture_of(found.get(bike.order_line_id or 0), bike.kind, bike.name, bike.color_code)
