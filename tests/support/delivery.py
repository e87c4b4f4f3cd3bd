"""An application that delivers its mails, and a look at what waits."""

from __future__ import annotations

import asyncio
from typing import Any

from sqlmodel import col, select

from portal.backend.mail import SmtpTransport
from portal.provider.application import BackgroundWorker
from portal.settings import Smtp
from portal.tables.messages import JobRow, OutboxMail
from tests.support.application import TestApplication


def mail_work(application: TestApplication, port: int, **changes: Any) -> BackgroundWorker:
    """The work of an application that mails through a server on this port, without encryption unless asked for."""
    smtp = Smtp(**({"host": "127.0.0.1", "port": port, "security": "none", "timeout_seconds": 0.5} | changes))
    settings = application.context.settings.model_copy(update={"smtp": smtp})
    return BackgroundWorker(application.context, SmtpTransport(settings))


async def jobs_of(application: TestApplication) -> list[JobRow]:
    """The jobs that wait or are under way."""
    async with application.context.database.session() as session:
        return list((await session.exec(select(JobRow).order_by(col(JobRow.id)))).all())


async def mails_of(application: TestApplication) -> list[OutboxMail]:
    """The rows of the outbox."""
    async with application.context.database.session() as session:
        return list((await session.exec(select(OutboxMail).order_by(col(OutboxMail.id)))).all())


async def settled(application: TestApplication) -> None:
    """Wait until nothing is due or under way."""
    while any(job.leased_until or job.due_at <= application.clock() for job in await jobs_of(application)):
        await asyncio.sleep(0.02)
