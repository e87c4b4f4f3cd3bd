"""What can be withdrawn of an order (part-2 §11; edge-cases 41, 42)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import InvalidInput, Refused
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import Locale
from portal.returns.api import EqualBike
from portal.returns.provider.entries import equal_bikes, item_id, withdrawal_end
from portal.returns.provider.stock import LineStock, OrderStock, StockQueries
from portal.returns.rules.units import Unit, can_withdraw, withdrawable
from portal.vocabulary.deliveries import DeliveryStatus
from portal.withdrawals.api import Withdrawable, WithdrawableItem, WithdrawableOrder, WithdrawnItem

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
    if order.row.delivery_status is DeliveryStatus.ORDER_CANCELLED:
        raise Refused(Code.NOTHING_FOUND)
    if not can_withdraw(withdrawal_end(order), local_day(moment)):
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
