"""A withdrawal becomes a return of the kind `withdrawal`, with its units, amounts and receipt (part-2 §11)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.security import masked_email, shown_email
from portal.backend.shops import term_book
from portal.contract.errors import InvalidInput, Refused
from portal.declarations.provider import REFERENCE_LENGTH
from portal.deliveries.provider.backoffice import call_off
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import Locale
from portal.kernel.validation import short_id
from portal.login.provider.queries import addressee
from portal.orders.provider.money import refunded_in_full
from portal.returns.models import EqualBike
from portal.returns.provider.account import account_of
from portal.returns.provider.creation import save, settle_units
from portal.returns.provider.documents import send_receipt
from portal.returns.provider.entries import equal_bikes, in_time_to_withdraw, item_id, withdrawal_end
from portal.returns.provider.queries import LineStock, OrderStock, StockQueries
from portal.returns.provider.return_case import battery_unanswered, case_of, never_sent
from portal.returns.provider.transitions import close_unsent, expire, record
from portal.returns.rules.units import Hold, Unit, withdrawable
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.returns import ReturnKind, ReturnMethod, ReturnStatus
from portal.withdrawals.api import Withdrawable, WithdrawableItem, WithdrawableOrder, WithdrawalReceipt, WithdrawnItem

Taken = list[tuple[LineStock, list[Unit]]]
"""Order lines, each with the units that are withdrawn."""


async def stock_of(session: AsyncSession, customer_id: int, order_number: str, now: datetime) -> OrderStock:
    orders = await StockQueries(session, customer_id, now).all(order_number)
    if not orders:
        raise Refused(Code.ORDER_ID_NOT_FOUND)
    return orders[0]


def offer(
    order: OrderStock,
    moment: datetime,
    locale: Locale,
    bikes: Mapping[int, list[EqualBike]] = MappingProxyType({}),
) -> Withdrawable:
    return Withdrawable(
        order_number=order.row.order_number,
        until=withdrawal_end(order),
        items=[
            WithdrawableItem(
                item_id=item_id(order, line),
                name=line.row.name_in(locale),
                item_color=line.row.color_in(locale),
                frame_size=line.row.frame_size,
                most=len(units),
                bikes=bikes.get(line.row.id, []),
            )
            for line, units in free_units(order, moment)
        ],
    )


async def bikes_to_choose(session: AsyncSession, order: OrderStock, locale: Locale) -> dict[int, list[EqualBike]]:
    """The equal bikes of the lines of an order, by key of the line.

    Where some were sent and others not, nobody is asked: what was not sent is withdrawn first.
    """
    lines = [line for line in order.lines if len({unit.unsent for unit in withdrawable(line.units or ())}) == 1]
    return await equal_bikes(session, lines, locale)


async def offers(session: AsyncSession, customer_id: int, moment: datetime, locale: Locale) -> list[WithdrawableOrder]:
    """The orders from which something can be withdrawn at a moment, newest first."""
    found = []
    for order in await StockQueries(session, customer_id, moment).all():
        try:
            free = free_units(order, moment)
        except Refused:
            continue
        found.append(
            WithdrawableOrder(
                order_number=order.row.order_number,
                order_date=local_day(order.row.ordered_at),
                until=withdrawal_end(order),
                names=[line.row.name_in(locale) for line, _ in free],
            )
        )
    return found


def free_units(order: OrderStock, moment: datetime) -> Taken:
    if refunded_in_full(order.row) or order.row.delivery_status is DeliveryStatus.ORDER_CANCELLED:
        raise Refused(Code.NOTHING_FOUND)
    if not in_time_to_withdraw(order, local_day(moment)):
        raise Refused(Code.WITHDRAWAL_PERIOD_OVER)
    free = [(line, withdrawable(line.units or ())) for line in order.lines]
    free = [(line, units) for line, units in free if units]
    if not free:
        raise Refused(Code.NOTHING_FOUND)
    return free


def counts_of(items: Sequence[WithdrawnItem]) -> dict[str, int]:
    """The number of units by item, sorted; empty for the whole order."""
    counts: dict[str, int] = {}
    for item in items:
        counts[item.item_id] = counts.get(item.item_id, 0) + item.count
    return dict(sorted(counts.items()))


def chosen_units(order: OrderStock, free: Taken, counts: dict[str, int]) -> Taken:
    """The free units that are withdrawn; all of them when no items are named."""
    if not counts:
        return list(free)
    taken = [(line, units[: counts[item_id(order, line)]]) for line, units in free if item_id(order, line) in counts]
    if len(taken) < len(counts) or any(len(units) < counts[item_id(order, line)] for line, units in taken):
        raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS, fields={"items": Code.INVALID_NUMBER})
    return taken


async def check_bikes(session: AsyncSession, order: OrderStock, items: Sequence[WithdrawnItem]) -> list[str]:
    """Ids of the bikes that a customer named. Each belongs to its item, of which no fewer units are withdrawn."""
    known = await bikes_to_choose(session, order, "nl")
    offered = {item_id(order, line): {bike.bike_id for bike in known.get(line.row.id, ())} for line in order.lines}
    for item in items:
        named = set(item.bikes)
        if not named <= offered.get(item.item_id, set()) or (named and len(named) != item.count):
            raise InvalidInput(Code.INVALID_INPUT, fields={"items": Code.INVALID_CHOICE})
    return [bike for item in items for bike in item.bikes]


def lines_of(taken: Taken, locale: Locale) -> list[str]:
    """One text per order line, such as '2 × Kettingslot ART 3, 110 cm'."""
    return [f"{len(units)} × " + ", ".join(part for part in _parts(line, locale) if part) for line, units in taken]


def _parts(line: LineStock, locale: Locale) -> tuple[str, str, str]:
    return line.row.name_in(locale), line.row.color_in(locale), line.row.frame_size


@dataclass(frozen=True, slots=True)
class Declared:
    """What a customer declares.

    `counts`: number of units by item; empty for the whole order.
    `items`: the same, with the bikes that a customer named.
    """

    customer_id: int
    order_number: str
    name: str
    counts: dict[str, int]
    key: str
    received_at: datetime
    items: Sequence[WithdrawnItem] = ()
    reference: str = field(default_factory=lambda: short_id(REFERENCE_LENGTH))


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
    to = await addressee(session, row.customer_id)
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
