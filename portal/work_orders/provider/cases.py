"""What staff see of a work order: a line in the queue, and the content of its case."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.bike_names import bike_in_full
from portal.backend.cases import CaseContent, CaseFacts, CaseLine, CaseSubject, StatusStep, beginning, hide
from portal.backend.context import Context
from portal.backend.reader import reader
from portal.bikes.provider.departures import departure_of_bike
from portal.contract.account import LocalizedText
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderRow, PartnerRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.departures import OF_REQUESTS, Dependent, outcome, refusal
from portal.vocabulary.work_orders import (
    CLOSED_WORK_ORDER,
    MAILED_STATUSES,
    WORK_ORDERS,
    RequestKind,
    WorkOrderStatus,
    desk_words,
    request_tone,
)
from portal.work_orders.provider.account import account_of, day_ahead, handover_of, status_of, waits
from portal.work_orders.provider.backoffice import WORK_ORDER, allowed, facts_of
from portal.work_orders.provider.confirmation import title_and_description


async def lines(session: AsyncSession, references: Sequence[str]) -> dict[str, CaseLine]:
    query: Any = (
        select(RequestRow, BikeRow)
        .join(BikeRow, col(BikeRow.id) == RequestRow.bike_id)
        .where(col(RequestRow.reference).in_(references))
    )
    return {row.reference: _line(row, bike) for row, bike in await session.exec(query)}


def _line(row: RequestRow, bike: BikeRow) -> CaseLine:
    return CaseLine(
        label=LocalizedText.of(desk_words(row.kind, row.status, handover_of(row))),
        tone=request_tone(row.status),
        what=LocalizedText.each(lambda locale: title_and_description(row, locale)[0]),
        quote=beginning(_written(row)),
        item=bike_in_full(bike, reader()),
        files=len((row.details or {}).get("files", ())),
        bike_id=bike.id,
        planned=row.planned_date,
    )


def _written(row: RequestRow) -> str:
    """What the customer wrote about a repair or claim; a service has no text."""
    if row.kind is RequestKind.SERVICE:
        return ""
    if row.kind is RequestKind.CLAIM:
        return str((row.details or {}).get("cause", row.description))
    texts = [str(text) for name, text in (row.details or {}).items() if name.startswith("details_")]
    return texts[0] if texts else row.description


async def content(_context: Context, session: AsyncSession, reference: str) -> CaseContent | None:
    query: Any = (
        select(RequestRow, BikeRow, PartnerRow, OrderRow.order_number)
        .join(BikeRow, col(BikeRow.id) == RequestRow.bike_id)
        .join(OrderRow, col(OrderRow.id) == BikeRow.order_id)
        .join(PartnerRow, col(PartnerRow.id) == RequestRow.partner_id, isouter=True)
        .where(RequestRow.reference == reference)
    )
    found = (await session.exec(query)).one_or_none()
    if found is None:
        return None
    row, bike, partner, order_number = found
    departure = await departure_of_bike(session, bike)
    account = account_of(row, bike, partner, departure=departure)
    staff = outcome(departure, OF_REQUESTS[row.kind]).staff if waits(row, departure) else ""
    return CaseContent(
        account=hide(account.model_copy(update={"meaning": LocalizedText.of(staff)}) if staff else account),
        line=_line(row, bike),
        steps=[
            _step(row, bike, partner, status)
            for status in allowed(WORK_ORDERS[row.kind].following(row.status), departure, row.status)
        ],
        order_numbers=[order_number],
        file_keys=(row.draft_key or "",),
        can_plan=row.status not in CLOSED_WORK_ORDER and refusal(departure, Dependent.BACK_OFFICE) is None,
        labels={
            status.value: LocalizedText.of(desk_words(row.kind, status, handover_of(row))) for status in WorkOrderStatus
        },
    )


def _step(row: RequestRow, bike: BikeRow, partner: PartnerRow | None, status: WorkOrderStatus) -> StatusStep:
    sentence = account_of(row, bike, partner, status=status).meaning
    _, with_day = status_of(row, status, day_ahead(row, status, date.max))
    return StatusStep(
        status=status.value,
        label=LocalizedText.of(desk_words(row.kind, status, handover_of(row))),
        sentence=sentence,
        with_day=with_day if with_day != sentence else LocalizedText(),
        mailed=status in MAILED_STATUSES,
        ends=status in WORK_ORDERS[row.kind].ends,
    )


async def facts(session: AsyncSession) -> list[tuple[CaseFacts, datetime, datetime]]:
    rows = await session.exec(select(RequestRow).order_by(col(RequestRow.id)))
    return [(facts_of(row), row.created_at, row.updated_at) for row in rows]


def of_bike(bike: BikeRow) -> Any:
    return select(RequestRow.reference).where(RequestRow.bike_id == bike.id)


WORK_ORDER_CASES = CaseSubject(WORK_ORDER, lines, content, facts, of_bike)
