"""Every morning each store, and the desk, is mailed what is overdue.

The job of a day writes the mails, the job of the next day, and deletes itself, all in one transaction. So there is one
digest a day, however many processes run and whenever one of them dies.
"""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import groupby

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import jobs, letter
from portal.backend.cases import due_at, overdue
from portal.backend.context import Context
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.exports.provider.cases import address_of
from portal.kernel.days import AMSTERDAM, local_day
from portal.tables.cases import CaseRow
from portal.tables.messages import JobRow
from portal.tables.orders import PartnerRow
from portal.vocabulary.cases import CASE_LABELS, CaseView, kind_path
from portal.vocabulary.exchange import Mailbox

JOB = "digest of overdue cases"
"""Kind of the job; its reference is the day, as a number."""

AT = time(7, 30)
"""Local time. It exists once on every day, also when the clocks change."""

LISTED = 50


class Digest:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._outbox = Outbox(context)

    async def plan(self) -> None:
        async with self._context.database.transaction() as session:
            planned = (await session.exec(select(JobRow.id).where(JobRow.kind == JOB).limit(1))).first()
            if planned is None:
                await self._plan(session, _next(self._context.clock()))

    async def send(self, day_number: int) -> None:
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            # Held by the first of two workers until its commit.
            own = select(JobRow).where(JobRow.kind == JOB, JobRow.reference == day_number).with_for_update()
            if (await session.exec(own)).first() is None:
                return
            await jobs.done(session, JOB, [day_number])
            if day_number == local_day(now).toordinal():
                await self._mail(session, now)
            await self._plan(session, _next(now))

    async def _plan(self, session: AsyncSession, day: date) -> None:
        due_at, now = _moment(day), self._context.clock()
        give_up_at = due_at + timedelta(days=30)
        await jobs.add_once(session, JOB, day.toordinal(), now, give_up_at=give_up_at, due_at=due_at)

    async def _mail(self, session: AsyncSession, now: datetime) -> None:
        query = (
            select(CaseRow, PartnerRow)
            .outerjoin(PartnerRow, col(PartnerRow.id) == col(CaseRow.partner_id))
            .where(overdue(now))
            .order_by(col(CaseRow.partner_id), col(CaseRow.urgent).desc(), col(CaseRow.promised_at), col(CaseRow.id))
        )
        found: Sequence[tuple[CaseRow, PartnerRow | None]] = (await session.exec(query)).all()
        for _, entries in groupby(found, key=lambda entry: entry[0].partner_id):
            listed = list(entries)
            await self._mail_store(session, listed[0][1], [case for case, _ in listed])

    async def _mail_store(self, session: AsyncSession, store: PartnerRow | None, cases: Sequence[CaseRow]) -> None:
        settings = self._context.settings
        await self._outbox.post(
            session,
            Template.CASES_OVERDUE,
            recipient=address_of(settings, Mailbox.STORE if store else Mailbox.DESK, store),
            locale=settings.desk_locale,
            details={
                "store": store.name if store else "",
                "count": len(cases),
                "cases": [
                    {
                        "kind": CASE_LABELS[case.kind],
                        "reference": case.reference,
                        "day": letter.day(local_day(due), settings.desk_locale) if (due := due_at(case)) else "",
                        "link": settings.case_address(kind_path(case.kind), case.reference),
                    }
                    for case in cases[:LISTED]
                ],
                "link": f"{settings.desk_address}/cases?view={CaseView.OVERDUE.value}",
            },
        )


def _moment(day: date) -> datetime:
    return datetime.combine(day, AT, AMSTERDAM)


def _next(now: datetime) -> date:
    today = local_day(now)
    return today if now < _moment(today) else today + timedelta(days=1)
