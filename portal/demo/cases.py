"""Cases of the demonstration shop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.cases.provider.subjects import open_all
from portal.kernel.status_graph import StatusGraph
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.returns import ReturnEventRow, ReturnRow
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
    """Open the cases of requests that have none. Their timeline has every status that the request passed through."""
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
