"""A confirmation as a mail with its attachments, made when the mail leaves."""

from __future__ import annotations

import asyncio

from portal.contract.base import Document
from portal.contract.errors import NotFound
from portal.domain.costs import COST_NAMES, total
from portal.domain.dates import local_day
from portal.provider.confirmations.calendar import calendar_of
from portal.provider.confirmations.confirmation import Confirmation, confirmation_of
from portal.provider.confirmations.names import calendar_name, pdf_name
from portal.provider.confirmations.page import render_pdf
from portal.provider.context import Context
from portal.provider.documents.formats import day, money, size, weekday
from portal.provider.mail.texts import Content, Template, render
from portal.provider.outbox import Letter, Unwritable
from portal.provider.repositories.confirmations import own_request
from portal.provider.tables.outbox import OutboxMail
from portal.settings import Settings
from portal.texts import gettext_for, known_locale


class ConfirmationWriter:
    """Writes the mails of `Template.REQUEST_CONFIRMATION`."""

    def __init__(self, context: Context) -> None:
        """Work with the parts of the house."""
        self._context = context

    async def write(self, mail: OutboxMail) -> Letter:
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
        content = await asyncio.to_thread(letter_of, confirmation, settings)
        papers = [await confirmation_document(confirmation, settings)]
        if confirmation.appointment:
            papers.append(calendar_document(confirmation, settings))
        return Letter(content, tuple(papers))


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


def letter_of(confirmation: Confirmation, settings: Settings) -> Content:
    """The mail as written. Blocks; the first one of a language takes some tenths of a second."""
    locale = confirmation.locale
    _ = gettext_for(locale)
    planned = confirmation.appointment
    costs = confirmation.costs
    values = {
        "title": confirmation.title,
        "reference": confirmation.spoken,
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
