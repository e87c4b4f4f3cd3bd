"""Sessions of staff, and the check of a right before every operation for staff. Denies by default.

A refusal answers as if the record did not exist, and is written to the security log.
"""

import hashlib
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, false, true
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.security import SecurityEvent, note, read_by
from portal.contract.errors import NotAuthenticated, NotFound
from portal.contract.models import Locale
from portal.contract.operations import Operation
from portal.contract.session import calling_from
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.kernel.texts import known_locale
from portal.tables.cases import CaseRow
from portal.tables.customers import SessionRow
from portal.tables.orders import PartnerRow
from portal.tables.staff import AuditRow, StaffRow, StaffSessionRow, StaffStoreRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import KINDS_OF, CaseKind
from portal.vocabulary.staff import REASON_REQUIRED, RIGHTS, STORE_ROLES, Right, Role

IDLE = timedelta(hours=2)
MAX_SESSION = timedelta(hours=12)
"""A working day."""

TOUCH_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class StaffMember:
    """A logged-in member of staff.

    `id`: primary key; `public_id` is the identifier outside the database.
    `expires_at`: end of the session without further use (UTC).
    `ends_at`: end of the session in any case (UTC).
    `called_at`: when the current call was admitted (UTC).
    """

    id: int
    public_id: str
    name: str
    email: str
    role: Role
    locale: Locale
    stores: frozenset[int]
    expires_at: datetime
    ends_at: datetime
    called_at: datetime

    @property
    def rights(self) -> frozenset[Right]:
        """What the role may do."""
        return RIGHTS[self.role]

    def may(self, right: Right) -> bool:
        """Whether the role has a right."""
        return right in self.rights

    def needs_reason(self, right: Right) -> bool:
        """Whether the role has to say why it uses a right."""
        return self.role in REASON_REQUIRED.get(right, ())

    def visible_cases(self) -> ColumnElement[bool]:
        """The condition on `cases` that every query for this person includes."""
        if not (kinds := KINDS_OF[self.role] - {CaseKind.UNKNOWN}):
            return false()
        here = col(CaseRow.partner_id).in_(sorted(self.stores)) if self.role in STORE_ROLES else true()
        # Without a list of all kinds the database uses the index of the view.
        of_role = true() if kinds == set(CaseKind) - {CaseKind.UNKNOWN} else col(CaseRow.kind).in_(sorted(kinds))
        return of_role & here


acting: ContextVar[StaffMember | None] = ContextVar("acting", default=None)
"""The member of staff in whose name the current operation changes something; read where history is written."""


async def stores_of(session: AsyncSession, staff_id: int) -> list[str]:
    """Public ids of the open stores where a person works, by name; none for nobody, which is 0."""
    if not staff_id:
        return []
    query = (
        select(PartnerRow.public_id)
        .join(StaffStoreRow, col(StaffStoreRow.partner_id) == col(PartnerRow.id))
        .where(StaffStoreRow.staff_id == staff_id, col(PartnerRow.closed).is_(False))
        .order_by(col(PartnerRow.name))
    )
    return list(await session.exec(query))


def first_name(name: str) -> str:
    """The first name of a person of staff, which is all that customers see."""
    return name.split()[0] if name.split() else name


in_name: ContextVar[bool] = ContextVar("in_name", default=False)
"""Whether the person in `acting` does so in the customer's name, of which the customer is told."""


