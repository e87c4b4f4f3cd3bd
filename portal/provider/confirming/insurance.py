"""An insurance, confirmed by the mailed link: only then it goes to the insurer (part-2 §4)."""

from __future__ import annotations

from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Conflict, Refused
from portal.contract.links import LinkSent
from portal.domain.codes import Code
from portal.provider.confirming.desk import ConfirmationDesk
from portal.provider.context import Context
from portal.provider.links import Subject
from portal.provider.mail.insurance_mails import send_link, tell_status
from portal.provider.repositories import changes
from portal.provider.repositories.bikes import BikeRepository
from portal.provider.repositories.customers import CustomerRepository
from portal.provider.repositories.insurances import InsuranceRepository, move
from portal.provider.tables.bikes import BikeRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.insurance import InsuranceStatus
from portal.vocabulary.links import LIFETIME


async def about(session: AsyncSession, subject: Subject) -> dict[str, Any]:
    """What the page of the link tells. The bike by its kind only, the premium as text in euro."""
    row, bike = await InsuranceRepository(session, subject.customer_id).get(key=subject.key)
    return {
        "reference": row.reference,
        "bike": bike.name,
        "insurer": row.insurer.value if row.insurer else "",
        "type": row.type.value,
        "premium": f"{row.premium:.2f}" if row.premium is not None else "",
        "status": row.status.value,
    }


async def confirm(context: Context, session: AsyncSession, subject: Subject, _answer: str) -> None:
    """Hand the request to the insurer.

    Raises:
        Refused: `insurance_exists`, the bike was insured meanwhile; `order_cancelled` or `already_returned`.
    """
    row, bike = await InsuranceRepository(session, subject.customer_id).get(key=subject.key)
    await _may_go_on(session, bike)
    now = context.clock()
    if row.status is not InsuranceStatus.WAITING_FOR_INPUT or not await move(
        session, row, InsuranceStatus.CREATED, waits_for_link=False, updated_at=now
    ):
        raise Conflict(Code.STATUS_CHANGED)
    customer = await CustomerRepository(session, subject.customer_id).get()
    await tell_status(context, session, customer, bike, row, InsuranceStatus.CREATED)
    await changes.tell(session, subject.customer_id, Topic.INSURANCES, now)


async def renew(context: Context, session: AsyncSession, subject: Subject) -> LinkSent:
    """Mail a new link; what had expired waits again.

    Raises:
        Refused: as for `confirm`, or `insurance_request_exists`, `link_used`.
        TooMany: `mail_sent_recently`.
    """
    row, bike = await InsuranceRepository(session, subject.customer_id).get(key=subject.key)
    await _may_go_on(session, bike)
    expired = row.status is InsuranceStatus.CANCELLED and row.link_expires_at is not None and not row.iban
    if expired:
        # Ended for want of the link: its bank account is gone, so it has to be asked for anew.
        raise Refused(Code.INVALID_HASH)
    if not row.waits_for_link:
        raise Refused(Code.LINK_USED)
    now = context.clock()
    row.updated_at, row.link_expires_at = now, now + LIFETIME
    try:
        await session.flush()
    except IntegrityError:
        raise Refused(Code.INSURANCE_REQUEST_EXISTS) from None
    await changes.tell(session, subject.customer_id, Topic.INSURANCES, now)
    customer = await CustomerRepository(session, subject.customer_id).get()
    return await send_link(context, session, customer, bike, row)


async def _may_go_on(session: AsyncSession, bike: BikeRow) -> None:
    owned = await BikeRepository(session, bike.customer_id).get(bike.public_id)
    if owned.gone:
        raise Refused(owned.gone)
    if bike.insurance:
        raise Refused(Code.INSURANCE_EXISTS)


DESK = ConfirmationDesk(about, confirm, renew)
