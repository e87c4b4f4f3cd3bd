"""An application that delivers its mails, and access to its waiting jobs and mails."""

import asyncio
from typing import Any

from portal.backend.context import Context
from portal.backend.transports import SmtpTransport
from portal.provider.application import BackgroundWorker
from portal.setting_groups import Smtp
from portal.tables.messages import JobRow
from tests.support.application import TestApplication


def mail_work(application: TestApplication, port: int, **changes: Any) -> BackgroundWorker:
    """The background worker of an application. It sends mails to this port, by default without encryption."""
    local: dict[str, Any] = {"host": "127.0.0.1", "port": port, "security": "none", "timeout_seconds": 0.5}
    smtp = Smtp(**(local | changes))
    settings = application.context.settings.model_copy(update={"smtp": smtp})
    return BackgroundWorker(application.context, SmtpTransport(settings))


async def work(context: Context) -> None:
    """Run all due jobs, as a worker does, until none is due."""
    queue: Any = context.jobs
    while taken := await queue._take():
        await asyncio.gather(*[queue._run(job) for job in taken])


async def settled(application: TestApplication) -> None:
    """Wait until no job is due or running."""
    while any(job.leased_until or job.due_at <= application.clock() for job in await application.rows(JobRow)):
        await asyncio.sleep(0.02)
