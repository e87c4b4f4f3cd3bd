"""The files of a case, and its job card: a page a case, with a code that opens the case."""

import base64
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import segno
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.cases import CaseContent
from portal.backend.context import Context
from portal.backend.files.store import Store, store_of
from portal.backend.letter import clock, day, handover_values
from portal.backend.pdf import DocumentError, Exact, Long, render
from portal.backend.sessions import Service, Sessions
from portal.backend.staff import StaffMember, StaffSessions, write_audit
from portal.cases.api import MAX_BATCH, CasesApi, JobCards
from portal.cases.models import CaseDetail
from portal.cases.provider import content
from portal.cases.provider.subjects import SUBJECTS
from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, NotFound, ProviderError, Unavailable
from portal.contract.models import WHOLE_FILE, Content, Document, FilePart, Locale
from portal.flow.provider.uploads import content_of, preview_of
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import N_, gettext_for
from portal.kernel.validation import in_groups
from portal.orders.provider.invoice_document import INK, picture
from portal.setting_groups import Brand
from portal.tables.cases import CaseRow
from portal.tables.drafts import UploadRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import CASE_LABELS, KIND_OF_PATH, kind_path


async def job_cards_pdf(cases: Sequence[tuple[CaseDetail, bytes]], address: str, locale: Locale, brand: Brand) -> bytes:
    _ = gettext_for(locale)
    title = _("Job card {reference}").format(reference=in_groups(cases[0][0].reference)) if len(cases) == 1 else ""
    return await render(
        "job_card",
        {"brand": brand.name, "cards": [_card(case, photo, address, locale) for case, photo in cases]},
        locale,
        title or _("Job cards"),
        author=brand.name,
    )


def _card(case: CaseDetail, photo: bytes, address: str, locale: Locale) -> dict[str, object]:
    _ = gettext_for(locale)
    way = handover_values(case.account.handover, locale) if case.account.handover else None
    code = segno.make_qr(f"{address}/cases/{kind_path(case.kind)}/{case.reference}", error="m")
    bike = case.bike
    facts = [
        (_("Customer"), [case.customer.name, case.customer.phone] if case.customer else []),
        (_("Bike"), [bike.name, bike.details] if bike else []),
        (_("Frame number"), [bike.frame_number] if bike else []),
        (_("Key and lock numbers"), bike.key_numbers if bike else []),
        (_("Battery number"), [bike.battery_number] if bike else []),
        (_("Tracker (IMEI)"), [bike.tracker_number] if bike else []),
        (_("Electronic lock"), [_("The code is with the case")] if bike and bike.pin_code else []),
        (_("Package"), [bike.service_package.text(locale) or _("No package")] if bike else []),
        (_("Warranty"), [_until(bike.warranty_until, locale)] if bike and bike.warranty_until else []),
        (_("Planned for"), [day(case.planned_date, locale)] if case.planned_date else []),
        (_("Promised by"), [_moment(case.promised_at, locale)] if case.promised_at else []),
        (_("Assigned to"), [case.person.name] if case.person else []),
        (_("Handover"), [way["how"], *way["place"], way["when"]] if way else []),
    ]
    answers = [
        {"label": fact.label.text(locale), "lines": [Long(line.text(locale)) for line in fact.lines]}
        for fact in case.account.facts
    ]
    if names := [Long(file.name) for file in case.files if not file.by_staff]:
        # The page shows the files themselves; on paper their names tell that there is something to look at.
        answers.append({"label": _("Photos and other files"), "lines": names})
    notes = [{"label": note.who, "lines": [Long(note.text)]} for note in case.notes]
    return {
        "kind": _(CASE_LABELS[case.kind]),
        "reference": Exact(in_groups(case.reference)),
        "status": case.status_label.text(locale),
        "store": case.store.name if case.store else "",
        "code": picture(code, INK),
        "code_alt": _("Code that opens this case"),
        "photo": _photo(photo),
        "photo_alt": _("The first photo"),
        "facts": [[label, " · ".join(filter(None, lines))] for label, lines in facts if any(lines)],
        "answers_title": _("What the customer told us"),
        "answers": answers,
        "notes_title": _("Internal notes"),
        "notes": notes,
        "work_title": _("Work and parts"),
    }


