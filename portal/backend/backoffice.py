"""Status changes by staff: one mechanism for every kind of case, repeated calls, and what follows a departure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.limits import HOUR, Limit, network, subject, take
from portal.backend.security import SecurityEvent, challenge_hash, note
from portal.backend.sessions import TOUCH_EVERY
from portal.contract.errors import Conflict, InvalidInput, NotAuthenticated, NotFound, Refused, TooMany
from portal.contract.models import Amount, Model
from portal.kernel.codes import Code
from portal.kernel.validation import is_reference
from portal.tables.bikes import BikeRow
from portal.tables.columns import insert_into
from portal.tables.exchange import ApiKeyRow
from portal.tables.messages import IdempotencyKeyRow
from portal.tables.orders import OrderRow
from portal.tables.work_orders import MAX_NOTE_LENGTH
from portal.vocabulary.departures import Departure
from portal.vocabulary.exchange import ApiScope
from portal.vocabulary.work_orders import Actor


@dataclass(frozen=True, slots=True)
class IdempotentCall:
    """A call with an idempotency key. `fingerprint`: hash of what is asked, made with `fingerprint`."""

    actor: str
    key: str
    fingerprint: str


def fingerprint(*asked: Any) -> str:
    """SHA-256 of what a call asks, as JSON values. The order of object keys does not matter."""
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


async def earlier_answer(session: AsyncSession, call: IdempotentCall, now: datetime) -> str | None:
    """Reserve the key of a call, or find its answer.

    Waits for a concurrent call with the same key.

    `now`: moment of the call (UTC).
    Returns the first answer, as JSON; None if this is the first call.
    Raises `InvalidInput`: `idempotency_key_reused`, the key belongs to a call that asked for something else.
    """
    reserve = (
        insert_into(session.get_bind(), IdempotencyKeyRow)
        .values(actor=call.actor, key=call.key, fingerprint=call.fingerprint, created_at=now)
        .on_conflict_do_nothing()
        .returning(col(IdempotencyKeyRow.key))
    )
    if (await session.exec(reserve)).first() is not None:
        return None
    earlier = (await session.exec(select(IdempotencyKeyRow).where(*_same(call)))).one()
    if earlier.fingerprint != call.fingerprint:
        raise InvalidInput(Code.IDEMPOTENCY_KEY_REUSED)
    return earlier.answer


async def store_answer(session: AsyncSession, call: IdempotentCall, answer: str) -> None:
    """Store the answer (JSON) of a call whose key was reserved in the same transaction."""
    await session.exec(update(IdempotencyKeyRow).where(*_same(call)).values(answer=answer))


def _same(call: IdempotentCall) -> tuple[Any, ...]:
    return col(IdempotencyKeyRow.actor) == call.actor, col(IdempotencyKeyRow.key) == call.key


class TransitionRequest(Model):
    """A status change requested by the back office.

    `status`: the new status. If it equals the current status, the status does not change.
    `note`: shown to the customer unchanged.
    `partner`: public id or exact name of a service location; for a delivery, the name of the carrier.
    `planned_date`: the local date of the work or delivery, or the start date of an insurance.
    `received`: for a return, the units that arrived, such as '900000001-3*2'; empty means all units.
    `amount`: for a return, the refund in euro; None means the agreed amount.
    `under_warranty`: for a repair, whether it falls under the warranty of the bike; None leaves it as it is.
    `seen`: the status that staff saw; if it has changed since, the request is refused.
    """

    status: str = Field(min_length=1, max_length=40)
    note: str = Field(default="", max_length=MAX_NOTE_LENGTH)
    partner: str = Field(default="", max_length=120)
    planned_date: date | None = None
    received: list[Annotated[str, Field(max_length=40)]] = Field(default_factory=list, max_length=100)
    amount: Amount | None = None
    battery_collected: bool = False
    policy_number: str = Field(default="", max_length=40)
    under_warranty: bool | None = None
    seen: str = Field(default="", max_length=40)


class CurrentStatus(Model):
    """The current status of a case, and the statuses that may follow."""

    reference: str
    status: str
    possible: list[str]

    @staticmethod
    def of(reference: str, status: StrEnum, following: Iterable[StrEnum]) -> CurrentStatus:
        """The status of a case, and those that may follow."""
        return CurrentStatus(reference=reference, status=status.value, possible=[each.value for each in following])

    def after(self, before: StrEnum, *, changed: bool) -> Transition:
        """The result of a change to this status."""
        return Transition(before=before.value, changed=changed, **dict(self))


class Transition(CurrentStatus):
    """The result of a status change. `changed` is false if nothing had to change."""

    before: str
    changed: bool


class NotAllowed(Conflict):
    """The status graph does not allow this transition."""

    def __init__(self, status: StrEnum, target: StrEnum, possible: list[str]) -> None:
        super().__init__(Code.STATUS_NOT_ALLOWED)
        self.present, self.target, self.possible = status.value, target.value, possible


def targets_of(statuses: type[StrEnum]) -> list[str]:
    """The statuses that a case can be moved to, as texts."""
    return [status.value for status in statuses if status.name != "UNKNOWN"]


@dataclass(frozen=True, slots=True)
class BackOfficeCase:
    """A kind of case whose status the back office changes.

    `name`: singular name on the command line; the API adds an 's'.
    """

    name: str
    statuses: type[StrEnum]
    current_status: Callable[[Context, str], Awaitable[CurrentStatus]]
    move: Callable[[Context, AsyncSession, str, TransitionRequest], Awaitable[Transition]]

    @property
    def targets(self) -> list[str]:
        """The statuses, as texts."""
        return targets_of(self.statuses)


def known_reference(reference: str) -> str:
    """The reference of a request. Raises `NotFound` if it cannot be one."""
    if not is_reference(reference):
        raise NotFound
    return reference


WRONG_KEYS = 20
"""Wrong keys per network address and hour before further calls are refused."""

CALLS, CALLS_WINDOW = 100, timedelta(seconds=10)
"""Calls per key in a window."""


class BackOffice:
    """The operations of the back office. The HTTP API checks a key first; the command line needs none.

    `caller`: name of the key.
    """

    def __init__(self, context: Context, cases: Iterable[BackOfficeCase], caller: str = "") -> None:
        self.context, self.caller = context, caller
        self._cases = {case.name: case for case in cases}

    async def admit(self, shown: str, scope: ApiScope, address: str) -> BackOffice:
        """Check the key of a call and apply the rate limits; the operations for its owner."""
        settings, now = self.context.settings, self.context.clock()
        async with self.context.database.transaction() as session:
            valid = select(ApiKeyRow).where(col(ApiKeyRow.revoked_at).is_(None))
            # What is hashed is long and random, so the duration of the search reveals nothing.
            key = (await session.exec(valid.where(ApiKeyRow.key_hash == challenge_hash(shown)))).one_or_none()
            if key:
                limit = Limit(subject(settings, "back office", key.key_hash), CALLS, CALLS_WINDOW)
                if key.last_used_at is None or now - key.last_used_at >= TOUCH_EVERY:
                    key.last_used_at = now
            else:
                limit = Limit(subject(settings, "back office refused", network(address)), WRONG_KEYS, HOUR)
                note(settings, SecurityEvent.BACK_OFFICE_REFUSED, address=address)
            retry_at = await take(session, [limit], now)
        if retry_at:
            raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
        if key is None:
            raise NotAuthenticated(Code.SESSION_ENDED)
        if not scope.admitting.intersection(key.scopes):
            note(settings, SecurityEvent.BACK_OFFICE_REFUSED, address=address, why=scope)
            raise Refused(Code.MISSING_SCOPE)
        return BackOffice(self.context, self._cases.values(), key.name)

    async def current_status(self, kind: str, reference: str) -> CurrentStatus:
        """The current status of a case."""
        return await self._case(kind).current_status(self.context, _without_spaces(reference))

    async def move(self, kind: str, reference: str, request: TransitionRequest) -> Transition:
        """Change the status of a case, in one transaction.

        `reference`: reference of the case; spaces are ignored.
        """
        case, reference = self._case(kind), _without_spaces(reference)
        async with self.context.database.transaction() as session:
            return await case.move(self.context, session, reference, request)

    async def once(self, key: str, asked: str, act: Callable[[BackOffice], Awaitable[str]]) -> str:
        """Do something once for an idempotency key, in one transaction with the key.

        `key`: chosen by the caller. A call that was refused can be repeated with the same key.
        `act`: does it with the given operations, which use that transaction, and returns the answer.
        Returns the answer. A repeated call with the same key gets the first one.
        Raises `InvalidInput`: `idempotency_key_reused`, the key belongs to another call.
        """
        call = IdempotentCall(Actor.BACK_OFFICE, key, asked)
        async with self.context.database.transaction() as session:
            if (earlier := await earlier_answer(session, call, self.context.clock())) is not None:
                return earlier
            answer = await act(BackOffice(self.context.within(session), self._cases.values(), self.caller))
            await store_answer(session, call, answer)
            return answer

    def _case(self, kind: str) -> BackOfficeCase:
        if kind not in self._cases:
            raise NotFound
        return self._cases[kind]


def _without_spaces(reference: str) -> str:
    return reference.replace(" ", "")


@dataclass(frozen=True, slots=True)
class Departed:
    """What left for good.

    `departure`: what happened. A withdrawal after sending is `WITHDRAWN` here, once it has come back.
    `day`: the local day on which they came back, or on which their order was cancelled.
    `order`: the order that was cancelled, if one was; `units` counts those in cancelled parts by order line, None for
    all.
    """

    customer_id: int
    departure: Departure
    bikes: Sequence[BikeRow]
    day: date
    order: OrderRow | None = None
    units: Mapping[int, int] | None = None
    note: str = ""

    @property
    def final(self) -> Departure:
        """What is true from now on: what was withdrawn after sending has come back."""
        return Departure.RETURNED if self.departure is Departure.WITHDRAWN else self.departure

    @property
    def bike_ids(self) -> list[int]:
        """Primary keys of the bikes."""
        return [bike.id for bike in self.bikes]


cause: ContextVar[Departure | None] = ContextVar("cause", default=None)
"""Why something ends now, for the history of its case."""


@contextmanager
def because(departure: Departure | None) -> Iterator[None]:
    """Set the cause of what ends here."""
    token = cause.set(departure)
    try:
        yield
    finally:
        cause.reset(token)


Follower = Callable[[Context, AsyncSession, Departed], Awaitable[bool | None]]
"""Returns whether it mailed the customer about the departure itself."""


class Followers:
    """The followers of all subjects. `portal.provider.cases` registers them."""

    def __init__(self) -> None:
        self._followers: list[Follower] = []

    def register(self, followers: Iterable[Follower]) -> None:
        """Add followers, which are called in this order. Adding the same follower again has no effect."""
        self._followers += [follower for follower in followers if follower not in self._followers]

    async def follow(self, context: Context, session: AsyncSession, departed: Departed) -> bool:
        """End everything that hangs on what left; whether the customer was mailed about the departure itself."""
        with because(departed.final):
            return any([await follower(context, session, departed) for follower in self._followers])


FOLLOWERS = Followers()
