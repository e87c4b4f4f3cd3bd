"""Declarations on the retailer's side: how they are found, mailed, answered by link and by staff, and shown there."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.backoffice import (
    BackOfficeCase,
    CurrentStatus,
    NotAllowed,
    Transition,
    TransitionRequest,
    known_reference,
)
from portal.backend.cases import CaseContent, CaseFacts, CaseLine, CaseSubject, StatusStep, record, wait_for_link
from portal.backend.context import Context
from portal.backend.database import find_one
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.contract.account import Account, LocalizedText
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused
from portal.contract.models import Locale
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue
from portal.links.api import LinkAbout, LinkSent
from portal.links.provider import LinkHandler, Links, Subject
from portal.login.provider.queries import addressee
from portal.tables.bikes import BikeRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.contracts import DeclarationAnswer, DeclarationStatus
from portal.vocabulary.links import LinkPurpose, lifetime
from portal.vocabulary.status import StatusEntry

REFERENCE_LENGTH = 8
_MAX_NAME = 180

Row = TypeVar("Row", bound=Any)
"""A row with `id`, `reference`, `customer_id`, `status`, `key`, `received_at` and `updated_at`."""

Details = Callable[[Context, AsyncSession, Row, Locale], Awaitable[dict[str, object]]]
Act = Callable[..., Awaitable[object]]
"""Answers a declaration. It gets context, session, row and `by_customer`, and may raise `Conflict` or `Refused`."""


@dataclass(frozen=True, slots=True)
class Declarations(Generic[Row]):
    """A kind of declaration.

    `final`: statuses in which nothing is left to do.
    `template`, `details`: the mail with the link, and the values of all mails.
    `account`: what every channel says, with or without the name; raises `NotFound` if what it is about is gone.
    `about`: what the page of the link gets beside the account.
    `lock`: locks a row, and before it what it is about.
    `following`: the statuses that staff can move it to.
    """

    table: type[Row]
    kind: CaseKind
    purpose: LinkPurpose
    topic: Topic
    entries: Mapping[Any, StatusEntry[Any]]
    final: frozenset[StrEnum]
    template: Template
    details: Details[Row]
    account: Callable[[Context, AsyncSession, Row, bool], Awaitable[Account]]
    lock: Callable[[AsyncSession, Row], Awaitable[Row]]
    following: Callable[[Row], Sequence[StrEnum]]
    about: Callable[[Row], Mapping[str, Any]] = lambda _: {}
    promised: Callable[[Row], datetime | None] = lambda _: None
    order_numbers: Callable[[Row], Sequence[str]] = lambda _: ()

    async def find(self, session: AsyncSession, *, lock: bool = False, **values: object) -> Row:
        """The declaration with these values, locked until the end of the transaction. Raises `NotFound`."""
        row = await find_one(session, select(self.table).filter_by(**values))
        return await self.lock(session, row) if lock else row

    async def of_key(self, session: AsyncSession, customer_id: int, key: str) -> Row | None:
        query = select(self.table).filter_by(customer_id=customer_id, key=key)
        return (await session.exec(query)).one_or_none()

    def facts_of(self, row: Row) -> CaseFacts:
        return CaseFacts(
            kind=self.kind,
            reference=row.reference,
            customer_id=row.customer_id,
            status=row.status.value,
            final=row.status in self.final,
            waiting=row.status == DeclarationStatus.RECEIVED,
            waiting_until=row.received_at + lifetime(self.purpose),
            promised_at=self.promised(row),
        )

    async def record(self, session: AsyncSession, row: Row, now: datetime, *, by_customer: bool = False) -> None:
        """Bring the case up to date, in the transaction of the change."""
        await record(session, self.facts_of(row), CaseEventType.STATUS_CHANGED, now, by_customer=by_customer)

    async def receive(self, context: Context, session: AsyncSession, row: Row) -> None:
        """Mail the receipt of what was declared without a login; notify open pages and staff."""
        await live.publish(session, row.customer_id, self.topic, row.received_at)
        await self.record(session, row, row.received_at, by_customer=True)
        await self.send_link(context, session, row)

    async def send_link(self, context: Context, session: AsyncSession, row: Row) -> LinkSent:
        """Mail the receipt, with a link that confirms the declaration or takes it back."""
        to = await addressee(session, row.customer_id)
        details = await self.details(context, session, row, to.locale)
        return await Links(context).send(session, self.purpose, _subject(row), to, self.template, details)

    async def settle(self, context: Context, session: AsyncSession, row: Row) -> None:
        """End the links of a declaration that was answered."""
        await Links(context).settle(session, self.purpose, _subject(row))
        await session.flush()

    async def changed(
        self,
        context: Context,
        session: AsyncSession,
        row: Row,
        now: datetime,
        template: Template,
        *,
        by_customer: bool,
        details: Details[Row] | None = None,
    ) -> None:
        """Settle the links, notify open pages and staff, and mail the new status."""
        row.updated_at = now
        await self.settle(context, session, row)
        await live.publish(session, row.customer_id, self.topic, now)
        await self.record(session, row, now, by_customer=by_customer)
        to = await addressee(session, row.customer_id)
        await Outbox(context).post(
            session,
            template,
            recipient=to.email,
            locale=to.locale,
            customer_id=row.customer_id,
            details=await (details or self.details)(context, session, row, to.locale),
        )

    def link_handler(self, confirm: Act, take_back: Act) -> LinkHandler:
        """The mailed link that confirms a declaration or takes it back (part-2 §10)."""

        async def row_of(session: AsyncSession, subject: Subject) -> Row:
            try:
                return await self.find(session, id=subject.key, customer_id=subject.customer_id, lock=True)
            except NotFound:
                raise Refused(Code.INVALID_HASH) from None

        async def about(context: Context, session: AsyncSession, subject: Subject) -> LinkAbout:
            row = await row_of(session, subject)
            account = await self.account(context, session, row, False)
            return LinkAbout(reference=row.reference, status=row.status, account=account, **self.about(row))

        async def answered(context: Context, session: AsyncSession, subject: Subject, answer: str) -> None:
            act = take_back if _answer(answer) is DeclarationAnswer.TAKE_BACK else confirm
            await act(context, session, await row_of(session, subject))

        async def renew(context: Context, session: AsyncSession, subject: Subject) -> LinkSent:
            row = await row_of(session, subject)
            if row.status != DeclarationStatus.RECEIVED:
                raise Refused(Code.LINK_USED)
            sent = await self.send_link(context, session, row)
            await wait_for_link(session, self.kind, row.reference, sent.expires_at, context.clock())
            return sent

        return LinkHandler(row_of, about, answered, renew)

    def back_office(self, name: str, moves: Mapping[StrEnum, Act]) -> BackOfficeCase:
        """What staff do with a declaration, each status by a step of its own.

        `name`: as in `BackOfficeCase`.
        """

        def status_of(row: Row) -> CurrentStatus:
            return CurrentStatus.of(row.reference, row.status, self.following(row))

        async def current_status(context: Context, reference: str) -> CurrentStatus:
            async with context.database.session() as session:
                return status_of(await self.find(session, reference=known_reference(reference)))

        async def move(
            context: Context, session: AsyncSession, reference: str, request: TransitionRequest
        ) -> Transition:
            if request.status not in case.targets:
                raise InvalidInput(Code.INVALID_INPUT, fields={"status": Code.INVALID_CHOICE})
            row = await self.find(session, lock=True, reference=known_reference(reference))
            before, target = row.status, statuses(request.status)
            if request.seen and request.seen != before:
                raise Conflict(Code.STATUS_CHANGED)
            if before is target:
                return status_of(row).after(before, changed=False)
            if target not in self.following(row):
                raise NotAllowed(before, target, status_of(row).possible)
            await moves[target](context, session, row, by_customer=False)
            return status_of(row).after(before, changed=True)

        statuses = type(next(iter(self.entries)))
        case = BackOfficeCase(name, statuses, current_status, move)
        return case

    def cases(
        self,
        back_office: BackOfficeCase,
        described: Callable[[AsyncSession, Sequence[Row]], Awaitable[Mapping[str, Mapping[str, Any]]]],
        of_bike: Callable[[BikeRow], Any] | None,
        *opened: ColumnElement[bool],
    ) -> CaseSubject:
        """What staff see of declarations.

        `described`: by reference, what the queue shows beside the status.
        `opened`: which declarations have a case of their own.
        """

        def label(status: StrEnum) -> LocalizedText:
            return LocalizedText.of(self.entries[status].desk or self.entries[status].label)

        async def lines(session: AsyncSession, references: Sequence[str]) -> dict[str, CaseLine]:
            rows = (await session.exec(select(self.table).where(col(self.table.reference).in_(references)))).all()
            values = await described(session, rows)
            return {
                row.reference: CaseLine(label(row.status), self.entries[row.status].tone, **values[row.reference])
                for row in rows
            }

        async def content(context: Context, session: AsyncSession, reference: str) -> CaseContent | None:
            """What the page of the case shows; None if the declaration is gone, or what it is about."""
            try:
                row = await self.find(session, reference=reference)
                account = await self.account(context, session, row, True)
            except NotFound:
                return None
            steps = [
                StatusStep(
                    status=status.value,
                    label=label(status),
                    sentence=LocalizedText.of(self.entries[status].meaning),
                    asks_note=False,
                    ends=status in self.final,
                )
                for status in self.following(row)
            ]
            line = (await lines(session, [reference]))[reference]
            return CaseContent(account, line, steps, self.order_numbers(row))

        async def facts(session: AsyncSession) -> list[tuple[CaseFacts, datetime, datetime]]:
            rows = await session.exec(select(self.table).where(*opened).order_by(col(self.table.id)))
            return [(self.facts_of(row), row.received_at, row.updated_at) for row in rows]

        return CaseSubject(back_office, lines, content, facts, of_bike)


def key_of(customer_id: int, about: str, key: str) -> str:
    """The hash by which the same press is recognised."""
    return hashlib.sha256(f"{customer_id}/{about}/{key}".encode()).hexdigest()


def _subject(row: Any) -> Subject:
    return Subject(row.id, row.customer_id)


def _answer(text: str) -> DeclarationAnswer:
    try:
        return DeclarationAnswer(text)
    except ValueError:
        code = Code.INVALID_CHOICE if text.strip() else Code.REQUIRED
        raise InvalidInput(Code.INVALID_INPUT, fields={"declaration": code}) from None


def declared_email(text: str) -> str:
    if not text.strip():
        raise InvalidInput(Code.MISSING_EMAIL_ADDRESS, fields={"email": Code.REQUIRED})
    try:
        return validation.email(text)
    except InvalidValue:
        raise InvalidInput(Code.INVALID_EMAIL, fields={"email": Code.INVALID_EMAIL}) from None


def declarant(text: str) -> str:
    try:
        return validation.required(text, _MAX_NAME)
    except InvalidValue as error:
        raise InvalidInput(Code.INVALID_INPUT, fields={"name": error.code}) from None
