"""Login sessions: a signed token for the customer and a row in the database. A token is valid only with its row.

Tokens are signed with HS256, and all claims are required (part-1 §10). Expiry is checked with the context's clock.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

import jwt
from sqlalchemy import bindparam, func
from sqlalchemy import select as columns
from sqlmodel import col, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.security import Purpose, keys, read_by
from portal.contract.errors import NotAuthenticated
from portal.contract.models import Locale
from portal.contract.session import Session
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.tables.bikes import RecallNoticeRow
from portal.tables.customers import CustomerRow, SessionRow
from portal.tables.orders import OrderRow
from portal.tables.staff import StaffRow
from portal.vocabulary.staff import VisitMode


class SessionRecord(NamedTuple):
    """A session row with the customer's identifiers. `country` is the country of the shop of the login order."""

    jti: str
    customer_id: int
    order_number: str
    last_used_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    public_id: str
    locale: str
    country: Country | None
    email: str
    mode: VisitMode | None
    visitor: str | None
    visitor_id: int | None
    source: str
    recall: str | None = None


# Every operation runs this query, so it is built once, on tables; ORM entities would be compiled on each call.
_ROWS: tuple[Any, ...] = (SessionRow, CustomerRow, OrderRow, RecallNoticeRow, StaffRow)

_SESSIONS, _CUSTOMERS, _ORDERS, _NOTICES, _STAFF = (row.__table__ for row in _ROWS)

_UNREAD_RECALL = (
    columns(_NOTICES.c.public_id)
    .where(_NOTICES.c.customer_id == _SESSIONS.c.customer_id, _NOTICES.c.acknowledged_at.is_(None))
    .order_by(_NOTICES.c.id)
    .limit(1)
    .correlate(_SESSIONS)
    .scalar_subquery()
)
"""The oldest recall that the customer has not confirmed to have read."""

_WITH_CUSTOMER = (
    columns(
        _SESSIONS.c.jti,
        _SESSIONS.c.customer_id,
        _SESSIONS.c.order_number,
        _SESSIONS.c.last_used_at,
        _SESSIONS.c.expires_at,
        _SESSIONS.c.revoked_at,
        _CUSTOMERS.c.public_id,
        func.coalesce(_SESSIONS.c.locale, _CUSTOMERS.c.locale),
        _ORDERS.c.country_code,
        _CUSTOMERS.c.email,
        _SESSIONS.c.mode,
        _STAFF.c.name,
        _STAFF.c.id,
        _CUSTOMERS.c.source,
        _UNREAD_RECALL,
    )
    .join(_CUSTOMERS, _CUSTOMERS.c.id == _SESSIONS.c.customer_id)
    .outerjoin(_ORDERS, _ORDERS.c.order_number == _SESSIONS.c.order_number)
    .outerjoin(_STAFF, _STAFF.c.id == _SESSIONS.c.staff_id)
    .where(_SESSIONS.c.jti == bindparam("jti"), _CUSTOMERS.c.public_id == bindparam("public_id"))
)


async def find(session: AsyncSession, jti: str, public_id: str) -> SessionRecord | None:
    """The customer's session with this `jti`."""
    connection = await session.connection()
    row = (await connection.execute(_WITH_CUSTOMER, {"jti": jti, "public_id": public_id})).one_or_none()
    return SessionRecord(*row) if row else None


async def touch(session: AsyncSession, jti: str, now: datetime, not_since: datetime) -> None:
    """Set the time of last use to now, unless it is later than `not_since`."""
    await session.exec(
        update(SessionRow)
        .where(col(SessionRow.jti) == jti, col(SessionRow.last_used_at) <= not_since)
        .values(last_used_at=now)
    )


async def revoke(session: AsyncSession, jti: str, now: datetime) -> int | None:
    """End one session. Returns the primary key of its customer; None if it had already ended."""
    statement = (
        update(SessionRow)
        .where(col(SessionRow.jti) == jti, col(SessionRow.revoked_at).is_(None))
        .values(revoked_at=now)
        .returning(col(SessionRow.customer_id))
    )
    return (await session.exec(statement)).scalars().first()


async def revoke_others(session: AsyncSession, customer_id: int, jti: str, now: datetime) -> None:
    """End all sessions of a customer but one."""
    await session.exec(
        update(SessionRow)
        .where(
            col(SessionRow.customer_id) == customer_id,
            col(SessionRow.jti) != jti,
            col(SessionRow.revoked_at).is_(None),
        )
        .values(revoked_at=now)
    )


