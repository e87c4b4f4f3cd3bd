"""Administration of people, and the audit."""

import json
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from sqlalchemy import ColumnElement, func
from sqlmodel import and_, col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.database import find_one, part_of
from portal.backend.spreadsheet import BOM, lines
from portal.backend.staff import StaffMember, write_audit
from portal.contract.errors import InvalidInput, Refused
from portal.contract.models import Document, Locale, Page, mapped
from portal.contract.operations import CSV
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.days import AMSTERDAM
from portal.kernel.texts import gettext_for, known_locale
from portal.kernel.validation import InvalidValue
from portal.staff.api.people import Activation, AuditEntry, AuditSearch, PeopleApi, Person, PersonEntry, StoreName
from portal.staff.provider.base import StaffBase, all_stores, stores_of
from portal.staff.provider.sign_on import set_stores
from portal.tables.staff import AuditRow, StaffRow, StaffSessionRow
from portal.vocabulary.audit import AUDITED_KINDS, AuditAction
from portal.vocabulary.staff import STORE_ROLES, Role

MAX_EXPORTED = 100_000
"""Entries in one export of the audit; the period narrows it down."""

_COLUMNS = ("happened_at", "actor", "action", "kind", "reference", "reason", "details", "address")


class PeopleService(StaffBase, PeopleApi):
    @override
    async def staff_stores(self, token: str) -> list[StoreName]:
        async with self._staff.reading(token, PeopleApi.staff_stores) as (_, session):
            return [StoreName(store_id=row.public_id, name=row.name) for row in await all_stores(session)]

    @override
    async def people(self, token: str, page: int = 1) -> Page[Person]:
        async with self._staff.reading(token, PeopleApi.people) as (_, session):
            part = await part_of(session, select(StaffRow).order_by(func.lower(StaffRow.name), col(StaffRow.id)), page)
            items = await _to_people(session, part.rows)
        return Page(items=items, page=part.place.page, pages=part.place.pages, total=part.place.total)

    @override
    async def person(self, token: str, person_id: str) -> Person:
        async with self._staff.reading(token, PeopleApi.person) as (_, session):
            return (await _to_people(session, [await _row(session, person_id)]))[0]

    @override
    async def add_person(self, token: str, entry: PersonEntry) -> Person:
        async with self._staff.changing(token, PeopleApi.add_person) as (member, session):
            return await add_person(session, entry, member, member.called_at)

    @override
    async def change_person(self, token: str, person_id: str, entry: PersonEntry) -> Person:
        async with self._staff.changing(token, PeopleApi.change_person) as (member, session):
            row = await _row(session, person_id)
            values, stores = await _accepted(session, entry, row)
            before = {"role": row.role, "stores": len((await stores_of(session, [row.id])).get(row.id, []))}
            if row.role is Role.ADMINISTRATOR and values["role"] is not Role.ADMINISTRATOR:
                await _keep_an_administrator(session, row)
            for name, value in values.items():
                setattr(row, name, value)
            await set_stores(session, row.id, stores)
            after = {"role": row.role, "stores": len(stores)}
            changed = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
            await self._note(session, member, AuditAction.CHANGE_PERSON, row, changed)
            return (await _to_people(session, [row]))[0]

    @override
    async def set_person_active(self, token: str, person_id: str, activation: Activation) -> Person:
        async with self._staff.changing(token, PeopleApi.set_person_active) as (member, session):
            row = await _row(session, person_id)
            if row.active != activation.active:
                if not activation.active:
                    await _keep_an_administrator(session, row)
                    await self._staff.end_all(session, row.id)
                row.active = activation.active
                await self._note(session, member, AuditAction.SET_PERSON_ACTIVE, row, {"active": row.active})
            return (await _to_people(session, [row]))[0]

    async def _note(
        self, session: AsyncSession, member: StaffMember, action: AuditAction, row: StaffRow, details: dict[str, Any]
    ) -> None:
        await write_audit(session, member, action, "person", row.public_id, details=details)

    @override
    async def audit(self, token: str, search: AuditSearch) -> Page[AuditEntry]:
        async with self._staff.reading(token, PeopleApi.audit) as (_, session):
            query = select(AuditRow).where(_recorded(search)).order_by(col(AuditRow.id).desc())
            part = await part_of(session, query, search.page)
        items = [mapped(AuditEntry, row) for row in part.rows]
        return Page(items=items, page=part.place.page, pages=part.place.pages, total=part.place.total)

    @override
    async def audit_export(self, token: str, search: AuditSearch) -> Document:
        async with self._staff.changing(token, PeopleApi.audit_export) as (member, session):
            query = select(AuditRow).where(_recorded(search)).order_by(col(AuditRow.id)).limit(MAX_EXPORTED)
            entries = [mapped(AuditEntry, row) for row in (await session.exec(query)).all()]
            await write_audit(session, member, AuditAction.AUDIT_EXPORT, details={"entries": len(entries)})
        name = f"audit-{member.called_at.astimezone(AMSTERDAM):%Y-%m-%d}.csv"
        return Document(name=name, media_type=CSV.media_type, content=_csv(entries, member.locale))


