"""Queries on bikes. A page takes three statements, however many a customer has."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sql
from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import CUSTOMER, Part, checked, find_one, like, part_of
from portal.backend.shops import TermBook, term_book
from portal.bikes.api import BikeSelection
from portal.bikes.flow import PAGE_OF_BIKES
from portal.contract.account import Account, LocalizedText
from portal.contract.models import Picture
from portal.kernel.codes import Code
from portal.kernel.days import local_day, today
from portal.kernel.terms import ShopTerms
from portal.orders.provider.money import REFUNDED
from portal.pictures.provider.lookup import ArticlePicture, picture_of, pictures_of_lines
from portal.tables.bikes import BikeRow, MileageRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.deliveries import ARRIVED, DeliveryStatus
from portal.vocabulary.departures import Departure, Dependent, Effect, ends, goes_on, outcome, refusal
from portal.vocabulary.returns import DONE, GIVES_BACK, NEVER_REQUESTED, PICKED_UP, ReturnKind, ReturnStatus
from portal.vocabulary.services import ServicePackage
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, RequestKind


@dataclass(frozen=True, slots=True)
class OwnedBike:
    """A bike with its order, the reference of its open request, and how far it is on its way back."""

    bike: BikeRow
    order: OrderRow
    open_request: str | None
    stage: int | None
    terms: ShopTerms
    picture: Picture = field(default_factory=Picture)
    open_kind: RequestKind | None = None

    @property
    def departure(self) -> Departure | None:
        """What happened to it; None if the customer has it and keeps it."""
        return departure_of(self.order.delivery_status, self.stage, delivered=self.bike.delivered_on is not None)

    @property
    def insurance(self) -> str:
        """The insurance; empty without one, or once it ended with the bike."""
        return "" if ends(self.departure, Dependent.INSURANCE) else self.bike.insurance

    @property
    def package(self) -> ServicePackage | None:
        """The service package; None without one, or once it ended with the bike."""
        return None if ends(self.departure, Dependent.PACKAGE) else self.bike.service_package

    @property
    def gone(self) -> Code | None:
        """Why nothing new can start for it; None if it can."""
        return refusal(self.departure, Dependent.PAGES)


_NEWEST_FIRST = (col(OrderRow.ordered_at).desc(), col(BikeRow.id))


_STAGES = (Departure.DECLARED, Departure.ON_ITS_WAY, Departure.RECEIVED, Departure.RETURNED, Departure.CANCELLED)


def _stage_of_bike() -> Any:
    """SQL: how far a bike is on its way back; NULL while it is kept.

    Where no return says which of equal bikes it is about, they go back once all units of their line do. It is twice an
    index of `_STAGES`, plus one for a withdrawal. A return that was not confirmed moves nothing. What came back to the
    shop, or was refunded there, is returned.
    """
    status = col(ReturnRow.status)
    stage = sql.case(
        (col(ReturnRow.kind) == ReturnKind.CANCELLATION, 8),
        (status.in_(sorted(DONE)), 6),
        (status == ReturnStatus.RECEIVED, 4),
        (status.in_(sorted(PICKED_UP)), 2),
        else_=0,
    ) + sql.case((col(ReturnRow.kind) == ReturnKind.WITHDRAWAL, 1), else_=0)
    bought = (
        select(OrderLineRow.quantity)
        .where(OrderLineRow.id == BikeRow.order_line_id)
        .correlate(BikeRow)
        .scalar_subquery()
    )
    own = sql.case((col(ReturnUnitRow.bike_id) == BikeRow.id, stage))
    of_shop = (
        select(OrderLineRow.id)
        .where(OrderLineRow.id == BikeRow.order_line_id, col(OrderLineRow.returned) >= col(OrderLineRow.quantity))
        .correlate(BikeRow)
    )
    of_portal = (
        sql.select(
            sql.case(
                (func.count(own) > 0, func.min(own)), (func.count(col(ReturnUnitRow.id)) >= bought, func.min(stage))
            )
        )
        .join(ReturnRow, col(ReturnRow.id) == ReturnUnitRow.return_id)
        .where(col(ReturnUnitRow.order_line_id) == BikeRow.order_line_id, col(ReturnUnitRow.released_at).is_(None))
        .where(ReturnRow.customer_id == CUSTOMER, status.not_in(sorted(NEVER_REQUESTED | GIVES_BACK)))
        .correlate(BikeRow)
        .scalar_subquery()
    )
    returned = 2 * _STAGES.index(Departure.RETURNED)
    return sql.case((of_shop.exists() | REFUNDED, func.coalesce(of_portal, returned)), else_=of_portal)


def departure_of(status: DeliveryStatus | None, stage: int | None, *, delivered: bool) -> Departure | None:
    withdrawn = stage is not None and stage % 2 == 1
    if status is DeliveryStatus.ORDER_CANCELLED:
        return Departure.WITHDRAWN_UNSENT if withdrawn else Departure.CANCELLED
    found = None if stage is None else _STAGES[stage // 2]
    if withdrawn and found is Departure.DECLARED:
        return Departure.WITHDRAWN
    unsent = withdrawn and found is Departure.RETURNED and not delivered and status not in ARRIVED
    return Departure.WITHDRAWN_UNSENT if unsent else found


def _open_request(column: Any = RequestRow.reference) -> Any:
    return (
        select(column)
        .where(RequestRow.bike_id == BikeRow.id, checked(col(RequestRow.customer_id)))
        .where(col(RequestRow.status).not_in(sorted(CLOSED_WORK_ORDER)))
        .correlate(BikeRow)
        .limit(1)
        .scalar_subquery()
    )


_STAGE = _stage_of_bike()
_NOT_CANCELLED = col(OrderRow.delivery_status).is_distinct_from(DeliveryStatus.ORDER_CANCELLED)
KEPT = sql.and_(_NOT_CANCELLED, _STAGE.is_(None))
"""The customer has the bike and keeps it: `OwnedBike.gone` is None."""

LISTED = sql.and_(
    _NOT_CANCELLED,
    sql.or_(
        _STAGE.is_(None),
        _STAGE.in_(
            [
                stage
                for stage in range(2 * len(_STAGES))
                if goes_on(departure_of(None, stage, delivered=True), Dependent.BIKE_LIST)
            ]
        ),
    ),
)
"""The bike is among those of the customer."""

KNOWN_FRAME = func.coalesce(col(BikeRow.frame_number), "") != ""
NOT_INSURED = col(BikeRow.insurance) == ""
BUSY = _open_request().is_not(None)
"""The bike has an open request."""

_BIKES: Any = (
    sql.select(BikeRow, OrderRow, _open_request(), _STAGE, _open_request(RequestRow.kind))
    .join(OrderRow, col(OrderRow.id) == BikeRow.order_id)
    .where(checked(col(BikeRow.customer_id)), checked(col(OrderRow.customer_id)))
)
_DEPARTURES: Any = (
    sql.select(col(BikeRow.id), col(OrderRow.delivery_status), _STAGE, col(BikeRow.delivered_on).is_not(None))
    .join(OrderRow, col(OrderRow.id) == BikeRow.order_id)
    .where(checked(col(BikeRow.customer_id)), checked(col(OrderRow.customer_id)))
    .where(col(BikeRow.id).in_(sql.bindparam("keys", expanding=True)))
)
_BY_KEY = _BIKES.where(BikeRow.id == sql.bindparam("key"))
_ONE = _BIKES.where(BikeRow.public_id == sql.bindparam("public_id"))
_SOME = _BIKES.where(col(BikeRow.id).in_(sql.bindparam("keys", expanding=True))).order_by(*_NEWEST_FIRST)
_NAMED = _BIKES.where(col(BikeRow.public_id).in_(sql.bindparam("public_ids", expanding=True))).order_by(*_NEWEST_FIRST)

# Only keys are sorted and skipped: the columns of a bike are read for the bikes of one page. The orders of the customer
# are read in the order of their index, so that the newest bike that meets a condition is found early.
_KEYS: Any = (
    select(BikeRow.id)
    .join(OrderRow, col(OrderRow.id) == BikeRow.order_id)
    .where(checked(col(BikeRow.customer_id)), col(OrderRow.customer_id) == CUSTOMER)
    .order_by(*_NEWEST_FIRST)
)
_FOUND = _KEYS.where(
    sql.or_(
        *(
            func.lower(column).like(sql.bindparam("pattern"), escape="\\")
            for column in (BikeRow.name, BikeRow.name_en, BikeRow.brand, BikeRow.color, BikeRow.color_en)
        ),
        *(
            func.lower(column).like(sql.bindparam("squeezed"), escape="\\")
            for column in (BikeRow.frame_number, OrderRow.order_number)
        ),
    )
)
_SELECTED = {
    BikeSelection.ALL: _KEYS,
    BikeSelection.IN_PROGRESS: _KEYS.where(BUSY),
    BikeSelection.OTHERS: _KEYS.where(sql.not_(BUSY)),
}
_LISTED = {selection: query.where(LISTED) for selection, query in _SELECTED.items()}


def _newest(*conditions: Any) -> Any:
    return _KEYS.where(*conditions).limit(1).scalar_subquery()


def _newest_of(*sorts: tuple[Any, ...]) -> Any:
    """The newest bike of each sort; a sort is described by conditions."""
    return _BIKES.where(col(BikeRow.id).in_([_newest(*conditions) for conditions in sorts])).order_by(*_NEWEST_FIRST)


_DECIDING = _newest_of(
    (), (KEPT,), (KEPT, NOT_INSURED), (KEPT, NOT_INSURED, KNOWN_FRAME), (KEPT, KNOWN_FRAME, sql.not_(BUSY))
)
_BUSY = _newest_of((KEPT, BUSY))


class BikeQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id
        self._book: TermBook | None = None

    async def terms(self) -> TermBook:
        """The periods that the customer's shop set, asked once."""
        if self._book is None:
            self._book = await term_book(self._session, self._customer_id)
        return self._book

    async def part(
        self, page: int, *, text: str = "", selection: BikeSelection = BikeSelection.ALL, listed: bool = False
    ) -> Part[OwnedBike]:
        query = _FOUND if text else (_LISTED if listed else _SELECTED)[selection]
        values = {"pattern": like(text), "squeezed": like("".join(text.split()))} if text else {}
        part: Part[int] = await part_of(
            self._session, query, page, PAGE_OF_BIKES, customer_id=self._customer_id, **values
        )
        return Part(await self._some(part.rows), part.place)

    async def deciding(self) -> list[OwnedBike]:
        """The bikes that decide what the customer can start, newest order first.

        Each stands for all others of its sort: the newest bike; of those that the customer has, the newest, the newest
        without insurance, also of those with a frame number, and the newest that a work order can be made for, or else
        the newest with an open request.
        """
        own = {"customer_id": self._customer_id}
        found = await self._owned((await self._session.exec(_DECIDING, params=own)).all())
        kept = [owned for owned in found if not owned.gone]
        if kept and not any(owned.bike.frame_number and owned.open_request is None for owned in kept):
            found += await self._owned((await self._session.exec(_BUSY, params=own)).all())
        return found

    async def newest(self, *conditions: Any) -> OwnedBike | None:
        """The newest bike that meets conditions on `BikeRow` and `OrderRow`."""
        keys = await self._session.exec(_KEYS.where(*conditions).limit(1), params={"customer_id": self._customer_id})
        return next(iter(await self._some(keys.all())), None)

    async def named(self, public_ids: Collection[str]) -> list[OwnedBike]:
        """The bikes with these ids that the customer has, newest order first."""
        if not public_ids:
            return []
        values = {"customer_id": self._customer_id, "public_ids": sorted(public_ids)}
        return await self._owned((await self._session.exec(_NAMED, params=values)).all())

    async def departures(self, keys: Collection[int]) -> dict[int, Departure | None]:
        """What happened to the bikes with these primary keys, in one statement."""
        values = {"customer_id": self._customer_id, "keys": sorted(keys)}
        found: Any = await self._session.exec(_DEPARTURES, params=values) if keys else ()
        return {key: departure_of(status, stage, delivered=delivered) for key, status, stage, delivered in found}

    async def by_key(self, key: int) -> OwnedBike:
        """The bike with this primary key, which the customer is known to have."""
        values = {"customer_id": self._customer_id, "key": key}
        (found,) = await self._owned([(await self._session.exec(_BY_KEY, params=values)).one()])
        return found

    async def get(self, public_id: str) -> OwnedBike:
        row = await find_one(self._session, _ONE, customer_id=self._customer_id, public_id=public_id)
        (found,) = await self._owned([row])
        return found

    async def _some(self, keys: Collection[int]) -> list[OwnedBike]:
        if not keys:
            return []
        values = {"customer_id": self._customer_id, "keys": list(keys)}
        return await self._owned((await self._session.exec(_SOME, params=values)).all())

    async def _owned(self, rows: Sequence[Any]) -> list[OwnedBike]:
        if not rows:
            return []
        book, day = await self.terms(), today()
        found = await pictures_of_lines(self._session, self._customer_id, [row[0].order_line_id for row in rows])
        return [
            OwnedBike(
                bike,
                order,
                open_request,
                returned,
                terms=book.since(local_day(order.ordered_at), day),
                picture=bike_picture(bike, found),
                open_kind=open_kind,
            )
            for bike, order, open_request, returned, open_kind in rows
        ]