ALGORITHM = "HS256"
AUDIENCE = "portal"
CLAIMS = ("exp", "iat", "nbf", "sub", "jti", "aud")
LEEWAY = timedelta(seconds=30)
"""Maximum difference between the clocks of two servers."""

TOUCH_EVERY = timedelta(minutes=1)
"""Shortest interval between updates of `last_used_at`."""

VISIT = timedelta(minutes=30)
"""Longest session of staff for a customer."""

REMEMBERED = 4096
"""Size of the cache of verified tokens."""

MAX_TOKEN_LENGTH = 2000
"""Maximum length of a token in characters; ours have about 300."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The customer that a session token belongs to.

    `customer_id`: primary key, which restricts every query to this customer.
    `country`: country of the shop where the login order was placed.
    `expires_at`: absolute end of the session (UTC); idle_until: its end without further use (UTC).
    `source`: shop or system that the customer was imported from; empty for none.
    `recall`: id of the oldest recall that the customer has not confirmed to have read; empty if there is none.
    `mode`: what somebody of the staff may do in this session; None for a session of the customer.
    `visitor`: name of that person, and `visitor_id` the primary key; empty and 0 for a session of the customer.
    """

    customer_id: int
    email: str
    public_id: str
    jti: str
    order_number: str
    locale: Locale
    country: Country
    expires_at: datetime
    idle_until: datetime
    source: str = ""
    recall: str = ""
    mode: VisitMode | None = None
    visitor: str = ""
    visitor_id: int = 0


@dataclass(frozen=True, slots=True)
class Visit:
    """A session of a customer that somebody of the staff opened."""

    staff_id: int
    customer: str
    mode: VisitMode
    source: str = ""


