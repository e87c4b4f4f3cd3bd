"""The operations on work orders and their documents (part-1 §2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import structlog
from typing_extensions import override

from portal.backend.bike_names import bike_mark
from portal.backend.cases import hide
from portal.backend.pdf import DocumentError
from portal.backend.service import Service
from portal.bikes.api import ServiceRequest
from portal.contract.account import LocalizedText
from portal.contract.errors import NotFound, Unavailable
from portal.contract.models import REFERENCE_FORM, Document, Locale, Page
from portal.conversations.provider.asked import asked_account, asked_of
from portal.flow.provider.facts import upload_of
from portal.flow.provider.queries import sent_uploads
from portal.kernel.address import address_parts
from portal.kernel.codes import Code
from portal.kernel.validation import is_reference
from portal.settings import Settings
from portal.tables.drafts import UploadRow
from portal.tables.orders import PartnerRow
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, Actor, status_words
from portal.work_orders.api import RequestDetail, RequestEvent, RequestPartner, WorkOrdersApi
from portal.work_orders.provider.account import account_of, handover_of, waits
from portal.work_orders.provider.confirmation import (
    Confirmation,
    calendar_document,
    confirmation_document,
    confirmation_of,
    title_and_description,
)
from portal.work_orders.provider.queries import (
    BikeRequest,
    RequestQueries,
    ServiceProductService,
    WholeRequest,
    own_request,
)

log = structlog.get_logger(__name__)


class RequestDocumentService(Service, WorkOrdersApi):
    """Implements the operations for the PDF and the calendar file of a request."""

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
            if not re.fullmatch(REFERENCE_FORM, reference):
                raise NotFound
            confirmation = confirmation_of(await own_request(session, owner.customer_id, reference), locale)
        if self._sessions.visit(token):
            confirmation = replace(confirmation, account=hide(confirmation.account))
        return confirmation, self._settings.of(owner.source)


class WorkOrdersService(RequestDocumentService, ServiceProductService):
    """Implements all operations of `WorkOrdersApi`."""

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
            if not is_reference(reference):
                raise NotFound
            found = await RequestQueries(session, owner.customer_id).get(reference)
            files = await sent_uploads(session, owner.customer_id, found.request.draft_key)
            return detail(found, files, owner.locale)


def detail(found: WholeRequest, files: Iterable[UploadRow], locale: Locale) -> RequestDetail:
    """Build the API model of one request, in the language of the reader."""
    entry = BikeRequest(found.request, found.bike, found.partner, found.picture, found.departure)
    in_list = to_service_request(entry, locale)
    return RequestDetail(
        **in_list.model_dump(),
        frame_number=found.bike.frame_number or "",
        partner=_partner(found.partner) if found.partner else None,
        events=_events(found.request, found.events) or [_beginning(found.request)],
        files=[upload_of(file) for file in files],
    )


def to_service_request(entry: BikeRequest, locale: Locale, *, asked: bool = False) -> ServiceRequest:
    """Build the API model of a request in the list, in the language of the reader; `asked`: it waits for an answer."""
    row, partner = entry.request, entry.partner
    title, description = title_and_description(row, locale)
    return ServiceRequest(
        reference=row.reference,
        kind=row.kind,
        status=row.status,
        title=title,
        description=description,
        planned_date=None if waits(row, entry.departure) else row.planned_date,
        created_at=row.created_at,
        closed=row.status in CLOSED_WORK_ORDER,
        bike_id=entry.bike.public_id,
        bike_name=entry.bike.name_in(locale),
        bike_mark=bike_mark(entry.bike, locale),
        picture=entry.picture,
        partner_name=partner.name if partner else "",
        partner_phone=partner.phone if partner else "",
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
        name=row.name,
        location_type=row.location_type,
        phone=row.phone,
        email=row.email,
        **address_parts(row),
    )
