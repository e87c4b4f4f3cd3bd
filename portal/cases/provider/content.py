"""The page of one case: mapping of rows to models."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseContent, due_at
from portal.backend.context import Context
from portal.backend.letter import localized_day
from portal.backend.security import reader
from portal.backend.staff import StaffMember
from portal.bikes.provider.queries import BikeQueries
from portal.bikes.provider.service import covered_until
from portal.cases.models import (
    CaseBike,
    CaseCustomer,
    CaseDetail,
    CaseFile,
    CaseLink,
    CaseNote,
    CaseOrder,
    NextStep,
    StaffName,
    TimelineEntry,
)
from portal.cases.provider.queries import NO_LINE, colleagues, lines_of, staff_name, staff_names, store_names
from portal.cases.provider.subjects import SUBJECTS
from portal.contract.account import Account, LocalizedText
from portal.contract.models import mapped
from portal.kernel.address import address_lines, readable_phone, route_url
from portal.kernel.days import local_day
from portal.kernel.texts import N_
from portal.orders.provider.money import open_amount
from portal.settings import Settings
from portal.staff.provider.cards import email_refused, hidden_numbers, shop_values
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseEventRow, CaseNoteRow, CasePresenceRow, CaseRow
from portal.tables.columns import ZERO
from portal.tables.customers import CustomerRow
from portal.tables.drafts import UploadRow, UploadState
from portal.tables.orders import OrderLineRow, OrderRow
from portal.tables.staff import StaffRow
from portal.vocabulary.cases import (
    EVENT_LABELS,
    STEP_RIGHTS,
    CaseEventType,
    CaseKind,
    CaseState,
    likeliest_first,
    status_label,
)
from portal.vocabulary.departures import Departure, Dependent, Effect, outcome
from portal.vocabulary.services import SERVICE_PACKAGE_NAMES
from portal.vocabulary.staff import CONCEALED, Right

PRESENT = timedelta(seconds=60)
"""How long somebody counts as present after the page told so last."""

MAX_OTHER_CASES = 20
"""Most other cases of a customer that the page lists; those of the bike are all there."""


async def detail(
    context: Context, session: AsyncSession, member: StaffMember, row: CaseRow, content: CaseContent
) -> CaseDetail:
    now = context.clock()
    events, notes = await _events(session, row), await _notes(session, row)
    people = await staff_names(
        session,
        {row.assigned_to, row.opened_by, *(event.staff_id for event in events), *(note.staff_id for note in notes)},
    )
    customer = await session.get(CustomerRow, row.customer_id) if row.customer_id else None
    bike = await session.get(BikeRow, content.line.bike_id) if content.line.bike_id else None
    hidden, files = await hidden_numbers(session, row), await uploads(session, row, content)
    return mapped(
        CaseDetail,
        row,
        status_label=content.line.label,
        tone=content.line.tone,
        unread=row.unread_since is not None,
        promised_at=due_at(row),
        planned_date=content.line.planned,
        opened_by=people.get(row.opened_by),
        person=people.get(row.assigned_to),
        store=(await store_names(session, {row.partner_id})).get(row.partner_id),
        item=content.line.item,
        what=content.line.what,
        quote=content.line.quote,
        account=_without(content.account, hidden.values(), files_shown=any(not file.staff_id for file in files)),
        found=list(content.found),
        files=[_file(upload) for upload in files],
        customer=await _customer(session, customer, context.settings) if customer else None,
        bike=await _bike(context, session, bike, await _history(session, member, row, bike)) if bike else None,
        orders=[order for number in content.order_numbers if (order := await _order(session, row, number))],
        steps=steps_of(member, row, content),
        can_plan=content.can_plan and row.state is not CaseState.DONE,
        events=_timeline(row.kind, events, people, content),
        notes=[CaseNote(who=_who(people, note.staff_id), text=note.text, written_at=note.written_at) for note in notes],
        people=[staff_name(person) for person in await colleagues(session, [row])],
        others=await _others(session, member, row),
        also_here=await also_here(session, row, member, now),
        hidden=list(hidden),
        now=now,
    )


async def concealed(session: AsyncSession, row: CaseRow, content: CaseContent, files: Sequence[UploadRow]) -> Account:
    """The account without what staff see only when they reveal it."""
    hidden = await hidden_numbers(session, row)
    return _without(content.account, hidden.values(), files_shown=any(not file.staff_id for file in files))


def _without(account: Account, numbers: Iterable[str], *, files_shown: bool) -> Account:
    """The account without what staff see only when they reveal it, and without names of files that they see."""
    facts = [fact for fact in account.facts if not (files_shown and fact.files)]
    account = account.model_copy(update={"facts": facts})

    def concealed(value: Any) -> Any:
        if isinstance(value, str):
            for number in numbers:
                value = value.replace(number, CONCEALED)
            return value
        if isinstance(value, dict):
            return {name: concealed(entry) for name, entry in value.items()}
        return [concealed(entry) for entry in value] if isinstance(value, list) else value

    return Account.model_validate(concealed(account.model_dump()))


async def uploads(session: AsyncSession, row: CaseRow, content: CaseContent) -> Sequence[UploadRow]:
    """The files of a request, in the order in which they were sent, then those that staff took."""
    if not row.customer_id:
        return ()
    query = select(UploadRow).where(
        col(UploadRow.request_key).in_([key for key in content.file_keys if key]),
        UploadRow.customer_id == row.customer_id,
        UploadRow.state == UploadState.COMPLETE,
    )
    return (await session.exec(query.order_by(col(UploadRow.id)))).all()


async def also_here(session: AsyncSession, row: CaseRow, member: StaffMember, now: datetime) -> list[StaffName]:
    """Who else has the case open."""
    query = (
        select(StaffRow)
        .join(CasePresenceRow, col(CasePresenceRow.staff_id) == StaffRow.id)
        .where(
            CasePresenceRow.case_id == row.id,
            CasePresenceRow.staff_id != member.id,
            col(CasePresenceRow.seen_at) > now - PRESENT,
        )
        .order_by(col(StaffRow.name))
    )
    return [staff_name(person) for person in await session.exec(query)]


async def _events(session: AsyncSession, row: CaseRow) -> Sequence[CaseEventRow]:
    query = (
        select(CaseEventRow)
        .where(CaseEventRow.case_id == row.id)
        .order_by(col(CaseEventRow.happened_at), col(CaseEventRow.id))
    )
    return (await session.exec(query)).all()


async def _notes(session: AsyncSession, row: CaseRow) -> Sequence[CaseNoteRow]:
    query = select(CaseNoteRow).where(CaseNoteRow.case_id == row.id).order_by(col(CaseNoteRow.id))
    return (await session.exec(query)).all()


def _who(people: Mapping[int | None, StaffName], key: int | None) -> str:
    person = people.get(key)
    return person.name if person else ""


def _timeline(
    kind: CaseKind, rows: Sequence[CaseEventRow], people: Mapping[int | None, StaffName], content: CaseContent
) -> list[TimelineEntry]:
    """The history of a case. A message stands with its change, or by itself if the change came before the case."""
    messages = dict(content.messages)
    entries = [
        mapped(
            TimelineEntry,
            row,
            label=LocalizedText.of(EVENT_LABELS[row.type]),
            text=_text(kind, row, content.labels),
            message=messages.pop(row.happened_at, ""),
            who=_who(people, row.staff_id),
        )
        for row in rows
    ]
    written = CaseEventType.MESSAGE_FROM_STAFF
    entries += [
        TimelineEntry(type=written, label=LocalizedText.of(EVENT_LABELS[written]), message=message, happened_at=moment)
        for moment, message in messages.items()
    ]
    return sorted(entries, key=lambda entry: entry.happened_at)


_DEPENDENTS = defaultdict(
    lambda: Dependent.OTHER_RETURN,
    {
        CaseKind.REPAIR: Dependent.REPAIR,
        CaseKind.SERVICE: Dependent.SERVICE,
        CaseKind.CLAIM: Dependent.CLAIM,
        CaseKind.INSURANCE: Dependent.INSURANCE_REQUEST,
        CaseKind.DATE_CHANGE: Dependent.DATE_CHANGE,
        CaseKind.CONTRACT_END: Dependent.PACKAGE,
    },
)


def _text(kind: CaseKind, row: CaseEventRow, labels: Mapping[str, LocalizedText]) -> LocalizedText:
    details: Mapping[str, Any] = row.details
    parts: list[LocalizedText] = []
    if status := details.get("status"):
        parts.append(labels.get(str(status)) or LocalizedText.of(status_label(kind, str(status))))
    if planned := details.get("planned_date"):
        parts.append(localized_day(date.fromisoformat(str(planned))))
    if store := details.get("store"):
        parts.append(LocalizedText.same(str(store)))
    if departure := details.get("departure"):
        parts.append(LocalizedText.of(outcome(Departure(departure), _DEPENDENTS[kind]).staff))
    parts += [LocalizedText.same(str(details[name])) for name in ("holder", "account") if details.get(name)]
    if row.type is CaseEventType.ASSIGNED:
        person = str(details.get("person", ""))
        parts.append(LocalizedText.same(person) if person else LocalizedText.of(N_("No one")))
    return LocalizedText.each(lambda locale: ", ".join(part.text(locale) for part in parts if part.en))


def _file(row: UploadRow) -> CaseFile:
    return mapped(CaseFile, row, file_id=row.public_id, by_staff=row.staff_id is not None)


async def _customer(session: AsyncSession, row: CustomerRow, settings: Settings) -> CaseCustomer:
    lines = [line for line in address_lines(row) if line]
    return CaseCustomer(
        customer_id=row.public_id,
        name=row.full_name,
        email=row.email,
        email_refused=await email_refused(session, row),
        phone=readable_phone(row.phone) if row.phone else "",
        call=f"tel:{row.phone}" if row.phone else "",
        address=lines,
        map_url=route_url(*lines) if lines else "",
        shop=settings.shop_name(row.source),
        shop_values=await shop_values(session, row),
    )


async def _bike(context: Context, session: AsyncSession, row: BikeRow, history: list[CaseLink]) -> CaseBike:
    owned = await BikeQueries(session, row.customer_id).by_key(row.id)
    until = covered_until(owned)
    left = outcome(owned.departure, Dependent.REPAIR)
    package = SERVICE_PACKAGE_NAMES[owned.package] if owned.package else ""
    return CaseBike(
        bike_id=row.public_id,
        name=row.name_in(reader()),
        details=", ".join(part for part in (row.color_in(reader()), row.size) if part),
        frame_number=row.frame_number or "",
        key_numbers=[number for number in (row.key_number_1, row.key_number_2, row.key_number_3) if number],
        battery_number=row.battery_number,
        tracker_number=row.imei_number,
        pin_code=bool(row.pin_code),
        bought_on=local_day(owned.order.ordered_at),
        warranty_until=until,
        in_warranty=until >= local_day(context.clock()),
        service_package=LocalizedText.of(package),
        insured=bool(owned.insurance),
        departed=LocalizedText.of(left.staff if left.effect is Effect.ENDS else ""),
        history=history,
    )


async def _order(session: AsyncSession, row: CaseRow, number: str) -> CaseOrder | None:
    query = select(OrderRow).where(OrderRow.order_number == number, OrderRow.customer_id == row.customer_id)
    order = (await session.exec(query)).one_or_none()
    if order is None:
        return None
    lines = select(OrderLineRow).where(OrderLineRow.order_id == order.id).order_by(col(OrderLineRow.position))
    return CaseOrder(
        order_number=order.order_number,
        ordered_on=local_day(order.ordered_at),
        items=[f"{line.quantity} × {line.name_in(reader())}" for line in await session.exec(lines)],
        total=order.total,
        outstanding=max(open_amount(order), ZERO),
    )


def steps_of(member: StaffMember, row: CaseRow, content: CaseContent) -> list[NextStep]:
    steps = {
        step.status: mapped(NextStep, step, asks_day=content.can_plan and not step.ends)
        for step in content.steps
        if member.may(STEP_RIGHTS.get(step.status, Right.SEE_CASES))
    }
    return [steps[status] for status in likeliest_first(row.kind, row.status, steps)]


def common_steps(each: Sequence[Sequence[NextStep]]) -> list[NextStep]:
    """The steps that several cases share, without those that ask for something of one case."""
    first, *others = [
        {step.status: step for step in steps if not (step.asks_policy or step.asks_battery)} for steps in each
    ]
    found: list[NextStep] = []
    for status, step in first.items():
        same = [steps[status] for steps in others if status in steps]
        if len(same) == len(others):
            sentence = step.sentence if all(other.sentence == step.sentence for other in same) else LocalizedText()
            found.append(step.model_copy(update={"sentence": sentence}))
    return found


async def _others(session: AsyncSession, member: StaffMember, row: CaseRow) -> list[CaseLink]:
    """The customer's other cases that the person may see, newest first."""
    if row.customer_id is None:
        return []
    return await _links(session, member, row, col(CaseRow.customer_id) == row.customer_id, most=MAX_OTHER_CASES)


