"""Status changes of deliveries and shipments by staff.

A reference is an order number for the whole order, such as '900000001', or one with the number of a shipment, such as
'900000001-2'.
"""

import re
from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlmodel import col, func, or_, select, true, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live, outbox
from portal.backend.backoffice import (
    FOLLOWERS,
    BackOfficeCase,
    CurrentStatus,
    Departed,
    NotAllowed,
    Transition,
    TransitionRequest,
    because,
)
from portal.backend.context import Context
from portal.backend.database import find_one
from portal.backend.security import reading_in
from portal.backend.shops import shop_ids
from portal.bikes.provider.sold import add_sold_bikes
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.deliveries.provider.confirmation import notify_delivery
from portal.deliveries.provider.moving import load_status
from portal.deliveries.provider.queries import cancel_pending
from portal.deliveries.provider.service import tracking_code
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import known_locale
from portal.kernel.validation import ANY_ORDER_NUMBER
from portal.orders.rules import MAX_DELIVERY
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DeliveryEventRow
from portal.tables.orders import OrderRow, ShipmentLineRow, ShipmentRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.deliveries import (
    ALL_DAY,
    ARRIVED,
    DELIVERIES,
    FINISHED_DELIVERY,
    MAILED_STATUSES,
    ON_ITS_WAY,
    UNHEARD,
    DeliveryStatus,
    can_be_called_off,
    combined_status,
    handed_over,
)
from portal.vocabulary.departures import Departure, Dependent, outcome
from portal.vocabulary.exchange import DELIVERY_EVENT
from portal.vocabulary.links import TRACKING_PATH


class OrderMatch(NamedTuple):
    order: OrderRow
    customer: CustomerRow
    shipments: Sequence[ShipmentRow]


async def locked_order(session: AsyncSession, number: str) -> OrderMatch:
    """An order, locked until the end of the transaction. Raises NotFound."""
    query = (
        select(OrderRow, CustomerRow)
        .join(CustomerRow, col(CustomerRow.id) == OrderRow.customer_id)
        .where(OrderRow.order_number == number)
    )
    order, customer = await find_one(session, query, lock=True)
    return OrderMatch(order, customer, await shipments_of(session, order))


async def shipments_of(session: AsyncSession, order: OrderRow) -> Sequence[ShipmentRow]:
    query = select(ShipmentRow).where(ShipmentRow.order_id == order.id).order_by(col(ShipmentRow.id))
    return (await session.exec(query)).all()


async def bring_bikes(session: AsyncSession, found: OrderMatch, shipment: ShipmentRow | None, day: date | None) -> None:
    """Give the customer the bikes that were sent, and set the day of their delivery, on which their warranty begins.

    Bikes that have one are not changed. If the contents of the shipment are not known, all bikes of the order count.
    """
    await add_sold_bikes(session, [found.order.id])
    if day is None:
        return
    statement = update(BikeRow).where(
        col(BikeRow.order_id) == found.order.id,
        col(BikeRow.customer_id) == found.order.customer_id,
        col(BikeRow.delivered_on).is_(None),
    )
    if shipment is not None:
        inside = select(ShipmentLineRow.order_line_id).where(ShipmentLineRow.shipment_id == shipment.id)
        if (await session.exec(inside)).first() is not None:
            statement = statement.where(col(BikeRow.order_line_id).in_(inside))
    await session.exec(statement.values(delivered_on=day).execution_options(synchronize_session=False))


_STEP = 500
_DATED = select(ShipmentRow.id).where(col(ShipmentRow.order_id) == col(OrderRow.id)).correlate(OrderRow)
_COMPLETE = or_(
    col(OrderRow.delivery_status).is_(None),
    col(OrderRow.delivery_status).in_(sorted(ON_ITS_WAY)),
    # What is in the parcels is not known, so nothing else is still to come.
    ~_DATED.join(ShipmentLineRow, col(ShipmentLineRow.shipment_id) == col(ShipmentRow.id)).exists(),
)