async def add_person(
    session: AsyncSession, entry: PersonEntry, member: StaffMember | None, moment: datetime, *, actor: str = ""
) -> Person:
    """Add somebody and write it to the audit, in the caller's transaction."""
    values, stores = await _accepted(session, entry, None)
    row = StaffRow(**values, created_at=moment)
    session.add(row)
    await session.flush()
    await set_stores(session, row.id, stores)
    details = {"role": row.role, "stores": len(stores)}
    await write_audit(
        session, member, AuditAction.ADD_PERSON, "person", row.public_id, details=details, actor=actor, moment=moment
    )
    return (await _to_people(session, [row]))[0]


async def restore_access(
    session: AsyncSession, email: str, new_email: str, moment: datetime, *, actor: str
) -> Sequence[StaffRow]:
    """Forget how people were known at the OpenID provider, so that their address leads them to their row once more.

    `email`: of one person, who may log in again; empty for everybody.
    `new_email`: the new address of that person; empty if it stays.
    Raises `InvalidInput`: nobody has the address, or the new one is wrong or taken.
    """
    query = select(StaffRow).where(col(StaffRow.email) == validation.email_key(email)) if email else select(StaffRow)
    rows = (await session.exec(query)).all()
    if not rows:
        raise InvalidInput(Code.INVALID_EMAIL, fields={"email": Code.INVALID_EMAIL})
    for row in rows:
        row.subject, details = None, {"active": True} if email and not row.active else {}
        row.active = row.active or bool(email)
        if email and new_email:
            try:
                row.email = await _free_address(session, new_email, row)
            except InvalidValue as refusal:
                raise InvalidInput(refusal.code, fields={"email": refusal.code}) from None
        await write_audit(
            session,
            None,
            AuditAction.RESTORE_ACCESS,
            "person",
            row.public_id,
            details=details,
            actor=actor,
            moment=moment,
        )
    return rows


async def _accepted(session: AsyncSession, entry: PersonEntry, row: StaffRow | None) -> tuple[dict[str, Any], set[int]]:
    values: dict[str, Any] = {"locale": entry.locale}
    errors: dict[str, Code] = {}

    def check(field: str, rule: Callable[[str], Any]) -> None:
        try:
            values[field] = rule(getattr(entry, field))
        except InvalidValue as refusal:
            errors[field] = refusal.code

    check("name", lambda text: validation.required(text, 120))
    check("role", _role)
    try:
        values["email"] = await _free_address(session, entry.email, row)
    except InvalidValue as refusal:
        errors["email"] = refusal.code
    known: dict[str, int] = {}
    for store in await all_stores(session):
        known |= {store.public_id: store.id, store.name: store.id}
    if unknown := [name for name in entry.stores if name not in known]:
        errors["stores"] = Code.INVALID_CHOICE
    elif values.get("role") in STORE_ROLES and not entry.stores:
        errors["stores"] = Code.REQUIRED
    if errors:
        raise InvalidInput(next(iter(errors.values())) if len(errors) == 1 else Code.INVALID_INPUT, fields=errors)
    return values, {known[name] for name in entry.stores if name not in unknown}


