"""Documents about a delivery: the PDF of a request for another day, and the calendar file."""

from datetime import UTC, datetime, time

import segno
import structlog
from typing_extensions import override

from portal.backend.letter import account_values, all_day_event, footer
from portal.backend.mail import page_url
from portal.backend.pdf import DocumentError, Exact, compile_pdf, in_thread
from portal.backend.sessions import Service
from portal.contract.account import Account
from portal.contract.errors import NotFound, Unavailable
from portal.contract.models import Document, Locale
from portal.deliveries.api import DeliveriesApi
from portal.deliveries.provider.account import date_change_account
from portal.deliveries.provider.moving import known_number, load_status, ordered_units
from portal.deliveries.provider.queries import DateChangeQueries
from portal.kernel.address import readable_phone
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import gettext_for
from portal.orders.api import ScheduledDelivery
from portal.orders.provider.invoice_document import picture
from portal.orders.provider.queries import OrderQueries, line_picture
from portal.pictures.provider.lookup import pictures_of_lines, printed
from portal.setting_groups import Brand
from portal.settings import Settings
from portal.vocabulary.orders import STORE_PICKUP

INK = "#12231e"


def date_change_pdf(
    account: Account, order_number: str, asked_at: datetime, locale: Locale, brand: Brand, drawing: str = ""
) -> bytes:
    """Compile the tagged PDF of a request. Equal arguments give equal bytes. This call blocks."""
    _ = gettext_for(locale)
    title = _("Delivery day of order {order}").format(order=order_number)
    texts = account_values(account, locale)
    page: dict[str, object] = {
        "brand": brand.name,
        "reference_label": _("Your reference number"),
        "reference": account.reference,
        "running": title,
        "foot": footer(brand, locale),
        "heading": texts["title"],
        "meaning": texts["meaning"],
        "facts": [(_("Order number"), order_number), (_("Status"), texts["status"])],
        "drawing": drawing,
        "code": picture(segno.make(account.reference.replace(" ", ""), micro=False, error="m"), INK),
        "code_alt": _("QR code with the reference number {reference}").format(reference=account.reference),
        "answers_title": _("The delivery day"),
        "answers": [{"label": label, "lines": lines} for label, lines in texts["facts"]],
        "handover": [],
        "costs": [],
        "next_title": _("What happens next"),
        "next": texts["next_steps"],
        "contact": _("Questions? Call {phone} or email {email}.").format(
            phone=readable_phone(brand.phone), email=brand.email
        ),
    }
    made = datetime.combine(local_day(asked_at), time(12), UTC)
    return compile_pdf("confirmation", page, locale, f"{title}, {brand.name}", author=brand.name, created=made)


def delivery_calendar(
    settings: Settings,
    account: Account,
    scheduled: ScheduledDelivery,
    locale: Locale,
    *,
    pickup: bool,
    made_at: datetime,
) -> bytes:
    _ = gettext_for(locale)
    order_number = account.reference
    summary = (
        _("Pick-up of order {order}, between {start} and {end}")
        if pickup
        else _("Delivery of order {order}, between {start} and {end}")
    )
    return all_day_event(
        settings,
        locale,
        name=f"delivery-{order_number}",
        # Seconds since 1 January 2000.
        sequence=int(made_at.timestamp()) - 946_684_800,
        changed_at=made_at,
        day=scheduled.day,
        summary=summary.format(order=order_number, start=scheduled.from_time, end=scheduled.until_time),
        description=_description(account, locale),
        place=account.handover.place if account.handover else (),
        url=page_url(f"/order-status/{order_number}", locale, settings),
    )


def _description(account: Account, locale: Locale) -> list[str]:
    handover = [account.handover.how.text(locale), account.handover.when.text(locale)] if account.handover else []
    facts = [f"{label}: {', '.join(lines)}" for label, lines in account_values(account, locale)["facts"]]
    return [*handover, *facts]


log = structlog.get_logger(__name__)


class DeliveryDocumentService(Service, DeliveriesApi):
    @override
    async def delivery_date_pdf(self, token: str, order_number: str, locale: Locale) -> Document:
        async with self._sessions.reading(token) as (owner, session):
            known_number(order_number)
            orders = OrderQueries(session, owner.customer_id)
            order = await orders.get(order_number)
            change = await DateChangeQueries(session, owner.customer_id).latest(order)
            items = ordered_units(await orders.lines(order))
            first = [line for line, _ in items[:1]]
            found = await pictures_of_lines(session, owner.customer_id, [line.id for line in first])
        if change is None:
            raise NotFound
        account = date_change_account(order, items, change, self._context.clock())
        brand = self._settings.of(owner.source).brand
        drawing = "".join(await printed(self._settings, [line_picture(line, found) for line in first]))
        try:
            content = await in_thread(
                date_change_pdf, account, order_number, change.created_at, locale, brand, Exact(drawing)
            )
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
            order = await OrderQueries(session, owner.customer_id).get(order_number)
            status = await load_status(session, order)
        if status.scheduled is None:
            raise NotFound
        content = delivery_calendar(
            self._settings.of(owner.source),
            status.account,
            status.scheduled,
            locale,
            pickup=status.delivery_method == STORE_PICKUP,
            made_at=self._context.clock(),
        )
        _ = gettext_for(locale)
        name = _("Delivery {order}.ics").format(order=order_number)
        return Document(name=name, media_type="text/calendar", content=content)
