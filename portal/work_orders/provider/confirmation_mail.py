"""The confirmation as a mail with its attachments, made when the mail leaves."""

from __future__ import annotations

import asyncio
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import segno
from icalendar import Calendar, Event
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.letter import clock, day, footer, money, readable_phone, size, weekday
from portal.backend.mail import MailContent, Template, render
from portal.backend.outbox import Unwritable, WrittenMail
from portal.backend.pdf import DocumentError, Long, compile_pdf, in_thread
from portal.contract.errors import NotFound
from portal.contract.models import Document
from portal.kernel.days import local_day
from portal.kernel.money import COST_NAMES, total
from portal.kernel.texts import gettext_for, known_locale
from portal.orders.provider.invoice_document import picture
from portal.settings import Brand, Settings
from portal.tables.messages import OutboxMail
from portal.tables.work_orders import RequestRow
from portal.work_orders.provider.confirmation import Confirmation, calendar_name, confirmation_of, pdf_name
from portal.work_orders.provider.queries import own_request

if TYPE_CHECKING:
    from portal.flow.provider.handler import DraftSubmission


async def confirm(session: AsyncSession, submission: DraftSubmission, request: RequestRow) -> bool:
    """Put the confirmation of a request into the outbox, in the transaction that makes the request.

    Nothing is rendered here: mail, PDF and appointment are made of the kept request when the mail leaves. The name of
    the message follows from the reference, so the database allows one confirmation for each request.

    Returns:
        True, for `Submitted.mailed`.
    """
    await submission.outbox.post(
        session,
        Template.REQUEST_CONFIRMATION,
        recipient=submission.owner.email,
        locale=submission.owner.locale,
        customer_id=submission.owner.customer_id,
        details={"reference": request.reference},
        name=f"confirmation.{request.reference}",
    )
    return True


MEDIA_TYPE = "text/calendar"

METHOD = "PUBLISH"


def calendar_of(confirmation: Confirmation, settings: Settings) -> bytes:
    """A day in the customer's calendar. The same request gives the same event: a newer file replaces the older one.

    Raises:
        ValueError: nothing is planned.
    """
    planned = confirmation.appointment
    if planned is None:
        raise ValueError("nothing is planned")
    _ = gettext_for(confirmation.locale)
    calendar = Calendar()
    calendar.add("prodid", f"-//{settings.brand.name}//Portal//{confirmation.locale.upper()}")
    calendar.add("version", "2.0")
    calendar.add("method", METHOD)
    event = Event()
    event.add("uid", f"{confirmation.reference}@{urlsplit(settings.address).hostname}")
    event.add("sequence", planned.change)
    event.add("dtstamp", planned.changed_at.astimezone(UTC))
    event.add("last-modified", planned.changed_at.astimezone(UTC))
    event.add("dtstart", planned.day)
    event.add("dtend", planned.day + timedelta(days=1))
    event.add("summary", f"{confirmation.kind}: {confirmation.bike}")
    event.add(
        "description",
        "\n".join(
            (
                _("Reference number: {reference}").format(reference=confirmation.reference_in_groups),
                _("The workshop tells you the time."),
                f"{settings.address}/maintenance",
            )
        ),
    )
    if planned.where:
        event.add("location", planned.where)
    event.add("url", f"{settings.address}/maintenance")
    event.add("status", "CANCELLED" if planned.cancelled else "CONFIRMED")
    # A whole day in the calendar, and the customer is not busy all of it.
    event.add("transp", "TRANSPARENT")
    calendar.add_component(event)
    return calendar.to_ical()


INK = "#12231e"


def title_of(confirmation: Confirmation, brand: Brand) -> str:
    """Title in the window of the reader: 'Reparatie K7M3P9RT, Bovenbuis'."""
    return f"{confirmation.kind} {confirmation.reference_in_groups}, {brand.name}"