async def _free_address(session: AsyncSession, text: str, row: StaffRow | None) -> str:
    """An address that nobody else has, in the form in which addresses are compared."""
    email = validation.email_key(validation.email(text))
    taken = (await session.exec(select(StaffRow.id).where(StaffRow.email == email))).first()
    if taken is not None and taken != (row.id if row else None):
        raise InvalidValue(Code.EMAIL_TAKEN)
    return email


def _recorded(search: AuditSearch) -> ColumnElement[bool]:
    conditions: list[ColumnElement[bool]] = []
    if search.who:
        # People by their present name, which finds what they did before they changed it; commands and keys by theirs.
        people = select(StaffRow.id).where(col(StaffRow.name).icontains(search.who, autoescape=True))
        others = and_(col(AuditRow.staff_id).is_(None), col(AuditRow.actor).icontains(search.who, autoescape=True))
        conditions.append(or_(col(AuditRow.staff_id).in_(people), others))
    for column, value in ((AuditRow.action, search.action), (AuditRow.reference, search.reference.replace(" ", ""))):
        if value:
            conditions.append(col(column) == value)
    if search.since:
        conditions.append(col(AuditRow.happened_at) >= _begin(search.since))
    if search.until:
        conditions.append(col(AuditRow.happened_at) < _begin(search.until) + timedelta(days=1))
    return and_(True, *conditions)


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), AMSTERDAM)


async def _row(session: AsyncSession, person_id: str) -> StaffRow:
    return await find_one(session, select(StaffRow).where(StaffRow.public_id == person_id))


async def _keep_an_administrator(session: AsyncSession, leaving: StaffRow) -> None:
    """Refuse to leave the retailer without an administrator who can log in."""
    others = select(StaffRow.id).where(
        StaffRow.role == Role.ADMINISTRATOR, col(StaffRow.active), StaffRow.id != leaving.id
    )
    if leaving.role is Role.ADMINISTRATOR and not (await session.exec(others.with_for_update())).all():
        raise Refused(Code.LAST_ADMINISTRATOR)


def _role(text: str) -> Role:
    if not text:
        raise InvalidValue(Code.REQUIRED)
    if text not in set(Role) - {Role.UNKNOWN}:
        raise InvalidValue(Code.INVALID_CHOICE)
    return Role(text)


async def _to_people(session: AsyncSession, rows: Sequence[StaffRow]) -> list[Person]:
    ids = [row.id for row in rows]
    stores = await stores_of(session, ids)
    seen = select(StaffSessionRow.staff_id, func.max(StaffSessionRow.last_used_at)).where(
        col(StaffSessionRow.staff_id).in_(ids)
    )
    last = {staff_id: moment for staff_id, moment in await session.exec(seen.group_by(col(StaffSessionRow.staff_id)))}
    return [
        mapped(
            Person,
            row,
            person_id=row.public_id,
            stores=stores.get(row.id, []),
            locale=known_locale(row.locale),
            last_seen_at=last.get(row.id),
        )
        for row in rows
    ]


def _csv(entries: Sequence[AuditEntry], locale: Locale) -> bytes:
    rows: list[Sequence[object]] = [_COLUMNS]
    _, actions = gettext_for(locale), {action.value: action for action in AuditAction}
    for entry in entries:
        values = entry.model_dump(mode="json")
        values["action"] = actions.get(entry.action, entry.action)
        values["kind"] = _(AUDITED_KINDS[entry.kind]) if entry.kind in AUDITED_KINDS else entry.kind
        values["details"] = json.dumps(values["details"], ensure_ascii=False, sort_keys=True) if entry.details else ""
        rows.append([values[name] for name in _COLUMNS])
    return (BOM + lines(rows, locale)).encode()
