"""Documents about a delivery: the PDF of a request for another day, and the calendar file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlsplit

import segno
import structlog
from icalendar import Calendar, Event
from typing_extensions import override

from portal.backend.letter import clock, day, footer, weekday
from portal.backend.pdf import DocumentError, compile_pdf, in_thread
from portal.backend.service import Service
from portal.contract.errors import NotFound, Unavailable
from portal.contract.models import Document, Locale
from portal.deliveries.api import DeliveriesApi
from portal.deliveries.provider.moving import known_number
from portal.deliveries.provider.queries import DateChangeRepository
from portal.kernel.address import address_lines, readable_phone
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import gettext_for
from portal.kernel.validation import in_groups
from portal.orders.provider.invoice_document import picture
from portal.orders.provider.queries import OrderRepository
from portal.settings import Brand, Settings
from portal.tables.orders import AddressRole
from portal.vocabulary.deliveries import (
    ALL_DAY,
    DATE_CHANGE_LABELS,
    DATE_CHANGE_MEANINGS,
    DATE_CHANGE_STEPS,
    FINISHED_DELIVERY,
    PENDING,
    DateChangeStatus,
    current_status,
)

INK = "#12231e"


@dataclass(frozen=True, slots=True)
class DeliveryDocument:
    """The data of the PDF. Days are local; `requested_at` is in UTC."""

    order_number: str
    reference: str
    status: DateChangeStatus
    original_day: date
    new_day: date
    from_time: str
    until_time: str
    requested_at: datetime
    items: tuple[str, ...]
    note: str = ""


def date_change_pdf(facts: DeliveryDocument, locale: Locale, brand: Brand) -> bytes:
    """Compile the tagged PDF. Equal data give equal bytes. This call blocks. Raises DocumentError."""
    _ = gettext_for(locale)
    title = _("Delivery day of order {order}").format(order=facts.order_number)
    asked = _("{day} at {time}").format(day=day(local_day(facts.requested_at), locale), time=clock(facts.requested_at))
    window = _("{day}, between {start} and {end}").format(
        day=weekday(facts.new_day, locale), start=facts.from_time, end=facts.until_time
    )
    rows = [
        (_("Planned at first"), weekday(facts.original_day, locale)),
        (_("New day"), window),
        (_("Items"), ", ".join(facts.items)),
        (_("What it means"), _(DATE_CHANGE_MEANINGS[facts.status])),
        (_("Message from the shop"), facts.note),
    ]
    pending = facts.status in PENDING
    page: dict[str, Any] = {
        "brand": brand.name,
        "reference_label": _("Your reference number"),
        "reference": in_groups(facts.reference),
        "running": title,
        "foot": footer(brand, locale),
        "heading": title,
        "facts": [
            (_("Order number"), facts.order_number),
            (_("Status"), _(DATE_CHANGE_LABELS[facts.status])),
            (_("Asked on"), asked),
        ],
        "code": picture(segno.make(facts.reference, micro=False, error="m"), INK),
        "code_alt": _("QR code with the reference number {reference}").format(reference=in_groups(facts.reference)),
        "answers_title": _("The delivery day"),
        "answers": [{"label": label, "lines": [text]} for label, text in rows if text],
        "files": [],
        "costs": [],
        "next_title": _("What happens next"),
        "next": [_(text) for text in DATE_CHANGE_STEPS] if pending else [],
        "contact": _("Questions? Call {phone} or email {email}.").format(
            phone=readable_phone(brand.phone), email=brand.email
        ),
    }
    made = datetime.combine(local_day(facts.requested_at), time(12), UTC)
    return compile_pdf("confirmation", page, locale, f"{title}, {brand.name}", author=brand.name, created=made)


async def render_date_change(facts: DeliveryDocument, locale: Locale, brand: Brand) -> bytes:
    """Compile the PDF in a worker thread. Raises DocumentError."""
    return await in_thread(date_change_pdf, facts, locale, brand)


def delivery_calendar(
    settings: Settings,
    locale: Locale,
    *,
    order_number: str,
    items: tuple[str, ...],
    on: date,
    window: tuple[str, str],
    where: str,
    made_at: datetime,
) -> bytes:
    """The planned delivery as an iCalendar file (RFC 5545).

    A calendar that imports a newer file of the same order replaces the older entry. `window` has local times 'HH:MM'.
    """
    _ = gettext_for(locale)
    calendar = Calendar()
    calendar.add("prodid", f"-//{settings.brand.name}//Portal//{locale.upper()}")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    event = Event()
    event.add("uid", f"delivery-{order_number}@{urlsplit(settings.address).hostname}")
    event.add("dtstamp", made_at.astimezone(UTC))
    # A higher number replaces a lower one: seconds since 1 January 2000.
    event.add("sequence", int(made_at.timestamp()) - 946_684_800)
    # An all-day event keeps its day in every time zone.
    event.add("dtstart", on)
    event.add("dtend", on + timedelta(days=1))
    summary = _("Delivery of order {order}, between {start} and {end}")
    event.add("summary", summary.format(order=order_number, start=window[0], end=window[1]))
    event.add("description", f"{', '.join(items)}\n{settings.address}/order-status/{order_number}")
    event.add("location", where)
    event.add("url", f"{settings.address}/order-status/{order_number}")
    event.add("status", "CONFIRMED")
    event.add("transp", "TRANSPARENT")
    calendar.add_component(event)
    return calendar.to_ical()


log = structlog.get_logger(__name__)


class DeliveryDocumentService(Service, DeliveriesApi):
    """The operations that return a document about a delivery."""

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
        facts = DeliveryDocument(
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
            content = await render_date_change(facts, locale, self._context.settings.brand)
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
