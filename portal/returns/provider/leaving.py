"""The refund of what the shop cancelled: decided as that of a withdrawal of what was never sent."""

from __future__ import annotations

from collections.abc import Collection

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.departures import Departed
from portal.returns.provider.creation import Taken, save, settle_units
from portal.returns.provider.mails import notify_moved
from portal.returns.provider.queries import ReturnQueries
from portal.returns.provider.stock import StockQueries
from portal.returns.provider.transitions import change_status, close_unsent, record
from portal.returns.rules.units import Hold, withdrawable
from portal.tables.columns import ZERO
from portal.tables.returns import ReturnRow
from portal.vocabulary.departures import Departure
from portal.vocabulary.orders import PaymentStatus
from portal.vocabulary.returns import ReturnKind, ReturnMethod, ReturnStatus


async def refund_cancelled(context: Context, session: AsyncSession, departed: Departed) -> bool:
    """Put up for refund what was paid for an order, or a part of it, that was cancelled, and mail the customer.

    Nothing is put up of what a return holds, nor of an order that the shop refunded.
    """
    order, now = departed.order, context.clock()
    if order is None or departed.departure is not Departure.CANCELLED:
        return False
    owes_nothing = departed.units is None and order.paid + order.settled <= ZERO
    if owes_nothing or order.payment_status is PaymentStatus.REFUNDED:
        return False
    (stock,) = await StockQueries(session, order.customer_id, now).all(order.order_number)
    taken: Taken = []
    for line in stock.lines:
        units = withdrawable(line.units or ())
        if departed.units is not None:
            # Of what is in cancelled parts, some may have been cancelled or withdrawn before.
            held = sum(unit.unsent and unit.hold is not Hold.FREE for unit in line.units or ())
            units = [unit for unit in units if unit.unsent][: max(0, departed.units.get(line.row.id, 0) - held)]
        if units:
            taken.append((line, units))
    if not taken:
        return False
    row = ReturnRow(
        customer_id=order.customer_id,
        kind=ReturnKind.CANCELLATION,
        status=ReturnStatus.REQUEST_RECEIVED,
        order_number=order.order_number,
        method=ReturnMethod.NONE,
        settlement=settle_units(stock, taken).to_json(),
        statement={"unsent": True},
        created_at=now,
        updated_at=now,
    )
    await save(session, row, taken)
    await record(session, row, ReturnStatus.REQUEST_RECEIVED, now)
    await close_unsent(context, session, row, by_customer=False)
    await notify_moved(context, session, row, departed.note)
    return True


async def record_refunded(context: Context, session: AsyncSession, order_numbers: Collection[str]) -> None:
    """Record as paid what was still to be refunded of orders that the shop says it refunded, and mail the customer.

    A return of several orders stays in the list of finance.
    """
    query = select(ReturnRow).where(
        col(ReturnRow.order_number).in_(order_numbers),
        ReturnRow.status == ReturnStatus.CLOSED,
        col(ReturnRow.refund_amount) > ZERO,
    )
    for row in (await session.exec(query.order_by(col(ReturnRow.id)).with_for_update())).all():
        units = (await ReturnQueries(session, row.customer_id).units([row])).get(row.id, [])
        if {unit.order_number for unit in units} <= {row.order_number}:
            row.refunded_at = context.clock()
            await change_status(context, session, row, ReturnStatus.REFUND_PROCESSED)
            await notify_moved(context, session, row, "")
