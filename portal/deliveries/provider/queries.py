"""Queries on deliveries and requests for another day, and what such a request tells its case."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseFacts, record
from portal.backend.database import find_one
from portal.kernel.address import Country
from portal.kernel.texts import gettext_for, known_locale
from portal.login.provider.queries import CustomerQueries
from portal.tables.columns import insert_into
from portal.tables.deliveries import DateChangeRow, DeliveryDayRow, DeliveryEventRow, DeliveryPlacesRow
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.deliveries import ANSWER_WITHIN, DATE_CHANGES, PENDING, DateChangeStatus
from portal.vocabulary.returns import CANCELLABLE, ReturnKind

_S = DateChangeStatus
_ENDS = DATE_CHANGES.ends | {_S.EXPIRED}
"""Statuses with which nothing is left to do for staff; a new link reopens an expired request."""


def facts_of(row: DateChangeRow) -> CaseFacts:
    """The facts of a request. An answer is promised once the customer has confirmed it."""
    asked = row.status is _S.WAITING_FOR_RETAILER and row.confirmed_at
    return CaseFacts(
        kind=CaseKind.DATE_CHANGE,
        reference=row.reference,
        customer_id=row.customer_id,
        status=row.status.value,
        final=row.status in _ENDS,
        waiting=row.status is _S.WAITING_FOR_CUSTOMER,
        waiting_until=row.link_expires_at,
        promised_at=row.confirmed_at + ANSWER_WITHIN if asked and row.confirmed_at else None,
    )


async def record_case(session: AsyncSession, row: DateChangeRow, now: datetime, *, by_customer: bool = False) -> None:
    """Bring the case of a request up to date, in the transaction of the change."""
    await record(session, facts_of(row), CaseEventType.STATUS_CHANGED, now, by_customer=by_customer)


async def full_days(session: AsyncSession, country: Country, days: Sequence[date], usual: int) -> set[date]:
    """Those of `days` on which no place is free."""
    query = select(DeliveryDayRow).where(DeliveryDayRow.country_code == country, col(DeliveryDayRow.day).in_(days))
    known = {row.day: row.capacity - row.taken for row in await session.exec(query)}
    places = await usual_places(session, country, days, usual)
    return {day for day in days if known.get(day, places[day]) <= 0}


async def usual_places(session: AsyncSession, country: Country, days: Sequence[date], usual: int) -> dict[date, int]:
    """The number of places on each of `days`, by its weekday; `usual` on a weekday without a row."""
    query = (
        select(DeliveryPlacesRow)
        .where(DeliveryPlacesRow.country_code == country)
        .order_by(col(DeliveryPlacesRow.valid_from))
    )
    rows = (await session.exec(query)).all()
    places = dict.fromkeys(days, usual)
    for row in rows:
        # The rows are in the order of their first days, so that the latest one that has begun stays.
        places |= {day: row.places for day in days if row.weekday == day.isoweekday() and row.valid_from <= day}
    return places


async def take(session: AsyncSession, country: Country, day: date, usual: int) -> bool:
    """Take a place on a day and return whether one was free. Concurrent calls never exceed the capacity.

    `usual` is the number of places on a weekday without a row.
    """
    places = await usual_places(session, country, [day], usual)
    fresh = insert_into(session.get_bind(), DeliveryDayRow).values(
        country_code=country, day=day, capacity=places[day], taken=0
    )
    await session.exec(fresh.on_conflict_do_nothing(index_elements=["country_code", "day"]))
    statement = (
        update(DeliveryDayRow)
        .where(
            col(DeliveryDayRow.country_code) == country,
            col(DeliveryDayRow.day) == day,
            col(DeliveryDayRow.taken) < col(DeliveryDayRow.capacity),
        )
        .values(taken=DeliveryDayRow.taken + 1)
    )
    return (await session.exec(statement)).rowcount == 1


async def give_back(session: AsyncSession, country: Country, day: date) -> None:
    """Release a place that was taken on a day."""
    await session.exec(
        update(DeliveryDayRow)
        .where(
            col(DeliveryDayRow.country_code) == country, col(DeliveryDayRow.day) == day, col(DeliveryDayRow.taken) > 0
        )
        .values(taken=DeliveryDayRow.taken - 1)
    )


class DateChangeQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def order(self, order_number: str) -> OrderRow | None:
        """An order of the customer, locked until the end of the transaction; None if there is none."""
        query = select(OrderRow).where(OrderRow.customer_id == self._customer_id, OrderRow.order_number == order_number)
        return (await self._session.exec(query.with_for_update())).one_or_none()

    async def latest(self, order: OrderRow) -> DateChangeRow | None:
        """The latest request for an order, whatever its status."""
        query = (
            select(DateChangeRow)
            .where(DateChangeRow.customer_id == self._customer_id, DateChangeRow.order_id == order.id)
            .order_by(col(DateChangeRow.id).desc())
            .limit(1)
        )
        return (await self._session.exec(query)).first()

    async def all(self, order: OrderRow) -> Sequence[DateChangeRow]:
        query = (
            select(DateChangeRow)
            .where(DateChangeRow.customer_id == self._customer_id, DateChangeRow.order_id == order.id)
            .order_by(col(DateChangeRow.id))
        )
        return (await self._session.exec(query)).all()

    async def get(self, reference: str) -> tuple[DateChangeRow, OrderRow]:
        query = self._with_order.where(DateChangeRow.reference == reference)
        return await find_one(self._session, query)

    async def by_key(self, key: int) -> tuple[DateChangeRow, OrderRow] | None:
        query = self._with_order.where(DateChangeRow.id == key).with_for_update()
        return (await self._session.exec(query)).one_or_none()

    @property
    def _with_order(self):
        return (
            select(DateChangeRow, OrderRow)
            .join(OrderRow, col(OrderRow.id) == DateChangeRow.order_id)
            .where(DateChangeRow.customer_id == self._customer_id, OrderRow.customer_id == self._customer_id)
        )


async def move(
    session: AsyncSession,
    change: DateChangeRow,
    target: DateChangeStatus,
    now: datetime,
    *,
    by_customer: bool = False,
    **values: object,
) -> bool:
    """Change the status of a request and return whether it worked. It fails if the status has changed meanwhile."""
    statement = (
        update(DateChangeRow)
        .where(col(DateChangeRow.id) == change.id, col(DateChangeRow.status) == change.status)
        .values(status=target, **values)
    )
    if (await session.exec(statement)).rowcount != 1:
        return False
    await session.refresh(change)
    await record_case(session, change, now, by_customer=by_customer)
    return True


async def cancel_pending(session: AsyncSession, order: OrderRow, now: datetime, why: str) -> None:
    """Cancel the pending requests for an order that can no longer be moved, and release their places."""
    query = select(DateChangeRow).where(
        DateChangeRow.order_id == order.id, col(DateChangeRow.status).in_(sorted(PENDING))
    )
    for change in (await session.exec(query)).all():
        if change.holds_place:
            await give_back(session, change.country_code, change.new_day)
        customer = await CustomerQueries(session, order.customer_id).get()
        note = gettext_for(known_locale(customer.locale))(why) if why else ""
        await move(session, change, DateChangeStatus.CANCELLED, now, holds_place=False, decided_at=now, note=note)


class ShipmentQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def all(self, order: OrderRow) -> Sequence[ShipmentRow]:
        query = select(ShipmentRow).where(col(ShipmentRow.order_id).in_(self._own(order))).order_by(col(ShipmentRow.id))
        return (await self._session.exec(query)).all()

    async def withdrawn(self, order: OrderRow) -> dict[int, int]:
        query: Any = (
            select(ReturnUnitRow.order_line_id, ReturnRow.status, ReturnRow.statement)
            .join(ReturnRow, col(ReturnRow.id) == ReturnUnitRow.return_id)
            .join(OrderLineRow, col(OrderLineRow.id) == ReturnUnitRow.order_line_id)
            .where(
                ReturnRow.customer_id == self._customer_id,
                ReturnRow.kind == ReturnKind.WITHDRAWAL,
                OrderLineRow.order_id == order.id,
                col(ReturnUnitRow.received).is_(True),
                col(ReturnUnitRow.released_at).is_(None),
            )
        )
        found: dict[int, int] = defaultdict(int)
        for line, status, statement in await self._session.exec(query):
            # What came back was received, too, but later.
            if status in CANCELLABLE or (statement or {}).get("unsent"):
                found[line] += 1
        return found

    async def events(self, order: OrderRow) -> Sequence[DeliveryEventRow]:
        query = (
            select(DeliveryEventRow)
            .where(col(DeliveryEventRow.order_id).in_(self._own(order)))
            .order_by(col(DeliveryEventRow.happened_at), col(DeliveryEventRow.id))
        )
        return (await self._session.exec(query)).all()

    def _own(self, order: OrderRow) -> Any:
        """Subquery for the id of the order; empty if it is another customer's."""
        return select(OrderRow.id).where(OrderRow.customer_id == self._customer_id, OrderRow.id == order.id)
