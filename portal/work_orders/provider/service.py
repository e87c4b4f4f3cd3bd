"""The operations on work orders and their documents (part-1 §2), and what staff see of their cases."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from datetime import date, datetime
from typing import Any

import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.backoffice import known_reference
from portal.backend.bike_names import bike_in_full, bike_mark
from portal.backend.cases import CaseContent, CaseFacts, CaseLine, CaseSubject, StatusStep, beginning, hide
from portal.backend.context import Context
from portal.backend.pdf import DocumentError
from portal.backend.security import reader
from portal.backend.sessions import Service
from portal.bikes.api import ServiceRequest
from portal.bikes.provider.queries import BikeQueries, OwnedBike, departure_of_bike
from portal.contract.account import LocalizedText
from portal.contract.errors import NotFound, Refused, Unavailable
from portal.contract.models import Document, Locale, Page
from portal.conversations.provider.queries import asked_account, asked_of
from portal.flow.provider.facts import upload_of
from portal.flow.provider.queries import sent_uploads
from portal.kernel.address import address_parts
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import is_short_id
from portal.settings import Settings
from portal.tables.bikes import BikeRow
from portal.tables.drafts import UploadRow
from portal.tables.orders import OrderRow, PartnerRow
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.vocabulary.departures import OF_REQUESTS, Dependent, outcome, refusal
from portal.vocabulary.work_orders import (
    CLOSED_WORK_ORDER,
    MAILED_STATUSES,
    WORK_ORDERS,
    Actor,
    RequestKind,
    WorkOrderStatus,
    desk_words,
    request_tone,
    status_words,
)
from portal.work_orders.api import RequestDetail, RequestEvent, RequestPartner, ServiceDue, ServiceOffer, WorkOrdersApi
from portal.work_orders.provider.account import account_of, day_ahead, handover_of, status_of, waits
from portal.work_orders.provider.backoffice import WORK_ORDER, allowed, facts_of
from portal.work_orders.provider.confirmation import (
    Confirmation,
    calendar_document,
    confirmation_document,
    confirmation_of,
    title_and_description,
)
from portal.work_orders.provider.queries import (
    BikeRequest,
    History,
    RequestQueries,
    ServiceProductQueries,
    drive_of,
    history,
    own_request,
)
from portal.work_orders.rules import due

log = structlog.get_logger(__name__)


class WorkOrdersService(Service, WorkOrdersApi):
    @override
    async def service_requests(self, token: str, page: int = 1) -> Page[ServiceRequest]:
        async with self._sessions.reading(token) as (owner, session):
            entries, place = await RequestQueries(session, owner.customer_id).part(page)
            asked = await asked_of(session, owner.customer_id)
        return Page(
            items=[
                to_service_request(entry, owner.locale, asked=entry.request.reference in asked) for entry in entries
            ],
            page=place.page,
            pages=place.pages,
            total=place.total,
        )

    @override
    async def service_request(self, token: str, reference: str) -> RequestDetail:
        async with self._sessions.reading(token) as (owner, session):
            known_reference(reference)
            found = await own_request(session, owner.customer_id, reference)
            events = await history(session, found.request.id)
            files = await sent_uploads(session, owner.customer_id, found.request.draft_key)
            return detail(found, events, files, owner.locale)

    @override
    async def request_document(self, token: str, reference: str, locale: Locale) -> Document:
        confirmation, settings = await self._confirmation(token, reference, locale)
        try:
            return await confirmation_document(confirmation, settings)
        except DocumentError as error:
            log.error("confirmation_not_made", request=reference, kind=type(error.__cause__ or error).__name__)
            raise Unavailable(Code.PDF_FAILED) from error

    @override
    async def request_calendar(self, token: str, reference: str, locale: Locale) -> Document:
        confirmation, settings = await self._confirmation(token, reference, locale)
        if confirmation.appointment is None:
            raise NotFound
        return calendar_document(confirmation, settings)

    async def _confirmation(self, token: str, reference: str, locale: Locale) -> tuple[Confirmation, Settings]:
        """The confirmation of a request, and the settings of the shop of its customer."""
        async with self._sessions.reading(token) as (owner, session):
            known_reference(reference)
            confirmation = confirmation_of(await own_request(session, owner.customer_id, reference), locale)
        if self._sessions.visit(token):
            confirmation = replace(confirmation, account=hide(confirmation.account))
        return confirmation, self._settings.of(owner.source)

    @override
    async def service_products(self, token: str, bike_id: str) -> ServiceOffer:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            owned = await BikeQueries(session, owner.customer_id).get(bike_id)
            products = ServiceProductQueries(session, owner.customer_id)
            if not await products.combination_holds(owned.bike):
                raise Refused(Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID)
            drive, package = drive_of(owned.bike), owned.package
            day = local_day(self._context.clock())
            return ServiceOffer(
                drive=drive,
                service_package=package,
                products=await products.offers(drive, package, day),
                due=service_due(owned, await products.history(owned.bike), day),
            )


def service_due(owned: OwnedBike, past: History, day: date) -> ServiceDue:
    bike = owned.bike
    start = bike.delivered_on or local_day(owned.order.ordered_at)
    found = due(start, past.done, past.last, bike.mileage, day)
    return ServiceDue(**asdict(found), mileage=bike.mileage, mileage_at=bike.mileage_at, last=past.last)


def detail(
    found: BikeRequest, events: Sequence[WorkOrderEventRow], files: Iterable[UploadRow], locale: Locale
) -> RequestDetail:
    """Build the API model of one request, in the language of the reader. `events` are oldest first."""
    return RequestDetail(
        **to_service_request(found, locale).model_dump(),
        frame_number=found.bike.frame_number or "",
        partner=_partner(found.partner) if found.partner else None,
        events=_events(found.request, events) or [_beginning(found.request)],
        files=[upload_of(file) for file in files],
    )


def to_service_request(entry: BikeRequest, locale: Locale, *, asked: bool = False) -> ServiceRequest:
    """Build the API model of a request in the list, in the language of the reader; `asked`: it waits for an answer."""
    row, partner = entry.request, entry.partner
    return ServiceRequest(
        reference=row.reference,
        kind=row.kind,
        status=row.status,
        title=title_and_description(row, locale)[0],
        planned_date=None if waits(row, entry.departure) else row.planned_date,
        created_at=row.created_at,
        closed=row.status in CLOSED_WORK_ORDER,
        bike_id=entry.bike.public_id,
        bike_mark=bike_mark(entry.bike, locale),
        picture=entry.picture,
        partner_name=partner.name if partner else "",
        account=asked_account(account_of(row, entry.bike, partner, departure=entry.departure), asked=asked),
        asked=asked,
    )


def _beginning(row: RequestRow) -> RequestEvent:
    """The first event, for a request without history: one that was not created by the portal."""
    return _event(
        row,
        WorkOrderEventRow(request_id=row.id, status=row.status, actor=Actor.CUSTOMER, happened_at=row.created_at),
        planned=row.planned_date is not None,
    )


def _events(row: RequestRow, events: Sequence[WorkOrderEventRow]) -> list[RequestEvent]:
    """The events in order, each in the words of what was known then."""
    days = [*(event.planned_date for event in events[:-1]), row.planned_date]
    return [_event(row, event, planned=any(days[: place + 1])) for place, event in enumerate(events)]


def _event(row: RequestRow, event: WorkOrderEventRow, *, planned: bool) -> RequestEvent:
    label, meaning = status_words(row.kind, event.status, handover_of(row), planned=planned)
    return RequestEvent(
        happened_at=event.happened_at,
        status=event.status,
        label=LocalizedText.of(label),
        meaning=LocalizedText.of(meaning),
        note=event.note,
        planned_date=event.planned_date,
    )


def _partner(row: PartnerRow) -> RequestPartner:
    return RequestPartner(
        name=row.name, location_type=row.location_type, phone=row.phone, email=row.email, **address_parts(row)
    )


async def lines(session: AsyncSession, references: Sequence[str]) -> dict[str, CaseLine]:
    query: Any = (
        select(RequestRow, BikeRow)
        .join(BikeRow, col(BikeRow.id) == RequestRow.bike_id)
        .where(col(RequestRow.reference).in_(references))
    )
    return {row.reference: _line(row, bike) for row, bike in await session.exec(query)}


def _line(row: RequestRow, bike: BikeRow) -> CaseLine:
    return CaseLine(
        label=LocalizedText.of(desk_words(row.kind, row.status, handover_of(row))),
        tone=request_tone(row.status),
        what=LocalizedText.each(lambda locale: title_and_description(row, locale)[0]),
        quote=beginning(_written(row)),
        item=bike_in_full(bike, reader()),
        files=len((row.details or {}).get("files", ())),
        bike_id=bike.id,
        planned=row.planned_date,
    )


def _written(row: RequestRow) -> str:
    """What the customer wrote about a repair or claim; a service has no text."""
    if row.kind is RequestKind.SERVICE:
        return ""
    if row.kind is RequestKind.CLAIM:
        return str((row.details or {}).get("cause", row.description))
    texts = [str(text) for name, text in (row.details or {}).items() if name.startswith("details_")]
    return texts[0] if texts else row.description


async def content(_context: Context, session: AsyncSession, reference: str) -> CaseContent | None:
    query: Any = (
        select(RequestRow, BikeRow, PartnerRow, OrderRow.order_number)
        .join(BikeRow, col(BikeRow.id) == RequestRow.bike_id)
        .join(OrderRow, col(OrderRow.id) == BikeRow.order_id)
        .join(PartnerRow, col(PartnerRow.id) == RequestRow.partner_id, isouter=True)
        .where(RequestRow.reference == reference)
    )
    found = (await session.exec(query)).one_or_none()
    if found is None:
        return None
    row, bike, partner, order_number = found
    departure = await departure_of_bike(session, bike)
    account = account_of(row, bike, partner, departure=departure)
    staff = outcome(departure, OF_REQUESTS[row.kind]).staff if waits(row, departure) else ""
    return CaseContent(
        account=hide(account.model_copy(update={"meaning": LocalizedText.of(staff)}) if staff else account),
        line=_line(row, bike),
        steps=[
            _step(row, bike, partner, status)
            for status in allowed(WORK_ORDERS[row.kind].following(row.status), departure, row.status)
        ],
        order_numbers=[order_number],
        file_keys=(row.draft_key or "",),
        can_plan=row.status not in CLOSED_WORK_ORDER and refusal(departure, Dependent.BACK_OFFICE) is None,
        labels={
            status.value: LocalizedText.of(desk_words(row.kind, status, handover_of(row))) for status in WorkOrderStatus
        },
        messages={event.happened_at: event.note for event in await history(session, row.id) if event.note},
    )


def _step(row: RequestRow, bike: BikeRow, partner: PartnerRow | None, status: WorkOrderStatus) -> StatusStep:
    sentence = account_of(row, bike, partner, status=status).meaning
    _, with_day = status_of(row, status, day_ahead(row, status, date.max))
    return StatusStep(
        status=status.value,
        label=LocalizedText.of(desk_words(row.kind, status, handover_of(row))),
        sentence=sentence,
        with_day=with_day if with_day != sentence else LocalizedText(),
        mailed=status in MAILED_STATUSES,
        ends=status in WORK_ORDERS[row.kind].ends,
    )


async def facts(session: AsyncSession) -> list[tuple[CaseFacts, datetime, datetime]]:
    rows = await session.exec(select(RequestRow).order_by(col(RequestRow.id)))
    return [(facts_of(row), row.created_at, row.updated_at) for row in rows]


def of_bike(bike: BikeRow) -> Any:
    return select(RequestRow.reference).where(RequestRow.bike_id == bike.id)


WORK_ORDER_CASES = CaseSubject(WORK_ORDER, lines, content, facts, of_bike)
