"""Records what happens to cases, in the transaction of the change; and what each subject tells staff about its cases.

A subject calls `record` wherever it publishes a change, and has a `CaseSubject` in the module `cases` of its provider.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import jobs
from portal.backend.backoffice import BackOfficeCase, cause
from portal.backend.context import Context
from portal.backend.live import publish
from portal.backend.staff import acting, in_name
from portal.contract.account import Account, AccountFact, LocalizedText
from portal.kernel.days import in_working_days
from portal.kernel.texts import N_
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.messages import CaseMessageRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import Asks, CaseEventType, CaseKind, CaseState, due_of
from portal.vocabulary.staff import CONCEALED

JOB = "case event"
TELL_FOR = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """What a subject tells about a request after each change.

    `customer_id`: None for a guest who is not known yet.
    `status`: as the subject stores it; `final` when no other can follow.
    `waiting`: whether the customer has to do something first, such as confirm by a mailed link.
    `waiting_until`: when that link expires (UTC); None without a link.
    `promised_at`: until when the customer was promised something (UTC); None where the working days of the status hold
    (`vocabulary.cases.due_of`).
    """

    kind: CaseKind
    reference: str
    customer_id: int | None
    status: str
    final: bool = False
    waiting: bool = False
    waiting_until: datetime | None = None
    partner_id: int | None = None
    urgent: bool = False
    promised_at: datetime | None = None


async def record(
    session: AsyncSession,
    facts: CaseFacts,
    happened: CaseEventType,
    now: datetime,
    *,
    by_customer: bool = False,
    details: Mapping[str, object] | None = None,
) -> CaseRow:
    """Bring the case of a request up to date and add an event to its history. The first call opens the case.

    `now`: moment of the change (UTC).
    `by_customer`: whether it was done in the customer's name; the person in `acting` is named beside. Without either
    the portal did it.
    `details`: what changed, without personal data. The statuses before and after are added.
    """
    member = acting.get()
    if departure := cause.get():
        details = {"departure": departure.value, **(details or {})}
    query = select(CaseRow).where(CaseRow.kind == facts.kind, CaseRow.reference == facts.reference)
    row = (await session.exec(query.with_for_update())).first()
    if row is None:
        row = CaseRow(
            kind=facts.kind,
            reference=facts.reference,
            customer_id=facts.customer_id,
            state=CaseState.NEW,
            status=facts.status,
            opened_by=member.id if member else None,
            opened_at=now,
            changed_at=now,
        )
        session.add(row)
        happened = CaseEventType.OPENED
    else:
        row.version += 1
        if row.status != facts.status:
            await end_questions(session, row, now)
            details = {"before": row.status, "status": facts.status, **(details or {})}
        if happened is CaseEventType.STATUS_CHANGED and facts.final:
            happened = CaseEventType.CLOSED
        elif row.state is CaseState.DONE and not facts.final:
            happened = CaseEventType.REOPENED
    _bring_up_to_date(row, facts, now, worked_on=member is not None)
    source = select(CustomerRow.source).where(CustomerRow.id == row.customer_id)
    row.source = (await session.exec(source)).one_or_none() or ""
    await session.flush()
    await add_event(session, row, happened, now, by_customer=by_customer, details=details)
    return row


def _bring_up_to_date(row: CaseRow, facts: CaseFacts, now: datetime, *, worked_on: bool) -> None:
    moved = row.status != facts.status or row.id is None
    due = due_of(facts.kind, facts.status)
    ends = in_working_days(now, due.days) if due else None
    row.customer_id = facts.customer_id or row.customer_id
    row.partner_id, row.status, row.urgent = facts.partner_id, facts.status, facts.urgent
    row.changed_at = now
    if facts.promised_at or moved or row.promised_at is None:
        row.promised_at = facts.promised_at or ends
    if facts.final:
        row.promised_at = None
        row.state, row.closed_at, row.waiting_since = CaseState.DONE, row.closed_at or now, None
        row.waiting_until = None
        return
    row.closed_at = None
    if facts.waiting and (facts.waiting_until is None or facts.waiting_until > now):
        # What waits for the customer comes back when the time is over.
        row.promised_at = None
        _wait(row, facts.waiting_until or (ends if moved else row.waiting_until), now)
    elif row.state is CaseState.WAITING and moved:
        # What staff asked for counts until the request goes on.
        fresh = not worked_on and row.assigned_to is None
        row.state, row.waiting_since = CaseState.NEW if fresh else CaseState.OPEN, None
        row.waiting_until = None
    elif row.state is CaseState.DONE or (row.state is CaseState.NEW and worked_on):
        row.state = CaseState.OPEN


async def end_questions(session: AsyncSession, case: CaseRow, now: datetime) -> bool:
    """Record that the customer need not answer what was asked about a case. A new status ends every question.

    Returns whether a question was open.
    """
    statement = (
        update(CaseMessageRow)
        .where(
            col(CaseMessageRow.case_id) == case.id,
            col(CaseMessageRow.asks) != Asks.NOTHING,
            col(CaseMessageRow.answered_at).is_(None),
        )
        .values(answered_at=now)
    )
    ended = (await session.exec(statement)).rowcount > 0
    if ended and case.customer_id:
        await publish(session, case.customer_id, Topic.MESSAGES, now)
    return ended


def _wait(row: CaseRow, until: datetime | None, now: datetime) -> None:
    row.state, row.waiting_since, row.waiting_until = CaseState.WAITING, row.waiting_since or now, until


async def wait_for_link(session: AsyncSession, kind: CaseKind, reference: str, until: datetime, now: datetime) -> None:
    """Record that the customer was mailed another link. A case that had come back waits again.

    `until`: when the link expires (UTC).
    `now`: the moment (UTC).
    """
    row = await case_of(session, kind, reference)
    if row is not None and row.state is not CaseState.DONE:
        _wait(row, until, now)
        row.promised_at, row.changed_at, row.version = None, now, row.version + 1


async def open_missing(session: AsyncSession, found: Iterable[tuple[CaseFacts, datetime, datetime]]) -> int:
    """Open the cases of requests that have none, such as those of the demonstration.

    `found`: facts of requests, when each was sent, and when it changed last (UTC).
    Returns how many were opened.
    """
    known = {(kind, reference) for kind, reference in await session.exec(select(CaseRow.kind, CaseRow.reference))}
    opened: list[tuple[CaseRow, CaseFacts, datetime]] = []
    sources = dict((await session.exec(select(CustomerRow.id, CustomerRow.source))).all())
    for facts, sent_at, changed_at in found:
        if (facts.kind, facts.reference) in known:
            continue
        row = CaseRow(
            kind=facts.kind,
            reference=facts.reference,
            state=CaseState.NEW,
            status=facts.status,
            source=sources.get(facts.customer_id or 0, ""),
            opened_at=sent_at,
            changed_at=sent_at,
        )
        _bring_up_to_date(row, facts, changed_at, worked_on=changed_at > sent_at)
        opened.append((row, facts, sent_at))
    session.add_all([row for row, _, _ in opened])
    await session.flush()
    session.add_all(
        CaseEventRow(
            case_id=row.id,
            type=CaseEventType.OPENED,
            status=row.status,
            by_customer=True,
            happened_at=sent_at,
        )
        for row, _, sent_at in opened
    )
    await session.flush()
    return len(opened)


async def add_event(
    session: AsyncSession,
    row: CaseRow,
    happened: CaseEventType,
    now: datetime,
    *,
    by_customer: bool = False,
    details: Mapping[str, object] | None = None,
) -> None:
    """Add an event to the history of a case, in the name of the customer, of the person in `acting`, or of both.

    What the customer did by themselves makes the case unread, until somebody opens it.

    A job of the same transaction tells the retailer's people and systems (`portal.exports.provider.cases`).
    """
    member, by_customer = acting.get(), by_customer or in_name.get()
    if by_customer and member is None:
        row.unread_since = row.unread_since or now
    event = CaseEventRow(
        case_id=row.id,
        type=happened,
        staff_id=member.id if member else None,
        by_customer=by_customer,
        status=row.status,
        details=dict(details or {}),
        happened_at=now,
    )
    session.add(event)
    await session.flush()
    await jobs.add(session, JOB, event.id, now, give_up_at=now + TELL_FOR)


def overdue(now: datetime) -> ColumnElement[bool]:
    """The condition on cases that are late: with staff beyond the promise, or with the customer beyond the time."""
    with_staff = col(CaseRow.state).in_((CaseState.NEW, CaseState.OPEN)) & (col(CaseRow.promised_at) < now)
    return with_staff | ((col(CaseRow.state) == CaseState.WAITING) & (col(CaseRow.waiting_until) < now))


def due_at(row: CaseRow) -> datetime | None:
    """When a case is due: with the customer, the end of the time for an answer."""
    return row.waiting_until if row.state is CaseState.WAITING else row.promised_at


async def case_of(session: AsyncSession, kind: CaseKind, reference: str) -> CaseRow | None:
    """The case of a request; None if there is none."""
    query = select(CaseRow).where(col(CaseRow.kind) == kind, col(CaseRow.reference) == reference)
    return (await session.exec(query)).first()


_REVEALED_ONLY = frozenset({N_("Policy number")})
"""Facts of an account that staff see only after they asked for it, which is audited. An IBAN is masked everywhere."""


def hide(account: Account) -> Account:
    """The account without the numbers that staff have to reveal."""
    labels = [LocalizedText.of(label) for label in sorted(_REVEALED_ONLY)]
    facts = [
        fact.model_copy(update={"lines": [LocalizedText.same(CONCEALED)]}) if fact.label in labels else fact
        for fact in account.facts
    ]
    return account.model_copy(update={"facts": facts})


def beginning(text: str) -> str:
    """The beginning of what a customer wrote, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_QUOTE_LENGTH else line[: MAX_QUOTE_LENGTH - 1].rsplit(" ", 1)[0] + " …"


