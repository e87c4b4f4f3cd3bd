"""The end of open repairs, services and claims of bikes that left their customer."""

from __future__ import annotations

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.context import Context
from portal.backend.departures import Departed
from portal.contract.account import LocalizedText
from portal.kernel.texts import gettext_for, known_locale
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import CaseEventType
from portal.vocabulary.departures import OF_REQUESTS, Effect, outcome
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, WORK_ORDERS, Actor, WorkOrderStatus
from portal.work_orders.provider import queries
from portal.work_orders.provider.backoffice import StatusNotice, notify_customer
from portal.work_orders.provider.case_facts import record_case


async def end_requests(context: Context, session: AsyncSession, departed: Departed) -> None:
    """Cancel what is open for the bikes, and mail the customer. What was repaired already is completed."""
    query = select(RequestRow.reference).where(
        col(RequestRow.bike_id).in_(departed.bike_ids), col(RequestRow.status).not_in(sorted(CLOSED_WORK_ORDER))
    )
    for reference in (await session.exec(query.order_by(col(RequestRow.id)))).all():
        found = await queries.get(session, reference)
        cell = outcome(departed.final, OF_REQUESTS[found.request.kind])
        if cell.effect is Effect.ENDS:
            note = gettext_for(known_locale(found.customer.locale))(cell.customer)
            await _end(context, session, found, note)


async def _end(context: Context, session: AsyncSession, found: queries.WorkOrderMatch, note: str) -> None:
    request, now = found.request, context.clock()
    cancels = WORK_ORDERS[request.kind].allows(request.status, WorkOrderStatus.CANCELLED)
    status = WorkOrderStatus.CANCELLED if cancels else WorkOrderStatus.COMPLETED
    await queries.change(session, request, now, status=status)
    session.add(
        WorkOrderEventRow(request_id=request.id, status=status, actor=Actor.BACK_OFFICE, note=note, happened_at=now)
    )
    await session.flush()
    await live.publish(session, request.customer_id, Topic.REQUESTS, now)
    await session.refresh(request)
    await record_case(session, request, CaseEventType.STATUS_CHANGED, now)
    await notify_customer(
        context, session, found, StatusNotice(status, note, None, None, LocalizedText(), LocalizedText())
    )
