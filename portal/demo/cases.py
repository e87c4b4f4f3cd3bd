"""Cases of the demonstration shop, and how they move with its days."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from sqlalchemy import Date
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.cases.provider.subjects import open_all
from portal.demo.build import BuiltCustomer
from portal.demo.plans import whole_days
from portal.kernel.status_graph import StatusGraph
from portal.tables.cases import CaseEventRow, CaseNoteRow, CaseRow
from portal.tables.columns import UtcDateTime
from portal.tables.drafts import UploadRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.messages import CaseMessageRow
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnEventRow, ReturnRow, ReturnUnitRow
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.vocabulary.cases import CaseEventType, CaseKind, CaseState
from portal.vocabulary.contracts import CONTRACT_ENDS
from portal.vocabulary.deliveries import DATE_CHANGES
from portal.vocabulary.insurance import INSURANCE_REQUESTS

_Way = Sequence[tuple[str, datetime]]
"""Statuses and when each came."""

_GRAPHS: Mapping[CaseKind, StatusGraph[Any]] = {
    CaseKind.INSURANCE: INSURANCE_REQUESTS,
    CaseKind.DATE_CHANGE: DATE_CHANGES,
    CaseKind.CONTRACT_END: CONTRACT_ENDS,
}
"""Kinds of requests that keep no history of their own."""


async def complete_cases(session: AsyncSession) -> None:
    last = (await session.exec(select(func.max(CaseRow.id)))).one() or 0
    await open_all(session)
    opened = select(CaseRow, CaseEventRow).join(CaseEventRow, col(CaseEventRow.case_id) == col(CaseRow.id))
    rows = (await session.exec(opened.where(col(CaseRow.id) > last).order_by(col(CaseRow.id)))).all()
    histories = await _histories(session) if rows else {}
    for case, first in rows:
        way = histories.get(case.reference) or _shortest(case)
        first.status = way[0][0]
        for (before, _), (status, moment) in pairwise(way):
            ends = case.state is CaseState.DONE and status == case.status
            session.add(
                CaseEventRow(
                    case_id=case.id,
                    type=CaseEventType.CLOSED if ends else CaseEventType.STATUS_CHANGED,
                    status=status,
                    details={"before": before, "status": status},
                    happened_at=moment,
                )
            )
    await session.flush()


async def _histories(session: AsyncSession) -> Mapping[str, _Way]:
    """What work orders and returns went through, by reference."""
    found: dict[str, list[tuple[str, datetime]]] = defaultdict(list)
    queries: tuple[Any, ...] = (
        select(RequestRow.reference, WorkOrderEventRow.status, WorkOrderEventRow.happened_at)
        .join(RequestRow, col(RequestRow.id) == col(WorkOrderEventRow.request_id))
        .order_by(col(WorkOrderEventRow.happened_at), col(WorkOrderEventRow.id)),
        select(ReturnRow.reference, ReturnEventRow.status, ReturnEventRow.created_at)
        .join(ReturnRow, col(ReturnRow.id) == col(ReturnEventRow.return_id))
        .order_by(col(ReturnEventRow.created_at), col(ReturnEventRow.id)),
    )
    for query in queries:
        for reference, status, moment in await session.exec(query):
            if not found[reference] or found[reference][-1][0] != status:
                found[reference].append((status.value, moment))
    return found


def _shortest(case: CaseRow) -> _Way:
    graph = _GRAPHS.get(case.kind)
    path = graph.path_to(graph.start.__class__(case.status)) if graph else [case.status]
    return [(status, case.changed_at if place else case.opened_at) for place, status in enumerate(map(str, path))]


_OWN = (ReturnRow, InsuranceRequestRow, UploadRow)
_PARTS: tuple[tuple[Any, Any, str], ...] = (
    (ReturnUnitRow, ReturnRow, "return_id"),
    (ReturnEventRow, ReturnRow, "return_id"),
)
_PARTS_OF_CASES: tuple[tuple[Any, Any, str], ...] = (
    (CaseEventRow, CaseRow, "case_id"),
    (CaseNoteRow, CaseRow, "case_id"),
    (CaseMessageRow, CaseRow, "case_id"),
)
"""Tables, the table that their rows belong to, and the column that says to which row."""


async def move_stories(session: AsyncSession, built: Sequence[BuiltCustomer]) -> None:
    await _move(session, await _ages(session, built), _OWN, _PARTS)
    await move_cases(session, built)


async def move_cases(session: AsyncSession, customers: Sequence[BuiltCustomer]) -> None:
    await _move(session, await _ages(session, customers), (CaseRow,), _PARTS_OF_CASES)


async def _move(
    session: AsyncSession,
    moved: Mapping[int, timedelta],
    tables: Sequence[Any],
    parts: Sequence[tuple[Any, Any, str]],
) -> None:
    if not any(moved.values()):
        return
    for table in tables:
        for row in (await session.exec(select(table).where(table.customer_id.in_(moved)))).all():
            _shift(row, moved[row.customer_id])
    for part, whole, key in parts:
        query = select(part, whole.customer_id).join(whole, whole.id == getattr(part, key))
        for row, customer_id in (await session.exec(query.where(whole.customer_id.in_(moved)))).all():
            _shift(row, moved[customer_id])


async def _ages(session: AsyncSession, customers: Sequence[BuiltCustomer]) -> dict[int, timedelta]:
    """By customer, how much later everything happens today than it was stored: a work order, else an order."""
    fresh = {order.row.order_number: order for customer in customers for order in customer.orders}
    requests = [request for order in fresh.values() for bike in order.bikes for request in bike.requests]
    known = select(RequestRow).where(col(RequestRow.reference).in_([request.row.reference for request in requests]))
    sent = {row.reference: row.created_at for row in await session.exec(known)}
    moved: dict[int, timedelta] = {}
    for row in await session.exec(select(OrderRow).where(col(OrderRow.order_number).in_(fresh))):
        order = fresh[row.order_number]
        moved.setdefault(row.customer_id, order.row.ordered_at - row.ordered_at)
        for request in (request.row for bike in order.bikes for request in bike.requests):
            moved[row.customer_id] = request.created_at - sent.get(request.reference, request.created_at)
    return moved


def _shift(row: Any, moved: timedelta) -> None:
    for column in type(row).__table__.columns:
        if isinstance(column.type, Date | UtcDateTime) and (value := getattr(row, column.name)):
            setattr(row, column.name, value + (whole_days(moved) if isinstance(column.type, Date) else moved))