async def count_as_delivered(session: AsyncSession, now: datetime, among: Collection[int] | None = None) -> None:
    """Let what was sent so long ago, without news since, count as delivered (decision 0071).

    Nobody is mailed, and no moment is stored, as it is not known.
    `among`: primary keys of orders; None for all.
    """
    if among is not None and not among:
        return
    before = now - MAX_DELIVERY
    one_of: Any = true() if among is None else col(OrderRow.id).in_(among)
    status = func.coalesce(ShipmentRow.status, OrderRow.delivery_status)
    silent = (
        select(ShipmentRow.id, ShipmentRow.order_id)
        .join(OrderRow, col(OrderRow.id) == col(ShipmentRow.order_id))
        .where(col(ShipmentRow.shipped_at) <= before, col(ShipmentRow.delivered_at).is_(None), one_of)
        .where(or_(status.is_(None), status.in_(sorted(filter(None, UNHEARD)))))
        .limit(_STEP)
    )
    arrived: Any = {"delivery_status": DeliveryStatus.ORDER_DELIVERED}
    travelling = _DATED.where(
        col(ShipmentRow.delivered_at).is_(None),
        or_(col(ShipmentRow.status).is_(None), col(ShipmentRow.status).not_in(sorted(FINISHED_DELIVERY))),
    )
    while found := (await session.exec(silent)).all():
        parcels = col(ShipmentRow.id).in_([parcel for parcel, _ in found])
        await session.exec(update(ShipmentRow).where(parcels).values(status=DeliveryStatus.ORDER_DELIVERED))
        orders = col(OrderRow.id).in_({order for _, order in found})
        await session.exec(update(OrderRow).where(orders, _COMPLETE, ~travelling.exists()).values(arrived))
    heard = select(DeliveryEventRow.id).where(
        col(DeliveryEventRow.order_id) == col(OrderRow.id), col(DeliveryEventRow.happened_at) > before
    )
    undated = update(OrderRow).where(
        one_of,
        col(OrderRow.delivery_status).in_(sorted(ON_ITS_WAY)),
        col(OrderRow.ordered_at) <= before - MAX_DELIVERY,
        ~_DATED.where(col(ShipmentRow.shipped_at).is_not(None)).exists(),
        ~heard.correlate(OrderRow).exists(),
    )
    await session.exec(undated.values(arrived))


_S = DeliveryStatus


async def current_status(context: Context, reference: str) -> CurrentStatus:
    async with context.database.transaction() as session:
        found, part = await _find(session, reference)
        return _current_status(reference, _status(found, part))


async def move(context: Context, session: AsyncSession, reference: str, request: TransitionRequest) -> Transition:
    """Change the status of a delivery, plan its day or send the customer a note."""
    if request.status not in DELIVERY.targets:
        raise InvalidInput(Code.INVALID_INPUT, fields={"status": Code.INVALID_CHOICE})
    target, now = _S(request.status), context.clock()
    found, part = await _find(session, reference)
    before = _status(found, part)
    if request.seen and request.seen != before:
        raise Conflict(Code.STATUS_CHANGED)
    planned = (part or found.order).scheduled_day
    new_day = request.planned_date is not None and request.planned_date != planned
    if before == target and not (new_day or request.note):
        return _current_status(reference, before).after(before, changed=False)
    if before is _S.ORDER_CANCELLED and (before != target or request.planned_date):
        raise Conflict(Code.ORDER_CANCELLED)
    if before != target and not DELIVERIES.allows(before, target):
        raise NotAllowed(before, target, _possible(before))
    part = await _apply(session, found, part, target, request, now)
    session.add(
        DeliveryEventRow(
            order_id=found.order.id,
            shipment_id=part.id if part and "-" in reference else None,
            status=target,
            note=request.note,
            happened_at=now,
        )
    )
    await _changed(context, session, found.order, reference, before, target)
    mailed = False
    if found.order.delivery_status is _S.ORDER_CANCELLED and before != target:
        mailed = await nothing_left(context, session, found.order, Departure.CANCELLED, request.note)
    elif part and target is _S.ORDER_CANCELLED and before != target:
        mailed = await part_cancelled(context, session, found.order, request.note)
    if not mailed and (target in MAILED_STATUSES or request.note or new_day):
        await _notify(context, session, found, part, request, of_part="-" in reference)
    return _current_status(reference, target).after(before, changed=True)


