"""Introductions of the return flows say the same as the items of a draft, without reading them all."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.sessions import Owner, Sessions
from portal.flow.journey import FLOWS
from portal.kernel.days import local_day
from portal.kernel.validation import short_id
from portal.returns.provider.entries import LineFilter, line_refusal
from portal.returns.provider.handlers import return_facts
from portal.returns.provider.introductions import accessories, bikes_and_parts, everything, introduction
from portal.returns.provider.stock import OrderStock, StockQueries
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.vocabulary.orders import ItemKind
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.random_orders import order_at_random
from tests.support.returning import ACCESSORIES, RETURN

FILTERS = (bikes_and_parts, accessories, everything)
ORDERS = 9


async def _change_at_random(session: AsyncSession, order: OrderRow, chance: Random, now: datetime) -> None:
    """Change what decides whether an order can be returned."""
    order.ordered_at = now - timedelta(days=chance.randint(0, 130))
    shipments = list(await session.exec(select(ShipmentRow).where(ShipmentRow.order_id == order.id)))
    in_one, recorded = chance.random() < 0.7, chance.random() < 0.3
    for place, shipment in enumerate(shipments):
        shipment.shipped_at = chance.choice((None, order.ordered_at, order.ordered_at, now))
        shipment.delivered_at = shipment.shipped_at if chance.random() < 0.7 else None
        if not recorded or (in_one and place):
            for entry in await session.exec(select(ShipmentLineRow).where(ShipmentLineRow.shipment_id == shipment.id)):
                await session.delete(entry)
            await session.flush()
        if in_one and place:
            await session.delete(shipment)
    for line in await session.exec(select(OrderLineRow).where(OrderLineRow.order_id == order.id)):
        line.kind = chance.choice((ItemKind.ACCESSORY, ItemKind.ACCESSORY, ItemKind.CITY_BIKE, ItemKind.E_BIKE))
        line.battery = chance.choice(("", "", "500 Wh"))
        line.bundle = chance.choice((None, None, "", "Forensenset"))
        line.quantity = chance.choice((0, line.quantity, line.quantity, line.quantity))
        if chance.random() < 0.5:
            await _add_bike(session, order, line)


async def _add_bike(session: AsyncSession, order: OrderRow, line: OrderLineRow) -> None:
    known = (await session.exec(select(BikeRow).where(BikeRow.customer_id == order.customer_id).limit(1))).one()
    values = known.model_dump(exclude={"id", "public_id", "order_id", "order_line_id", "frame_number"})
    own: dict[str, Any] = {"order_id": order.id, "order_line_id": line.id, "frame_number": None}
    session.add(BikeRow(**values, **own, public_id=short_id()))


async def _hold_at_random(session: AsyncSession, order: OrderRow, chance: Random, now: datetime) -> None:
    """Put a unit of the order into a return, now and then into one that has released it."""
    line = (await session.exec(select(OrderLineRow).where(OrderLineRow.order_id == order.id).limit(1))).one()
    known = (await session.exec(select(ReturnRow).limit(1))).one()
    session.add(
        ReturnUnitRow(
            return_id=known.id,
            order_line_id=line.id,
            number=1,
            released_at=now if chance.random() < 0.3 else None,
        )
    )


def _fitting(orders: list[OrderStock], now: datetime) -> str:
    lines = [line for order in orders for line in order.lines]
    day = local_day(now)
    free = [line for order in orders for line in order.lines if line_refusal(order, line, day) is None] or lines
    return ACCESSORIES if free and not any(bikes_and_parts(line) for line in free) else RETURN


def _withdrawals(facts: dict[str, Any]) -> list[tuple[str, str]]:
    return [(entry["id"], entry["withdraw_until"]) for entry in facts["orders"] if entry["withdrawable"]]


async def _compare(session: AsyncSession, owner: Owner, line_filter: LineFilter, now: datetime) -> None:
    facts = await return_facts(session, owner, line_filter, now)
    intro = await introduction(session, owner, line_filter, now, "elsewhere")
    assert intro["offered"] == [entry for entry in facts["items"] if not entry["refusal"]][:4]
    others = (await return_facts(session, owner, lambda line: not line_filter(line), now))["items"]
    assert intro["other_items"] == [{**entry, "flow": "elsewhere"} for entry in others if not entry["refusal"]][:4]
    assert intro["items"] == [entry for entry in facts["items"] if entry["refusal"]]
    assert FLOWS[RETURN].closed(intro) == FLOWS[RETURN].closed(facts)
    assert _withdrawals(intro) == _withdrawals(facts)
    assert [entry for entry in intro["orders"] if entry["refusal"]] == [
        entry for entry in facts["orders"] if entry["refusal"]
    ]
    stock = await StockQueries(session, owner.customer_id, now).all()
    assert intro["fits"] == {
        "": _fitting(stock, now),
        **{order.row.order_number: _fitting([order], now) for order in stock},
    }
    bikes = {entry["bike_id"]: entry["id"] for entry in facts["items"] if entry["bike_id"]}
    if line_filter is not accessories:
        assert bikes.items() <= intro["bike_items"].items()


@pytest.mark.parametrize("seed", range(12))
async def test_an_introduction_says_what_the_items_of_a_draft_say(furnished: Furnished, seed: int) -> None:
    chance, now = Random(seed), furnished.context.clock()
    owner = await Sessions(furnished.context).owner(await furnished.log_in(ROOS))
    async with furnished.context.database.transaction() as session:
        for place in range(ORDERS):
            await order_at_random(session, owner.customer_id, f"9100000{place:02d}", chance, now)
        await session.flush()
        orders = await session.exec(select(OrderRow).where(col(OrderRow.order_number).startswith("9100000")))
        for order in list(orders):
            await _change_at_random(session, order, chance, now)
            if chance.random() < 0.3:
                await _hold_at_random(session, order, chance, now)
        await session.flush()
        for line_filter in FILTERS:
            await _compare(session, owner, line_filter, now)
