"""Tells others about an event of a case: the retailer's systems by webhooks, and its people by mail.

The event's transaction leaves a job. Its handler writes the deliveries and mails and deletes the job in one
transaction, so each is written exactly once, whenever a process dies. It handles all events of the case that still
have their job, oldest first: so they leave in order, also when two workers are at it.
"""

from __future__ import annotations

from datetime import timedelta

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import jobs, webhooks
from portal.backend.cases import JOB
from portal.backend.context import Context
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.cases.provider.subjects import item_of
from portal.exports.provider.cases import about
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
from portal.settings import Settings
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.messages import JobRow
from portal.tables.orders import PartnerRow
from portal.tables.staff import StaffRow
from portal.vocabulary.cases import CASE_LABELS, EVENT_LABELS, CaseEventType, CaseKind, CaseState, kind_path
from portal.vocabulary.exports import Mailbox, case_event

MAIL_WORTHY = timedelta(hours=24)
"""Age from which an event is no news: nobody is mailed about it."""


class Distribution:
    """Runs the job of an event."""

    def __init__(self, context: Context) -> None:
        """Use the settings, database and clock of the context."""
        self._context = context
        self._outbox = Outbox(context)

    async def tell(self, event_id: int) -> None:
        """Tell about an event, and about earlier ones of its case that were not told yet."""
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
            case=CaseReference(
                kind=case.kind,
                reference=case.reference,
                status=event.status,
                store=store.public_id if store else None,
                urgent=case.urgent,
            ),
            about=subject,
            by=by_whom(by_customer=event.by_customer, by_staff=event.staff_id is not None),
            details=outgoing_details(event.details),
        )
        await webhooks.send(
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
    """The address of the person who handles a case, unless they did it themselves or may no longer log in."""
    if case.assigned_to is None or case.assigned_to == event.staff_id:
        return set()
    query = select(StaffRow.email).where(StaffRow.id == case.assigned_to, col(StaffRow.active))
    return set(await session.exec(query))


def address_of(settings: Settings, box: Mailbox, store: PartnerRow | None) -> str:
    if box is Mailbox.STORE and store and store.email:
        return store.email
    own = {Mailbox.FINANCE: settings.mailboxes.finance, Mailbox.WAREHOUSE: settings.mailboxes.warehouse}
    return own.get(box) or settings.desk_email
