"""Papers about a delivery: the change of its day, and the appointment."""

from __future__ import annotations

import structlog
from typing_extensions import override

from portal.contract.base import Document, Locale
from portal.contract.deliveries_api import DeliveriesApi
from portal.contract.errors import NotFound, Unavailable
from portal.domain.address import address_lines
from portal.domain.codes import Code
from portal.provider.documents.delivery_paper import DeliveryPaper, delivery_calendar, render_date_change
from portal.provider.documents.engine import DocumentError
from portal.provider.repositories.date_changes import DateChangeRepository
from portal.provider.repositories.orders import OrderRepository
from portal.provider.services.delivery_shapes import known_number
from portal.provider.services.service import Service
from portal.provider.tables.orders import AddressRole
from portal.texts import gettext_for
from portal.vocabulary.deliveries import ALL_DAY, FINISHED_DELIVERY, current_status

log = structlog.get_logger(__name__)


class DeliveryDocumentService(Service, DeliveriesApi):
    """Operations on documents about a delivery."""

    @override
    async def delivery_date_pdf(self, token: str, order_number: str, locale: Locale) -> Document:
        async with self._sessions.reading(token) as (owner, session):
            known_number(order_number)
            orders = OrderRepository(session, owner.customer_id)
            order = await orders.get(order_number)
            change = await DateChangeRepository(session, owner.customer_id).latest(order)
            lines = await orders.lines(order)
        if change is None:
            raise NotFound
        paper = DeliveryPaper(
            order_number=order_number,
            reference=change.reference,
            status=current_status(change.status, change.link_expires_at, self._context.clock()),
            original_day=change.original_day,
            new_day=change.new_day,
            from_time=change.from_time,
            until_time=change.until_time,
            requested_at=change.created_at,
            items=tuple(line.name for line, _ in lines),
            note=change.note,
        )
        try:
            content = await render_date_change(paper, locale, self._context.settings.brand)
        except DocumentError as error:
            log.error("document failed", document="delivery date", kind=type(error).__name__)
            raise Unavailable(Code.PDF_FAILED) from None
        _ = gettext_for(locale)
        name = _("Delivery day {reference}.pdf").format(reference=change.reference)
        return Document(name=name, media_type="application/pdf", content=content)

    @override
    async def delivery_calendar(self, token: str, order_number: str, locale: Locale) -> Document:
        async with self._sessions.reading(token) as (owner, session):
            known_number(order_number)
            orders = OrderRepository(session, owner.customer_id)
            order = await orders.get(order_number)
            lines = await orders.lines(order)
            address = (await orders.addresses(order))[AddressRole.SHIPPING]
        if order.scheduled_day is None or order.delivery_status in FINISHED_DELIVERY:
            raise NotFound
        usual = f"{ALL_DAY[0]:%H:%M}", f"{ALL_DAY[1]:%H:%M}"
        content = delivery_calendar(
            self._context.settings,
            locale,
            order_number=order_number,
            items=tuple(line.name for line, _ in lines),
            on=order.scheduled_day,
            window=(order.scheduled_from or usual[0], order.scheduled_until or usual[1]),
            where=address_lines(address).joined,
            made_at=self._context.clock(),
        )
        _ = gettext_for(locale)
        name = _("Delivery {order}.ics").format(order=order_number)
        return Document(name=name, media_type="text/calendar", content=content)
