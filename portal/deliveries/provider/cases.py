"""Requests for another delivery day as staff see and answer them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.backoffice import (
    BackOfficeCase,
    CurrentStatus,
    NotAllowed,
    Transition,
    TransitionRequest,
    known_reference,
)
from portal.backend.cases import CaseContent, CaseFacts, CaseLine, CaseSubject, StatusStep
from portal.backend.context import Context
from portal.backend.database import find_one
from portal.backend.letter import localized_day
from portal.backend.security import reader
from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, InvalidInput
from portal.deliveries.provider.account import date_change_account
from portal.deliveries.provider.backoffice import shipments_of
from portal.deliveries.provider.confirmation import notify_change
from portal.deliveries.provider.moving import has_left, ordered_units
from portal.deliveries.provider.queries import facts_of, give_back
from portal.deliveries.provider.queries import move as change_status
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.links.provider import Links, Subject
from portal.orders.provider.queries import OrderQueries
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DateChangeRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.deliveries import (
    DATE_CHANGE_DESK_LABELS,
    DATE_CHANGE_MEANINGS,
    DATE_CHANGES,
    DateChangeStatus,
    date_change_tone,
    why_it_stays,
)
from portal.vocabulary.links import LinkPurpose


class DateChangeMatch(NamedTuple):
    change: DateChangeRow
    order: OrderRow
    customer: CustomerRow


async def locked_date_change(session: AsyncSession, reference: str) -> DateChangeMatch:
    query = (
        select(DateChangeRow, OrderRow, CustomerRow)
        .join(OrderRow, col(OrderRow.id) == DateChangeRow.order_id)
        .join(CustomerRow, col(CustomerRow.id) == DateChangeRow.customer_id)
        .where(DateChangeRow.reference == reference)
    )
    return DateChangeMatch(*await find_one(session, query, lock=True))


async def earlier_places(session: AsyncSession, change: DateChangeRow) -> Sequence[DateChangeRow]:
    query = select(DateChangeRow).where(
        DateChangeRow.order_id == change.order_id,
        DateChangeRow.id != change.id,
        col(DateChangeRow.holds_place).is_(True),
    )
    return (await session.exec(query)).all()


_S = DateChangeStatus
_ANSWERS = frozenset({_S.ACCEPTED, _S.REFUSED, _S.CANCELLED})
"""The statuses that staff can set. The others follow from the customer's actions or the expiry of the link."""


async def current_status(context: Context, reference: str) -> CurrentStatus:
    async with context.database.transaction() as session:
        found = await locked_date_change(session, known_reference(reference))
        return _current_status(reference, found.change.status)


async def move(context: Context, session: AsyncSession, reference: str, request: TransitionRequest) -> Transition:
    if request.status not in {answer.value for answer in _ANSWERS}:
        raise InvalidInput(Code.INVALID_INPUT, fields={"status": Code.INVALID_CHOICE})
    target, now = _S(request.status), context.clock()
    found = await locked_date_change(session, known_reference(reference))
    change, order = found.change, found.order
    before = change.status
    if before == target:
        return _current_status(reference, before).after(before, changed=False)
    if request.seen and request.seen != before:
        raise Conflict(Code.STATUS_CHANGED)
    if not DATE_CHANGES.allows(before, target):
        raise NotAllowed(before, target, possible(before))
    accepted = target is _S.ACCEPTED
    if accepted and (refusal := why_it_stays(order.delivery_status)):
        raise Conflict(refusal)
    if accepted:
        await _plan(session, order, change)
    elif change.holds_place:
        await give_back(session, change.country_code, change.new_day)
    moved = await change_status(
        session, change, target, now, decided_at=now, note=request.note, holds_place=accepted and change.holds_place
    )
    if not moved:
        raise Conflict(Code.STATUS_CHANGED)
    about = Subject(change.id, change.customer_id)
    await Links(context).withdraw(session, LinkPurpose.DELIVERY_DATE, about)
    await notify_change(context, session, found.customer, order, change)
    await live.publish(session, change.customer_id, Topic.DELIVERIES, now)
    return _current_status(reference, target).after(before, changed=True)


async def _plan(session: AsyncSession, order: OrderRow, change: DateChangeRow) -> None:
    """Plan an order and its shipments that have not left for the new day. Release places of earlier requests."""
    order.scheduled_day = change.new_day
    order.scheduled_from, order.scheduled_until = change.from_time, change.until_time
    for part in await shipments_of(session, order):
        if part.scheduled_day is not None and not has_left(order, part):
            part.scheduled_day = change.new_day
            part.scheduled_from, part.scheduled_until = change.from_time, change.until_time
    for earlier in await earlier_places(session, change):
        await give_back(session, earlier.country_code, earlier.new_day)
        earlier.holds_place = False


DATE_CHANGE = BackOfficeCase("date-change", DateChangeStatus, current_status, move)


def possible(status: DateChangeStatus) -> list[str]:
    return [target.value for target in DATE_CHANGES.following(status) if target in _ANSWERS]


def _current_status(reference: str, status: DateChangeStatus) -> CurrentStatus:
    return CurrentStatus(reference=reference, status=status, possible=possible(status))


_T = LocalizedText.of


async def lines(session: AsyncSession, references: Sequence[str]) -> dict[str, CaseLine]:
    query: Any = (
        select(DateChangeRow, OrderLineRow)
        .join(OrderLineRow, (col(OrderLineRow.order_id) == DateChangeRow.order_id) & (col(OrderLineRow.position) == 1))
        .where(col(DateChangeRow.reference).in_(references))
    )
    return {row.reference: _line(row, first) for row, first in await session.exec(query)}


def _line(row: DateChangeRow, first: OrderLineRow | None) -> CaseLine:
    return CaseLine(
        label=_T(DATE_CHANGE_DESK_LABELS[row.status]),
        tone=date_change_tone(row.status),
        what=_T(
            N_("From {before} to {after}"), before=localized_day(row.original_day), after=localized_day(row.new_day)
        ),
        item=first.name_in(reader()) if first else "",
        planned=row.new_day,
    )


async def content(context: Context, session: AsyncSession, reference: str) -> CaseContent | None:
    query: Any = (
        select(DateChangeRow, OrderRow)
        .join(OrderRow, col(OrderRow.id) == DateChangeRow.order_id)
        .where(DateChangeRow.reference == reference)
    )
    found = (await session.exec(query)).one_or_none()
    if found is None:
        return None
    row, order = found
    items = ordered_units(await OrderQueries(session, row.customer_id).lines(order))
    return CaseContent(
        account=date_change_account(order, items, row, context.clock()),
        line=_line(row, items[0][0] if items else None),
        steps=[
            StatusStep(
                status=status,
                label=_T(DATE_CHANGE_DESK_LABELS[DateChangeStatus(status)]),
                sentence=_T(DATE_CHANGE_MEANINGS[DateChangeStatus(status)]),
                ends=DateChangeStatus(status) in DATE_CHANGES.ends,
            )
            for status in possible(row.status)
        ],
        order_numbers=[order.order_number],
    )


async def facts(session: AsyncSession) -> list[tuple[CaseFacts, datetime, datetime]]:
    rows = await session.exec(select(DateChangeRow).order_by(col(DateChangeRow.id)))
    return [(facts_of(row), row.created_at, row.decided_at or row.confirmed_at or row.created_at) for row in rows]


DATE_CHANGE_CASES = CaseSubject(DATE_CHANGE, lines, content, facts)
