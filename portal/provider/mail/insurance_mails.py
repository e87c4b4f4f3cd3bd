"""Mails about insurances."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.base import Locale
from portal.contract.links import LinkSent
from portal.provider.context import Context
from portal.provider.documents.formats import day, money
from portal.provider.links import Addressee, Links, Subject
from portal.provider.mail.delivery_mails import language
from portal.provider.mail.texts import Template
from portal.provider.outbox import Outbox
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.insurances import InsuranceRequestRow
from portal.texts import gettext_for
from portal.vocabulary.insurance import (
    INSURANCE_LABELS,
    INSURANCE_MEANINGS,
    INSURANCE_TYPES,
    INSURER_ASKS,
    INSURER_ASKS_MEANING,
    INSURER_NAMES,
    InsuranceStatus,
)
from portal.vocabulary.links import LinkPurpose


async def send_link(
    context: Context, session: AsyncSession, customer: CustomerRow, bike: BikeRow, row: InsuranceRequestRow
) -> LinkSent:
    """Put the mail with the link into the outbox."""
    locale = language(customer)
    return await Links(context).send(
        session,
        LinkPurpose.INSURANCE,
        Subject(row.id or 0, row.customer_id),
        Addressee(customer.email, locale),
        Template.CONFIRM_INSURANCE,
        _details(row, bike, locale),
    )


async def tell_status(
    context: Context,
    session: AsyncSession,
    customer: CustomerRow,
    bike: BikeRow,
    row: InsuranceRequestRow,
    status: InsuranceStatus,
) -> None:
    """Tell how a request stands now. What waits for the link has a mail of its own; here it waits for the insurer."""
    locale = language(customer)
    say = gettext_for(locale)
    asks = status is InsuranceStatus.WAITING_FOR_INPUT
    await Outbox(context).post(
        session,
        Template.INSURANCE_STATUS,
        recipient=customer.email,
        locale=locale,
        customer_id=customer.id,
        details={
            **_details(row, bike, locale),
            "status": say(INSURER_ASKS if asks else INSURANCE_LABELS[status]),
            "meaning": say(INSURER_ASKS_MEANING if asks else INSURANCE_MEANINGS[status]),
            "policy_number": row.policy_number,
            "starts_on": day(row.starts_on, locale) if row.starts_on else "",
            "note": row.note,
        },
    )


def _details(row: InsuranceRequestRow, bike: BikeRow, locale: Locale) -> dict[str, Any]:
    return {
        "bike": bike.name,
        "bike_id": bike.public_id,
        "reference": row.reference,
        "insurer": INSURER_NAMES[row.insurer] if row.insurer else "",
        "type": gettext_for(locale)(INSURANCE_TYPES[row.type]),
        "premium": money(row.premium, locale) if row.premium is not None else "",
    }
