"""What staff see of a return and of its battery alarm: a line in the queue, and the content of the case."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.bike_names import bike_in_full
from portal.backend.cases import CaseContent, CaseFacts, CaseLine, CaseSubject, StatusStep, beginning
from portal.backend.context import Context
from portal.backend.reader import reader
from portal.contract.account import LocalizedText
from portal.contract.errors import NotFound
from portal.returns.provider import queries
from portal.returns.provider.account import ReturnCase, account_of, case_of
from portal.returns.provider.backoffice import RETURN, following
from portal.returns.provider.case_facts import alarm_of, facts_of
from portal.returns.provider.receiving import received_key
from portal.settings import Brand
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderLineRow
from portal.tables.returns import ReturnRow, ReturnUnitRow, is_unit_of
from portal.vocabulary.returns import (
    BATTERY_NAMES,
    PICKED_UP,
    REASON_NAMES,
    RETURNS,
    STATE_NAMES,
    BatteryState,
    ReturnStatus,
    desk_label_of,
    return_tone,
)


async def lines(session: AsyncSession, references: Sequence[str]) -> dict[str, CaseLine]:
    rows = (await session.exec(select(ReturnRow).where(col(ReturnRow.reference).in_(references)))).all()
    units: Any = (
        select(ReturnUnitRow, OrderLineRow, BikeRow)
        .join(OrderLineRow, col(OrderLineRow.id) == ReturnUnitRow.order_line_id)
        .join(BikeRow, is_unit_of(col(BikeRow.id), col(BikeRow.order_line_id)), isouter=True)
        .where(col(ReturnUnitRow.return_id).in_([row.id for row in rows]))
        .order_by(col(ReturnUnitRow.id))
    )
    items: dict[int, list[tuple[str, int | None]]] = defaultdict(list)
    for unit, line, bike in await session.exec(units):
        is_known = bike and (unit.bike_id or line.quantity == 1)
        name = bike_in_full(bike, reader()) if is_known else line.name_in(reader())
        items[unit.return_id].append((name, bike.id if bike else None))
    return {row.reference: _line(row, items[row.id]) for row in rows}


def _line(row: ReturnRow, items: Sequence[tuple[str, int | None]]) -> CaseLine:
    names = list(dict.fromkeys(name for name, _ in items))
    return CaseLine(
        label=LocalizedText.of(desk_label_of(row.kind, row.status)),
        tone=return_tone(row.status),
        what=LocalizedText.of(_what(row)),
        quote=beginning(row.reason_text),
        item=", ".join(names[:2]) + (" …" if len(names) > 2 else ""),
        bike_id=next((bike_id for _, bike_id in items if bike_id), None),
        planned=row.pickup_day,
    )


def _what(row: ReturnRow) -> str:
    if row.battery and row.battery is not BatteryState.FINE:
        return BATTERY_NAMES[row.battery]
    if row.reason:
        return REASON_NAMES[row.reason]
    return STATE_NAMES[row.state] if row.state else ""


async def content(context: Context, session: AsyncSession, reference: str) -> CaseContent | None:
    try:
        row = await queries.by_reference(session, reference)
    except NotFound:
        return None
    case = await case_of(session, row, context.clock())
    brand = context.settings.of(case.source).brand
    return CaseContent(
        account=account_of(case, brand),
        line=(await lines(session, [reference]))[reference],
        steps=[_step(replace(case, status=status), brand) for status in following(row) if status not in _BY_ITSELF],
        order_numbers=case.order_numbers,
        file_keys=(row.draft_key or "", received_key(row)),
        labels={status.value: LocalizedText.of(desk_label_of(row.kind, status)) for status in ReturnStatus},
    )


_BY_ITSELF = frozenset({ReturnStatus.EXPIRED, ReturnStatus.PENDING_CONFIRMATION})
"""Statuses that staff do not set: they follow from the mailed link."""


def _step(case: ReturnCase, brand: Brand) -> StatusStep:
    return StatusStep(
        status=case.status.value,
        label=LocalizedText.of(desk_label_of(case.row.kind, case.status)),
        sentence=account_of(case, brand).meaning,
        ends=case.status in RETURNS.ends,
    )


async def alarm_content(context: Context, session: AsyncSession, reference: str) -> CaseContent | None:
    """What the page of a battery alarm shows: the same, and the pick-up once a specialist has the battery."""
    found = await content(context, session, reference)
    if found is None:
        return None
    row = await queries.by_reference(session, reference)
    if not row.urgent:
        return found
    case = await case_of(session, row, context.clock())
    brand = context.settings.of(case.source).brand
    freed = [status for status in RETURNS.following(row.status) if status in PICKED_UP]
    collected = [replace(_step(replace(case, status=status), brand), asks_battery=True) for status in freed]
    return replace(found, steps=[*collected, *found.steps])


async def facts(session: AsyncSession) -> list[tuple[CaseFacts, datetime, datetime]]:
    """The facts of all returns and of their battery alarms."""
    rows = (await session.exec(select(ReturnRow).order_by(col(ReturnRow.id)))).all()
    return [
        *((facts_of(row, row.updated_at), row.created_at, row.updated_at) for row in rows),
        *((alarm_of(row), row.created_at, row.updated_at) for row in rows if row.urgent),
    ]


def of_bike(bike: BikeRow) -> Any:
    return (
        select(ReturnRow.reference)
        .join(ReturnUnitRow, col(ReturnUnitRow.return_id) == ReturnRow.id)
        .where(is_unit_of(bike.id, bike.order_line_id))
    )


RETURN_CASES = CaseSubject(RETURN, lines, content, facts, of_bike)
ALARM_CASES = CaseSubject(RETURN, lines, alarm_content, facts, of_bike)
