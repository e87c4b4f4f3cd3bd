"""The queue: filters, search, order, counts, list. Every query includes what the person may see."""

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sql
from sqlalchemy import ColumnElement, and_, case, false, func, or_, true
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseLine, due_at, overdue
from portal.backend.context import Context
from portal.backend.spreadsheet import BOM, lines
from portal.backend.staff import StaffMember
from portal.cases.api import MAIN_SHOP, NOBODY, QUEUE_PAGE, SERVICE_DESK, CaseFilter, QueueEntry
from portal.cases.models import StaffName, StoreName
from portal.cases.provider.subjects import SUBJECTS
from portal.contract.account import LocalizedText
from portal.contract.models import Locale, mapped
from portal.kernel.days import AMSTERDAM, end_of_day, local_day
from portal.kernel.search import read_search
from portal.kernel.texts import gettext_for
from portal.settings import Settings
from portal.staff.provider.cards import matching
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.messages import CaseMessageRow
from portal.tables.orders import PartnerRow
from portal.tables.staff import StaffRow, StaffStoreRow
from portal.vocabulary.cases import (
    STATUSES_OF,
    Asks,
    CaseKind,
    CaseSort,
    CaseState,
    CaseView,
    due_of,
    may_handle,
    status_label,
)
from portal.vocabulary.staff import STORE_ROLES
from portal.vocabulary.status import Turn

MAX_COUNTED = 1_000
"""Numbers beside views stop here."""

MAX_LISTED = 100_000
"""A longer list is counted as 'at least so many', and ends there."""

MAX_CUSTOMERS = 500
"""Most customers whose cases a search shows."""

OPEN_STATES = (CaseState.NEW, CaseState.OPEN, CaseState.WAITING)


def of_view(view: CaseView, member_id: int, now: datetime) -> ColumnElement[bool]:
    is_open = col(CaseRow.state).in_(OPEN_STATES)
    match view:
        case CaseView.NEW:
            return col(CaseRow.state) == CaseState.NEW
        case CaseView.UNREAD:
            return col(CaseRow.unread_since).is_not(None)
        case CaseView.MINE:
            return is_open & (col(CaseRow.assigned_to) == member_id)
        case CaseView.WAITING:
            return col(CaseRow.state) == CaseState.WAITING
        case CaseView.OVERDUE:
            return overdue(now)
        case CaseView.TODAY:
            ends = end_of_day(local_day(now))
            begins = end_of_day(local_day(now) - timedelta(days=1))
            return is_open & (col(CaseRow.promised_at) > begins) & (col(CaseRow.promised_at) <= ends)
        case CaseView.DONE:
            return col(CaseRow.state) == CaseState.DONE
        case _:
            return is_open


async def of_filter(
    session: AsyncSession,
    member: StaffMember,
    asked: CaseFilter,
    now: datetime,
    *,
    shops: Collection[str] = (),
    everywhere: bool = False,
) -> ColumnElement[bool]:
    """The condition of a filter, limited to what the person may see."""
    conditions = [member.visible_cases()]
    if not (everywhere and asked.view is CaseView.OPEN):
        conditions.append(of_view(asked.view, member.id, now))
    if asked.kind:
        conditions.append(col(CaseRow.kind) == asked.kind)
    if asked.status:
        conditions.append(col(CaseRow.status) == asked.status)
    if asked.days:
        conditions.append(col(CaseRow.opened_at) <= now - timedelta(days=asked.days))
    conditions += [
        await _of_store(session, asked.store),
        await _of_person(session, asked.person),
        _of_shop(asked.shop, shops),
    ]
    return and_(*conditions)


async def _of_store(session: AsyncSession, store: str) -> ColumnElement[bool]:
    if not store:
        return true()
    if store == SERVICE_DESK:
        return col(CaseRow.partner_id).is_(None)
    key = (await session.exec(select(PartnerRow.id).where(PartnerRow.public_id == store))).first()
    return col(CaseRow.partner_id) == key if key else false()


