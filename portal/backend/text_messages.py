"""Text messages: a message is stored as a row in the transaction of the change it reports; a job sends it when due.

They need the gateway of the settings (`Settings.sends_text_messages`). Without one nothing is stored or promised.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import structlog
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.jobs import GiveUp
from portal.backend.shops import settings_for
from portal.backend.transports import MessageRefused, OutgoingMessage, Transport, text_transport
from portal.contract.models import Locale
from portal.kernel.address import readable_phone
from portal.kernel.texts import N_, gettext_for
from portal.setting_groups import Brand
from portal.tables.messages import TextMessageRow

log = structlog.get_logger(__name__)
KIND = "text message"
LATE = timedelta(hours=12)
"""Delay after `due_at` beyond which a message is dropped."""


class TextTemplate(StrEnum):
    """All text messages."""

    PICKUP_TOMORROW = "pickup_tomorrow"
    CASE_MESSAGE = "case_message"


TEXTS: dict[TextTemplate, str] = {
    TextTemplate.PICKUP_TOMORROW: N_(
        "{brand}: we pick up your items tomorrow between {from} and {until} ({reference}). Questions? {phone}"
    ),
    TextTemplate.CASE_MESSAGE: N_("{brand}: you have a message about {reference}. Read it here: {link}"),
}


async def is_planned(session: AsyncSession, subject: str, customer_id: int) -> bool:
    """Whether a message about a subject will be sent."""
    query = select(TextMessageRow.id).where(
        TextMessageRow.subject == subject,
        TextMessageRow.customer_id == customer_id,
        col(TextMessageRow.sent_at).is_(None),
        col(TextMessageRow.dropped_at).is_(None),
    )
    return (await session.exec(query.limit(1))).first() is not None


class TextMessages:
    """Schedules, cancels and sends text messages."""

    def __init__(self, context: Context, transport: Transport | None = None) -> None:
        self._context = context
        self._transport = transport or text_transport(context.settings)

    async def plan(
        self,
        session: AsyncSession,
        template: TextTemplate,
        *,
        phone: str,
        locale: Locale,
        subject: str,
        due_at: datetime,
        customer_id: int,
        details: Mapping[str, Any],
    ) -> int | None:
        """Schedule a message for `due_at`, in the caller's transaction. Does nothing without a gateway.

        Returns the primary key of the message; None without a gateway.
        """
        if not self._context.settings.sends_text_messages:
            return None
        row = TextMessageRow(
            customer_id=customer_id,
            template=template,
            locale=locale,
            phone=phone,
            subject=subject,
            details=dict(details),
            created_at=self._context.clock(),
            due_at=due_at,
        )
        session.add(row)
        await session.flush()
        await self._context.jobs.enqueue(session, KIND, row.id, give_up_at=due_at + LATE, due_at=due_at)
        return row.id

    async def call_off(self, session: AsyncSession, subject: str, customer_id: int) -> None:
        """Cancel the unsent messages about a subject, because what they announce does not happen."""
        await session.exec(
            update(TextMessageRow)
            .where(
                col(TextMessageRow.subject) == subject,
                col(TextMessageRow.customer_id) == customer_id,
                col(TextMessageRow.sent_at).is_(None),
            )
            .values(dropped_at=self._context.clock(), details={})
        )

    async def deliver(self, row_id: int) -> None:
        """Send one message, unless it was already sent or cancelled, or is more than `LATE` overdue.

        Temporary failures are raised, so the job retries.
        """
        async with self._context.database.session() as session:
            row = (await session.exec(select(TextMessageRow).where(TextMessageRow.id == row_id))).one_or_none()
            settings = await settings_for(session, self._context.settings, row.customer_id if row else None)
        if row is None or row.sent_at or row.dropped_at:
            return
        now = self._context.clock()
        if self._transport is None or now >= row.due_at + LATE:
            await self._close(row_id, dropped_at=now)
            log.warning("text message expired", template=row.template, message=row_id)
            return
        identifier = hashlib.sha256(f"{row.subject}/{row_id}/{row.created_at:%Y%m%dT%H%M%S%f}".encode()).hexdigest()
        message = OutgoingMessage(
            identifier[:32],
            row.phone,
            _text(row, settings.brand).encode(),
            row.created_at,
            settings.text_gateway.sender,
        )
        try:
            await self._transport.send(message)
        except MessageRefused as refusal:
            await self._close(row_id, dropped_at=self._context.clock())
            raise GiveUp(str(refusal)) from None
        await self._close(row_id, sent_at=self._context.clock())
        log.info("text message sent", template=row.template, message=row_id)

    async def _close(self, row_id: int, **values: datetime) -> None:
        """Mark a message as sent or dropped, and erase its content."""
        async with self._context.database.transaction() as session:
            closed = {**values, "details": {}}
            await session.exec(update(TextMessageRow).where(col(TextMessageRow.id) == row_id).values(**closed))


def _text(row: TextMessageRow, brand: Brand) -> str:
    text = gettext_for("en" if row.locale == "en" else "nl")(TEXTS[TextTemplate(row.template)])
    for name, value in {"brand": brand.name, "phone": readable_phone(brand.phone), **row.details}.items():
        text = text.replace("{" + name + "}", str(value))
    return text
