"""The dashboard: what is in progress, and what can be started (part-1 §2 Dashboard)."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any

import sqlalchemy as sql
from sqlalchemy import case, func
from sqlalchemy.orm import aliased
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.bike_names import bike_mark, order_mark
from portal.backend.database import CUSTOMER
from portal.backend.security import reader
from portal.backend.shops import TermBook
from portal.bikes.provider.queries import BikeQueries, OwnedBike, bike_picture
from portal.contract.account import LocalizedText
from portal.contract.models import Action, Ongoing, OngoingKind, Picture, Rank
from portal.conversations.provider.queries import asked_words, news_of, request_news
from portal.flow.provider.facts import summary_of
from portal.flow.provider.queries import DraftQueries
from portal.insurance.provider.account import insurance_account
from portal.insurance.provider.queries import InsuranceQueries, is_open
from portal.insurance.rules import offered_until
from portal.kernel.days import local_day, start_of_day
from portal.kernel.terms import ShopTerms
from portal.login.provider.queries import CustomerQueries, switched_on
from portal.orders.provider.invoices import InvoiceQueries
from portal.orders.provider.queries import delivery_ahead, line_picture
from portal.orders.rules import ShippingTimes, journey, order_return_until
from portal.overview.api import Dashboard, FirstBike
from portal.overview.provider.bike import BikeHomeService, bike_facts
from portal.overview.rules import OrderFacts, decide, place_of, rank_of
from portal.pictures.provider.lookup import ArticlePicture, pictures_of_lines
from portal.returns.provider.account import names_of, pickup_ahead, status_of
from portal.returns.provider.queries import ReturnedUnit, ReturnQueries
from portal.returns.provider.return_case import ReturnCase, item_mark, status_now
from portal.tables.bikes import BikeRow
from portal.tables.columns import UtcDateTime
from portal.tables.deliveries import DateChangeRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import InvoiceRow, OrderLineRow, OrderRow, ShipmentRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.actions import Feature, Opening
from portal.vocabulary.cases import Asks
from portal.vocabulary.deliveries import ARRIVED, BEFORE_HANDOVER, FINISHED_DELIVERY, DateChangeStatus, DeliveryStatus
from portal.vocabulary.departures import OF_REQUESTS, outcome
from portal.vocabulary.locations import Handover
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.services import NO_PACKAGES, ServicePackage
from portal.vocabulary.work_orders import WorkOrderStatus
from portal.work_orders.provider.account import day_ahead, handover_of, waits
from portal.work_orders.provider.account import status_of as request_status
from portal.work_orders.provider.queries import BikeRequest, RequestQueries


@dataclass(frozen=True, slots=True)
class OrderOutline:
    features: list[str]
    delivery_status: DeliveryStatus | None
    shipped_at: datetime | None
    travelling: int
    ordered_at: datetime


@dataclass(frozen=True, slots=True)
class OpenDelivery:
    """An order that has not arrived yet.

    `line` is its first bike, or its first line; `carrier` that of the last shipped parcel, else empty. `confirm_until`
    is the end of the link by which the customer confirms another day; None if there is none.
    """

    order_number: str
    line: OrderLineRow | None
    status: DeliveryStatus
    ordered_at: datetime
    scheduled_day: date | None
    scheduled_from: str
    scheduled_until: str
    carrier: str
    features: list[str]
    insurance: str
    package: ServicePackage | None
    confirm_until: datetime | None


@lru_cache(maxsize=64)
def _outlines(changes: tuple[date, ...]) -> Any:
    arrived = col(ShipmentRow.delivered_at).is_not(None) | col(ShipmentRow.status).in_(sorted(ARRIVED))
    travelling = case((arrived, 0), (col(ShipmentRow.tracking_url) != "", 1), else_=0)
    # PostgreSQL groups text, but not JSON.
    features = sql.cast(col(OrderRow.features), sql.Text)
    newest = func.max(OrderRow.ordered_at)
    spans = [case((col(OrderRow.ordered_at) >= start_of_day(change), 1), else_=0) for change in changes]
    return (
        sql.select(
            features,
            col(OrderRow.delivery_status),
            func.max(ShipmentRow.shipped_at),
            func.coalesce(func.sum(travelling), 0),
            newest,
        )
        .join(ShipmentRow, col(ShipmentRow.order_id) == OrderRow.id, isouter=True)
        .where(col(OrderRow.customer_id) == CUSTOMER)
        .group_by(features, col(OrderRow.delivery_status), *spans)
        .order_by(newest.desc(), func.max(OrderRow.id).desc())
    )


def _open() -> Any:
    lines = aliased(OrderLineRow)
    first_line = (
        select(lines.id)
        .where(lines.order_id == OrderRow.id)
        .order_by(case((col(lines.kind) == ItemKind.ACCESSORY, 1), else_=0), col(lines.position))
        .limit(1)
        .correlate(OrderRow)
        .scalar_subquery()
    )
    carrier = (
        select(ShipmentRow.carrier)
        .where(ShipmentRow.order_id == OrderRow.id, col(ShipmentRow.shipped_at).is_not(None))
        .order_by(col(ShipmentRow.shipped_at).desc(), col(ShipmentRow.id).desc())
        .limit(1)
        .scalar_subquery()
    )
    confirm_until = (
        select(func.max(DateChangeRow.link_expires_at))
        .where(
            DateChangeRow.order_id == OrderRow.id,
            DateChangeRow.customer_id == CUSTOMER,
            DateChangeRow.status == DateChangeStatus.WAITING_FOR_CUSTOMER,
            col(DateChangeRow.link_expires_at) > sql.bindparam("now", type_=UtcDateTime),
        )
        .correlate(OrderRow)
        .scalar_subquery()
    )
    return (
        sql.select(
            col(OrderRow.order_number),
            OrderLineRow,
            col(OrderRow.delivery_status),
            col(OrderRow.ordered_at),
            col(OrderRow.scheduled_day),
            func.coalesce(OrderRow.scheduled_from, ""),
            func.coalesce(OrderRow.scheduled_until, ""),
            func.coalesce(carrier, ""),
            col(OrderRow.features),
            col(OrderRow.insurance),
            col(OrderRow.service_package),
            sql.type_coerce(confirm_until, UtcDateTime),
        )
        .outerjoin(OrderLineRow, col(OrderLineRow.id) == first_line)
        .where(
            col(OrderRow.customer_id) == CUSTOMER,
            col(OrderRow.delivery_status).not_in(sorted(FINISHED_DELIVERY)),
        )
        .order_by(col(OrderRow.ordered_at).desc(), col(OrderRow.id).desc())
        .limit(sql.bindparam("most", type_=sql.Integer))
    )


_OPEN = _open()


def _shipped() -> Any:
    """Query for the first line of the newest order of which a parcel was shipped."""
    newest = (
        select(OrderRow.id)
        .join(ShipmentRow, col(ShipmentRow.order_id) == OrderRow.id)
        .where(col(OrderRow.customer_id) == CUSTOMER, col(ShipmentRow.shipped_at).is_not(None))
        .order_by(col(OrderRow.ordered_at).desc(), col(OrderRow.id).desc())
        .limit(1)
        .scalar_subquery()
    )
    return select(OrderLineRow).where(OrderLineRow.order_id == newest).order_by(col(OrderLineRow.position)).limit(1)


_SHIPPED = _shipped()


class DeliveryQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def outlines(self, book: TermBook) -> list[OrderOutline]:
        query = _outlines(tuple(first for first, _, _ in book.spans if first))
        found: Any = await self._session.exec(query, params={"customer_id": self._customer_id})
        return [OrderOutline(json.loads(features), *others) for features, *others in found]

    async def open(self, most: int, now: datetime) -> list[OpenDelivery]:
        values = {"customer_id": self._customer_id, "most": most, "now": now}
        found: Any = await self._session.exec(_OPEN, params=values)
        return [OpenDelivery(*row) for row in found]

    async def shipped(self) -> OrderLineRow | None:
        """The first line of the newest order of which a parcel was shipped; None if there is none."""
        found: Any = await self._session.exec(_SHIPPED, params={"customer_id": self._customer_id})
        return found.first()


MAX_ONGOING = 20
"""Largest number of entries in progress of one kind; the lists have all of them."""


class OverviewService(BikeHomeService):
    @override
    async def dashboard(self, token: str) -> Dashboard:
        async with self._sessions.reading(token) as (owner, session):
            customer = await CustomerQueries(session, owner.customer_id).get()
            bikes = BikeQueries(session, owner.customer_id)
            deciding = await bikes.deciding()
            requests = RequestQueries(session, owner.customer_id)
            open_requests = await requests.open(MAX_ONGOING)
            ever_requested = bool(open_requests) or await requests.exist()
            deliveries = DeliveryQueries(session, owner.customer_id)
            book = await bikes.terms()
            outlines = await deliveries.outlines(book)
            open_deliveries = await deliveries.open(MAX_ONGOING, self._context.clock())
            returns = ReturnQueries(session, owner.customer_id)
            open_returns = await returns.open(MAX_ONGOING)
            returned = await returns.units(open_returns)
            insurances = await InsuranceQueries(session, owner.customer_id).open(MAX_ONGOING)
            now = self._context.clock()
            day = local_day(now)
            features = switched_on([outline.features for outline in outlines])
            decisions = decide(
                frozenset(features),
                [bike_facts(entry) for entry in deciding],
                [_order_facts(outline, book.since(local_day(outline.ordered_at), day), now) for outline in outlines],
                any_request=ever_requested,
                day=day,
            )
            shipped = await deliveries.shipped() if decisions[Feature.RETURN].opening is Opening.OPEN else None
            shown = _shown_lines(open_deliveries, returned, [bike for _, bike in insurances])
            shown += [shipped.id] if shipped else []
            found = await pictures_of_lines(session, owner.customer_id, shown)
            drafts = await DraftQueries(session, owner.customer_id, self._context.clock()).unsent()
            subjects = await bikes.named([row.subject for row, _ in drafts])
            gone = {owned.bike.public_id for owned in subjects if owned.gone}
            news = await news_of(session, owner.customer_id)
            to_pay = await InvoiceQueries(session, owner.customer_id).unpaid(MAX_ONGOING)
        returning = (
            return_entry(ReturnCase(row, row.status, returned.get(row.id, [])), found)
            for row in open_returns
            if status_now(row, now) is row.status
        )
        waiting = {entry.order_number for entry in open_deliveries if entry.confirm_until}
        waiting |= {row.request.reference for row in open_requests if _is_collected(row.request)}
        asked = {entry.case.reference for entry in news if entry.asks is not Asks.NOTHING}
        asked |= {row.public_id for row in open_returns if row.reference in asked}
        entries = [
            (since, _asked(_ranked(entry, day, waits=entry.reference in waiting), asked))
            for since, entry in chain(
                map(request_entry, open_requests),
                (_delivery(entry, found) for entry in open_deliveries),
                returning,
                (_insurance(row, bike, found, now) for row, bike in insurances if is_open(row, now)),
            )
        ]
        entries += [_invoice(row, due) for row, due in to_pay]
        entries.sort(key=lambda entry: place_of(entry[1].rank, entry[1].planned, entry[0]))
        return Dashboard(
            first_name=customer.first_name,
            has_features=bool(features),
            actions=[
                Action(feature=entry.feature, opening=entry.opening, reason=entry.reason, until=entry.until)
                for entry in decisions.values()
            ],
            ongoing=[entry for _, entry in entries],
            complete=max(map(len, (open_requests, open_deliveries, open_returns, insurances, to_pay))) < MAX_ONGOING,
            drafts=[summary_of(row, name) for row, name in drafts if row.subject not in gone],
            news=[request_news(entry) for entry in news],
            bike=_pictured(deciding),
            first_bike=None
            if any(entry.gone is None for entry in deciding)
            else _first_bike(open_deliveries, book, local_day(now)),
            item=line_picture(shipped, found) if shipped else None,
        )


def _pictured(bikes: Sequence[OwnedBike]) -> Picture | None:
    owned = [entry for entry in bikes if entry.gone is None]
    free = [entry for entry in owned if entry.bike.frame_number and entry.open_request is None]
    return next((entry.picture for entry in (*free, *owned)), None)


def _first_bike(deliveries: Sequence[OpenDelivery], book: TermBook, day: date) -> FirstBike | None:
    coming = [entry for entry in deliveries if entry.line and entry.line.kind is not ItemKind.ACCESSORY]
    if not coming:
        return None
    first = min(coming, key=lambda entry: (entry.scheduled_day or date.max, -entry.ordered_at.timestamp()))
    features, bought_on = switched_on([first.features]), local_day(first.ordered_at)
    until = offered_until(bought_on, book.since(bought_on, day).insurance_days)
    insurable = Feature.INSURANCE in features and not first.insurance and day <= until
    return FirstBike(
        order_number=first.order_number,
        movable=Feature.DELIVERY_DATE in features and first.status in BEFORE_HANDOVER,
        insurable_until=until if insurable else None,
        package=Feature.SERVICE_PACKAGE in features and first.package in NO_PACKAGES,
    )


def _shown_lines(
    deliveries: Sequence[OpenDelivery], returned: Mapping[int, Sequence[ReturnedUnit]], insured: Sequence[BikeRow]
) -> list[int | None]:
    return [
        *(bike.order_line_id for bike in insured),
        *(entry.line.id for entry in deliveries if entry.line),
        *(units[0].line.id for units in returned.values() if units),
    ]


def _order_facts(outline: OrderOutline, terms: ShopTerms, now: datetime) -> OrderFacts:
    known = journey(outline.delivery_status, outline.ordered_at, ShippingTimes(outline.shipped_at), now)
    return OrderFacts(
        features=frozenset(switched_on([outline.features])),
        return_until=order_return_until([known.shipped_at], terms.return_days),
        status=outline.delivery_status,
        has_tracking=outline.travelling > 0,
    )


def _is_collected(request: RequestRow) -> bool:
    """Whether the bike is ready, and the customer collects it."""
    return request.status is WorkOrderStatus.WAIT_FOR_CUSTOMER and handover_of(request) is Handover.BRING


def _ranked(entry: Ongoing, day: date, *, waits: bool) -> Ongoing:
    status = entry.work_order_status or entry.delivery_status or entry.return_status or entry.insurance_status
    return entry.model_copy(update={"rank": rank_of(status, entry.planned, day, waits=waits)})


def _asked(entry: Ongoing, asked: Container[str]) -> Ongoing:
    if entry.reference not in asked:
        return entry
    label, meaning = asked_words()
    return entry.model_copy(update={"asked": True, "label": label.model_dump(), "meaning": meaning.model_dump()})


def _insurance(
    row: InsuranceRequestRow, bike: BikeRow, found: Mapping[int, ArticlePicture], now: datetime
) -> tuple[datetime, Ongoing]:
    account = insurance_account(row, bike, now)
    return row.created_at, Ongoing(
        kind=OngoingKind.INSURANCE,
        reference=row.reference,
        name=bike.name_in(reader()),
        mark=bike_mark(bike, reader()),
        picture=bike_picture(bike, found),
        insurance_status=row.status,
        before=row.link_expires_at if row.waits_for_link else None,
        since=local_day(row.created_at),
        label=account.status.model_dump(),
        meaning=account.meaning.model_dump(),
    )


def _invoice(row: InvoiceRow, due: Decimal) -> tuple[datetime, Ongoing]:
    return start_of_day(row.invoice_date), Ongoing(
        kind=OngoingKind.INVOICE,
        reference=row.public_id,
        name=row.number,
        since=row.invoice_date,
        planned=row.expire_date,
        amount=due,
        rank=Rank.NEEDS_YOU,
    )


def request_entry(entry: BikeRequest) -> tuple[datetime, Ongoing]:
    request = entry.request
    planned = None if waits(request, entry.departure) else day_ahead(request)
    label, meaning = request_status(request, request.status, planned)
    if waits(request, entry.departure):
        meaning = LocalizedText.of(outcome(entry.departure, OF_REQUESTS[request.kind]).customer)
    return request.created_at, Ongoing(
        kind=OngoingKind.REQUEST,
        reference=request.reference,
        name=entry.bike.name_in(reader()),
        mark=bike_mark(entry.bike, reader()),
        picture=entry.picture,
        request_kind=request.kind,
        work_order_status=request.status,
        since=local_day(request.created_at),
        planned=planned,
        partner=entry.partner.name if entry.partner else "",
        label=label.model_dump(),
        meaning=meaning.model_dump(),
    )


def _delivery(entry: OpenDelivery, found: Mapping[int, ArticlePicture]) -> tuple[datetime, Ongoing]:
    return entry.ordered_at, Ongoing(
        kind=OngoingKind.DELIVERY,
        reference=entry.order_number,
        name=entry.line.name_in(reader()) if entry.line else "",
        picture=line_picture(entry.line, found) if entry.line else Picture(),
        delivery_status=entry.status,
        before=entry.confirm_until,
        since=local_day(entry.ordered_at),
        planned=delivery_ahead(entry.status, entry.scheduled_day),
        from_time=entry.scheduled_from,
        until_time=entry.scheduled_until,
        partner=entry.carrier,
    )


def return_entry(
    entry: ReturnCase, found: Mapping[int, ArticlePicture] = MappingProxyType({})
) -> tuple[datetime, Ongoing]:
    row, units = entry.row, entry.units
    label, meaning = status_of(entry)
    name, mark = names_of(units).text(reader()), order_mark(entry.orders, reader())
    if units and name == units[0].line.name_in(reader()):
        mark = item_mark(units[0], entry.orders, reader())
    return row.created_at, Ongoing(
        kind=OngoingKind.RETURN,
        reference=row.public_id,
        name=name,
        mark="" if mark in name else mark,
        picture=line_picture(units[0].line, found) if units else Picture(),
        return_kind=row.kind,
        return_status=entry.status,
        before=row.confirm_until if entry.status is ReturnStatus.PENDING_CONFIRMATION else None,
        since=local_day(row.created_at),
        planned=pickup_ahead(entry),
        label=label.model_dump(),
        meaning=meaning.model_dump(),
    )
