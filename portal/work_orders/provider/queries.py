"""Queries for work orders and their history, and for the jobs and past services of a bike."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import Integer, bindparam, case, exists
from sqlalchemy.orm import aliased
from sqlmodel import col, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.bike_names import bike_called
from portal.backend.database import CUSTOMER, PagePosition, Part, find_one, part_of
from portal.backend.shops import in_force
from portal.bikes.provider.queries import BikeQueries, bike_picture, departure_of_bike
from portal.contract.account import LocalizedText
from portal.contract.models import Picture
from portal.kernel.days import local_day
from portal.pictures.provider.lookup import pictures_of_lines
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.orders import OrderLineRow, OrderRow, PartnerRow
from portal.tables.work_orders import PackageTermsRow, RequestRow, ServiceProductRow, WorkOrderEventRow
from portal.vocabulary.departures import Departure
from portal.vocabulary.services import JOBS, Drive, ServicePackage
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, FINISHED_WORK, RequestKind
from portal.work_orders.api import ServiceProduct
from portal.work_orders.rules import half_of


@dataclass(frozen=True, slots=True)
class BikeRequest:
    """A request with its bike and its service location; `departure` is None if the customer keeps the bike."""

    request: RequestRow
    bike: BikeRow
    partner: PartnerRow | None
    picture: Picture = field(default_factory=Picture)
    departure: Departure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedRequest(BikeRequest):
    """`called` is how mails call the bike."""

    customer: CustomerRow
    called: LocalizedText


_OPEN_FIRST = (
    select(RequestRow)
    .where(RequestRow.customer_id == CUSTOMER)
    .order_by(
        case((col(RequestRow.status).in_(sorted(CLOSED_WORK_ORDER)), 1), else_=0),
        col(RequestRow.created_at).desc(),
        col(RequestRow.id).desc(),
    )
)

_OPEN_REQUESTS = (
    select(RequestRow)
    .where(RequestRow.customer_id == CUSTOMER, col(RequestRow.status).not_in(sorted(CLOSED_WORK_ORDER)))
    .order_by(col(RequestRow.created_at).desc(), col(RequestRow.id).desc())
    .limit(bindparam("most", type_=Integer))
)


class RequestQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def part(self, page: int) -> tuple[list[BikeRequest], PagePosition]:
        """A page of requests: open ones first, then the newest first."""
        part: Part[RequestRow] = await part_of(self._session, _OPEN_FIRST, page, customer_id=self._customer_id)
        return await self._completed(part.rows), part.place

    async def open(self, most: int) -> list[BikeRequest]:
        found = await self._session.exec(_OPEN_REQUESTS, params={"customer_id": self._customer_id, "most": most})
        return await self._completed(found.all())

    async def exist(self) -> bool:
        """Whether the customer has any request, open or closed."""
        query = select(RequestRow.id).where(RequestRow.customer_id == self._customer_id).limit(1)
        return (await self._session.exec(query)).first() is not None

    async def _completed(self, requests: Sequence[RequestRow]) -> list[BikeRequest]:
        """Add bikes and service locations, with one statement each for all requests."""
        if not requests:
            return []
        own_bikes = select(BikeRow).where(
            BikeRow.customer_id == self._customer_id, col(BikeRow.id).in_({entry.bike_id for entry in requests})
        )
        bikes = {bike.id: bike for bike in await self._session.exec(own_bikes)}
        # A bike that the shop gave to another customer took its requests along.
        requests = [entry for entry in requests if entry.bike_id in bikes]
        departures = await BikeQueries(self._session, self._customer_id).departures([key or 0 for key in bikes])
        named = select(PartnerRow).where(col(PartnerRow.id).in_({entry.partner_id for entry in requests} - {None}))
        partners = {partner.id: partner for partner in await self._session.exec(named)}
        found = await pictures_of_lines(
            self._session, self._customer_id, [bike.order_line_id for bike in bikes.values()]
        )
        return [
            BikeRequest(
                entry,
                bikes[entry.bike_id],
                partners.get(entry.partner_id or 0),
                bike_picture(bikes[entry.bike_id], found),
                departures.get(entry.bike_id),
            )
            for entry in requests
        ]


class WorkOrderMatch(NamedTuple):
    """A work order with its customer and bike."""

    request: RequestRow
    customer: CustomerRow
    bike: BikeRow


async def get(session: AsyncSession, reference: str) -> WorkOrderMatch:
    query = (
        select(RequestRow, CustomerRow, BikeRow)
        .join(CustomerRow, col(CustomerRow.id) == RequestRow.customer_id)
        .join(BikeRow, col(BikeRow.id) == RequestRow.bike_id)
        .where(RequestRow.reference == reference)
    )
    return WorkOrderMatch(*await find_one(session, query))


async def history(session: AsyncSession, request_id: int) -> Sequence[WorkOrderEventRow]:
    """The events of a work order, oldest first."""
    query = (
        select(WorkOrderEventRow)
        .where(WorkOrderEventRow.request_id == request_id)
        .order_by(col(WorkOrderEventRow.happened_at), col(WorkOrderEventRow.id))
    )
    return (await session.exec(query)).all()


async def partner(session: AsyncSession, name: str) -> PartnerRow | None:
    """A service location by its public id or exact name."""
    query = select(PartnerRow).where(or_(PartnerRow.public_id == name, PartnerRow.name == name)).limit(1)
    return (await session.exec(query)).first()


async def extended(session: AsyncSession, bike_id: int) -> bool:
    """Whether an earlier repair moved the warranty of a bike."""
    query = select(RequestRow.id).where(RequestRow.bike_id == bike_id, col(RequestRow.warranty_until).is_not(None))
    return (await session.exec(query.limit(1))).first() is not None


async def change(session: AsyncSession, request: RequestRow, now: datetime, **values: Any) -> bool:
    """Change a work order, unless it was changed since it was read."""
    statement = (
        update(RequestRow)
        .where(col(RequestRow.id) == request.id, col(RequestRow.version) == request.version)
        .values(version=request.version + 1, updated_at=now, **values)
    )
    return (await session.exec(statement)).rowcount == 1


async def own_request(session: AsyncSession, customer_id: int, reference: str) -> OwnedRequest:
    query = (
        select(RequestRow, BikeRow, CustomerRow, PartnerRow)
        .join(BikeRow, (col(BikeRow.id) == RequestRow.bike_id) & (col(BikeRow.customer_id) == customer_id))
        .join(CustomerRow, col(CustomerRow.id) == RequestRow.customer_id)
        .join(PartnerRow, col(PartnerRow.id) == RequestRow.partner_id, isouter=True)
        .where(RequestRow.customer_id == customer_id, RequestRow.reference == reference)
    )
    request, bike, customer, partner = await find_one(session, query)
    picture = bike_picture(bike, await pictures_of_lines(session, customer_id, [bike.order_line_id]))
    departure = await departure_of_bike(session, bike)
    called = await bike_called(session, bike)
    return OwnedRequest(request, bike, partner, picture, departure, customer=customer, called=called)


@dataclass(frozen=True, slots=True)
class History:
    """The services a bike has had: their number, and the local day of the last one."""

    done: int
    last: date | None


class ServiceProductQueries:
    """Jobs, prices and past services for the bikes of one customer."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def offers(self, drive: Drive, package: ServicePackage | None, day: date) -> list[ServiceProduct]:
        """The jobs for a kind of bike, from the first to the last, with the prices for a service package."""
        terms = (await package_terms(self._session, self._customer_id, day)).get(package) if package else None
        return await self.offers_with(drive, terms, day)

    async def offers_with(self, drive: Drive, terms: PackageTermsRow | None, day: date) -> list[ServiceProduct]:
        rows = await in_force(
            self._session,
            ServiceProductRow,
            day,
            lambda row: row.job,
            col(ServiceProductRow.drive) == drive,
            col(ServiceProductRow.half_price).is_(False),
            customer_id=self._customer_id,
        )
        half = terms.half_price_jobs if terms else ()
        return [
            ServiceProduct(job=job, price=rows[job].price, reduced=half_of(rows[job].price) if job in half else None)
            for job in JOBS
            if job in rows
        ]

    async def history(self, bike: BikeRow) -> History:
        """The services that were done for a bike."""
        query = select(RequestRow).where(
            RequestRow.customer_id == self._customer_id,
            RequestRow.bike_id == bike.id,
            RequestRow.kind == RequestKind.SERVICE,
            col(RequestRow.status).in_(sorted(FINISHED_WORK)),
        )
        rows = (await self._session.exec(query)).all()
        days = [row.planned_date or local_day(row.updated_at) for row in rows]
        # If a later job was done, the earlier ones were done too, perhaps by another workshop.
        jobs = [int(job) for row in rows if (job := str((row.details or {}).get("job", ""))) in set(JOBS)]
        return History(max([len(rows), *jobs]), max(days, default=None))

    async def combination_holds(self, bike: BikeRow) -> bool:
        """Whether the frame number belongs to the order line of the bike.

        False if the order line is missing or of another kind, or if another customer registered the frame number later.
        """
        later = aliased(BikeRow)
        sold_again = exists().where(
            col(later.frame_number) == bike.frame_number,
            col(later.id) > bike.id,
            col(later.customer_id) != bike.customer_id,
        )
        query = (
            select(BikeRow.id)
            .join(OrderRow, (col(OrderRow.id) == BikeRow.order_id) & (col(OrderRow.customer_id) == self._customer_id))
            .join(
                OrderLineRow,
                (col(OrderLineRow.id) == BikeRow.order_line_id)
                & (col(OrderLineRow.order_id) == BikeRow.order_id)
                & (col(OrderLineRow.kind) == BikeRow.kind),
            )
            .where(BikeRow.customer_id == self._customer_id, BikeRow.id == bike.id, ~sold_again)
        )
        return (await self._session.exec(query)).first() is not None


async def package_terms(session: AsyncSession, customer_id: int, day: date) -> dict[ServicePackage, PackageTermsRow]:
    """The service packages that a customer is offered on a local day, with their prices and contents."""
    return await in_force(session, PackageTermsRow, day, lambda row: row.package, customer_id=customer_id)


def drive_of(bike: BikeRow) -> Drive:
    """The price list that applies to a bike. A bike with a motor counts as an e-bike."""
    return Drive.E_BIKE if bike.engine_brand or bike.kind == "e_bike" else Drive.BIKE
