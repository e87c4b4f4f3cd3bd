"""Text messages: a message is stored as a row in the transaction of the change it reports; a job sends it when due.

`FileTexts` writes the messages to the data directory. The gateway of a retailer implements `TextTransport`.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

import structlog
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.contract.models import Locale
from portal.kernel.texts import N_, gettext_for
from portal.settings import Settings
from portal.tables.messages import TextMessageRow

log = structlog.get_logger(__name__)
KIND = "text message"
LATE = timedelta(hours=12)
"""Delay after `due_at` beyond which a message is dropped."""


class TextTemplate(StrEnum):
    """All text messages."""

    PICKUP_TOMORROW = "pickup_tomorrow"


_TEXTS: dict[TextTemplate, str] = {
    TextTemplate.PICKUP_TOMORROW: N_(
        "{brand}: tomorrow between {from} and {until} we pick up your items ({reference}). Questions? {phone}"
    )
}


class TextTransport(Protocol):
    """Sends text messages."""

    async def send(self, phone: str, text: str, name: str) -> None:
        """Send one message to one number. Any error causes a retry; `name` is the same for every attempt."""
        ...


class FileTexts:
    """Writes messages as files, atomically, readable only by the server's user."""

    def __init__(self, directory: Path) -> None:
        """Write into this directory, which is created when needed."""
        self._directory = directory

    async def send(self, phone: str, text: str, name: str) -> None:
        """Write the file. A retry overwrites the same file."""
        await asyncio.to_thread(self._write, f"{name}.txt", f"To: {phone}\n\n{text}\n")

    def _write(self, name: str, content: str) -> None:
        self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        unfinished = self._directory / f".{name}.{os.getpid()}"
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(content)
        unfinished.replace(self._directory / name)


def text_transport(settings: Settings) -> TextTransport:
    """Create the transport that the settings select."""
    return FileTexts(settings.data_dir / "texts")


class TextMessages:
    """Schedules, cancels and sends text messages."""

    def __init__(self, context: Context, transport: TextTransport | None = None) -> None:
        """Use the settings, database and clock of the context."""
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
    ) -> None:
        """Schedule a message for `due_at`, in the caller's transaction."""
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
        await self._context.jobs.enqueue(session, KIND, row.id or 0, give_up_at=due_at + LATE, due_at=due_at)

    async def call_off(self, session: AsyncSession, subject: str, customer_id: int) -> None:
        """Cancel the unsent messages about a subject, because what they announce does not happen."""
        await session.exec(
            update(TextMessageRow)
            .where(
                col(TextMessageRow.subject) == subject,
                col(TextMessageRow.customer_id) == customer_id,
                col(TextMessageRow.sent_at).is_(None),
            )
            .values(dropped_at=self._context.clock())
        )

    async def deliver(self, row_id: int) -> None:
        """Send one message, unless it was already sent or cancelled, or is more than `LATE` overdue."""
        async with self._context.database.session() as session:
            row = (await session.exec(select(TextMessageRow).where(TextMessageRow.id == row_id))).one_or_none()
        if row is None or row.sent_at or row.dropped_at:
            return
        now = self._context.clock()
        if now >= row.due_at + LATE:
            await self._close(row_id, dropped_at=now)
            log.warning("text message expired", template=row.template, message=row_id)
            return
        name = hashlib.sha256(f"{row.subject}/{row_id}".encode()).hexdigest()[:12]
        await self._transport.send(row.phone, self._text(row), f"{row.due_at:%Y%m%dT%H%M%S}-{name}")
        await self._close(row_id, sent_at=self._context.clock())

    def _text(self, row: TextMessageRow) -> str:
        brand = self._context.settings.brand
        text = gettext_for("en" if row.locale == "en" else "nl")(_TEXTS[TextTemplate(row.template)])
        for name, value in {"brand": brand.name, "phone": brand.phone, **row.details}.items():
            text = text.replace("{" + name + "}", str(value))
        return text

    async def _close(self, row_id: int, **values: datetime) -> None:
        async with self._context.database.transaction() as session:
            await session.exec(update(TextMessageRow).where(col(TextMessageRow.id) == row_id).values(**values))
