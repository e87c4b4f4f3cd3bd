"""The operations of staff on cases. Every query includes what the person may see; every change is audited."""

from contextlib import suppress
from datetime import date, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.backoffice import Transition, TransitionRequest
from portal.backend.cases import add_event
from portal.backend.context import Context
from portal.backend.live import EVERY_SECONDS
from portal.backend.sessions import Sessions
from portal.backend.staff import StaffMember, write_audit
from portal.cases.api import (
    MAIN_SHOP,
    MAX_NOTE_LENGTH,
    Batch,
    BatchResult,
    CaseAssignment,
    CaseChanges,
    CaseChoices,
    CaseFilter,
    CaseHandOver,
    CaseMove,
    CaseName,
    CaseNoteEntry,
    CasesApi,
    CaseWatch,
    ChosenCases,
    CommonChoices,
    Counts,
    CountsFilter,
    KindCount,
    PlannedDay,
    Presence,
    Queue,
    QueuePage,
    SavedView,
    SavedViewEntry,
    ShopName,
    ViewCount,
)
from portal.cases.models import CaseDetail, NextStep, StaffName
from portal.cases.provider import content, queries, watching
from portal.cases.provider.files import CaseFilesService
from portal.cases.provider.queries import colleagues, known_people
from portal.cases.provider.subjects import SUBJECTS
from portal.contract.common_api import NEVER_ASKED
from portal.contract.errors import InvalidInput, ProviderError
from portal.contract.models import Content
from portal.contract.operations import CSV
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.tables.cases import CaseNoteRow, CasePresenceRow, CaseRow, CaseViewRow
from portal.tables.orders import PartnerRow
from portal.tables.staff import AuditRow, StaffRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import HANDED_OVER, KINDS_OF, STEP_RIGHTS, CaseEventType, CaseKind, CaseState, kind_path
from portal.vocabulary.staff import STORE_ROLES, Right

VIEW_AUDIT_INTERVAL = timedelta(hours=1)
"""That somebody saw a case is written to the audit once in this time."""

MAX_SAVED_VIEWS = 20
"""Most saved views of a person."""