def bike_picture(bike: BikeRow, found: Mapping[int, ArticlePicture]) -> Picture:
    return picture_of(found.get(bike.order_line_id or 0), bike.kind, bike.name, bike.color_code)


async def departure_of_bike(session: AsyncSession, bike: BikeRow) -> Departure | None:
    """What happened to a bike; None if its customer has it and keeps it."""
    key = bike.id
    return (await BikeQueries(session, bike.customer_id).departures([key])).get(key)


def waiting(account: Account, departure: Departure | None, dependent: Dependent) -> Account:
    """The account of an open request: while its bike goes back, it says that it waits instead of what comes next."""
    cell = outcome(departure, dependent)
    if cell.effect is not Effect.WAITS:
        return account
    return account.model_copy(update={"meaning": LocalizedText.of(cell.customer), "next_steps": [], "handover": None})


def known_km(bike: BikeRow, reading: Decimal | None) -> Decimal | None:
    if reading is not None and int(reading) == bike.mileage:
        return reading
    return None if bike.mileage is None else Decimal(bike.mileage)


async def last_readings(session: AsyncSession, customer_id: int, bikes: Collection[BikeRow]) -> dict[int, Decimal]:
    """The last reading of each bike with one, by primary key of the bike."""
    keys = [bike.id for bike in bikes if bike.mileage is not None]
    if not keys:
        return {}
    newest = (
        select(func.max(col(MileageRow.id)))
        .where(MileageRow.customer_id == customer_id, col(MileageRow.bike_id).in_(keys))
        .group_by(col(MileageRow.bike_id))
    )
    query = select(col(MileageRow.bike_id), col(MileageRow.km)).where(
        MileageRow.customer_id == customer_id, col(MileageRow.id).in_(newest)
    )
    return dict((await session.exec(query)).all())


async def locked(session: AsyncSession, customer_id: int, key: int) -> BikeRow:
    query = select(BikeRow).where(BikeRow.customer_id == customer_id, BikeRow.id == key)
    return (await session.exec(query.with_for_update())).one()


async def record_mileage(session: AsyncSession, bike: BikeRow, km: Decimal, moment: datetime) -> None:
    last = (await last_readings(session, bike.customer_id, [bike])).get(bike.id)
    if last != km or bike.mileage != int(km):
        session.add(MileageRow(customer_id=bike.customer_id, bike_id=bike.id, km=km, read_at=moment))
    bike.mileage, bike.mileage_at = int(km), local_day(moment)
    await session.flush()