class Sessions:
    """Opens, checks and revokes sessions."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._keys = keys(context.settings, Purpose.SESSION)
        self._idle = timedelta(minutes=context.settings.idle_minutes)
        self._longest = timedelta(hours=context.settings.session_hours)
        # A verified signature stays valid, so it is cached. Expiry and revocation are checked on every call.
        self._signed = lru_cache(maxsize=REMEMBERED)(self._verified)

    async def owner(self, token: str, *, use: bool = True) -> Owner:
        """The owner of a session. The call counts as use, except with `use=False`, for background requests of a page.

        Raises `NotAuthenticated`: `session_ended`; the token is not ours, revoked, expired or idle for too long.
        """
        now = self._context.clock()
        async with self._context.database.session() as session:
            found, owner = await self._found(session, token, now)
        if use and _unwritten(found, now):
            await self._touch(found, now)
        return owner

    @asynccontextmanager
    async def reading(self, token: str) -> AsyncIterator[tuple[Owner, AsyncSession]]:
        """The owner of a session, and a database session for reading their data. Counts as use."""
        now = self._context.clock()
        async with self._context.database.session() as session:
            found, owner = await self._found(session, token, now)
            if not _unwritten(found, now):
                yield owner, session
                return
        await self._touch(found, now)
        async with self._context.database.session() as session:
            yield owner, session

    async def _found(self, session: AsyncSession, token: str, now: datetime) -> tuple[SessionRecord, Owner]:
        found = await find(session, *self._name(token, now))
        if found is None:
            raise NotAuthenticated(Code.SESSION_ENDED)
        owner = self._owner(found, now)
        read_by(owner.locale, owner.email)
        return found, owner

    async def _touch(self, found: SessionRecord, now: datetime) -> None:
        async with self._context.database.transaction() as session:
            await touch(session, found.jti, now, not_since=now - TOUCH_EVERY)

    def _name(self, token: str, now: datetime) -> tuple[str, str]:
        """The `jti` and the customer's public id of a token that has not expired."""
        claims = self._claims(token)
        if claims is None or not self._is_now(claims, now):
            raise NotAuthenticated(Code.SESSION_ENDED)
        return str(claims["jti"]), str(claims["sub"])

    def _owner(self, found: SessionRecord, now: datetime) -> Owner:
        """The owner of a session row. Raises NotAuthenticated if it has ended."""
        if found.revoked_at or now >= min(found.expires_at, found.last_used_at + self._idle):
            raise NotAuthenticated(Code.SESSION_ENDED)
        used_at = now if _unwritten(found, now) else found.last_used_at
        return Owner(
            customer_id=found.customer_id,
            email=found.email,
            public_id=found.public_id,
            jti=found.jti,
            order_number=found.order_number,
            locale="en" if found.locale == "en" else "nl",
            country=found.country or self._context.settings.countries[0],
            expires_at=found.expires_at,
            idle_until=min(found.expires_at, used_at + self._idle),
            recall=found.recall or "",
            mode=found.mode,
            visitor=found.visitor or "",
            visitor_id=found.visitor_id or 0,
            source=found.source,
        )

    async def open(
        self, session: AsyncSession, customer_id: int, public_id: str, order_number: str, *, visit: Visit | None = None
    ) -> Session:
        """Start a session in the caller's transaction; with `visit`, a short one of staff for the customer."""
        now = self._context.clock()
        # The token stores whole seconds, and its expiry must equal that of the row.
        expires_at = (now + (VISIT if visit else self._longest)).replace(microsecond=0)
        jti = secrets.token_urlsafe(24)
        of_account: Any = columns(_CUSTOMERS.c.locale).where(_CUSTOMERS.c.id == customer_id).scalar_subquery()
        session.add(
            SessionRow(
                jti=jti,
                customer_id=customer_id,
                order_number=order_number,
                created_at=now,
                last_used_at=now,
                expires_at=expires_at,
                locale=of_account,
                staff_id=visit.staff_id if visit else None,
                mode=visit.mode if visit else None,
            )
        )
        await session.flush()
        claims: dict[str, object] = {"sub": public_id, "jti": jti, "aud": AUDIENCE, "iat": now, "nbf": now}
        claims["exp"] = expires_at
        if visit:
            # Who acts for the subject (RFC 8693, section 4.1), and how.
            claims["act"] = {"sub": str(visit.staff_id), "mode": visit.mode.value}
        return Session(jwt=jwt.encode(claims, self._keys[0], algorithm=ALGORITHM), expires_at=expires_at)

    async def change_locale(self, session: AsyncSession, owner: Owner, locale: Locale) -> None:
        """Set the language of the pages of one session, in the caller's transaction."""
        await session.exec(update(SessionRow).where(col(SessionRow.jti) == owner.jti).values(locale=locale))

    async def revoke(self, token: str) -> int | None:
        """End the session of this token. Returns the primary key of its customer; None if there was no session."""
        claims = self._claims(token)
        if claims is None:
            return None
        async with self._context.database.transaction() as session:
            return await revoke(session, str(claims["jti"]), self._context.clock())

    async def revoke_others(self, session: AsyncSession, owner: Owner) -> None:
        """End every other session of this customer, in the caller's transaction."""
        await revoke_others(session, owner.customer_id, owner.jti, self._context.clock())

    def visit(self, token: str) -> Visit | None:
        """Who of the staff opened the session of this token; None for a session of the customer and unknown tokens.

        Only what the signed token says: whether the session is still alive is checked by the operation.
        """
        claims = self._claims(token) or {}
        if not (act := claims.get("act")):
            return None
        return Visit(int(act["sub"]), str(claims["sub"]), VisitMode(act["mode"]))

    def _claims(self, token: str) -> Mapping[str, Any] | None:
        """The claims of a token that we signed, even if it has expired; None for any other token."""
        return None if not isinstance(token, str) or len(token) > MAX_TOKEN_LENGTH else self._signed(token)

    def _verified(self, token: str) -> Mapping[str, Any] | None:
        for key in self._keys:
            with suppress(jwt.InvalidTokenError):
                return jwt.decode(
                    token,
                    key,
                    algorithms=[ALGORITHM],
                    audience=AUDIENCE,
                    options={"require": list(CLAIMS), "verify_exp": False, "verify_nbf": False, "verify_iat": False},
                )
        return None

    @staticmethod
    def _is_now(claims: Mapping[str, Any], now: datetime) -> bool:
        try:
            begin, end = (datetime.fromtimestamp(int(claims[name]), UTC) for name in ("nbf", "exp"))
        except (TypeError, ValueError, OverflowError, OSError):
            return False
        return begin - LEEWAY <= now < end


def _unwritten(found: SessionRecord, now: datetime) -> bool:
    """Whether the time of last use must be updated."""
    return now - found.last_used_at >= TOUCH_EVERY


class Service:
    """Base class of a service. The `api` module of each subject documents its operations."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        self._context = context
        self._settings = context.settings
        self._sessions = sessions

    async def close(self) -> None:
        """Wait for running work to finish."""
