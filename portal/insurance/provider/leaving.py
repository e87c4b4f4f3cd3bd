"""The end of open insurance requests for bikes that left their customer."""

from __future__ import annotations

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.context import Context
from portal.backend.departures import Departed
from portal.insurance.provider.backoffice import notify_status
from portal.insurance.provider.case_facts import record_case
from portal.insurance.provider.queries import move
from portal.kernel.texts import gettext_for, known_locale
from portal.links.provider import Links, Subject
from portal.login.provider.queries import CustomerQueries
from portal.tables.bikes import BikeRow
from portal.tables.insurance import InsuranceRequestRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.departures import Dependent, Effect, outcome
from portal.vocabulary.insurance import OPEN_INSURANCE, InsuranceStatus
from portal.vocabulary.links import LinkPurpose


async def end_insurance_requests(context: Context, session: AsyncSession, departed: Departed) -> None:
    """Cancel what is open for the bikes, and mail the customer."""
    cell = outcome(departed.final, Dependent.INSURANCE_REQUEST)
    if cell.effect is not Effect.ENDS:
        return
    query = select(InsuranceRequestRow, BikeRow).join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
    query = query.where(
        col(InsuranceRequestRow.bike_id).in_(departed.bike_ids),
        col(InsuranceRequestRow.status).in_(sorted(OPEN_INSURANCE)),
    )
    now = context.clock()
    for row, bike in (await session.exec(query.order_by(col(InsuranceRequestRow.id)))).all():
        customer = await CustomerQueries(session, row.customer_id).get()
        note = gettext_for(known_locale(customer.locale))(cell.customer)
        values = {"updated_at": now, "note": note, "waits_for_link": False, "iban": ""}
        if not await move(session, row, InsuranceStatus.CANCELLED, **values):
            continue
        await Links(context).withdraw(session, LinkPurpose.INSURANCE, Subject(row.id, row.customer_id))
        await session.refresh(row)
        await notify_status(context, session, customer, bike, row)
        await live.publish(session, row.customer_id, Topic.INSURANCES, now)
        await record_case(session, row, now)
