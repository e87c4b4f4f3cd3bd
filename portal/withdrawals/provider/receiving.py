"""A withdrawal becomes a return of the kind `withdrawal`, with its units, amounts and receipt (part-2 §11)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.reader import shown_email
from portal.backend.security import masked_email
from portal.backend.terms import term_book
from portal.deliveries.provider.backoffice import call_off
from portal.kernel.days import local_day
from portal.kernel.validation import short_id
from portal.returns.provider.account import account_of, case_of
from portal.returns.provider.creation import save, settle_units
from portal.returns.provider.mails import addressee, send_receipt
from portal.returns.provider.stock import OrderStock
from portal.returns.provider.transitions import close_unsent, expire, record
from portal.returns.provider.wording import battery_unanswered, never_sent
from portal.returns.rules.units import Hold, Unit
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.returns import ReturnKind, ReturnMethod, ReturnStatus
from portal.withdrawals.api import WithdrawalReceipt, WithdrawnItem
from portal.withdrawals.provider.offer import check_bikes, chosen_units, free_units, lines_of, stock_of

REFERENCE_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Declared:
    """What a customer declares.

    Attributes:
        counts: number of units by item; empty for the whole order.
        items: the same, with the bikes that a customer named.
    """

    customer_id: int
    order_number: str
    name: str
    counts: dict[str, int]
    key: str
    received_at: datetime
    items: Sequence[WithdrawnItem] = ()
    reference: str = field(default_factory=lambda: short_id(REFERENCE_LENGTH))


def key_of(customer_id: int, order_number: str, key: str) -> str:
    """The hash by which the same declaration is recognised."""
    return hashlib.sha256(f"{customer_id}/{order_number}/{key}".encode()).hexdigest()


async def lock_order(session: AsyncSession, customer_id: int, order_number: str) -> None:
    """Serialise what is declared for an order, so that a second request with the same key finds the first."""
    own = select(OrderRow.id).where(OrderRow.customer_id == customer_id, OrderRow.order_number == order_number)
    await session.exec(own.with_for_update())


async def receive(
    context: Context, session: AsyncSession, declared: Declared, *, by_customer: bool = True
) -> ReturnRow:
    """Store the withdrawal and mail its receipt. The same key gives the stored one."""
    now = context.clock()
    await lock_order(session, declared.customer_id, declared.order_number)
    known = select(ReturnRow).where(ReturnRow.customer_id == declared.customer_id, ReturnRow.draft_key == declared.key)
    if before := (await session.exec(known)).one_or_none():
        return before
    await expire(context, session, declared.customer_id)
    order = await stock_of(session, declared.customer_id, declared.order_number, now)
    taken = chosen_units(order, free_units(order, declared.received_at), declared.counts)
    row = ReturnRow(
        reference=declared.reference,
        customer_id=declared.customer_id,
        kind=ReturnKind.WITHDRAWAL,
        status=ReturnStatus.REQUEST_RECEIVED,
        order_number=order.row.order_number,
        method=ReturnMethod.NONE,
        settlement=settle_units(order, taken).to_json(),
        draft_key=declared.key,
        answer_days=(await term_book(session, declared.customer_id)).on(local_day(now)).return_answer_days,
        # The refund is due within a period that starts with the declaration.
        created_at=declared.received_at,
        updated_at=now,
    )
    units = [unit for _, units in taken for unit in units]
    to = await addressee(session, row)
    row.statement = {
        "name": declared.name,
        "received_at": declared.received_at.isoformat(),
        "email": masked_email(to.email),
        "lines": lines_of(taken, to.locale),
        "battery": any(line.has_battery and not all(unit.unsent for unit in units) for line, units in taken),
        "unsent": all(unit.unsent for unit in units),
    }
    await save(session, row, taken, await check_bikes(session, order, declared.items))
    await record(session, row, ReturnStatus.REQUEST_RECEIVED, now, by_customer=by_customer)
    if not _left_to_send(order, units):
        await call_off(context, session, row.order_number)
    if never_sent(row):
        await close_unsent(context, session, row, by_customer=by_customer)
    await send_receipt(context, session, row, to)
    await session.flush()
    return row


def _left_to_send(order: OrderStock, taken: Sequence[Unit]) -> bool:
    """Whether something of an order is still to be sent after these of its units were withdrawn."""
    withdrawn = {id(unit) for unit in taken}
    # What is known of no unit is not called off.
    unclear = any(line.units is None for line in order.lines)
    waiting = [unit for line in order.lines for unit in line.units or () if unit.unsent and unit.hold is Hold.FREE]
    return unclear or any(id(unit) not in withdrawn for unit in waiting)


async def receipt(context: Context, session: AsyncSession, row: ReturnRow) -> WithdrawalReceipt:
    statement = row.statement or {}
    case = await case_of(session, row, context.clock())
    return WithdrawalReceipt(
        reference=row.reference,
        order_number=row.order_number,
        name=str(statement.get("name", "")),
        received_at=row.created_at,
        lines=list(statement.get("lines", [])),
        email=shown_email(str(statement.get("email", ""))),
        battery=battery_unanswered(row),
        account=account_of(case, context.settings.of(case.source).brand),
        return_id=row.public_id,
    )
