"""Cases for the shop's own systems: one whole, and those that changed since a moment."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseContent, due_at
from portal.backend.context import Context
from portal.backend.files.store import store_of
from portal.backend.shops import shop_ids
from portal.backend.staff import write_audit
from portal.cases.provider import content
from portal.cases.provider.subjects import SUBJECTS
from portal.contract.errors import InvalidInput, NotFound
from portal.contract.models import Content
from portal.exports.api import CaseFileRecord, CaseHistoryRecord, CaseRecord, ChangedCase, ChangedCases
from portal.exports.rules import About, CaseReference, by_whom, outgoing_details
from portal.flow.provider.uploads import content_of
from portal.kernel.codes import Code
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.orders import PartnerRow
from portal.tables.staff import AuditRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import CaseKind

PART = 100
"""Cases in one answer."""

ACTOR = "back office"
"""Who reads, in the audit."""

_SEEN_AGAIN = timedelta(hours=1)
"""That a system read a case is written to the audit once in this time."""


async def about(context: Context, session: AsyncSession, case: CaseRow) -> About:
    """What a case is about, by the shop's own ids."""
    return await _about(session, case, await SUBJECTS[case.kind].content(context, session, case.reference))


async def _about(session: AsyncSession, case: CaseRow, found: CaseContent | None) -> About:
    ids = await shop_ids(
        session,
        customer_id=case.customer_id,
        order_numbers=found.order_numbers if found else (),
        bike_id=found.line.bike_id if found else None,
    )
    return About.model_validate(ids)


async def whole(context: Context, kind: CaseKind, reference: str) -> CaseRecord:
    """One case with everything that the customer was told, its files and its history."""
    async with context.database.transaction() as session:
        case, found = await _read(context, session, kind, reference)
        events = select(CaseEventRow).where(CaseEventRow.case_id == case.id).order_by(col(CaseEventRow.id))
        files = await content.uploads(session, case, found)
        return CaseRecord(
            **(await _changed(session, case)).model_dump(),
            about=await _about(session, case, found),
            account=await content.concealed(session, case, found, files),
            planned_date=found.line.planned,
            files=[
                CaseFileRecord(
                    file_id=row.public_id,
                    name=row.name,
                    media_type=row.media_type,
                    size=row.stored_size,
                    by_staff=row.staff_id is not None,
                )
                for row in files
            ],
            history=[
                CaseHistoryRecord(
                    type=event.type,
                    status=event.status,
                    by=by_whom(by_customer=event.by_customer, by_staff=event.staff_id is not None),
                    details=outgoing_details(event.details),
                    happened_at=event.happened_at,
                )
                for event in await session.exec(events)
            ],
        )


async def file(context: Context, kind: CaseKind, reference: str, file_id: str) -> Content:
    async with context.database.transaction() as session:
        case, found = await _read(context, session, kind, reference)
        files = await content.uploads(session, case, found)
    chosen = next((row for row in files if row.public_id == file_id), None)
    if chosen is None:
        raise NotFound
    return content_of(store_of(context.settings), chosen)


async def _read(context: Context, session: AsyncSession, kind: CaseKind, reference: str) -> tuple[CaseRow, CaseContent]:
    query = select(CaseRow).where(col(CaseRow.kind) == kind, CaseRow.reference == reference.replace(" ", ""))
    case = (await session.exec(query)).first()
    found = case and await SUBJECTS[case.kind].content(context, session, case.reference)
    if case is None or not isinstance(found, CaseContent):
        raise NotFound
    await _audit(context, session, case)
    return case, found


async def _audit(context: Context, session: AsyncSession, case: CaseRow) -> None:
    now, read = context.clock(), AuditAction.VIEW_CASE
    known = select(AuditRow.id).where(
        AuditRow.kind == case.kind.value,
        AuditRow.reference == case.reference,
        AuditRow.actor == ACTOR,
        AuditRow.action == read.value,
        col(AuditRow.happened_at) > now - _SEEN_AGAIN,
    )
    if (await session.exec(known.limit(1))).first() is None:
        await write_audit(session, None, read, case.kind.value, case.reference, actor=ACTOR, moment=now)


async def changed_since(context: Context, since: datetime | None, after: str) -> ChangedCases:
    """Cases that changed at a moment or later, the oldest change first."""
    query = select(CaseRow).order_by(col(CaseRow.changed_at), col(CaseRow.id)).limit(PART + 1)
    if since is not None:
        query = query.where(col(CaseRow.changed_at) >= since)
    if after:
        moment, key = _place(after)
        later = col(CaseRow.changed_at) > moment
        query = query.where(later | ((col(CaseRow.changed_at) == moment) & (col(CaseRow.id) > key)))
    async with context.database.session() as session:
        rows = (await session.exec(query)).all()
        items = [await _changed(session, row) for row in rows[:PART]]
    last = rows[PART - 1] if len(rows) > PART else None
    return ChangedCases(items=items, next=f"{last.changed_at.isoformat()}/{last.id}" if last else "")


def _place(after: str) -> tuple[datetime, int]:
    try:
        moment, key = after.split("/")
        read = datetime.fromisoformat(moment), int(key)
    except ValueError:
        raise InvalidInput(Code.INVALID_INPUT, fields={"after": Code.INVALID_CHOICE}) from None
    if read[0].tzinfo is None:
        raise InvalidInput(Code.INVALID_INPUT, fields={"after": Code.INVALID_CHOICE})
    return read


async def _changed(session: AsyncSession, case: CaseRow) -> ChangedCase:
    store = await session.get(PartnerRow, case.partner_id) if case.partner_id else None
    return ChangedCase(
        case=CaseReference(
            kind=case.kind,
            reference=case.reference,
            status=case.status,
            store=store.public_id if store else None,
            urgent=case.urgent,
        ),
        state=case.state,
        due_at=due_at(case),
        turn=content.turn_of(case),
        opened_at=case.opened_at,
        changed_at=case.changed_at,
        closed_at=case.closed_at,
    )
