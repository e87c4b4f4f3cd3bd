"""A confirmation as the template of the paper shows it, and as a PDF."""

from __future__ import annotations

from typing import Any

import segno

from portal.domain.costs import COST_NAMES, total
from portal.domain.dates import local_day
from portal.provider.confirmations.confirmation import Confirmation
from portal.provider.documents.engine import DocumentError, compile_pdf, in_thread
from portal.provider.documents.formats import clock, day, money, size, weekday
from portal.provider.documents.letterhead import footer, spoken_phone
from portal.provider.documents.payment_code import picture
from portal.provider.documents.plain_text import Long
from portal.settings import Brand
from portal.texts import gettext_for

INK = "#12231e"


def title_of(confirmation: Confirmation, brand: Brand) -> str:
    """Title in the window of the reader: 'Reparatie K7M3P9RT, Bovenbuis'."""
    return f"{confirmation.kind} {confirmation.spoken}, {brand.name}"


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
        "reference": confirmation.spoken,
        "running": f"{confirmation.kind} {confirmation.spoken}",
        "foot": footer(brand, locale),
        "heading": confirmation.title,
        "facts": [fact for fact in facts if fact[1]],
        "code": picture(segno.make(confirmation.reference, micro=False, error="m"), INK),
        "code_alt": _("QR code with the reference number {reference}").format(reference=confirmation.spoken),
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
            phone=spoken_phone(brand.phone), email=brand.email
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
