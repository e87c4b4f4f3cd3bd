"""The service that implements the operations of returns."""

from __future__ import annotations

from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.pdf import DocumentError
from portal.backend.security import shown_email
from portal.backend.sessions import Owner, Service
from portal.contract.errors import InvalidInput, NotFound, Refused, Unavailable
from portal.contract.models import Document, Locale, Page
from portal.conversations.provider.asked import asked_of
from portal.flow import AnswerContext
from portal.flow.provider.facts import facts_of, handler_of, journey_of
from portal.flow.provider.queries import DraftQueries
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import InvalidValue, is_short_id
from portal.links.api import LinkSent
from portal.links.provider import Links, Subject
from portal.pictures.provider.lookup import pictures_of_lines
from portal.returns.api import (
    BatteryAnswer,
    OwnRefundAccount,
    PendingConfirmation,
    Returnables,
    ReturnDetail,
    ReturnsApi,
    ReturnSummary,
    Settlement,
)
from portal.returns.provider import confirmation, mapping
from portal.returns.provider.account import ReturnCase, case_of, status_now
from portal.returns.provider.documents import label_pdf, summary_pdf
from portal.returns.provider.entries import item_entries, order_entries
from portal.returns.provider.handlers import everything
from portal.returns.provider.mails import addressee
from portal.returns.provider.queries import ReturnQueries
from portal.returns.provider.refunds import enter_account
from portal.returns.provider.stock import StockQueries
from portal.returns.provider.transitions import change_status
from portal.returns.rules.units import why_nothing
from portal.settings import Settings
from portal.tables.returns import ReturnRow
from portal.vocabulary import returns
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import RETURNS, ReturnKind, ReturnMethod, ReturnStatus

_LABEL: dict[Locale, str] = {"nl": "label", "en": "label"}
_SLIP: dict[Locale, str] = {"nl": "inleverbon", "en": "drop-off-slip"}
_RETURN: dict[Locale, str] = {"nl": "retour", "en": "return"}
_EXCHANGE: dict[Locale, str] = {"nl": "omruiling", "en": "exchange"}
"""File names of the documents."""


