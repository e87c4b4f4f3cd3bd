"""The confirmation of a request in one language: its content, and the mail, PDF and calendar file made from it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import segno
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.bike_names import bike_mark
from portal.backend.context import Context
from portal.backend.letter import HandoverValues, account_values, all_day_event, clock, day, footer
from portal.backend.mail import MailContent, Template, page_url, render
from portal.backend.outbox import Unwritable, WrittenMail
from portal.backend.pdf import DocumentError, Exact, Long, compile_pdf, in_thread
from portal.backend.shops import settings_for
from portal.contract.account import Account
from portal.contract.errors import NotFound
from portal.contract.models import Document, Locale, Picture
from portal.flow.provider.handler import HANDLERS, StoredRequest
from portal.kernel.address import readable_phone
from portal.kernel.days import local_day
from portal.kernel.texts import gettext_for, known_locale
from portal.orders.provider.invoice_document import picture
from portal.pictures.provider.lookup import mail_picture, printed
from portal.setting_groups import Brand
from portal.settings import Settings
from portal.tables.messages import OutboxMail
from portal.tables.work_orders import RequestRow
from portal.vocabulary.work_orders import REQUEST_LABELS
from portal.work_orders.provider.account import FLOW_OF, account_of
from portal.work_orders.provider.queries import OwnedRequest, own_request

if TYPE_CHECKING:
    from portal.flow.provider.handler import DraftSubmission


@dataclass(frozen=True, slots=True)
class Appointment:
    """The planned day of the work.

    `day`: local day in Europe/Amsterdam.
    `changed_at`: last change of the request (UTC).
    """

    day: date
    change: int
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a document says about a request, in the language `locale`.

    `reference`: without spaces.
    `frame_number`: empty if unknown.
    `sent_at`: UTC.
    `appointment`: None while no day is ahead.
    """

    account: Account
    locale: Locale
    reference: str
    kind: str
    subject: str
    customer: str
    first_name: str
    bike: str
    picture: Picture
    frame_number: str
    mark: str
    sent_at: datetime
    appointment: Appointment | None


def confirmation_of(found: OwnedRequest, locale: Locale) -> Confirmation:
    _ = gettext_for(locale)
    request, bike, customer, partner = found.request, found.bike, found.customer, found.partner
    handler = HANDLERS.get(FLOW_OF.get(request.kind, ""))
    account = account_of(request, bike, partner, departure=found.departure)
    day = account.handover.day if account.handover else None
    said = _(handler.flow.sent) if handler else _("Your request has been sent")
    return Confirmation(
        account=account,
        locale=locale,
        reference=request.reference,
        kind=_(REQUEST_LABELS[request.kind]),
        subject=f"{said}: {found.called.text(locale)}",
        customer=customer.full_name,
        first_name=customer.first_name,
        bike=bike.name_in(locale),
        picture=found.picture,
        frame_number=bike.frame_number or "",
        mark=bike_mark(bike, locale),
        sent_at=request.created_at,
        appointment=Appointment(
            day=day,
            # Seconds from creation to the last change: increases over time, and is the same in every process.
            change=max(0, int((request.updated_at - request.created_at).total_seconds())),
            changed_at=request.updated_at,
        )
        if day
        else None,
    )


def _stem(confirmation: Confirmation) -> str:
    return f"{confirmation.kind.lower().replace(' ', '-')}-{confirmation.reference}"


def title_and_description(row: RequestRow, locale: Locale) -> tuple[str, str]:
    """Title and description of a request.

    Both are built from the answers. A request without answers uses the stored title and description.
    """
    handler = HANDLERS.get(FLOW_OF.get(row.kind, ""))
    if handler is None or handler.describe is None:
        return row.title, row.description
    title, description = handler.describe(StoredRequest.of(row.details, locale))
    return title or row.title, description or row.description