class StaffSessions:
    """Opens, checks and ends sessions of staff."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def open(self, session: AsyncSession, staff_id: int) -> str:
        """Start a session in the caller's transaction. Returns the token."""
        now, token = self._context.clock(), secrets.token_urlsafe(32)
        person = await session.get_one(StaffRow, staff_id)
        session.add(
            StaffSessionRow(
                token_hash=_hash(token),
                staff_id=staff_id,
                created_at=now,
                last_used_at=now,
                expires_at=now + MAX_SESSION,
                locale=person.locale,
            )
        )
        await session.flush()
        return token

    async def revoke(self, token: str) -> None:
        """End a session; an unknown token is ignored."""
        ended = update(StaffSessionRow).where(col(StaffSessionRow.token_hash) == _hash(token))
        async with self._context.database.transaction() as session:
            await session.exec(ended.values(revoked_at=self._context.clock()))

    async def change_locale(self, session: AsyncSession, token: str, locale: Locale) -> None:
        """Set the language of the pages of one session, in the caller's transaction."""
        own = col(StaffSessionRow.token_hash) == _hash(token)
        await session.exec(update(StaffSessionRow).where(own).values(locale=locale))

    async def end_all(self, session: AsyncSession, staff_id: int) -> None:
        """End every session of a person, and every session of a customer that this person opened."""
        now = self._context.clock()
        for row in (StaffSessionRow, SessionRow):
            alive = (col(row.staff_id) == staff_id, col(row.revoked_at).is_(None))
            await session.exec(update(row).where(*alive).values(revoked_at=now))

    async def used(self, token: str, member: StaffMember) -> StaffMember:
        """Record that a session was used just now, at most once a minute. Returns the person as it then stands."""
        if member.expires_at - member.called_at > IDLE - TOUCH_EVERY:
            return member
        statement = update(StaffSessionRow).where(col(StaffSessionRow.token_hash) == _hash(token))
        async with self._context.database.transaction() as session:
            await session.exec(statement.values(last_used_at=member.called_at))
        return replace(member, expires_at=min(member.ends_at, member.called_at + IDLE))

    @asynccontextmanager
    async def reading(
        self, token: str, operation: Callable[..., Any]
    ) -> AsyncIterator[tuple[StaffMember, AsyncSession]]:
        """Admit a member of staff to an operation, with a database session for reading.

        `operation`: the declared method, such as `CasesApi.queue`.
        Raises `NotAuthenticated`: `session_ended`.
        Raises `NotFound`: the role lacks the right that the operation declares.
        """
        async with self._context.database.session() as session:
            yield await self._admit(session, token, operation), session

    @asynccontextmanager
    async def changing(
        self, token: str, operation: Callable[..., Any], *, use: bool = True
    ) -> AsyncIterator[tuple[StaffMember, AsyncSession]]:
        """As `reading`, with a transaction. What is changed in it is recorded in the person's name.

        `operation`: as in `reading`.
        `use`: whether the call counts as use of the session; not for calls that an open page makes by itself.
        """
        async with self._context.database.transaction() as session:
            member = await self._admit(session, token, operation, use=use)
            before = acting.set(member)
            try:
                yield member, session
            finally:
                acting.reset(before)

    async def _admit(
        self, session: AsyncSession, token: str, operation: Callable[..., Any], *, use: bool = False
    ) -> StaffMember:
        # pyrefly: ignore[missing-attribute]  # set by the decorator `operation`
        declared: Operation = operation.__operation__
        member = await self._member(session, token, use=use)
        read_by(member.locale)
        if declared.right is None or not member.may(declared.right):
            self.refused(member, f"{declared.name}: {declared.right}")
            raise NotFound
        return member

    def refused(self, member: StaffMember, operation: str) -> None:
        """Write to the security log that somebody asked for what the role, or the store, does not allow."""
        note(self._context.settings, SecurityEvent.STAFF_REFUSED, staff=member.id, why=operation)

    async def _member(self, session: AsyncSession, token: str, *, use: bool) -> StaffMember:
        now = self._context.clock()
        query = (
            select(StaffSessionRow, StaffRow)
            .join(StaffRow, col(StaffRow.id) == col(StaffSessionRow.staff_id))
            .where(col(StaffSessionRow.token_hash) == _hash(token), col(StaffRow.active))
        )
        found = (await session.exec(query)).first() if token else None
        if found is None or found[0].revoked_at or now >= min(found[0].expires_at, found[0].last_used_at + IDLE):
            raise NotAuthenticated(Code.SESSION_ENDED)
        row, person = found
        if use and now - row.last_used_at >= TOUCH_EVERY:
            row.last_used_at = now
        idle_until = min(row.expires_at, row.last_used_at + IDLE)
        return await self._read(
            session, person, now, locale=row.locale or person.locale, expires_at=idle_until, ends_at=row.expires_at
        )

    async def by_id(self, session: AsyncSession, staff_id: int) -> StaffMember | None:
        """Somebody who may log in, without a session of their own; None if there is nobody."""
        person, now = await session.get(StaffRow, staff_id), self._context.clock()
        if person is None or not person.active:
            return None
        return await self._read(session, person, now, locale=person.locale, expires_at=now, ends_at=now)

    @staticmethod
    async def _read(
        session: AsyncSession,
        person: StaffRow,
        now: datetime,
        *,
        locale: str,
        expires_at: datetime,
        ends_at: datetime,
    ) -> StaffMember:
        stores = await session.exec(select(StaffStoreRow.partner_id).where(StaffStoreRow.staff_id == person.id))
        return StaffMember(
            id=person.id,
            public_id=person.public_id,
            name=person.name,
            email=person.email,
            role=person.role,
            locale=known_locale(locale),
            stores=frozenset(stores),
            expires_at=expires_at,
            ends_at=ends_at,
            called_at=now,
        )


def _hash(token: str) -> str:
    """Tokens are long and random, so their hash needs no key."""
    return hashlib.sha256(token.encode()).hexdigest()


async def write_audit(
    session: AsyncSession,
    member: StaffMember | StaffRow | None,
    action: AuditAction,
    kind: str = "",
    reference: str = "",
    *,
    reason: str = "",
    details: Mapping[str, object] | None = None,
    actor: str = "",
    moment: datetime | None = None,
) -> None:
    """Add an entry to the audit, in the transaction of what it records.

    `member`: who did it; None for the command line and keys of the back office, which give an `actor`.
    `kind`: kind of the record, such as a kind of case, 'customer' or 'bike'; empty if there is none.
    `reference`: reference or public id of the record; empty if there is none.
    `details`: what changed, without personal data.
    `moment`: when (UTC); by default when the member's call was admitted.
    """
    session.add(
        AuditRow(
            staff_id=member.id if member else None,
            actor=member.name if member else actor,
            action=action.value,
            kind=kind,
            reference=reference,
            reason=reason,
            details=dict(details or {}),
            address=calling_from.get(),
            happened_at=moment or (member.called_at if isinstance(member, StaffMember) else now()),
        )
    )
    await session.flush()
