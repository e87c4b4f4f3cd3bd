"""The service that implements the operations of returns."""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.pdf import DocumentError
from portal.backend.security import reader, shown_email
from portal.backend.sessions import Owner, Service
from portal.contract.errors import InvalidInput, NotFound, Refused, Unavailable
from portal.contract.models import Document, Locale, Page, Picture
from portal.conversations.provider.queries import asked_of, asked_words
from portal.kernel import validation
from portal.kernel.address import address_parts
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import InvalidValue, is_short_id
from portal.links.api import LinkSent
from portal.links.provider import Links, Subject
from portal.login.provider.queries import addressee
from portal.orders.provider.queries import line_picture
from portal.pictures.provider.lookup import ArticlePicture, pictures_of_lines
from portal.returns.api import (
    BatteryAnswer,
    OwnRefundAccount,
    PendingConfirmation,
    ReturnDetail,
    ReturnedItem,
    ReturnEvent,
    ReturnsApi,
    ReturnStore,
    ReturnSummary,
)
from portal.returns.provider import confirmation
from portal.returns.provider.account import account_of, status_of, title_of
from portal.returns.provider.documents import label_pdf, summary_pdf
from portal.returns.provider.queries import ReturnedUnit, ReturnQueries
from portal.returns.provider.refunds import enter_account, takes_account
from portal.returns.provider.return_case import ReturnCase, battery_asked, case_of, may_be_sent, status_now
from portal.returns.provider.transitions import change_status
from portal.setting_groups import Brand
from portal.settings import Settings
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderLineRow, PartnerRow
from portal.tables.returns import ReturnEventRow, ReturnRow
from portal.vocabulary import returns
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import CANCELLABLE, NEVER_REQUESTED, RETURNS, ReturnKind, ReturnMethod, ReturnStatus

_LABEL: dict[Locale, str] = {"nl": "label", "en": "label"}
_SLIP: dict[Locale, str] = {"nl": "inleverbon", "en": "drop-off-slip"}
_RETURN: dict[Locale, str] = {"nl": "retour", "en": "return"}
_EXCHANGE: dict[Locale, str] = {"nl": "omruiling", "en": "exchange"}
"""File names of the documents."""