DELIVERY = BackOfficeCase("shipment", DeliveryStatus, current_status, move)


async def call_off(context: Context, session: AsyncSession, order_number: str) -> None:
    """Cancel what was not sent of an order from which the customer withdrew. Its receipt tells the customer."""
    found, now = await locked_order(session, order_number), context.clock()
    calls = _to_call_off(found)
    for reference, part in calls:
        before = _status(found, part)
        await _apply(session, found, part, _S.ORDER_CANCELLED, TransitionRequest(status=_S.ORDER_CANCELLED), now)
        session.add(
            DeliveryEventRow(
                order_id=found.order.id,
                shipment_id=part.id if part else None,
                status=_S.ORDER_CANCELLED,
                happened_at=now,
            )
        )
        await _changed(context, session, found.order, reference, before, _S.ORDER_CANCELLED)
    if calls and found.order.delivery_status is _S.ORDER_CANCELLED:
        await nothing_left(context, session, found.order, Departure.WITHDRAWN_UNSENT)


def _to_call_off(found: OrderMatch) -> list[tuple[str, ShipmentRow | None]]:
    """References of what can be called off: the whole order, or the shipments that did not leave."""
    number = found.order.order_number
    waiting: list[tuple[str, ShipmentRow | None]] = [
        (f"{number}-{place}", part)
        for place, part in enumerate(found.shipments, 1)
        if part.delivered_at is None
        and _status(found, part) is not _S.ORDER_CANCELLED
        and can_be_called_off(_status(found, part), shipped=part.shipped_at is not None)
    ]
    if len(waiting) < len(found.shipments):
        return waiting
    callable_off = can_be_called_off(found.order.delivery_status, shipped=False)
    return [(number, None)] if callable_off and _status(found, None) is not _S.ORDER_CANCELLED else []


async def _changed(
    context: Context,
    session: AsyncSession,
    order: OrderRow,
    reference: str,
    before: DeliveryStatus,
    target: DeliveryStatus,
) -> None:
    now = context.clock()
    await session.flush()
    if handed_over(target):
        await _stop_moving(session, order, now, Departure.CANCELLED if target is _S.ORDER_CANCELLED else None)
    await live.publish(session, order.customer_id, Topic.DELIVERIES, now)
    if before != target:
        ids = await shop_ids(session, customer_id=order.customer_id, order_numbers=[order.order_number])
        data = {"order": reference, "about": ids, "before": before.value, "status": target.value}
        await outbox.send(session, DELIVERY_EVENT, f"delivery {order.order_number}", data, now)


async def _stop_moving(session: AsyncSession, order: OrderRow, now: datetime, departure: Departure | None) -> None:
    with because(departure):
        await cancel_pending(session, order, now, outcome(departure, Dependent.DATE_CHANGE).customer)


async def nothing_left(
    context: Context, session: AsyncSession, order: OrderRow, departure: Departure, note: str = ""
) -> bool:
    """End what hangs on an order of which nothing is delivered, and on its bikes; whether that was mailed."""
    await _stop_moving(session, order, context.clock(), departure)
    bikes = select(BikeRow).where(BikeRow.order_id == order.id, BikeRow.customer_id == order.customer_id)
    departed = Departed(
        customer_id=order.customer_id,
        departure=departure,
        bikes=(await session.exec(bikes.order_by(col(BikeRow.id)))).all(),
        day=local_day(context.clock()),
        order=order,
        note=note,
    )
    return await FOLLOWERS.follow(context, session, departed)


async def part_cancelled(context: Context, session: AsyncSession, order: OrderRow, note: str = "") -> bool:
    """Tell the followers how many units of an order are in cancelled parts; whether the customer was mailed."""
    await _stop_moving(session, order, context.clock(), Departure.CANCELLED)
    query = (
        select(ShipmentLineRow.order_line_id, func.sum(ShipmentLineRow.quantity))
        .join(ShipmentRow, col(ShipmentRow.id) == ShipmentLineRow.shipment_id)
        .where(ShipmentRow.order_id == order.id, ShipmentRow.status == _S.ORDER_CANCELLED)
        .group_by(col(ShipmentLineRow.order_line_id))
    )
    units = dict((await session.exec(query)).all())
    departed = Departed(order.customer_id, Departure.CANCELLED, [], local_day(context.clock()), order, units, note)
    return await FOLLOWERS.follow(context, session, departed)