class CasesService(CaseFilesService):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._hub = watching.CaseHub(context.database, EVERY_SECONDS)

    @override
    async def close(self) -> None:
        await self._hub.close()
        await super().close()

    @override
    async def queue(self, token: str, asked: QueuePage) -> Queue:
        now = self._context.clock()
        async with self._staff.reading(token, CasesApi.queue) as (member, session):
            searched = asked.search.strip()
            condition = await queries.of_filter(
                session, member, asked, now, shops=self._context.settings.shops, everywhere=bool(searched)
            )
            more = False
            if searched:
                found, more = await queries.of_search(session, searched)
                condition &= found
            part = await queries.part(session, condition, asked.view, asked.page, asked.sort)
            items = await queries.entries(session, part.rows, self._context.settings)
        if searched:
            # What the person typed may name a customer, so it is not kept.
            async with self._staff.changing(token, CasesApi.queue) as (member, session):
                await write_audit(session, member, AuditAction.SEARCH_CASES, details={"found": len(items)})
        return Queue(
            items=items,
            page=part.page,
            pages=max(1, -(-part.total // queries.QUEUE_PAGE)),
            total=part.total,
            more=more or part.total >= queries.MAX_LISTED,
            now=now,
        )

    @override
    async def case_list(self, token: str, wanted: CaseFilter) -> Content:
        now = self._context.clock()
        async with self._staff.changing(token, CasesApi.case_list) as (member, session):
            asked = wanted.model_dump(mode="json", exclude_defaults=True)
            await write_audit(session, member, AuditAction.CASE_LIST, details=asked)
            condition = await queries.of_filter(session, member, wanted, now, shops=self._context.settings.shops)
        chunks = queries.case_list(self._context, condition, member.locale)
        return Content(name=f"cases-{local_day(now)}.csv", media_type=CSV.media_type, size=0, chunks=chunks)

    @override
    async def counts(self, token: str, asked: CountsFilter) -> Counts:
        now = self._context.clock()
        async with self._staff.reading(token, CasesApi.counts) as (member, session):
            mark = await watching.newest(session)
            counted = await queries.counted(session, member, asked.store, now)
            saved = (
                await session.exec(
                    select(CaseViewRow).where(CaseViewRow.staff_id == member.id).order_by(col(CaseViewRow.name))
                )
            ).all()
            filters = [CaseFilter.model_validate(row.filter) for row in saved]
            numbers = await queries.count_each(
                session,
                [
                    await queries.of_filter(session, member, each, now, shops=self._context.settings.shops)
                    for each in filters
                ],
            )
        return Counts(
            views=[ViewCount(view=view, count=count) for view, count in counted.views.items()],
            kinds=[
                KindCount(kind=kind, count=counted.kinds.get(kind, 0))
                for kind in CaseKind
                if kind in KINDS_OF[member.role] and kind is not CaseKind.UNKNOWN
            ],
            saved=[
                SavedView(view_id=row.public_id, name=row.name, filter=asked_for, count=number)
                for row, asked_for, number in zip(saved, filters, numbers, strict=True)
            ],
            mark=mark,
        )

    @override
    async def case_changes(self, token: str, watch: CaseWatch) -> CaseChanges:
        async with self._staff.reading(token, CasesApi.case_changes) as (member, session):
            if watch.since == NEVER_ASKED:
                return CaseChanges(mark=await watching.newest(session))
            found = await watching.newest_for(session, member, watch.since)
        if found == watch.since and watch.wait_seconds:
            found = await self._hub.wait(member, watch.since, watch.wait_seconds)
        return CaseChanges(mark=found)

    @override
    async def case_choices(self, token: str) -> CaseChoices:
        async with self._staff.reading(token, CasesApi.case_choices) as (member, session):
            every = (
                await session.exec(
                    select(PartnerRow).where(col(PartnerRow.closed).is_(False)).order_by(col(PartnerRow.name))
                )
            ).all()
            people = await known_people(session, member)
        limited, settings = member.role in STORE_ROLES, self._context.settings
        own = [row for row in every if row.id in member.stores] if limited else every
        return CaseChoices(
            stores=[queries.store_name(row) for row in own],
            people=[queries.staff_name(row) for row in people],
            all_stores=[queries.store_name(row) for row in every],
            shops=[ShopName(shop=shop or MAIN_SHOP, name=settings.shop_name(shop)) for shop in ("", *settings.shops)]
            if settings.shops
            else [],
        )

    @override
    async def save_view(self, token: str, entry: SavedViewEntry) -> SavedView:
        name = " ".join(entry.name.split())
        if not name:
            raise InvalidInput(Code.INVALID_INPUT, fields={"name": Code.REQUIRED})
        kept = entry.filter.model_dump(mode="json", exclude_defaults=True)
        async with self._staff.changing(token, CasesApi.save_view) as (member, session):
            own = select(CaseViewRow).where(CaseViewRow.staff_id == member.id)
            rows = {row.name: row for row in await session.exec(own.with_for_update())}
            if name not in rows and len(rows) >= MAX_SAVED_VIEWS:
                raise InvalidInput(Code.INVALID_INPUT, fields={"name": Code.INVALID_NUMBER})
            row = rows.get(name) or CaseViewRow(staff_id=member.id, name=name)
            row.filter = kept
            session.add(row)
            await session.flush()
            return SavedView(view_id=row.public_id, name=row.name, filter=CaseFilter.model_validate(kept))

    @override
    async def delete_view(self, token: str, view_id: str) -> None:
        async with self._staff.changing(token, CasesApi.delete_view) as (member, session):
            own = delete(CaseViewRow).where(
                col(CaseViewRow.staff_id) == member.id, col(CaseViewRow.public_id) == view_id
            )
            await session.exec(own)

    @override
    async def case(self, token: str, kind: str, reference: str) -> CaseDetail:
        async with self._staff.changing(token, CasesApi.case, use=False) as (member, session):
            row = await self._get(session, member, kind, reference, "case")
            await self._audit_view(session, member, row)
            return await self._detail(session, member, row)

    @override
    async def presence(self, token: str, kind: str, reference: str, entry: Presence) -> list[StaffName]:
        now = self._context.clock()
        async with self._staff.changing(token, CasesApi.presence, use=False) as (member, session):
            row = await self._get(session, member, kind, reference, "presence")
            own = {"case_id": row.id, "staff_id": member.id}
            if not entry.here:
                left = delete(CasePresenceRow).filter_by(**own)
                await session.exec(left)
            else:
                # A second tab of the same person may be faster.
                with suppress(IntegrityError):
                    async with session.begin_nested():
                        await session.merge(CasePresenceRow(**own, seen_at=now))
            return await content.also_here(session, row, member, now)

    @override
    async def move_case(self, token: str, kind: str, reference: str, entry: CaseMove) -> CaseDetail:
        async with self._staff.changing(token, CasesApi.move_case) as (member, session):
            row = await self._get(session, member, kind, reference, "move_case", seen=entry.seen)
            request = TransitionRequest(
                status=entry.status,
                note=entry.note.strip(),
                planned_date=self._future(entry.planned_date),
                policy_number=entry.policy_number.strip(),
                under_warranty=entry.under_warranty,
                battery_collected=entry.battery_collected,
                seen=row.status,
            )
            await self._move(session, member, row, request)
            return await self._detail(session, member, row)

    @override
    async def plan_case(self, token: str, kind: str, reference: str, entry: PlannedDay) -> CaseDetail:
        async with self._staff.changing(token, CasesApi.plan_case) as (member, session):
            row = await self._get(session, member, kind, reference, "plan_case", seen=entry.seen)
            found = await self._content(session, row)
            if not found.can_plan or row.state is CaseState.DONE:
                raise InvalidInput(Code.INVALID_INPUT, fields={"day": Code.STATUS_NOT_ALLOWED})
            request = TransitionRequest(
                status=row.status, note=entry.note.strip(), planned_date=self._future(entry.day), seen=row.status
            )
            await self._move(session, member, row, request)
            return await self._detail(session, member, row)

    @override
    async def assign_case(self, token: str, kind: str, reference: str, entry: CaseAssignment) -> CaseDetail:
        async with self._staff.changing(token, CasesApi.assign_case) as (member, session):
            row = await self._get(session, member, kind, reference, "assign_case", seen=entry.seen)
            await self._assign(session, member, row, entry.person)
            return await self._detail(session, member, row)

    @override
    async def hand_over(self, token: str, kind: str, reference: str, entry: CaseHandOver) -> None:
        async with self._staff.changing(token, CasesApi.hand_over) as (member, session):
            row = await self._get(session, member, kind, reference, "hand_over", seen=entry.seen)
            if row.kind not in HANDED_OVER or row.state is CaseState.DONE:
                raise InvalidInput(Code.INVALID_INPUT, fields={"store": Code.STATUS_NOT_ALLOWED})
            query = select(PartnerRow).where(PartnerRow.public_id == entry.store, col(PartnerRow.closed).is_(False))
            store = (await session.exec(query)).first()
            if store is None:
                raise InvalidInput(Code.INVALID_INPUT, fields={"store": Code.NOT_FOUND})
            if entry.note.strip():
                await self._note(session, member, row, entry.note)
            moved = await self._move(
                session, member, row, TransitionRequest(status=row.status, partner=entry.store, seen=row.status)
            )
            if moved.changed:
                # Nobody has worked on it there.
                row.assigned_to = None
                row.state = CaseState.NEW if row.state is CaseState.OPEN else row.state
                row.unread_since = row.unread_since or self._context.clock()
                await session.flush()

    @override
    async def add_note(self, token: str, kind: str, reference: str, entry: CaseNoteEntry) -> CaseDetail:
        async with self._staff.changing(token, CasesApi.add_note) as (member, session):
            row = await self._get(session, member, kind, reference, "add_note", lock=True)
            await self._note(session, member, row, entry.text)
            return await self._detail(session, member, row)

    @override
    async def common_choices(self, token: str, chosen: ChosenCases) -> CommonChoices:
        steps: list[list[NextStep]] = []
        async with self._staff.reading(token, CasesApi.common_choices) as (member, session):
            one_kind = len({each.kind for each in chosen.cases}) == 1
            rows = [
                await self._get(session, member, kind_path(each.kind), each.reference, "common_choices")
                for each in chosen.cases
            ]
            if one_kind:
                steps = [content.steps_of(member, row, await self._content(session, row)) for row in rows]
            people = await colleagues(session, rows)
            questions = await queries.open_questions(session, rows)
        return CommonChoices(
            steps=content.common_steps(steps) if steps else [],
            people=[queries.staff_name(person) for person in people],
            questions=questions,
        )

    @override
    async def change_cases(self, token: str, batch: Batch) -> list[BatchResult]:
        async with self._staff.reading(token, CasesApi.change_cases):
            pass  # Who lacks the right is refused as a whole, not case by case.
        return [await self._change_one(token, each, batch) for each in batch.cases]

    async def _change_one(self, token: str, each: CaseName, batch: Batch) -> BatchResult:
        try:
            async with self._staff.changing(token, CasesApi.change_cases) as (member, session):
                path = kind_path(each.kind)
                row = await self._get(session, member, path, each.reference, "change_cases", seen=each.seen)
                if batch.status:
                    request = TransitionRequest(status=batch.status, seen=row.status)
                    await self._move(session, member, row, request)
                else:
                    await self._assign(session, member, row, batch.person)
        except ProviderError as refusal:
            if refusal.code is Code.SESSION_ENDED:
                raise
            return BatchResult(kind=each.kind, reference=each.reference, code=refusal.code)
        return BatchResult(kind=each.kind, reference=each.reference)

    async def _audit_view(self, session: AsyncSession, member: StaffMember, row: CaseRow) -> None:
        known = select(AuditRow.id).where(
            AuditRow.kind == row.kind.value,
            AuditRow.reference == row.reference,
            AuditRow.staff_id == member.id,
            AuditRow.action == "view_case",
            col(AuditRow.happened_at) > self._context.clock() - VIEW_AUDIT_INTERVAL,
        )
        if (await session.exec(known.limit(1))).first() is None:
            await write_audit(session, member, AuditAction.VIEW_CASE, row.kind.value, row.reference)

    async def _move(
        self, session: AsyncSession, member: StaffMember, row: CaseRow, request: TransitionRequest
    ) -> Transition:
        """Change the request of a case through its subject, which brings the case up to date."""
        if not member.may(STEP_RIGHTS.get(request.status, Right.WORK_ON_CASES)):
            self._staff.refused(member, "move_case")
            raise InvalidInput(Code.INVALID_INPUT, fields={"status": Code.STATUS_NOT_ALLOWED})
        moved = await SUBJECTS[row.kind].back_office.move(self._context, session, row.reference, request)
        await session.refresh(row)
        if moved.changed:
            planned = request.planned_date
            details: dict[str, object] = {"before": moved.before, "status": moved.status}
            if planned:
                details["planned_date"] = planned.isoformat()
            if request.partner:
                details["store"] = request.partner
            await write_audit(session, member, AuditAction.MOVE_CASE, row.kind.value, row.reference, details=details)
        return moved

    async def _assign(self, session: AsyncSession, member: StaffMember, row: CaseRow, person: str) -> None:
        """Give a case to a colleague who can see it, or to nobody."""
        chosen: StaffRow | None = None
        if person:
            chosen = next((each for each in await colleagues(session, [row]) if each.public_id == person), None)
            if chosen is None:
                raise InvalidInput(Code.INVALID_INPUT, fields={"person": Code.NOT_FOUND})
        key = chosen.id if chosen else None
        if row.assigned_to == key:
            return
        now = self._context.clock()
        row.assigned_to, row.changed_at, row.version = key, now, row.version + 1
        if row.state is CaseState.NEW and key:
            row.state = CaseState.OPEN
        details = {"person": chosen.name if chosen else ""}
        await add_event(session, row, CaseEventType.ASSIGNED, now, details=details)
        await write_audit(session, member, AuditAction.ASSIGN_CASE, row.kind.value, row.reference, details=details)

    async def _note(self, session: AsyncSession, member: StaffMember, row: CaseRow, text: str) -> None:
        text = text.strip()
        if not text:
            raise InvalidInput(Code.INVALID_INPUT, fields={"text": Code.REQUIRED})
        if len(text) > MAX_NOTE_LENGTH:
            raise InvalidInput(Code.INVALID_INPUT, fields={"text": Code.TOO_LONG})
        now = self._context.clock()
        session.add(CaseNoteRow(case_id=row.id, staff_id=member.id, text=text, written_at=now))
        row.changed_at = now
        await add_event(session, row, CaseEventType.NOTE_ADDED, now)
        await write_audit(session, member, AuditAction.ADD_NOTE, row.kind.value, row.reference)

    def _future(self, day: date | None) -> date | None:
        if day is not None and day < local_day(self._context.clock()):
            raise InvalidInput(Code.INVALID_INPUT, fields={"day": Code.INVALID_CHOICE})
        return day