class ReturnsService(Service, ReturnsApi):
    @override
    async def returnables(self, token: str, order_number: str = "") -> Returnables:
        async with self._sessions.reading(token) as (owner, session):
            number = known_order_number(order_number, self._settings) if order_number else ""
            now = self._context.clock()
            stock = await StockQueries(session, owner.customer_id, now).all(number)
        if number and not stock:
            raise Refused(Code.ORDER_ID_NOT_FOUND)
        items = item_entries(stock, local_day(now), everything)
        reasons = [entry["refusal"] for entry in items]
        refusal = None if "" in reasons else why_nothing(Code(reason) for reason in reasons)
        return mapping.returnables(number, items, order_entries(stock, local_day(now)), refusal)

    @override
    async def refund_preview(self, token: str, draft_id: str) -> Settlement:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(draft_id):
                raise NotFound
            now = self._context.clock()
            day = local_day(now)
            row = await DraftQueries(session, owner.customer_id, now).get(draft_id)
            if row.sent_at is not None:
                return mapping.settlement(dict(row.receipt.get("summary", {})).get("settlement", {}))
            handler = handler_of(row.flow)
            facts = await facts_of(self._context, session, owner, handler, row.public_id, row.answers)
        answers = AnswerContext(journey_of(handler, row, day, facts).given(), facts, day)
        settle = handler.flow.settlement
        return mapping.settlement(settle(answers).to_json() if settle else {})

    @override
    async def returns(self, token: str, page: int = 1) -> Page[ReturnSummary]:
        async with self._sessions.reading(token) as (owner, session):
            now = self._context.clock()
            queries = ReturnQueries(session, owner.customer_id)
            part = await queries.part(page)
            units = await queries.units(part.rows)
            asked = await asked_of(session, owner.customer_id)
            cases = [ReturnCase(row, status_now(row, now), units.get(row.id, [])) for row in part.rows]
            shown = [line.id for case in cases for line in mapping.shown_lines(case)]
            found = await pictures_of_lines(session, owner.customer_id, shown)
        return Page(
            items=[
                mapping.summary(case, found, can_resend=can_resend(case.row, now), asked=case.row.reference in asked)
                for case in cases
            ],
            page=part.place.page,
            pages=part.place.pages,
            total=part.place.total,
        )

    @override
    async def return_detail(self, token: str, return_id: str) -> ReturnDetail:
        async with self._sessions.reading(token) as (owner, session):
            return await self._detail(session, await self._get(session, owner, return_id))

    @override
    async def cancel_return(self, token: str, return_id: str) -> ReturnDetail:
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            row = await self._get(session, owner, return_id, lock=True)
            if row.status is not ReturnStatus.CANCELLED:
                if not RETURNS.allows(status_now(row, self._context.clock()), ReturnStatus.CANCELLED):
                    raise Refused(Code.RETURN_NOT_CANCELLABLE)
                await change_status(self._context, session, row, ReturnStatus.CANCELLED, by_customer=True)
                subject = Subject(row.id, row.customer_id)
                await Links(self._context).withdraw(session, LinkPurpose.ORDER_RETURN, subject)
            return await self._detail(session, row)

    @override
    async def resend_return(self, token: str, return_id: str) -> LinkSent:
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            row = await self._get(session, owner, return_id, lock=True)
            return await confirmation.renew_return(self._context, session, Subject(row.id, row.customer_id))

    @override
    async def answer_battery(self, token: str, entry: BatteryAnswer) -> ReturnDetail:
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            row = await self._get(session, owner, entry.return_id, lock=True)
            await confirmation.answer_battery(self._context, session, row, entry.battery)
            return await self._detail(session, row)

    @override
    async def name_refund_account(self, token: str, entry: OwnRefundAccount) -> ReturnDetail:
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            row = await self._get(session, owner, entry.return_id, lock=True)
            await enter_account(self._context, session, row, entry, None)
            return await self._detail(session, row)

    @override
    async def return_label(self, token: str, return_id: str, locale: Locale) -> Document:
        async with self._sessions.reading(token) as (owner, session):
            case = await self._case(session, owner, return_id)
            found = await pictures_of_lines(session, owner.customer_id, [unit.line.id for unit in case.units])
        if not mapping.has_label(case.row, case.status):
            raise Refused(Code.RETURN_WITHOUT_LABEL)
        try:
            content = await label_pdf(case, locale, self._settings.of(case.source), found)
        except DocumentError as error:
            raise Unavailable(Code.PDF_FAILED) from error
        name = _SLIP if case.row.method is ReturnMethod.STORE else _LABEL
        return Document(name=f"{name[locale]}-{case.row.reference}.pdf", media_type="application/pdf", content=content)

    @override
    async def return_summary_pdf(self, token: str, return_id: str, locale: Locale) -> Document:
        async with self._sessions.reading(token) as (owner, session):
            case = await self._case(session, owner, return_id)
            found = await pictures_of_lines(session, owner.customer_id, [unit.line.id for unit in case.units])
        try:
            content = await summary_pdf(case, locale, self._settings.of(case.source), found)
        except DocumentError as error:
            raise Unavailable(Code.PDF_FAILED) from error
        name = _EXCHANGE if case.row.kind is ReturnKind.EXCHANGE else _RETURN
        return Document(name=f"{name[locale]}-{case.row.reference}.pdf", media_type="application/pdf", content=content)

    async def _get(self, session: AsyncSession, owner: Owner, return_id: str, *, lock: bool = False) -> ReturnRow:
        if not return_id.strip():
            raise InvalidInput(Code.MISSING_ID_PARAM, fields={"return_id": Code.REQUIRED})
        if not is_short_id(return_id):
            raise Refused(Code.ITEM_RETURN_DOES_NOT_EXIST)
        try:
            return await ReturnQueries(session, owner.customer_id).get(return_id, lock=lock)
        except NotFound:
            # The answer does not reveal whether another customer has it.
            raise Refused(Code.ITEM_RETURN_DOES_NOT_EXIST) from None

    async def _case(self, session: AsyncSession, owner: Owner, return_id: str) -> ReturnCase:
        return await case_of(session, await self._get(session, owner, return_id), self._context.clock())

    async def _detail(self, session: AsyncSession, row: ReturnRow) -> ReturnDetail:
        now = self._context.clock()
        queries = ReturnQueries(session, row.customer_id)
        case = await case_of(session, row, now)
        bikes = await queries.bikes(case.units)
        status = case.status
        pending = None
        if status in returns.NEVER_REQUESTED:
            subject = Subject(row.id, row.customer_id)
            link = await Links(self._context).pending(session, LinkPurpose.ORDER_RETURN, subject)
            # The link of an expired return may have been deleted.
            ended = row.confirm_until or row.updated_at
            pending = PendingConfirmation(
                email=link.email if link else shown_email((await addressee(session, row)).email),
                expires_at=link.expires_at if link else ended,
                resend_at=link.resend_at if link else ended,
                expired=status is ReturnStatus.EXPIRED,
                failed=bool(link and link.failed),
                can_resend=can_resend(row, now),
            )
        events = await queries.events(row)
        found = await pictures_of_lines(session, row.customer_id, [unit.line.id for unit in case.units])
        return mapping.detail(case, bikes, events, pending, self._settings.of(case.source).brand, found)


def can_resend(row: ReturnRow, now: datetime) -> bool:
    """Whether the confirmation link of a return can be mailed again."""
    status = status_now(row, now)
    return status is ReturnStatus.PENDING_CONFIRMATION or (
        status is ReturnStatus.EXPIRED and confirmation.in_time(row, now)
    )


def known_order_number(text: str, settings: Settings) -> str:
    """Validate an order number of the shop and normalise its form."""
    try:
        return validation.order_number(text, settings.order_number)
    except InvalidValue:
        raise InvalidInput(Code.INVALID_ORDER, fields={"order_number": Code.INVALID_ORDER_ID}) from None