class ReturnsService(Service, ReturnsApi):
    @override
    async def returns(self, token: str, page: int = 1) -> Page[ReturnSummary]:
        async with self._sessions.reading(token) as (owner, session):
            now = self._context.clock()
            queries = ReturnQueries(session, owner.customer_id)
            part = await queries.part(page)
            units = await queries.units(part.rows)
            asked = await asked_of(session, owner.customer_id)
            cases = [ReturnCase(row, status_now(row, now), units.get(row.id, [])) for row in part.rows]
            shown = [line.id for case in cases for line in shown_lines(case)]
            found = await pictures_of_lines(session, owner.customer_id, shown)
        return Page(
            items=[
                summary(case, found, can_resend=can_resend(case.row, now), asked=case.row.reference in asked)
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
        case, found = await self._pictured(token, return_id)
        if not has_label(case.row, case.status):
            raise Refused(Code.RETURN_WITHOUT_LABEL)
        name = _SLIP if case.row.method is ReturnMethod.STORE else _LABEL
        return await _document(name[locale], case, label_pdf(case, locale, self._settings.of(case.source), found))

    @override
    async def return_summary_pdf(self, token: str, return_id: str, locale: Locale) -> Document:
        case, found = await self._pictured(token, return_id)
        name = _EXCHANGE if case.row.kind is ReturnKind.EXCHANGE else _RETURN
        return await _document(name[locale], case, summary_pdf(case, locale, self._settings.of(case.source), found))

    async def _pictured(self, token: str, return_id: str) -> tuple[ReturnCase, Mapping[int, ArticlePicture]]:
        async with self._sessions.reading(token) as (owner, session):
            case = await case_of(session, await self._get(session, owner, return_id), self._context.clock())
            return case, await pictures_of_lines(session, owner.customer_id, [unit.line.id for unit in case.units])

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
                email=link.email if link else shown_email((await addressee(session, row.customer_id)).email),
                expires_at=link.expires_at if link else ended,
                expired=status is ReturnStatus.EXPIRED,
                failed=bool(link and link.failed),
                can_resend=can_resend(row, now),
            )
        events = await queries.events(row)
        found = await pictures_of_lines(session, row.customer_id, [unit.line.id for unit in case.units])
        return detail(case, bikes, events, pending, self._settings.of(case.source).brand, found)


async def _document(name: str, case: ReturnCase, drawn: Awaitable[bytes]) -> Document:
    try:
        content = await drawn
    except DocumentError as error:
        raise Unavailable(Code.PDF_FAILED) from error
    return Document(name=f"{name}-{case.row.reference}.pdf", media_type="application/pdf", content=content)


def can_resend(row: ReturnRow, now: datetime) -> bool:
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


def returned_items(
    units: Sequence[ReturnedUnit], bikes: Mapping[int, Sequence[BikeRow]], found: Mapping[int, ArticlePicture]
) -> list[ReturnedItem]:
    """Group units by order line; `found` is what is known of the pictures of lines."""
    lines: dict[int, list[ReturnedUnit]] = {}
    for unit in units:
        lines.setdefault(unit.line.id, []).append(unit)
    return [
        ReturnedItem(
            name=own[0].line.name_in(reader()),
            picture=line_picture(own[0].line, found),
            item_color=own[0].line.color_in(reader()),
            frame_size=own[0].line.frame_size,
            frame_numbers=[bike.frame_number for bike in bikes.get(key, ()) if bike.frame_number],
            count=len(own),
            received=sum(unit.unit.received for unit in own),
            given_back=sum(unit.unit.released_at is not None for unit in own),
        )
        for key, own in lines.items()
    ]


_PICTURES = 3
"""Items of a return that the list shows; the others are named."""


def shown_lines(case: ReturnCase) -> list[OrderLineRow]:
    return list({unit.line.id: unit.line for unit in case.units}.values())[:_PICTURES]


def summary(
    case: ReturnCase,
    found: Mapping[int, ArticlePicture],
    *,
    can_resend: bool,
    asked: bool = False,
) -> ReturnSummary:
    row, units = case.row, case.units
    label, meaning = asked_words() if asked else status_of(case)
    pictures = [line_picture(line, found) for line in shown_lines(case)]
    return ReturnSummary(
        return_id=row.public_id,
        reference=row.reference,
        kind=row.kind,
        status=case.status,
        title=title_of(row.kind, units),
        label=label,
        meaning=meaning,
        order_number=row.order_number,
        order_numbers=case.order_numbers,
        requested_on=local_day(row.created_at),
        picture=pictures[0] if pictures else Picture(),
        others=pictures[1:],
        can_resend=can_resend,
        asked=asked,
    )


def detail(
    case: ReturnCase,
    bikes: Mapping[int, Sequence[BikeRow]],
    events: Sequence[ReturnEventRow],
    pending: PendingConfirmation | None,
    brand: Brand,
    found: Mapping[int, ArticlePicture],
) -> ReturnDetail:
    """Map a return with everything that its page shows; `found` is what is known of the pictures of lines."""
    row, status = case.row, case.status
    requested = status not in NEVER_REQUESTED
    return ReturnDetail(
        return_id=row.public_id,
        reference=row.reference,
        kind=row.kind,
        status=status,
        account=account_of(case, brand),
        order_number=row.order_number,
        order_numbers=case.order_numbers,
        items=returned_items(case.units, bikes, found),
        method=row.method,
        store=_store(case.store) if case.store else None,
        timeline=[_event(case, event) for event in events if requested and event.status not in NEVER_REQUESTED],
        pending=pending,
        can_cancel=status in CANCELLABLE,
        has_label=has_label(row, status),
        battery_asked=battery_asked(row),
        instructions=row.urgent,
        account_wanted=takes_account(row, exported=case.exported),
    )


def _event(case: ReturnCase, event: ReturnEventRow) -> ReturnEvent:
    label, meaning = status_of(replace(case, status=event.status))
    return ReturnEvent(label=label, meaning=meaning, note=event.note, happened_at=event.created_at)


def has_label(row: ReturnRow, status: ReturnStatus) -> bool:
    """Whether a label can be downloaded: the items may travel and have not arrived."""
    travels = row.method is not ReturnMethod.NONE or row.kind is ReturnKind.WITHDRAWAL
    return travels and may_be_sent(row) and status in CANCELLABLE - NEVER_REQUESTED


def _store(row: PartnerRow) -> ReturnStore:
    return ReturnStore(name=row.name, **address_parts(row), phone=row.phone)
