"""Cases for others: whole ones for the shop's systems, and events, distributed by webhooks and by mail to its people.

The event's transaction leaves a job. Its handler writes the deliveries and mails and deletes the job in one
transaction, so each is written exactly once, whenever a process dies. It handles all events of the case that still
have their job, oldest first: so they leave in order, also when two workers are at it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import jobs, outbox
from portal.backend.cases import JOB, CaseContent, due_at
from portal.backend.context import Context
from portal.backend.files.store import store_of
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.shops import shop_ids
from portal.backend.staff import write_audit
from portal.cases.provider import content
from portal.cases.provider.queries import turn_of
from portal.cases.provider.subjects import SUBJECTS, item_of
from portal.contract.errors import InvalidInput, NotFound
from portal.contract.models import Content, mapped
from portal.exports.api import CaseFileRecord, CaseHistoryRecord, CaseRecord, ChangedCase, ChangedCases
from portal.exports.rules import (
    HEADINGS,
    REFUND_HEADING,
    About,
    CaseEvent,
    CaseReference,
    by_whom,
    is_news_to_handler,
    outgoing_details,
    recipients_of,
)
from portal.flow.provider.uploads import content_of
from portal.kernel.codes import Code
from portal.settings import Settings
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.messages import JobRow
from portal.tables.orders import PartnerRow
from portal.tables.staff import AuditRow, StaffRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import CASE_LABELS, EVENT_LABELS, CaseEventType, CaseKind, CaseState, kind_path
from portal.vocabulary.exchange import Mailbox, case_event

PART = 100
_SEEN_AGAIN = timedelta(hours=1)
"""That a system read a case is written to the audit once in this time."""


async def about(context: Context, session: AsyncSession, case: CaseRow) -> About:
    return await _about(session, case, await SUBJECTS[case.kind].content(context, session, case.reference))


async def _about(session: AsyncSession, case: CaseRow, found: CaseContent | None) -> About:
    ids = await shop_ids(
        session,
        customer_id=case.customer_id,
        order_numbers=found.order_numbers if found else (),
        bike_id=found.line.bike_id if found else None,
    )
    return About.model_validate(ids)


async def whole(context: Context, kind: CaseKind, reference: str, actor: str) -> CaseRecord:
    async with context.database.transaction() as session:
        case, found = await _read(context, session, kind, reference, actor)
        events = select(CaseEventRow).where(CaseEventRow.case_id == case.id).order_by(col(CaseEventRow.id))
        files = await content.uploads(session, case, found)
        return CaseRecord(
            **(await _changed(session, case)).model_dump(),
            about=await _about(session, case, found),
            account=await content.concealed(session, case, found, files),
            planned_date=found.line.planned,
            files=[
                mapped(
                    CaseFileRecord,
                    row,
                    file_id=row.public_id,
                    size=row.stored_size,
                    by_staff=row.staff_id is not None,
                )
                for row in files
            ],
            history=[
                mapped(
                    CaseHistoryRecord,
                    event,
                    by=by_whom(by_customer=event.by_customer, by_staff=event.staff_id is not None),
                    details=outgoing_details(event.details),
                )
                for event in await session.exec(events)
            ],
        )


async def file(context: Context, kind: CaseKind, reference: str, file_id: str, actor: str) -> Content:
    async with context.database.transaction() as session:
        case, found = await _read(context, session, kind, reference, actor)
        files = await content.uploads(session, case, found)
    chosen = next((row for row in files if row.public_id == file_id), None)
    if chosen is None:
        raise NotFound
    return content_of(store_of(context.settings), chosen)


async def _read(
    context: Context, session: AsyncSession, kind: CaseKind, reference: str, actor: str
) -> tuple[CaseRow, CaseContent]:
    query = select(CaseRow).where(col(CaseRow.kind) == kind, CaseRow.reference == reference.replace(" ", ""))
    case = (await session.exec(query)).first()
    found = case and await SUBJECTS[case.kind].content(context, session, case.reference)
    if case is None or not isinstance(found, CaseContent):
        raise NotFound
    await _audit(context, session, case, actor)
    return case, found


async def _audit(context: Context, session: AsyncSession, case: CaseRow, actor: str) -> None:
    now, read = context.clock(), AuditAction.VIEW_CASE
    known = select(AuditRow.id).where(
        AuditRow.kind == case.kind.value,
        AuditRow.reference == case.reference,
        AuditRow.actor == actor,
        AuditRow.action == read.value,
        col(AuditRow.happened_at) > now - _SEEN_AGAIN,
    )
    if (await session.exec(known.limit(1))).first() is None:
        await write_audit(session, None, read, case.kind.value, case.reference, actor=actor, moment=now)


async def changed_since(context: Context, since: datetime | None, after: str) -> ChangedCases:
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
    reference = _reference(case, await _store(session, case), case.status)
    return mapped(ChangedCase, case, case=reference, due_at=due_at(case), turn=turn_of(case))


def _reference(case: CaseRow, store: PartnerRow | None, status: str) -> CaseReference:
    return mapped(CaseReference, case, status=status, store=store.public_id if store else None)


MAIL_WORTHY = timedelta(hours=24)
"""Age from which an event is no news: nobody is mailed about it."""


class Distribution:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._outbox = Outbox(context)

    async def tell(self, event_id: int) -> None:
        async with self._context.database.transaction() as session:
            event = (await session.exec(select(CaseEventRow).where(CaseEventRow.id == event_id))).first()
            if event is None:
                return
            case = (await session.exec(select(CaseRow).where(CaseRow.id == event.case_id).with_for_update())).one()
            waiting = (
                select(CaseEventRow)
                .join(JobRow, (col(JobRow.reference) == col(CaseEventRow.id)) & (col(JobRow.kind) == JOB))
                .where(CaseEventRow.case_id == case.id)
                .order_by(col(CaseEventRow.id))
            )
            events = (await session.exec(waiting)).all()
            subject = await about(self._context, session, case)
            for each in events:
                await self._send(session, case, each, subject)
                await self._mail(session, case, each)
            await jobs.done(session, JOB, [each.id for each in events])

    async def _send(self, session: AsyncSession, case: CaseRow, event: CaseEventRow, subject: About) -> None:
        store = await _store(session, case)
        data = CaseEvent(
            case=_reference(case, store, event.status),
            about=subject,
            by=by_whom(by_customer=event.by_customer, by_staff=event.staff_id is not None),
            details=outgoing_details(event.details),
        )
        await outbox.send(
            session,
            case_event(event.type),
            f"{case.kind.value} {case.reference}",
            data.model_dump(mode="json"),
            event.happened_at,
            event=f"case-event-{event.id}",
        )

    async def _mail(self, session: AsyncSession, case: CaseRow, event: CaseEventRow) -> None:
        settings = self._context.settings
        if self._context.clock() - event.happened_at > MAIL_WORTHY:
            return
        store = await _store(session, case)
        boxes = recipients_of(
            case.kind,
            event.type,
            event.status,
            moved=event.details.get("before", event.status) != event.status,
            by_customer=event.by_customer,
            waiting=case.state is CaseState.WAITING,
            has_store=bool(store and store.email),
        )
        heading = REFUND_HEADING if boxes == {Mailbox.FINANCE} else HEADINGS.get(event.type, EVENT_LABELS[event.type])
        # Two mailboxes may share an address.
        recipients = {address_of(settings, box, store) for box in boxes}
        if case.kind is CaseKind.BATTERY_ALARM and event.type is CaseEventType.OPENED:
            # The mail with the number to call went there when the alarm was raised.
            recipients.discard(settings.desk_email)
        if is_news_to_handler(event.type, by_customer=event.by_customer):
            recipients |= await _handler(session, case, event)
        item = await item_of(session, case, settings.desk_locale) if recipients else ""
        for recipient in sorted(recipients):
            await self._outbox.post(
                session,
                Template.CASE_NEWS,
                recipient=recipient,
                locale=settings.desk_locale,
                details={
                    "heading": heading,
                    "kind": CASE_LABELS[case.kind],
                    "reference": case.reference,
                    "item": item,
                    "store": store.name if store else "",
                    "link": settings.case_address(kind_path(case.kind), case.reference),
                },
            )


async def _store(session: AsyncSession, case: CaseRow) -> PartnerRow | None:
    if case.partner_id is None:
        return None
    return (await session.exec(select(PartnerRow).where(PartnerRow.id == case.partner_id))).one()


async def _handler(session: AsyncSession, case: CaseRow, event: CaseEventRow) -> set[str]:
    if case.assigned_to is None or case.assigned_to == event.staff_id:
        return set()
    query = select(StaffRow.email).where(StaffRow.id == case.assigned_to, col(StaffRow.active))
    return set(await session.exec(query))


def address_of(settings: Settings, box: Mailbox, store: PartnerRow | None) -> str:
    if box is Mailbox.STORE and store and store.email:
        return store.email
    own = {Mailbox.FINANCE: settings.mailboxes.finance, Mailbox.WAREHOUSE: settings.mailboxes.warehouse}
    return own.get(box) or settings.desk_email
