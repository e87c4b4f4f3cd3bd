"""The service with which staff receive returns."""

from __future__ import annotations

from itertools import zip_longest

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.backoffice import TransitionRequest
from portal.backend.context import Context
from portal.backend.files.store import tidy_name
from portal.backend.staff import StaffMember, StaffSessions, write_audit
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.flow.api import UploadPlace, UploadStart
from portal.flow.provider.queries import UploadQueries
from portal.flow.provider.staff_files import StaffFilesService
from portal.kernel.codes import Code
from portal.kernel.validation import is_reference
from portal.login.provider.queries import CustomerQueries
from portal.returns.api import ExpectedItem, ExpectedReturn, InspectionOutcome, ReceivingApi, ReturnInspection
from portal.returns.provider import mapping, queries
from portal.returns.provider.backoffice import following, move_inspected
from portal.returns.provider.queries import ReturnedUnit, ReturnQueries
from portal.returns.provider.receiving import (
    InspectedUnit,
    at_our_expense,
    expected,
    held_units,
    item_id,
    never_left,
    received_key,
    settled_again,
    units_of_items,
)
from portal.returns.rules.settlement import ComputedSettlement
from portal.tables.drafts import UploadState
from portal.tables.returns import ReturnRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.files import StaffFileUse
from portal.vocabulary.returns import ReturnStatus, UnitCondition, UnitDecision
from portal.vocabulary.staff import STORE_ROLES