async def _of_person(session: AsyncSession, person: str) -> ColumnElement[bool]:
    if not person:
        return true()
    if person == NOBODY:
        return col(CaseRow.assigned_to).is_(None)
    key = (await session.exec(select(StaffRow.id).where(StaffRow.public_id == person))).first()
    return col(CaseRow.assigned_to) == key if key else false()


def _of_shop(shop: str, shops: Collection[str]) -> ColumnElement[bool]:
    if not shop:
        return true()
    if shop == MAIN_SHOP:
        return col(CaseRow.source).not_in(sorted(shops))
    return col(CaseRow.source) == shop if shop in shops else false()


async def of_search(session: AsyncSession, text: str) -> tuple[ColumnElement[bool], bool]:
    """The condition of a search, and whether it found more customers than are shown."""
    search = read_search(text)
    _, meant = matching(search)
    customers = (await session.exec(select(CustomerRow.id).where(meant).limit(MAX_CUSTOMERS + 1))).all()
    found: list[ColumnElement[bool]] = []
    if search.reference:
        found.append(col(CaseRow.reference) == search.reference)
    if customers:
        found.append(col(CaseRow.customer_id).in_(customers[:MAX_CUSTOMERS]))
    return or_(*found) if found else false(), len(customers) > MAX_CUSTOMERS


@dataclass(frozen=True, slots=True)
class QueuePart:
    """A page of the queue. `total` stops at `MAX_LISTED`."""

    rows: Sequence[CaseRow]
    page: int
    total: int