MAX_QUOTE_LENGTH = 120


@dataclass(frozen=True, slots=True)
class CaseLine:
    """What the queue shows of a request. `quote`: what the customer wrote; empty if nothing."""

    label: LocalizedText
    tone: str = ""
    what: LocalizedText = field(default_factory=LocalizedText)
    quote: str = ""
    item: str = ""
    files: int = 0
    bike_id: int | None = None
    planned: date | None = None


@dataclass(frozen=True, slots=True)
class StatusStep:
    """A status that may follow, and what the customer then reads.

    `with_day`: what the customer reads instead once staff name a day; empty for what has no day.
    `asks_note`: whether staff may add a message; what the customer declared takes none.
    """

    status: str
    label: LocalizedText
    sentence: LocalizedText
    with_day: LocalizedText = field(default_factory=LocalizedText)
    mailed: bool = True
    asks_policy: bool = False
    asks_battery: bool = False
    asks_note: bool = True
    ends: bool = False


@dataclass(frozen=True, slots=True)
class CaseContent:
    """What the page of a case shows of a request.

    `file_keys`: by which its files are found; an empty one finds none.
    `labels`: the labels of its statuses, where they depend on more than its kind.
    `found`: what staff found when it arrived; the customer does not read it.
    `messages`: what staff wrote to the customer with a change, by its moment; where the account does not hold it.
    """

    account: Account
    line: CaseLine
    steps: Sequence[StatusStep] = ()
    order_numbers: Sequence[str] = ()
    file_keys: Sequence[str] = ()
    can_plan: bool = False
    labels: Mapping[str, LocalizedText] = field(default_factory=dict)
    found: Sequence[AccountFact] = ()
    messages: Mapping[datetime, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CaseSubject:
    """What a subject tells staff about its cases.

    `facts`: of all requests, when each was sent, and when it changed last; for `open_missing`.
    `of_bike`: query of the references of requests about a bike; None for a subject without bikes.
    """

    back_office: BackOfficeCase
    lines: Callable[[AsyncSession, Sequence[str]], Awaitable[dict[str, CaseLine]]]
    content: Callable[[Context, AsyncSession, str], Awaitable[CaseContent | None]]
    facts: Callable[[AsyncSession], Awaitable[list[tuple[CaseFacts, datetime, datetime]]]]
    of_bike: Callable[[BikeRow], Any] | None = None