async def _history(session: AsyncSession, member: StaffMember, row: CaseRow, bike: BikeRow) -> list[CaseLink]:
    """All other cases about the bike that the person may see, newest first."""
    kinds: dict[Callable[[BikeRow], Any], list[CaseKind]] = defaultdict(list)
    for kind, subject in SUBJECTS.items():
        if subject.of_bike is not None:
            kinds[subject.of_bike].append(kind)
    about = []
    for of_bike, of_kinds in kinds.items():
        references = (await session.exec(of_bike(bike))).all()
        about += [
            (col(CaseRow.kind) == kind) & col(CaseRow.reference).in_(references) for kind in of_kinds if references
        ]
    return await _links(session, member, row, or_(*about)) if about else []


async def _links(
    session: AsyncSession,
    member: StaffMember,
    row: CaseRow,
    condition: ColumnElement[bool] | bool,
    most: int | None = None,
) -> list[CaseLink]:
    """The cases besides this one that meet a condition and that the person may see, newest first."""
    query = (
        select(CaseRow)
        .where(member.visible_cases(), condition, col(CaseRow.id) != row.id)
        .order_by(col(CaseRow.opened_at).desc(), col(CaseRow.id).desc())
        .limit(most)
    )
    rows = (await session.exec(query)).all()
    lines = await lines_of(session, rows)
    return [
        mapped(CaseLink, other, status_label=line.label, what=line.what, bike=line.item)
        for other in rows
        for line in (lines.get((other.kind, other.reference), NO_LINE),)
    ]
