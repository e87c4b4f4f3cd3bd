"""What staff see of a request for another delivery day: a line in the queue, and the content of its case."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseContent, CaseFacts, CaseLine, CaseSubject, StatusStep
from portal.backend.context import Context
from portal.backend.letter import localized_day
from portal.backend.reader import reader
from portal.contract.account import LocalizedText
from portal.deliveries.provider.account import date_change_account
from portal.deliveries.provider.case_facts import facts_of
from portal.deliveries.provider.date_backoffice import DATE_CHANGE, possible
from portal.deliveries.provider.moving import ordered_units
from portal.kernel.texts import N_
from portal.orders.provider.queries import OrderQueries
from portal.tables.deliveries import DateChangeRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.vocabulary.deliveries import (
    DATE_CHANGE_DESK_LABELS,
    DATE_CHANGE_MEANINGS,
    DATE_CHANGES,
    DateChangeStatus,
    date_change_tone,
)

_T = LocalizedText.of


async def lines(session: AsyncSession, references: Sequence[str]) -> dict[str, CaseLine]:
    """What the queue shows of requests for another day."""
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
    """What the page of the case shows; None if the request is gone."""
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