async def confirm(session: AsyncSession, submission: DraftSubmission, request: RequestRow) -> bool:
    """Put the confirmation of a request into the outbox, in the transaction that creates the request.

    Nothing is rendered here: `ConfirmationWriter` does that from the stored request when the mail is sent. The name of
    the message contains the reference, so the database allows only one confirmation per request.
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


def calendar_of(confirmation: Confirmation, settings: Settings) -> bytes:
    """The planned day as an iCalendar file."""
    planned = confirmation.appointment
    if planned is None:
        raise ValueError("nothing is planned")
    _ = gettext_for(confirmation.locale)
    values = account_values(confirmation.account, confirmation.locale)
    handover: HandoverValues | None = values["handover"]
    return all_day_event(
        settings,
        confirmation.locale,
        name=confirmation.reference,
        sequence=planned.change,
        changed_at=planned.changed_at,
        day=planned.day,
        summary=values["title"],
        description=(
            _("Reference number: {reference}").format(reference=confirmation.account.reference),
            values["status"],
            *([handover["how"], handover["cost"]] if handover and handover["how"] else []),
            _("The workshop will tell you the time."),
        ),
        place=handover["place"] if handover else (),
        url=page_url("/maintenance", confirmation.locale, settings),
    )


INK = "#12231e"
_NOTHING = Exact()


def title_of(confirmation: Confirmation, brand: Brand) -> str:
    """The document title that a PDF viewer shows: kind of request, reference and brand."""
    return f"{confirmation.kind} {confirmation.account.reference}, {brand.name}"


def confirmation_page(confirmation: Confirmation, brand: Brand, picture_of_bike: Exact) -> dict[str, object]:
    """The data for `templates/confirmation.typ`."""
    locale, account = confirmation.locale, confirmation.account
    _ = gettext_for(locale)
    values = account_values(account, locale)
    sent = _("{day} at {time}").format(
        day=day(local_day(confirmation.sent_at), locale), time=clock(confirmation.sent_at)
    )
    facts = [
        (_("Name"), confirmation.customer),
        (_("Bike"), confirmation.bike),
        (_("Frame number"), confirmation.frame_number),
        (_("Sent on"), sent),
        (_("Status"), values["status"]),
    ]
    return {
        "brand": brand.name,
        "reference_label": _("Your reference number"),
        "reference": account.reference,
        "running": f"{confirmation.kind} {account.reference}",
        "foot": footer(brand, locale),
        "heading": Long(values["title"]),
        "meaning": values["meaning"],
        "facts": [fact for fact in facts if fact[1]],
        "drawing": picture_of_bike,
        "code": picture(segno.make(confirmation.reference, micro=False, error="m"), INK),
        "code_alt": _("QR code with the reference number {reference}").format(reference=account.reference),
        "handover_title": _("How your bike gets there"),
        "handover": _rows_of(values["handover"], locale),
        "answers_title": _("Your answers"),
        "answers": [
            {"label": Long(label), "lines": [Long(line) for line in lines]} for label, lines in values["facts"]
        ],
        "costs_title": _("Costs"),
        "costs_note": values["note"],
        "costs_columns": [_("For"), _("Amount")],
        "costs": values["costs"],
        "total": values["total"],
        "next_title": _("What happens next"),
        "next": values["next_steps"],
        "contact": _("Questions? Call {phone} or email {email}.").format(
            phone=readable_phone(brand.phone), email=brand.email
        ),
    }


def _rows_of(handover: HandoverValues | None, locale: Locale) -> list[dict[str, object]]:
    """The handover as rows of the document; none without one."""
    if handover is None:
        return []
    _ = gettext_for(locale)
    rows = (
        (_("Chosen"), [handover["how"]]),
        (_("Where"), handover["place"]),
        (_("When"), [handover["when"]]),
        (_("Costs"), [handover["cost"]]),
    )
    return [{"label": Long(label), "lines": [Long(line) for line in lines]} for label, lines in rows if any(lines)]


def confirmation_pdf(confirmation: Confirmation, brand: Brand, picture_of_bike: Exact = _NOTHING) -> bytes:
    """Render the confirmation as a tagged PDF. The same confirmation gives the same bytes.

    Blocks for some hundredths of a second; use `render_pdf` in async code.
    """
    try:
        page = confirmation_page(confirmation, brand, picture_of_bike)
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


async def render_pdf(confirmation: Confirmation, brand: Brand, picture_of_bike: Exact = _NOTHING) -> bytes:
    """Render the confirmation as a tagged PDF, in a worker thread. Raises DocumentError."""
    return await in_thread(confirmation_pdf, confirmation, brand, picture_of_bike)


class ConfirmationWriter:
    """Renders the mails of `Template.REQUEST_CONFIRMATION`."""

    def __init__(self, context: Context) -> None:
        """Use the context of the services."""
        self._context = context

    async def write(self, mail: OutboxMail) -> WrittenMail:
        """Render the mail with its PDF, and with a calendar file if a day is planned."""
        try:
            async with self._context.database.session() as session:
                settings = await settings_for(session, self._context.settings, mail.customer_id)
                found = await own_request(session, mail.customer_id or 0, str(mail.details["reference"]))
        except NotFound:
            raise Unwritable("no such request") from None
        confirmation = confirmation_of(found, known_locale(mail.locale))
        content = await asyncio.to_thread(mail_of, confirmation, settings, mail.details)
        documents = [await confirmation_document(confirmation, settings)]
        if confirmation.appointment:
            documents.append(calendar_document(confirmation, settings))
        return WrittenMail(content, tuple(documents))


async def confirmation_document(confirmation: Confirmation, settings: Settings) -> Document:
    """Render the PDF and name the file, such as 'reparatie-K7M3P9RT.pdf'. Raises DocumentError."""
    (shown,) = await printed(settings, [confirmation.picture])
    content = await render_pdf(confirmation, settings.brand, shown)
    return Document(name=f"{_stem(confirmation)}.pdf", media_type="application/pdf", content=content)


def calendar_document(confirmation: Confirmation, settings: Settings) -> Document:
    """Render the calendar file and name it, such as 'reparatie-K7M3P9RT-afspraak.ics'."""
    _ = gettext_for(confirmation.locale)
    word = _("appointment")
    return Document(
        name=f"{_stem(confirmation)}-{word}.ics",
        media_type="text/calendar",
        content=calendar_of(confirmation, settings),
    )


def mail_of(
    confirmation: Confirmation, settings: Settings, details: Mapping[str, Any] = MappingProxyType({})
) -> MailContent:
    """Render the mail. Blocks; the first mail in each language takes some tenths of a second."""
    locale, account = confirmation.locale, confirmation.account
    values = (
        {**details}
        | account_values(account, locale)
        | {
            "greeted": confirmation.first_name,
            "subject": confirmation.subject,
            "reference": account.reference,
            "sent_on": day(local_day(confirmation.sent_at), locale),
            "status_url": f"{settings.address}/maintenance",
            "picture": mail_picture(confirmation.picture, confirmation.bike, confirmation.mark),
        }
    )
    return render(Template.REQUEST_CONFIRMATION, locale, settings, values)
