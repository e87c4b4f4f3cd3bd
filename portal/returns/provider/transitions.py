"""Transitions: the only module that changes the status of a return, with its history and side effects."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import cases, live
from portal.backend.backoffice import FOLLOWERS, Departed
from portal.backend.cases import CaseFacts
from portal.backend.context import Context
from portal.backend.text_messages import TextMessages, TextTemplate
from portal.bikes.provider.queries import BikeQueries
from portal.contract.models import Locale
from portal.kernel.days import AMSTERDAM, end_of_day, in_working_days, local_day
from portal.kernel.terms import REFUND_DAYS, SEND_BACK_DAYS
from portal.kernel.validation import in_groups
from portal.orders.provider.queries import put_back
from portal.returns.provider import queries
from portal.returns.provider.return_case import agreed, may_be_brought, may_be_sent, never_sent, text_subject
from portal.returns.rules.settlement import ComputedSettlement
from portal.tables.columns import ZERO
from portal.tables.orders import OrderLineRow, OrderRow
from portal.tables.returns import ReturnEventRow, ReturnRow, ReturnUnitRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.deliveries import HOURS
from portal.vocabulary.departures import GONE, Departure
from portal.vocabulary.orders import PaymentStatus
from portal.vocabulary.returns import DONE, GIVES_BACK, RETURNS, ReturnKind, ReturnMethod, ReturnStatus

_S = ReturnStatus
_ENDS = RETURNS.ends | {_S.EXPIRED}
"""Statuses with which nothing is left to do for staff; a new link reopens an expired return."""


def facts_of(row: ReturnRow, since: datetime) -> CaseFacts:
    withdrawal = row.kind is ReturnKind.WITHDRAWAL
    return CaseFacts(
        kind=CaseKind.WITHDRAWAL if withdrawal else CaseKind.RETURN,
        reference=row.reference,
        customer_id=row.customer_id,
        status=row.status.value,
        final=row.status in _ENDS or (row.status is _S.CLOSED and not row.refund_amount),
        waiting=row.status is _S.PENDING_CONFIRMATION or _is_awaited(row),
        waiting_until=_brought_by(row) if _is_awaited(row) else row.confirm_until,
        partner_id=row.store_id,
        promised_at=_promised(row, since),
    )


def alarm_of(row: ReturnRow) -> CaseFacts:
    return CaseFacts(
        kind=CaseKind.BATTERY_ALARM,
        reference=row.reference,
        customer_id=row.customer_id,
        status=row.status.value,
        final=not row.urgent or row.status in _ENDS,
        partner_id=row.store_id,
        urgent=row.urgent,
        promised_at=in_working_days(row.created_at, row.answer_days),
    )


async def record_case(
    session: AsyncSession, row: ReturnRow, happened: CaseEventType, now: datetime, *, by_customer: bool = False
) -> None:
    """Bring the cases of a return up to date, in the transaction of the change."""
    since = now if happened is CaseEventType.STATUS_CHANGED else row.created_at
    await cases.record(session, facts_of(row, since), happened, now, by_customer=by_customer)
    if row.urgent or await cases.case_of(session, CaseKind.BATTERY_ALARM, row.reference):
        await cases.record(session, alarm_of(row), CaseEventType.STATUS_CHANGED, now, by_customer=by_customer)


def _is_awaited(row: ReturnRow) -> bool:
    """Whether the customer brings it to a store, and has not yet."""
    return row.status is _S.REQUEST_RECEIVED and may_be_brought(row)


def _brought_by(row: ReturnRow) -> datetime:
    """When staff ask where it is. The customer was told to bring it at any time, so a late answer is no reason."""
    return end_of_day(local_day(row.created_at) + timedelta(days=SEND_BACK_DAYS))


def _promised(row: ReturnRow, since: datetime) -> datetime | None:
    """What the account says: an answer, then the pick-up, then the refund."""
    if row.status is _S.REQUEST_RECEIVED and not may_be_brought(row):
        return in_working_days(since, row.answer_days)
    if row.status in (_S.PICKUP_REQUEST_CREATED, _S.PICKUP_CONFIRMED) and row.pickup_day and may_be_sent(row):
        return end_of_day(row.pickup_day)
    if row.status is _S.CLOSED and row.refund_amount:
        closed = local_day(since)
        if row.kind is ReturnKind.WITHDRAWAL:
            return end_of_day(max(closed, local_day(row.created_at) + timedelta(days=REFUND_DAYS)))
        return end_of_day(closed + timedelta(days=REFUND_DAYS))
    return None


TEXT_AT = time(12)
"""Local time of the text message on the day before the pick-up."""


async def record(
    session: AsyncSession,
    row: ReturnRow,
    status: ReturnStatus,
    now: datetime,
    note: str = "",
    *,
    by_customer: bool = False,
) -> None:
    """Set a status, add an event to the history, and notify open pages and staff."""
    row.status, row.updated_at = status, now
    session.add(ReturnEventRow(return_id=row.id, status=status, note=note, created_at=now))
    await session.flush()
    await live.publish(session, row.customer_id, Topic.RETURNS, now)
    await record_case(session, row, CaseEventType.STATUS_CHANGED, now, by_customer=by_customer)


async def change_status(
    context: Context,
    session: AsyncSession,
    row: ReturnRow,
    status: ReturnStatus,
    note: str = "",
    *,
    by_customer: bool = False,
) -> None:
    """Change the status of a return that the transaction has locked. The caller checks that the graph allows it.

    A rejected, cancelled or expired return releases its units and the article reserved for an exchange. The text
    message about the pick-up is then called off; so it is when the items have arrived.
    """
    now = context.clock()
    await record(session, row, status, now, note, by_customer=by_customer)
    if status in GIVES_BACK or status is ReturnStatus.RECEIVED:
        await TextMessages(context).call_off(session, text_subject(row), row.customer_id)
    if status in GIVES_BACK:
        await release(session, row, now)
        if row.product and row.product.get("id"):
            await put_back(session, str(row.product["id"]))
    if status is ReturnStatus.CLOSED:
        await _leave(context, session, row)


async def close_unsent(context: Context, session: AsyncSession, row: ReturnRow, *, by_customer: bool) -> None:
    """Close the withdrawal or cancellation of what was never sent: nothing has to arrive before the refund."""
    refund = ComputedSettlement.from_json(row.settlement).refund
    row.refund_amount = min(refund, await still_refundable(session, row))
    await set_off(session, row)
    await change_status(context, session, row, ReturnStatus.CLOSED, by_customer=by_customer)


async def _leave(context: Context, session: AsyncSession, row: ReturnRow) -> None:
    returns = queries.ReturnQueries(session, row.customer_id)
    units = (await returns.units([row])).get(row.id, [])
    kept = [unit for unit in units if unit.unit.released_at is None]
    bikes = [bike.public_id for own in (await returns.bikes(kept)).values() for bike in own]
    owned = [entry for entry in await BikeQueries(session, row.customer_id).named(bikes) if entry.departure in GONE]
    if not owned:
        return
    arrived = [event.created_at for event in await returns.events(row) if event.status is ReturnStatus.RECEIVED]
    departure = Departure.RETURNED
    if row.kind is ReturnKind.CANCELLATION:
        departure = Departure.CANCELLED
    elif row.kind is ReturnKind.WITHDRAWAL:
        departure = Departure.WITHDRAWN_UNSENT if never_sent(row) else Departure.WITHDRAWN
    departed = Departed(
        customer_id=row.customer_id,
        departure=departure,
        bikes=[entry.bike for entry in owned],
        day=local_day(arrived[-1] if arrived else context.clock()),
    )
    await FOLLOWERS.follow(context, session, departed)


async def expire(context: Context, session: AsyncSession, customer_id: int | None = None) -> None:
    """Set the status of returns that were not confirmed in time to expired, which releases their units."""
    for row in await unconfirmed(session, context.clock(), customer_id):
        await change_status(context, session, row, ReturnStatus.EXPIRED)


def credit(order: OrderRow, amount: Decimal) -> None:
    """Lower the unpaid amount of an order, and update its payment status."""
    order.settled += amount
    if order.payment_status in (PaymentStatus.OPEN, PaymentStatus.PARTLY_PAID):
        if order.paid + order.settled >= order.total:
            order.payment_status = PaymentStatus.PAID
        elif order.paid + order.settled > ZERO:
            order.payment_status = PaymentStatus.PARTLY_PAID


async def set_off(session: AsyncSession, row: ReturnRow) -> None:
    """Credit the amounts that a closed return sets off to its orders."""
    amounts = agreed(row).set_off
    query = select(OrderRow).where(OrderRow.customer_id == row.customer_id, col(OrderRow.order_number).in_(amounts))
    for order in (await session.exec(query.with_for_update())).all() if amounts else ():
        credit(order, amounts[order.order_number])
    await session.flush()


async def plan_text(context: Context, session: AsyncSession, row: ReturnRow, locale: Locale) -> None:
    """Plan the text message on the day before the pick-up; nothing is planned without a pick-up or a phone number."""
    if row.method is not ReturnMethod.PICK_UP or row.pickup_day is None or row.pickup_window is None or not row.phone:
        return
    start, end = HOURS[row.pickup_window]
    await TextMessages(context).plan(
        session,
        TextTemplate.PICKUP_TOMORROW,
        phone=row.phone,
        locale=locale,
        subject=text_subject(row),
        due_at=_day_before(row.pickup_day),
        customer_id=row.customer_id,
        details={"from": f"{start:%H:%M}", "until": f"{end:%H:%M}", "reference": in_groups(row.reference)},
    )


def _day_before(day: date) -> datetime:
    return datetime.combine(day - timedelta(days=1), TEXT_AT, AMSTERDAM).astimezone(UTC)


async def still_refundable(session: AsyncSession, row: ReturnRow) -> Decimal:
    """What was paid for the orders of a return, less what other returns refund of it.

    A refund of several orders counts for an order with what its units cost there.
    """
    own = (
        select(OrderLineRow.order_id)
        .join(ReturnUnitRow, col(ReturnUnitRow.order_line_id) == col(OrderLineRow.id))
        .where(ReturnUnitRow.return_id == row.id)
    )
    orders = (await session.exec(select(OrderRow).where(col(OrderRow.id).in_(own)))).all()
    amount: Any = ReturnRow.refund_amount
    others = (
        select(amount, *queries.WORTH)
        .join(ReturnUnitRow, col(ReturnUnitRow.return_id) == col(ReturnRow.id))
        .join(OrderLineRow, col(OrderLineRow.id) == col(ReturnUnitRow.order_line_id))
        .where(
            col(OrderLineRow.order_id).in_(own),
            ReturnRow.id != row.id,
            col(ReturnRow.status).in_(DONE),
            col(ReturnRow.refund_amount).is_not(None),
        )
        .group_by(col(ReturnRow.id), col(ReturnRow.refund_amount))
    )
    refunded = sum((min(amount, sum(shares)) for amount, *shares in (await session.exec(others)).all()), ZERO)
    by_shop = await queries.refunded_by_shop(session, orders)
    received = sum((order.paid + order.settled - by_shop[order.id] for order in orders), ZERO)
    return max(received - refunded, ZERO)


async def unconfirmed(session: AsyncSession, now: datetime, customer_id: int | None = None) -> list[ReturnRow]:
    """Returns that were not confirmed in time, locked until the end of the transaction."""
    query = select(ReturnRow).where(
        ReturnRow.status == ReturnStatus.PENDING_CONFIRMATION, col(ReturnRow.confirm_until) <= now
    )
    if customer_id is not None:
        query = query.where(ReturnRow.customer_id == customer_id)
    return list(await session.exec(query.order_by(col(ReturnRow.id)).with_for_update()))


async def release(session: AsyncSession, row: ReturnRow, now: datetime) -> None:
    """Release the units of a return; they can be returned again."""
    await session.exec(
        update(ReturnUnitRow)
        .where(col(ReturnUnitRow.return_id) == row.id, col(ReturnUnitRow.released_at).is_(None))
        .values(released_at=now)
        .execution_options(synchronize_session=False)
    )


async def hold_again(session: AsyncSession, row: ReturnRow) -> None:
    await session.exec(
        update(ReturnUnitRow)
        .where(col(ReturnUnitRow.return_id) == row.id)
        .values(released_at=None)
        .execution_options(synchronize_session=False)
    )