def _photo(content: bytes) -> Exact:
    if not content:
        return Exact("")
    data = base64.b64encode(content).decode()
    # It fits itself into the sheet: only a decoder would know its size.
    return Exact(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240"><image width="320" height="240" '
        f'preserveAspectRatio="xMinYMid" href="data:image/jpeg;base64,{data}"/></svg>'
    )


def _until(value: Any, locale: Locale) -> str:
    return LocalizedText.of(N_("until {day}"), day=lambda each: day(value, each)).text(locale)


def _moment(value: datetime, locale: Locale) -> str:
    return f"{day(local_day(value), locale)}, {clock(value)}"


class CaseFilesService(Service, CasesApi):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._staff = StaffSessions(context)
        self._store: Store = store_of(context.settings)

    @override
    async def case_file(
        self, token: str, kind: str, reference: str, file_id: str, part: FilePart = WHOLE_FILE
    ) -> Content:
        return content_of(self._store, await self._upload(token, kind, reference, file_id, "case_file"), part)

    @override
    async def case_preview(self, token: str, kind: str, reference: str, file_id: str) -> Document:
        return await preview_of(self._store, await self._upload(token, kind, reference, file_id, "case_preview"))

    @override
    async def job_cards(self, token: str, asked: JobCards) -> Document:
        names = [tuple(name.split("/", 1)) for name in asked.cases.split(",")][:MAX_BATCH]
        async with self._staff.changing(token, CasesApi.job_cards) as (member, session):
            found: list[tuple[CaseDetail, bytes]] = []
            for name in names:
                if len(name) != 2:
                    raise NotFound
                row = await self._get(session, member, *name, "job_cards")
                await write_audit(session, member, AuditAction.PRINT_JOB_CARD, row.kind.value, row.reference)
                found.append((await self._detail(session, member, row), await self._first_photo(session, row)))
        settings = self._context.settings
        try:
            pdf = await job_cards_pdf(found, settings.desk_address, asked.locale, settings.brand)
        except DocumentError as error:
            raise Unavailable(Code.PDF_FAILED) from error
        stem = in_groups(found[0][0].reference).replace(" ", "") if len(found) == 1 else str(len(found))
        return Document(name=f"job-card-{stem}.pdf", media_type="application/pdf", content=pdf)

    async def _first_photo(self, session: AsyncSession, row: CaseRow) -> bytes:
        """The small picture of the first photo of the customer; empty without one, or if it cannot be read."""
        files = await content.uploads(session, row, await self._content(session, row))
        photo = next((file for file in files if file.has_preview and not file.staff_id), None)
        if photo is None:
            return b""
        try:
            return (await preview_of(self._store, photo)).content
        except ProviderError:
            return b""

    async def _upload(self, token: str, kind: str, reference: str, file_id: str, operation: str) -> UploadRow:
        async with self._staff.reading(token, getattr(CasesApi, operation)) as (member, session):
            row = await self._get(session, member, kind, reference, operation)
            files = await content.uploads(session, row, await self._content(session, row))
        found = next((upload for upload in files if upload.public_id == file_id), None)
        if found is None:
            raise NotFound
        return found

    async def _get(
        self,
        session: AsyncSession,
        member: StaffMember,
        kind: str,
        reference: str,
        operation: str,
        *,
        seen: int = 0,
        lock: bool = False,
    ) -> CaseRow:
        """A case that the person may see, locked if it is to be changed."""
        named = (col(CaseRow.kind) == KIND_OF_PATH.get(kind), CaseRow.reference == reference.replace(" ", ""))
        query = select(CaseRow).where(*named, member.visible_cases())
        row = (await session.exec(query.with_for_update() if seen or lock else query)).first()
        if row is None:
            self._staff.refused(member, operation)
            raise NotFound
        if seen and row.version != seen:
            raise Conflict(Code.STATUS_CHANGED)
        return row

    async def _content(self, session: AsyncSession, row: CaseRow) -> CaseContent:
        found = await SUBJECTS[row.kind].content(self._context, session, row.reference)
        if found is None:
            raise NotFound
        return found

    async def _detail(self, session: AsyncSession, member: StaffMember, row: CaseRow) -> CaseDetail:
        return await content.detail(self._context, session, member, row, await self._content(session, row))