async def part(
    session: AsyncSession, condition: ColumnElement[bool], view: CaseView, page: int, sort: CaseSort = CaseSort.PROMISE
) -> QueuePart:
    """A page of the cases that meet a condition.

    By promise, those that wait for the customer come last, and done ones are sorted by when they were done, newest
    first.
    """
    some = sql.select(sql.literal(1)).select_from(CaseRow).where(condition).limit(MAX_LISTED).subquery()
    # pyrefly: ignore[no-matching-overload]  # sqlmodel types it for its own `select` only
    total = int((await session.exec(sql.select(func.count()).select_from(some))).scalar_one())
    pages = max(1, -(-total // QUEUE_PAGE))
    page = min(page, pages)
    rows = await session.exec(
        select(CaseRow).where(condition).order_by(*_order(view, sort)).offset((page - 1) * QUEUE_PAGE).limit(QUEUE_PAGE)
    )
    return QueuePart(rows.all(), page, total)


_STATUS_PLACES = {str(status): place for kind in STATUSES_OF for place, status in enumerate(STATUSES_OF[kind])}


def _order(view: CaseView, sort: CaseSort) -> Iterable[Any]:
    urgent, opened = col(CaseRow.urgent).desc(), col(CaseRow.opened_at)
    match sort:
        case CaseSort.AGE:
            return (urgent, opened, col(CaseRow.id))
        case CaseSort.NEWEST:
            return (urgent, opened.desc(), col(CaseRow.id).desc())
        case CaseSort.STATUS:
            place = case(_STATUS_PLACES, value=col(CaseRow.status), else_=len(_STATUS_PLACES))
            kind = case({each.value: place for place, each in enumerate(CaseKind)}, value=col(CaseRow.kind))
            return (urgent, kind, place, col(CaseRow.promised_at).asc().nulls_last(), opened, col(CaseRow.id))
    if view is CaseView.DONE:
        return (col(CaseRow.closed_at).desc(), col(CaseRow.id).desc())
    return (
        col(CaseRow.urgent).desc(),
        case((col(CaseRow.state) == CaseState.WAITING, 1), (col(CaseRow.state) == CaseState.DONE, 2), else_=0),
        col(CaseRow.promised_at).asc().nulls_last(),
        col(CaseRow.opened_at),
        col(CaseRow.id),
    )


@dataclass(frozen=True, slots=True)
class QueueCounts:
    views: dict[CaseView, int]
    kinds: dict[CaseKind, int]


async def counted(session: AsyncSession, member: StaffMember, store: str, now: datetime) -> QueueCounts:
    """Count the cases of all views and kinds. Done ones count only while they are unread."""
    ones = [_sum(of_view(view, member.id, now)) for view in COUNTED_VIEWS]
    query = (
        sql.select(col(CaseRow.kind), *ones)
        .where(member.visible_cases(), col(CaseRow.state).in_(OPEN_STATES), await _of_store(session, store))
        .group_by(col(CaseRow.kind))
    )
    views = dict.fromkeys(COUNTED_VIEWS, 0)
    kinds: dict[CaseKind, int] = {}
    # pyrefly: ignore[no-matching-overload]  # sqlmodel types it for its own `select` only
    for kind, *numbers in (await session.exec(query)).all():
        found = dict(zip(COUNTED_VIEWS, (int(number or 0) for number in numbers), strict=True))
        views = {view: views[view] + found[view] for view in COUNTED_VIEWS}
        kinds[kind] = found[CaseView.OPEN]
    # Also of cases that are done, which are too many to be looked at one by one.
    unread = and_(member.visible_cases(), of_view(CaseView.UNREAD, member.id, now), await _of_store(session, store))
    (views[CaseView.UNREAD],) = await count_each(session, [unread])
    return QueueCounts(views, kinds)


COUNTED_VIEWS = tuple(view for view in CaseView if view not in {CaseView.UNREAD, CaseView.DONE})


def _sum(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


async def count_each(session: AsyncSession, conditions: Sequence[ColumnElement[bool]]) -> list[int]:
    """Count the cases of several conditions in one statement; each number stops at `MAX_COUNTED`."""
    if not conditions:
        return []
    numbers = []
    for condition in conditions:
        some = sql.select(sql.literal(1)).select_from(CaseRow).where(condition).limit(MAX_COUNTED).subquery()
        numbers.append(sql.select(func.count()).select_from(some).scalar_subquery())
    # pyrefly: ignore[no-matching-overload]  # sqlmodel types it for its own `select` only
    return [int(number) for number in (await session.exec(sql.select(*numbers))).one()]


NO_LINE = CaseLine(LocalizedText())


async def entries(session: AsyncSession, rows: Sequence[CaseRow], settings: Settings) -> list[QueueEntry]:
    """The entries of the queue, with one statement for each kind of row."""
    lines = await lines_of(session, rows)
    people = await staff_names(session, {row.assigned_to for row in rows})
    stores = await store_names(session, {row.partner_id for row in rows})
    named = select(CustomerRow).where(col(CustomerRow.id).in_({row.customer_id for row in rows} - {None}))
    customers = {customer.id: customer.full_name for customer in await session.exec(named)}
    return [
        mapped(
            QueueEntry,
            row,
            unread=row.unread_since is not None,
            status_label=line.label,
            tone=line.tone,
            customer=customers.get(row.customer_id or 0, ""),
            bike=line.item,
            what=line.what,
            quote=line.quote,
            files=line.files,
            promised_at=due_at(row),
            turn=turn_of(row),
            planned_date=line.planned,
            person=people.get(row.assigned_to),
            store=stores.get(row.partner_id),
            shop=settings.shop_name(row.source),
        )
        for row in rows
        for line in (lines.get((row.kind, row.reference), NO_LINE),)
    ]


async def lines_of(session: AsyncSession, rows: Iterable[CaseRow]) -> dict[tuple[CaseKind, str], CaseLine]:
    """What the subjects tell about cases, with one or two statements for each kind."""
    by_kind: dict[CaseKind, list[str]] = defaultdict(list)
    for row in rows:
        by_kind[row.kind].append(row.reference)
    found: dict[tuple[CaseKind, str], CaseLine] = {}
    for kind, references in by_kind.items():
        lines = await SUBJECTS[kind].lines(session, references)
        found |= {(kind, reference): line for reference, line in lines.items()}
    return found


async def staff_names(session: AsyncSession, keys: Iterable[int | None]) -> Mapping[int | None, StaffName]:
    query = select(StaffRow).where(col(StaffRow.id).in_(set(keys) - {None}))
    return {row.id: staff_name(row) for row in await session.exec(query)}


def staff_name(row: StaffRow) -> StaffName:
    return StaffName(person_id=row.public_id, name=row.name)


async def store_names(session: AsyncSession, keys: Iterable[int | None]) -> Mapping[int | None, StoreName]:
    query = select(PartnerRow).where(col(PartnerRow.id).in_(set(keys) - {None}))
    return {row.id: store_name(row) for row in await session.exec(query)}


def store_name(row: PartnerRow) -> StoreName:
    return StoreName(store_id=row.public_id, name=row.name)


async def people_with_stores(session: AsyncSession) -> tuple[list[StaffRow], dict[int, set[int]]]:
    people = (await session.exec(select(StaffRow).where(col(StaffRow.active)).order_by(col(StaffRow.name)))).all()
    stores: dict[int, set[int]] = defaultdict(set)
    for staff_id, partner_id in await session.exec(select(StaffStoreRow.staff_id, StaffStoreRow.partner_id)):
        stores[staff_id].add(partner_id)
    return list(people), stores


async def colleagues(session: AsyncSession, rows: Sequence[CaseRow]) -> list[StaffRow]:
    people, stores = await people_with_stores(session)
    return [
        person
        for person in people
        if all(
            may_handle(person.role, row.kind)
            and (person.role not in STORE_ROLES or row.partner_id in stores.get(person.id, ()))
            for row in rows
        )
    ]


async def open_questions(session: AsyncSession, rows: Sequence[CaseRow]) -> int:
    query = (
        select(CaseMessageRow.case_id)
        .where(
            col(CaseMessageRow.case_id).in_([row.id for row in rows]),
            col(CaseMessageRow.asks) != Asks.NOTHING,
            col(CaseMessageRow.answered_at).is_(None),
        )
        .distinct()
    )
    return len((await session.exec(query)).all())


def turn_of(row: CaseRow) -> Turn | None:
    """Who has to act next; None for a case that is done."""
    if row.state is CaseState.DONE:
        return None
    due = due_of(row.kind, row.status)
    return Turn.CUSTOMER if row.state is CaseState.WAITING or due is None else due.turn


async def known_people(session: AsyncSession, member: StaffMember) -> list[StaffRow]:
    people, stores = await people_with_stores(session)
    if member.role not in STORE_ROLES:
        return people
    return [person for person in people if person.id == member.id or stores.get(person.id, set()) & member.stores]


AT_ONCE = 500
_CASE = (
    "kind", "reference", "state", "status", "urgent", "store", "assigned_to", "opened_at", "changed_at", "promised_at",
    "closed_at", "shop",
)  # fmt: skip


async def case_list(context: Context, condition: ColumnElement[bool], locale: Locale) -> AsyncIterator[bytes]:
    """The cases that meet a condition, read in parts so that a long list needs no more memory than a short one."""
    yield (BOM + lines([_CASE], locale)).encode()
    last = 0
    while True:
        query: Any = (
            select(CaseRow, PartnerRow.name, StaffRow.name)
            .outerjoin(PartnerRow, col(PartnerRow.id) == col(CaseRow.partner_id))
            .outerjoin(StaffRow, col(StaffRow.id) == col(CaseRow.assigned_to))
            .where(condition, col(CaseRow.id) > last)
            .order_by(col(CaseRow.id))
            .limit(AT_ONCE)
        )
        async with context.database.session() as session:
            found = (await session.exec(query)).all()
        if not found:
            return
        last = found[-1][0].id
        shop = context.settings.shop_name
        rows = ((*_case(case, store, person, locale), shop(case.source)) for case, store, person in found)
        yield lines(rows, locale).encode()


def _case(case: CaseRow, store: str | None, person: str | None, locale: Locale) -> tuple[object, ...]:
    _ = gettext_for(locale)
    return (
        case.kind,
        case.reference,
        case.state,
        _(status_label(case.kind, case.status)),
        _("yes") if case.urgent else "",
        store,
        person,
        _local(case.opened_at),
        _local(case.changed_at),
        _local(case.promised_at),
        _local(case.closed_at),
    )


def _local(moment: datetime | None) -> str:
    return f"{moment.astimezone(AMSTERDAM):%Y-%m-%d %H:%M}" if moment else ""