class ReceivingService(ReceivingApi):
    def __init__(self, context: Context, staff: StaffSessions, files: StaffFilesService) -> None:
        self._context = context
        self._staff = staff
        self._files = files

    @override
    async def expected_return(self, token: str, code: str) -> ExpectedReturn:
        reference = code.rpartition("/")[2].replace(" ", "").upper()
        async with self._staff.changing(token, ReceivingApi.expected_return) as (member, session):
            row = await self._row(session, member, reference)
            await write_audit(session, member, AuditAction.EXPECTED_RETURN, CaseKind.RETURN, row.reference)
            held = await held_units(session, row)
            bikes = await ReturnQueries(session, row.customer_id).bikes(held)
            customer = await CustomerQueries(session, row.customer_id).get()
            return ExpectedReturn(
                reference=row.reference,
                kind=row.kind,
                status=row.status,
                customer_name=customer.full_name,
                reason_text=row.reason_text,
                state=row.state,
                at_our_expense=at_our_expense(self._context.settings, row),
                receivable=ReturnStatus.RECEIVED in following(row),
                urgent=row.urgent,
                items=[
                    ExpectedItem(
                        item_id=item_id(own[0]),
                        name=own[0].line.name_in(member.locale),
                        item_color=own[0].line.color_in(member.locale),
                        frame_size=own[0].line.frame_size,
                        frame_numbers=[bike.frame_number for bike in bikes.get(key, ()) if bike.frame_number],
                        count=len(own),
                    )
                    for key, own in _by_line(expected(held)).items()
                ],
                settlement=mapping.settlement(row.settlement) if row.settlement.get("lines") else None,
                seen=row.status.value,
            )

    @override
    async def preview_inspection(self, token: str, reference: str, found: ReturnInspection) -> InspectionOutcome:
        async with self._staff.reading(token, ReceivingApi.preview_inspection) as (member, session):
            row = await self._row(session, member, reference)
            held = await held_units(session, row)
            return self._outcome(row, held, _inspected(held, found))

    @override
    async def begin_unit_photo(self, token: str, reference: str, start: UploadStart) -> UploadPlace:
        async with self._staff.changing(token, ReceivingApi.begin_unit_photo) as (member, session):
            row = await self._row(session, member, reference)
            if not start.field.startswith(f"{StaffFileUse.RETURNED_UNIT}-"):
                raise InvalidInput(Code.FILE_PARAMS_MISSING)
            return await self._files.begin(session, member, row.customer_id, row.reference, start)

    @override
    async def receive_return(self, token: str, reference: str, found: ReturnInspection) -> InspectionOutcome:
        async with self._staff.changing(token, ReceivingApi.receive_return) as (member, session):
            row = await self._row(session, member, reference, lock=True)
            if found.seen != row.status.value:
                raise Conflict(Code.STATUS_CHANGED)
            held = await held_units(session, row)
            inspected = _inspected(held, found)
            outcome = self._outcome(row, held, inspected)
            if (outcome.less or outcome.sent_back) and not found.message.strip():
                raise InvalidInput(Code.INVALID_INPUT, fields={"message": Code.REQUIRED})
            request = TransitionRequest(status=outcome.status, note=found.message.strip(), seen=found.seen)
            await move_inspected(self._context, session, row, request, inspected)
            photos = await self._keep_photos(session, member, row, inspected)
            counts = {"missing": outcome.missing, "sent_back": outcome.sent_back, "photos": photos}
            await write_audit(
                session, member, AuditAction.RECEIVE_RETURN, CaseKind.RETURN, row.reference, details=counts
            )
            return outcome.model_copy(update={"settlement": mapping.settlement(row.settlement)})

    async def _keep_photos(
        self, session: AsyncSession, member: StaffMember, row: ReturnRow, inspected: list[InspectedUnit]
    ) -> int:
        """Keep the photos of the units with the return, under the names of their items. Returns how many."""
        uploads = UploadQueries.of_staff(session, member.id, self._context.clock())
        taken = [each for each in inspected if each.photo]
        for each in taken:
            if await uploads.attach(row.reference, [each.photo], received_key(row)) != 1:
                raise InvalidInput(Code.INVALID_INPUT, fields={"photos": Code.UNRESOLVED_FILES})
            photo = await uploads.get(each.photo, UploadState.COMPLETE)
            photo.field = f"{StaffFileUse.RETURNED_UNIT}-{each.unit.unit.id}"
            photo.name = tidy_name(f"{each.unit.line.name}.jpg")
        await uploads.remove_unsent(row.reference)
        return len(taken)

    async def _row(
        self, session: AsyncSession, member: StaffMember, reference: str, *, lock: bool = False
    ) -> ReturnRow:
        """The return, if the person may see it."""
        if not is_reference(reference):
            raise NotFound
        row = await queries.by_reference(session, reference, lock=lock)
        if member.role in STORE_ROLES and row.store_id not in member.stores:
            self._staff.refused(member, "returns of another store")
            raise NotFound
        return row

    def _outcome(self, row: ReturnRow, held: list[ReturnedUnit], inspected: list[InspectedUnit]) -> InspectionOutcome:
        accepted = [each for each in inspected if each.accepted]
        agreed = ComputedSettlement.from_json(row.settlement) if row.settlement.get("lines") else ComputedSettlement()
        after = settled_again(self._context.settings, row, held, inspected) or agreed
        return InspectionOutcome(
            status=ReturnStatus.RECEIVED if accepted else ReturnStatus.REJECTED,
            missing=len(held) - len(inspected),
            sent_back=len(inspected) - len(accepted),
            less=after.total < agreed.total,
            settlement=mapping.settlement(after.to_json()) if after.lines else None,
        )


def _inspected(held: list[ReturnedUnit], found: ReturnInspection) -> list[InspectedUnit]:
    """The units of a return, with what staff found and decided about each."""
    for item in found.items:
        if item.condition is UnitCondition.UNKNOWN or item.decision is UnitDecision.UNKNOWN:
            raise InvalidInput(Code.INVALID_INPUT, fields={"items": Code.INVALID_CHOICE})
    counts = [(item.item_id, item.count) for item in found.items]
    units = iter(units_of_items(expected(held), counts, field="items"))
    inspected = [
        InspectedUnit(next(units), item.condition, item.decision, item.note, photo, item.frame_number)
        for item in found.items
        for photo, _ in zip_longest(item.photos[: item.count], range(item.count), fillvalue="")
    ]
    return [*inspected, *never_left(held)]


def _by_line(held: list[ReturnedUnit]) -> dict[int, list[ReturnedUnit]]:
    lines: dict[int, list[ReturnedUnit]] = {}
    for unit in held:
        lines.setdefault(unit.line.id, []).append(unit)
    return lines
