"""What follows when staff change the e-mail address of a customer."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.kernel.texts import known_locale
from portal.login.provider import queries
from portal.tables.customers import CustomerRow


async def log_out(session: AsyncSession, row: CustomerRow, now: datetime) -> None:
    """End the sessions of a customer whose address changed, and codes that are on their way to the former one."""
    await queries.replace_all(session, row.id, now)
    await queries.end_sessions(session, row.id, now)


async def notify_address(session: AsyncSession, outbox: Outbox, row: CustomerRow, recipients: Iterable[str]) -> None:
    """Mail with which e-mail address the customer logs in from now on."""
    for recipient in filter(None, recipients):
        await outbox.post(
            session,
            Template.EMAIL_CHANGED,
            recipient=recipient,
            locale=known_locale(row.locale),
            customer_id=row.id,
            details={"new_email": row.email},
        )