def confirmation_page(confirmation: Confirmation, brand: Brand) -> dict[str, Any]:
    """Data of `templates/confirmation.typ`."""
    locale = confirmation.locale
    _ = gettext_for(locale)
    sent = _("{day} at {time}").format(
        day=day(local_day(confirmation.sent_at), locale), time=clock(confirmation.sent_at)
    )
    facts = [
        (_("Name"), confirmation.customer),
        (_("Bike"), confirmation.bike),
        (_("Frame number"), confirmation.frame_number),
        (_("Sent on"), sent),
        (_("Planned on"), weekday(confirmation.appointment.day, locale) if confirmation.appointment else ""),
    ]
    costs = confirmation.costs
    return {
        "brand": brand.name,
        "reference_label": _("Your reference number"),
        "reference": confirmation.reference_in_groups,
        "running": f"{confirmation.kind} {confirmation.reference_in_groups}",
        "foot": footer(brand, locale),
        "heading": confirmation.title,
        "facts": [fact for fact in facts if fact[1]],
        "code": picture(segno.make(confirmation.reference, micro=False, error="m"), INK),
        "code_alt": _("QR code with the reference number {reference}").format(
            reference=confirmation.reference_in_groups
        ),
        "answers_title": _("Your answers"),
        "answers": [
            {"label": Long(row.label), "lines": [Long(line) for line in row.lines]} for row in confirmation.rows
        ],
        "files_title": _("Photos and other files"),
        "files": [(file.name, size(file.size, locale)) for file in confirmation.files],
        "costs_title": _("Costs"),
        "costs_note": _("All amounts include VAT."),
        "costs_columns": [_("For"), _("Amount")],
        "costs": [(_(COST_NAMES[line.kind]), money(line.amount, locale)) for line in costs],
        "total": (_("Total"), money(total(costs), locale)),
        "next_title": _("What happens next"),
        "next": list(confirmation.next_steps),
        "contact": _("Questions? Call {phone} or email {email}.").format(
            phone=readable_phone(brand.phone), email=brand.email
        ),
    }


def confirmation_pdf(confirmation: Confirmation, brand: Brand) -> bytes:
    """The confirmation as a tagged PDF. Blocks for some hundredths of a second; from async code use `render_pdf`.

    The same confirmation gives the same bytes. Raises DocumentError.
    """
    try:
        page = confirmation_page(confirmation, brand)
    except (ArithmeticError, KeyError, ValueError) as error:
        raise DocumentError("the confirmation cannot be laid out") from error
    return compile_pdf(
        "confirmation",
        page,
        confirmation.locale,
        title_of(confirmation, brand),
        author=brand.name,
        created=confirmation.sent_at,
    )


async def render_pdf(confirmation: Confirmation, brand: Brand) -> bytes:
    """The confirmation as a tagged PDF, made in a thread of the documents. Raises DocumentError."""
    return await in_thread(confirmation_pdf, confirmation, brand)


class ConfirmationWriter:
    """Writes the mails of `Template.REQUEST_CONFIRMATION`."""

    def __init__(self, context: Context) -> None:
        """Use the context of the services."""
        self._context = context

    async def write(self, mail: OutboxMail) -> WrittenMail:
        """Look the request up and write its mail, PDF and appointment.

        Raises:
            Unwritable: the request is not there any more.
            DocumentError: the PDF cannot be made; another try later.
        """
        settings = self._context.settings
        try:
            async with self._context.database.session() as session:
                found = await own_request(session, mail.customer_id or 0, str(mail.details["reference"]))
        except NotFound:
            raise Unwritable("no such request") from None
        confirmation = confirmation_of(found, known_locale(mail.locale))
        content = await asyncio.to_thread(mail_of, confirmation, settings)
        documents = [await confirmation_document(confirmation, settings)]
        if confirmation.appointment:
            documents.append(calendar_document(confirmation, settings))
        return WrittenMail(content, tuple(documents))


async def confirmation_document(confirmation: Confirmation, settings: Settings) -> Document:
    """The PDF with its name. Raises DocumentError."""
    content = await render_pdf(confirmation, settings.brand)
    return Document(name=pdf_name(confirmation), media_type="application/pdf", content=content)


def calendar_document(confirmation: Confirmation, settings: Settings) -> Document:
    """The appointment with its name.

    Raises:
        ValueError: nothing is planned.
    """
    content = calendar_of(confirmation, settings)
    return Document(name=calendar_name(confirmation), media_type="text/calendar", content=content)


def mail_of(confirmation: Confirmation, settings: Settings) -> MailContent:
    """The mail as written. Blocks; the first one of a language takes some tenths of a second."""
    locale = confirmation.locale
    _ = gettext_for(locale)
    planned = confirmation.appointment
    costs = confirmation.costs
    values = {
        "title": confirmation.title,
        "reference": confirmation.reference_in_groups,
        "bike": confirmation.bike,
        "sent_on": day(local_day(confirmation.sent_at), locale),
        "planned": weekday(planned.day, locale) if planned else "",
        "rows": confirmation.rows,
        "files": [(file.name, size(file.size, locale)) for file in confirmation.files],
        "costs": [(_(COST_NAMES[line.kind]), money(line.amount, locale)) for line in costs],
        "total": money(total(costs), locale),
        "next_steps": confirmation.next_steps,
        "status_url": f"{settings.address}/maintenance",
    }
    return render(Template.REQUEST_CONFIRMATION, locale, settings, values)