async def _find(session: AsyncSession, reference: str) -> tuple[OrderMatch, ShipmentRow | None]:
    match = re.fullmatch(rf"({ANY_ORDER_NUMBER})(?:-([1-9][0-9]?))?", reference, re.ASCII)
    if match is None:
        raise NotFound
    found = await locked_order(session, match[1])
    if match[2] is None:
        return found, None
    number = int(match[2])
    if number > len(found.shipments):
        raise NotFound
    return found, found.shipments[number - 1]


def _status(found: OrderMatch, part: ShipmentRow | None) -> DeliveryStatus:
    own = part.status if part else None
    return own or found.order.delivery_status or DELIVERIES.start


async def _apply(
    session: AsyncSession,
    found: OrderMatch,
    part: ShipmentRow | None,
    target: DeliveryStatus,
    request: TransitionRequest,
    now: datetime,
) -> ShipmentRow | None:
    order, parts = found.order, list(found.shipments)
    if part is None and not parts and target in ON_ITS_WAY:
        # Nobody has created shipments, so the order leaves as one.
        single = ShipmentRow(order_id=order.id, carrier=request.partner)
        session.add(single)
        parts = [single]
    moved = [part] if part else parts
    for shipment in moved:
        if part is not None or (shipment.status and DELIVERIES.allows(shipment.status, target)):
            shipment.status = target
        if target in ON_ITS_WAY and shipment.shipped_at is None:
            shipment.shipped_at = now
        if target in ARRIVED and shipment.delivered_at is None:
            shipment.shipped_at = shipment.shipped_at or now
            shipment.delivered_at = now
        if request.partner:
            shipment.carrier = request.partner
    if request.planned_date is not None:
        planned = part or order
        planned.scheduled_day = request.planned_date
        planned.scheduled_from = planned.scheduled_from or f"{ALL_DAY[0]:%H:%M}"
        planned.scheduled_until = planned.scheduled_until or f"{ALL_DAY[1]:%H:%M}"
    if part is None:
        order.delivery_status = target
    else:
        own = [shipment.status or order.delivery_status or DELIVERIES.start for shipment in parts]
        order.delivery_status = combined_status(own)
    await session.flush()
    if target in ON_ITS_WAY | ARRIVED:
        await bring_bikes(session, found, part, local_day(now) if target in ARRIVED else None)
    return part or (parts[0] if len(parts) == 1 else None)


async def _notify(
    context: Context,
    session: AsyncSession,
    found: OrderMatch,
    part: ShipmentRow | None,
    request: TransitionRequest,
    *,
    of_part: bool,
) -> None:
    """Queue the mail: about the shipment if staff named it, else about the whole order."""
    with reading_in(known_locale(found.customer.locale)):
        status = await load_status(session, found.order)
    shipments = await shipments_of(session, found.order)
    shipment = next(
        (entry for entry, row in zip(status.shipments, shipments, strict=True) if part and row.id == part.id), None
    )
    parts = [shipment] if shipment and of_part else status.shipments
    items = [item for entry in parts for item in entry.items] or status.unshipped
    followed = status.status not in FINISHED_DELIVERY
    code = tracking_code(context.settings, found.order, context.clock()) if followed else ""
    await notify_delivery(
        context,
        session,
        found.customer,
        shipment.account if shipment and of_part else status.account,
        tracking_url=shipment.tracking_url if shipment and shipment.status not in FINISHED_DELIVERY else "",
        tracking_path=f"{TRACKING_PATH}/{code}" if code else "",
        note=request.note,
        about=items[0] if items else None,
    )


def _possible(status: DeliveryStatus) -> list[str]:
    return [target.value for target in DELIVERIES.following(status)]


def _current_status(reference: str, status: DeliveryStatus) -> CurrentStatus:
    return CurrentStatus(reference=reference, status=status, possible=_possible(status))
