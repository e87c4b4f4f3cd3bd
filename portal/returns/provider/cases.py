"""What staff see of a return and of its battery alarm: a line in the queue, and the content of the case."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import zip_longest
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.backoffice import TransitionRequest, known_reference
from portal.backend.bike_names import bike_in_full
from portal.backend.cases import CaseContent, CaseFacts, CaseLine, CaseSubject, StatusStep, beginning
from portal.backend.context import Context
from portal.backend.files.store import tidy_name
from portal.backend.security import reader
from portal.backend.staff import StaffMember, StaffSessions, write_audit
from portal.contract.account import AccountFact, LocalizedText
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.flow.api import UploadPlace, UploadStart
from portal.flow.provider.queries import UploadQueries
from portal.flow.provider.staff_files import StaffFilesService
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.login.provider.queries import CustomerQueries
from portal.returns.api import ExpectedItem, ExpectedReturn, InspectionOutcome, ReceivingApi, ReturnInspection
from portal.returns.provider import queries
from portal.returns.provider.account import account_of
from portal.returns.provider.backoffice import (
    RETURN,
    InspectedUnit,
    at_our_expense,
    expected,
    following,
    held_units,
    item_id,
    move_inspected,
    never_left,
    received_key,
    settled_again,
    units_of_items,
)
from portal.returns.provider.queries import ReturnedUnit, ReturnQueries
from portal.returns.provider.return_case import ReturnCase, agreed, case_of, item_name
from portal.returns.provider.transitions import alarm_of, facts_of
from portal.setting_groups import Brand
from portal.tables.bikes import BikeRow
from portal.tables.drafts import UploadState
from portal.tables.orders import OrderLineRow
from portal.tables.returns import ReturnRow, ReturnUnitRow, is_unit_of
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.files import StaffFileUse
from portal.vocabulary.returns import (
    BATTERY_NAMES,
    CONDITION_NAMES,
    DECISION_NAMES,
    PICKED_UP,
    REASON_NAMES,
    RETURNS,
    STATE_NAMES,
    BatteryState,
    ReturnStatus,
    UnitCondition,
    UnitDecision,
    desk_label_of,
    return_tone,
)
from portal.vocabulary.staff import STORE_ROLES


async def lines(session: AsyncSession, references: Sequence[str]) -> dict[str, CaseLine]:
    rows = (await session.exec(select(ReturnRow).where(col(ReturnRow.reference).in_(references)))).all()
    units: Any = (
        select(ReturnUnitRow, OrderLineRow, BikeRow)
        .join(OrderLineRow, col(OrderLineRow.id) == ReturnUnitRow.order_line_id)
        .join(BikeRow, is_unit_of(col(BikeRow.id), col(BikeRow.order_line_id)), isouter=True)
        .where(col(ReturnUnitRow.return_id).in_([row.id for row in rows]))
        .order_by(col(ReturnUnitRow.id))
    )
    items: dict[int, list[tuple[str, int | None]]] = defaultdict(list)
    for unit, line, bike in await session.exec(units):
        is_known = bike and (unit.bike_id or line.quantity == 1)
        name = bike_in_full(bike, reader()) if is_known else line.name_in(reader())
        items[unit.return_id].append((name, bike.id if bike else None))
    return {row.reference: _line(row, items[row.id]) for row in rows}


def _line(row: ReturnRow, items: Sequence[tuple[str, int | None]]) -> CaseLine:
    names = list(dict.fromkeys(name for name, _ in items))
    return CaseLine(
        label=LocalizedText.of(desk_label_of(row.kind, row.status)),
        tone=return_tone(row.status),
        what=LocalizedText.of(_what(row)),
        quote=beginning(row.reason_text),
        item=", ".join(names[:2]) + (" …" if len(names) > 2 else ""),
        bike_id=next((bike_id for _, bike_id in items if bike_id), None),
        planned=row.pickup_day,
    )


def _what(row: ReturnRow) -> str:
    if row.battery and row.battery is not BatteryState.FINE:
        return BATTERY_NAMES[row.battery]
    if row.reason:
        return REASON_NAMES[row.reason]
    return STATE_NAMES[row.state] if row.state else ""


async def content(context: Context, session: AsyncSession, reference: str) -> CaseContent | None:
    try:
        row = await queries.by_reference(session, reference)
    except NotFound:
        return None
    case = await case_of(session, row, context.clock())
    brand = context.settings.of(case.source).brand
    return CaseContent(
        account=account_of(case, brand),
        line=(await lines(session, [reference]))[reference],
        steps=[_step(replace(case, status=status), brand) for status in following(row) if status not in _BY_ITSELF],
        order_numbers=case.order_numbers,
        file_keys=(row.draft_key or "", received_key(row)),
        found=[_found(each) for each in case.units] if any(each.unit.condition for each in case.units) else [],
        labels={status.value: LocalizedText.of(desk_label_of(row.kind, status)) for status in ReturnStatus},
        messages={
            event.created_at: event.note
            for event in await ReturnQueries(session, row.customer_id).events(row)
            if event.note
        },
    )


def _found(each: ReturnedUnit) -> AccountFact:
    """What staff wrote about a unit when the return arrived."""
    unit = each.unit
    lines = [LocalizedText.of(CONDITION_NAMES[unit.condition] if unit.condition else N_("Did not arrive"))]
    if unit.decision is UnitDecision.SEND_BACK:
        lines.append(LocalizedText.of(DECISION_NAMES[unit.decision]))
    if unit.inspection_note:
        lines.append(LocalizedText.same(unit.inspection_note))
    return AccountFact(label=LocalizedText.each(partial(item_name, each)), lines=lines)


_BY_ITSELF = frozenset({ReturnStatus.EXPIRED, ReturnStatus.PENDING_CONFIRMATION})
"""Statuses that staff do not set: they follow from the mailed link."""


def _step(case: ReturnCase, brand: Brand) -> StatusStep:
    return StatusStep(
        status=case.status.value,
        label=LocalizedText.of(desk_label_of(case.row.kind, case.status)),
        sentence=account_of(case, brand).meaning,
        ends=case.status in RETURNS.ends,
    )


async def alarm_content(context: Context, session: AsyncSession, reference: str) -> CaseContent | None:
    """What the page of a battery alarm shows: the same, and the pick-up once a specialist has the battery."""
    found = await content(context, session, reference)
    if found is None:
        return None
    row = await queries.by_reference(session, reference)
    if not row.urgent:
        return found
    case = await case_of(session, row, context.clock())
    brand = context.settings.of(case.source).brand
    freed = [status for status in RETURNS.following(row.status) if status in PICKED_UP]
    collected = [replace(_step(replace(case, status=status), brand), asks_battery=True) for status in freed]
    return replace(found, steps=[*collected, *found.steps])


async def facts(session: AsyncSession) -> list[tuple[CaseFacts, datetime, datetime]]:
    """The facts of all returns and of their battery alarms."""
    rows = (await session.exec(select(ReturnRow).order_by(col(ReturnRow.id)))).all()
    return [
        *((facts_of(row, row.updated_at), row.created_at, row.updated_at) for row in rows),
        *((alarm_of(row), row.created_at, row.updated_at) for row in rows if row.urgent),
    ]


def of_bike(bike: BikeRow) -> Any:
    return (
        select(ReturnRow.reference)
        .join(ReturnUnitRow, col(ReturnUnitRow.return_id) == ReturnRow.id)
        .where(is_unit_of(bike.id, bike.order_line_id))
    )


RETURN_CASES = CaseSubject(RETURN, lines, content, facts, of_bike)
ALARM_CASES = CaseSubject(RETURN, lines, alarm_content, facts, of_bike)


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
                refund=agreed(row).refund if row.settlement.get("lines") else None,
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
            sent_back = sum(not each.accepted for each in inspected)
            if (outcome.less or sent_back) and not found.message.strip():
                raise InvalidInput(Code.INVALID_INPUT, fields={"message": Code.REQUIRED})
            request = TransitionRequest(status=outcome.status, note=found.message.strip(), seen=found.seen)
            await move_inspected(self._context, session, row, request, inspected)
            photos = await self._keep_photos(session, member, row, inspected)
            counts = {"missing": outcome.missing, "sent_back": sent_back, "photos": photos}
            await write_audit(
                session, member, AuditAction.RECEIVE_RETURN, CaseKind.RETURN, row.reference, details=counts
            )
            return outcome.model_copy(update={"refund": agreed(row).refund})

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
        known_reference(reference)
        row = await queries.by_reference(session, reference, lock=lock)
        if member.role in STORE_ROLES and row.store_id not in member.stores:
            self._staff.refused(member, "returns of another store")
            raise NotFound
        return row

    def _outcome(self, row: ReturnRow, held: list[ReturnedUnit], inspected: list[InspectedUnit]) -> InspectionOutcome:
        accepted = [each for each in inspected if each.accepted]
        before = agreed(row)
        after = settled_again(self._context.settings, row, held, inspected) or before
        return InspectionOutcome(
            status=ReturnStatus.RECEIVED if accepted else ReturnStatus.REJECTED,
            missing=len(held) - len(inspected),
            less=after.total < before.total,
            refund=after.refund if after.lines else None,
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
